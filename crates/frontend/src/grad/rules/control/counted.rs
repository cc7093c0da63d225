//! Loops in reverse mode, the forward half: the loop as it was, which saves what the backward half needs of each trip.
//!
//! ```text
//! while((i, x, w))   →   while((i, x, w, s)), s = f32[trips, …], body: s[i] = x     and, later, [`backward`]
//! ```

use super::activity;
use super::affine::{Affine, Trip};
use super::backward::{Carry, CountedLoop, Read, Sum, Write};
use super::flat::{self, Flat, Open};
use super::hoist::{self, Hoisted};
use super::trips::{self, Trips};
use super::{rebuild, rows, save};
use crate::error::Fault;
use crate::fault;
use crate::grad::linearize::Mode;
use crate::grad::tape::{Definition, Tangent, Tape};
use crate::grad::{Linearizer, Tan};
use crate::graph::Emit;
use lawson_hlo::builder::Body;
use lawson_hlo::{ArrayShape, Attrs, Computation, DType, InstrId, Instruction, Opcode, Shape};
use rustc_hash::FxHashMap;

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let it = Analysed::new(cx, instr, operands[0], &tangents[0])?;
    if it.trips.count == 0 {
        return Ok((operands[0], tangents[0].clone()));
    }
    let outside = it.outside(cx)?;
    let (body, parts) = it.linearize(cx, &outside)?;
    let mut needed = parts.tape.residuals(&parts.outputs());
    needed.extend(parts.indices());
    let leaves = it.shapes.len();
    let available = |comp: &Computation, id: InstrId| match comp[id].attrs {
        Attrs::Parameter(n) => n >= leaves || n == it.trips.counter || it.invariant[n],
        _ => false,
    };
    let choose = |comp: &Computation| save::saved(comp, &needed, &|id| available(comp, id));
    let (comp, saved) = finish(cx.emit, body, &parts.results, choose)?;
    let (found, stacks) = it.forward(cx.emit, &comp, &saved, &outside)?;
    let value = cx.emit.of_leaves(&instr.shape, &mut found.into_iter())?;

    let is_at_hand = |id: InstrId| available(&comp, id) || saved.binary_search(&id).is_ok();
    let mut at_hand = Vec::new();
    for id in rebuild::used(&comp, &needed, &is_at_hand) {
        match comp[id].attrs {
            Attrs::Parameter(n) if n == it.trips.counter || saved.contains(&id) => {}
            Attrs::Parameter(n) if n < leaves => at_hand.push((id, it.init[n])),
            Attrs::Parameter(n) => at_hand.push((id, outside.passed[n - leaves])),
            _ => {}
        }
    }
    let mut results: Vec<Option<Tangent>> = it.initial.clone();
    let places: Vec<usize> = parts.result_leaves();
    let shapes: Vec<ArrayShape> = places.iter().map(|&k| it.shapes[k].clone()).collect();
    (0..leaves).filter(|&k| !it.invariant[k]).for_each(|k| results[k] = None);
    let Parts { tape, carries, sums, reads, writes, .. } = parts;
    let stacks = saved.into_iter().zip(stacks).collect();
    let backward = CountedLoop { trips: it.trips, comp, tape, carries, sums, reads, writes, stacks, at_hand };
    if !shapes.is_empty() {
        let found = cx.structured(Box::new(backward), &shapes);
        places.into_iter().zip(found).for_each(|(k, t)| results[k] = Some(t));
    }
    Ok((value, Tan::of_leaves(&instr.shape, &mut results.into_iter())))
}

/// A loop that counts, and what its state starts with.
struct Analysed {
    condition: Flat,
    body: Flat,
    trips: Trips,
    shapes: Vec<ArrayShape>,
    init: Vec<InstrId>,
    initial: Vec<Option<Tangent>>,
    /// Of each leaf of the state, whether the body passes it on, and what integer it then is, where that is known.
    invariant: Vec<bool>,
    constants: Vec<Option<i64>>,
    /// Of each leaf of the state, whether it varies in any trip.
    varies: Vec<bool>,
    hoisted: Hoisted,
}

/// What is made in front of the loop.
struct Outside {
    tangents: FxHashMap<InstrId, Tangent>,
    /// The values that the body takes from outside.
    passed: Vec<InstrId>,
}

/// What linearising the body gave.
struct Parts {
    tape: Tape,
    results: Vec<InstrId>,
    carries: Vec<Carry>,
    sums: Vec<Sum>,
    reads: Vec<Read>,
    writes: Vec<Write>,
}

impl Analysed {
    fn new(
        cx: &mut Linearizer<'_, '_>,
        instr: &Instruction,
        state: InstrId,
        tangent: &Tan,
    ) -> Result<Analysed, Fault> {
        let Attrs::While { condition, body } = instr.attrs else { return fault!("`while` has no body") };
        let shapes = flat::arrays(&instr.shape)?;
        let init = cx.emit.leaves(state)?;
        let mut known = flat::known(cx.emit, &init);
        let integers: Vec<Option<i64>> =
            init.iter().map(|&id| flat::integer(cx.emit.body, id, &|_| None)).collect();
        let (plain, test) = (flat::flat(cx.emit, body, &[])?, flat::flat(cx.emit, condition, &[])?);
        let Some(trips) = trips::count(&test, &plain, &|k| integers[k]) else {
            return fault!(
                "`while` has no derivative backward unless the number of its trips is known from the program: use \
                 `scan`, or `fori_loop` with constant bounds, or `custom_vjp`; forward mode (`jvp`, `jacfwd`) works"
            );
        };
        let invariant: Vec<bool> = (0..shapes.len()).map(|k| trips::is_invariant(&plain, k)).collect();
        let constants: Vec<Option<i64>> =
            (0..shapes.len()).map(|k| if invariant[k] { integers[k] } else { None }).collect();
        (0..shapes.len()).filter(|&k| !invariant[k]).for_each(|k| known[k] = None);
        let (body, condition) = (flat::flat(cx.emit, body, &known)?, flat::flat(cx.emit, condition, &known)?);
        let initial = tangent.leaves(&instr.shape);
        let flags = |state: &[bool]| state.iter().map(|&v| vec![v]).collect::<Vec<_>>();
        let varies = activity::fixed_point(initial.iter().map(Option::is_some).collect(), |state| {
            let mut found = activity::of_values(cx.emit.graph, &body.comp, &flags(state));
            let after = found.swap_remove(body.comp.root.index());
            after.iter().zip(&invariant).map(|(v, same)| *v && !same).collect()
        });
        let values = activity::of_values(cx.emit.graph, &body.comp, &flags(&varies));
        let hoisted = hoist::hoisted(&body, &invariant, &values);
        Ok(Analysed { condition, body, trips, shapes, init, initial, invariant, constants, varies, hoisted })
    }

    /// Makes what is hoisted.
    fn outside(&self, cx: &mut Linearizer<'_, '_>) -> Result<Outside, Fault> {
        let mut at: FxHashMap<InstrId, (InstrId, Tan)> = FxHashMap::default();
        let outer = cx.emit.body.origin.clone();
        for &id in &self.hoisted.outside {
            let instr = &self.body.comp[id];
            let made = match instr.attrs {
                Attrs::Parameter(n) => (self.init[n], self.initial[n].map_or(Tan::Zero, Tan::One)),
                _ => {
                    cx.emit.body.origin = instr.origin.clone();
                    let (operands, tangents): (Vec<InstrId>, Vec<Tan>) =
                        instr.operands.iter().map(|o| at[o].clone()).unzip();
                    cx.instruction(instr, &operands, &tangents)?
                }
            };
            at.insert(id, made);
        }
        cx.emit.body.origin = outer;
        let tangent = |id: &InstrId| Some((*id, at[id].1.one()?));
        let tangents = self.hoisted.tangents.iter().filter_map(tangent).collect();
        Ok(Outside { tangents, passed: self.hoisted.values.iter().map(|id| at[id].0).collect() })
    }

    /// Makes the body again over its leaves and what is passed from outside, with its tangents on a tape.
    fn linearize(&self, cx: &mut Linearizer<'_, '_>, outside: &Outside) -> Result<(Body, Parts), Fault> {
        let comp = &self.body.comp;
        let constant = |n: usize| self.constants[n].map(Affine::constant);
        let counter = Affine { scale: self.trips.step, offset: self.trips.init };
        let parameter = |n: usize| if n == self.trips.counter { Some(counter) } else { constant(n) };
        let trip = Trip { comp, trips: self.trips.count, parameter: &parameter };

        let mut body = Body::new(cx.emit.body.origin.clone());
        body.notes = cx.emit.body.notes.clone();
        let mut e = Emit { graph: cx.emit.graph, body: &mut body };
        let mut values: Vec<Option<InstrId>> = vec![None; comp.instrs.len()];
        let mut tangents: Vec<Tan> = vec![Tan::Zero; comp.instrs.len()];
        for (k, shape) in self.shapes.iter().enumerate() {
            values[k] = Some(e.parameter(k, Shape::Array(shape.clone())));
        }
        for (n, id) in self.hoisted.values.iter().enumerate() {
            values[id.index()] = Some(e.parameter(self.shapes.len() + n, comp[*id].shape.clone()));
        }
        let mut inner = Linearizer { emit: &mut e, mode: Mode::Reverse(Tape::default()) };
        let (mut carries, mut sums, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows: FxHashMap<InstrId, Tangent> = FxHashMap::default();
        let mut written: Vec<(usize, InstrId)> = Vec::new();
        let passed_on = (0..self.shapes.len()).filter(|&k| self.invariant[k]);
        let of_leaf = |k: usize| Some((InstrId(k as u32), self.initial[k]?));
        let of_hoisted = |id: &InstrId| Some((*id, *outside.tangents.get(id)?));
        let from_outside =
            passed_on.filter_map(of_leaf).chain(self.hoisted.tangents.iter().filter_map(of_hoisted));
        for (id, outer) in from_outside {
            let shape = comp[id].shape.expect_array().clone();
            match rows::reads(&trip, id) {
                Some(slices) => {
                    let input = input(&mut inner, comp[slices[0]].shape.expect_array());
                    rows.extend(slices.into_iter().map(|slice| (slice, input)));
                    reads.push(Read { outer, input, indices: Vec::new(), sizes: Vec::new(), shape });
                }
                None => {
                    let input = input(&mut inner, &shape);
                    tangents[id.index()] = Tan::One(input);
                    sums.push(Sum { outer, input, shape });
                }
            }
        }
        for k in (0..self.shapes.len()).filter(|&k| self.varies[k] && !self.invariant[k]) {
            let (parameter, result) = (InstrId(k as u32), self.body.results[k]);
            if self.initial[k].is_none() && rows::write(&trip, parameter, result).is_some() {
                written.push((k, result));
                continue;
            }
            let shape = self.shapes[k].clone();
            let input = input(&mut inner, &shape);
            tangents[k] = Tan::One(input);
            carries.push(Carry { leaf: k, outer: self.initial[k], input, output: None, shape });
        }
        let mut writes = Vec::new();
        for (id, instr) in comp.iter().filter(|(id, i)| *id != comp.root && i.opcode != Opcode::Parameter) {
            inner.emit.body.origin = instr.origin.clone();
            let (moved, inside) = (self.hoisted.moved[id.index()], self.hoisted.inside[id.index()]);
            if values[id.index()].is_some() || (moved && !inside) {
                continue;
            }
            let operands = instr.operands.iter().map(|o| values[o.index()]).collect::<Option<Vec<InstrId>>>();
            let Some(operands) = operands else {
                return fault!("`{}` in a loop reads what was moved in front of it", instr.opcode);
            };
            let of: Vec<Tan> = instr.operands.iter().map(|o| tangents[o.index()].clone()).collect();
            let written = written.iter().find(|(_, write)| *write == id);
            let value = if let Some(&row) = rows.get(&id) {
                let sizes = instr.shape.expect_array().dims.clone();
                if let Some(read) = reads.iter_mut().find(|r: &&mut Read| r.input == row) {
                    (read.indices, read.sizes) = (operands[1..].to_vec(), sizes);
                }
                tangents[id.index()] = Tan::One(row);
                inner.emit.again(instr, &operands)
            } else if let Some(&(leaf, _)) = written {
                if let Some(row) = of[1].one() {
                    let sizes = comp[instr.operands[1]].shape.expect_array().dims.clone();
                    let (indices, shape) = (operands[2..].to_vec(), self.shapes[leaf].clone());
                    writes.push(Write { leaf, row, indices, sizes, shape });
                }
                inner.emit.again(instr, &operands)
            } else if moved {
                inner.emit.again(instr, &operands)
            } else {
                let (value, tangent) = inner.instruction(instr, &operands, &of)?;
                tangents[id.index()] = tangent;
                value
            };
            values[id.index()] = Some(value);
        }
        let Mode::Reverse(tape) = inner.mode else { unreachable!("the mode stays") };
        for carry in &mut carries {
            carry.output = tangents[self.body.results[carry.leaf].index()].one();
        }
        let mut results = Vec::new();
        for (k, result) in self.body.results.iter().enumerate() {
            let from = if self.invariant[k] { k } else { result.index() };
            match values[from] {
                Some(id) => results.push(id),
                None => return fault!("`while` gives what was moved in front of it"),
            }
        }
        Ok((body, Parts { tape, results, carries, sums, reads, writes }))
    }

    /// The loop that saves; gives its results and the stacks of what is saved.
    fn forward(
        &self,
        emit: &mut Emit<'_>,
        comp: &Computation,
        saved: &[InstrId],
        outside: &Outside,
    ) -> Result<(Vec<InstrId>, Vec<InstrId>), Fault> {
        let leaves = self.shapes.len();
        let mut state: Vec<InstrId> = self.init.iter().chain(&outside.passed).copied().collect();
        let arguments = state.len();
        let own_trip = !self.trips.counts_trips() && !saved.is_empty();
        if own_trip {
            state.push(emit.scalar(index_type(self.trips.count), 0.0));
        }
        let first = state.len();
        for &id in saved {
            let shape = comp[id].shape.expect_array();
            state.push(emit.zeros(&stack_shape(shape, self.trips.count))?);
        }
        let shapes = state.iter().map(|&id| emit.array(id).cloned()).collect::<Result<Vec<_>, _>>()?;

        let mut open = Open::new(emit, shapes.clone())?;
        let given = open.leaves.clone();
        let mut e = open.emit(emit.graph);
        let root = e.inline_computation(&self.condition.comp, &given[..leaves]);
        let test = e.element(root, 0)?;
        let condition = emit.graph.close("condition", open.body, test);

        let mut open = Open::new(emit, shapes)?;
        let given = open.leaves.clone();
        let mut e = open.emit(emit.graph);
        let root = e.inline_computation(comp, &given[..arguments]);
        let made = e.elements(root)?;
        let mut results = made[..leaves].to_vec();
        results.extend(&given[leaves..arguments]);
        let trip = if own_trip { given[arguments] } else { given[self.trips.counter] };
        if own_trip {
            let dtype = e.dtype(trip)?;
            let one = e.scalar(dtype, 1.0);
            results.push(e.add(trip, one)?);
        }
        for (n, &value) in made[leaves..].iter().enumerate() {
            results.push(put(&mut e, given[first + n], value, trip)?);
        }
        let body = open.close(emit.graph, "body", &results)?;

        let state = emit.tuple(&state)?;
        let whole = emit.op(Opcode::While, &[state], Attrs::While { condition, body })?;
        let mut found = emit.elements(whole)?;
        let stacks = found.split_off(first);
        found.truncate(leaves);
        Ok((found, stacks))
    }
}

impl Parts {
    /// The tangents that a trip leaves.
    fn outputs(&self) -> Vec<Tangent> {
        self.carries.iter().filter_map(|c| c.output).chain(self.writes.iter().map(|w| w.row)).collect()
    }

    /// The values that say where rows are.
    fn indices(&self) -> impl Iterator<Item = InstrId> + '_ {
        let reads = self.reads.iter().flat_map(|r| &r.indices);
        reads.chain(self.writes.iter().flat_map(|w| &w.indices)).copied()
    }

    /// The leaves of the state whose tangents are results of the loop, in their order.
    fn result_leaves(&self) -> Vec<usize> {
        let carries = self.carries.iter().filter(|c| c.output.is_some()).map(|c| c.leaf);
        carries.chain(self.writes.iter().map(|w| w.leaf)).collect()
    }
}

/// A new input of a tape.
fn input(cx: &mut Linearizer<'_, '_>, shape: &ArrayShape) -> Tangent {
    let origin = cx.emit.body.origin.clone();
    let Mode::Reverse(tape) = &mut cx.mode else { unreachable!("a tape is being recorded") };
    tape.push(Definition::Input, shape.clone(), origin)
}

/// Finishes a body whose results are these, then what is to be saved, which `choose` says.
fn finish(
    emit: &mut Emit<'_>,
    mut body: Body,
    results: &[InstrId],
    choose: impl FnOnce(&Computation) -> Vec<InstrId>,
) -> Result<(Computation, Vec<InstrId>), Fault> {
    let saved = choose(&body.clone().finish("body", results[0]));
    let all: Vec<InstrId> = results.iter().chain(&saved).copied().collect();
    let root = Emit { graph: emit.graph, body: &mut body }.tuple(&all)?;
    Ok((body.finish("body", root), saved))
}

/// The type of the numbers of trips.
pub(super) fn index_type(trips: i64) -> DType {
    if trips <= i64::from(i32::MAX) { DType::S32 } else { DType::S64 }
}

/// The shape of what is saved in all trips.
pub(super) fn stack_shape(shape: &ArrayShape, trips: i64) -> ArrayShape {
    let dims: Vec<i64> = std::iter::once(trips).chain(shape.dims.iter().copied()).collect();
    ArrayShape::new(shape.dtype, dims)
}

/// A stack with another value of that trip.
fn put(e: &mut Emit<'_>, stack: InstrId, value: InstrId, trip: InstrId) -> Result<InstrId, Fault> {
    let mut dims = e.dims(value)?;
    dims.insert(0, 1);
    let row = e.reshape(value, &dims)?;
    let dtype = e.dtype(trip)?;
    let zero = e.scalar(dtype, 0.0);
    let mut operands = vec![stack, row, trip];
    operands.resize(dims.len() + 2, zero);
    e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
}
