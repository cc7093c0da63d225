//! A `while` as one stage: lanes outside, the time loop inside, the state in scalars.
//!
//! Elements of the state that no trip changes are read where they come from. An array that each trip writes a part
//! of and nothing reads is stored to directly. What is left is state: one [`Carry`] for each component of each
//! element, at a point that is a lane. Initial values and uses of the results are expressions like any other. A loop
//! in the body is taken apart in the same way, and stays a loop within the loop (`looped/inner`).

use super::lanes::Lanes;
use super::*;
use crate::region::{Carried, Carry, Element, Looped};
use lawson_hlo::{CompId, Shape};
use std::rc::Rc;

mod absorb;
mod combine;
mod inner;
mod parts;
mod stacked;

pub use parts::known_trips;
pub(super) use parts::{Part, Parts};

/// Scopes: the computation that holds the loop; then of each loop its condition and its body.
pub(super) const OUTER: usize = 0;

pub(super) fn condition(n: usize) -> usize {
    2 * n + 1
}

pub(super) fn body(n: usize) -> usize {
    2 * n + 2
}

fn loop_of(scope: usize) -> usize {
    (scope - 1) / 2
}

fn is_condition(scope: usize) -> bool {
    scope % 2 == 1
}

/// Loops within a loop and itself; more are refused.
const MAX_LOOPS: usize = 16;

/// Expressions in a loop kernel; more are refused.
const MAX_NODES: usize = 8192;
/// Instructions in condition and body.
const MAX_INSTRUCTIONS: usize = 8192;
/// Elements of an output that each lane writes.
const MAX_ELEMENTS: i64 = 64;

/// What reading an element of the state gives.
enum Role {
    /// The initial value, an instruction outside.
    Invariant(InstrId),
    /// Carries, from this one on, one for each component.
    Lanes { first: u32, dims: Vec<i64>, axes: Vec<Option<usize>> },
    /// Written only.
    Stacked,
}

/// The computation expressions are evaluated in.
struct Frame<'a> {
    comp: &'a Computation,
    inputs: FxHashMap<InstrId, u32>,
    memo: super::Memo,
}

/// The loop being built.
pub(super) struct State<'a> {
    scope: usize,
    /// By scope, those not in use.
    parked: Vec<Option<Frame<'a>>>,
    parts: Rc<Parts<'a>>,
    lanes: Rc<Lanes>,
    /// Each loop's elements.
    roles: Vec<Vec<Role>>,
    /// Each loop's carries.
    nodes: Vec<Vec<NodeId>>,
    /// Which loops are made of expressions already.
    built: Vec<bool>,
    /// Of each loop the last values that stand for loops within it that write.
    within: Vec<Vec<NodeId>>,
    /// Elements of the first loop's result that are outputs of the kernel.
    results: Vec<(usize, u32)>,
}

impl<'a> Builder<'a> {
    /// The loop among what the outputs need, if there is one.
    pub(super) fn loop_of(&self, needed: &[InstrId]) -> Result<Option<InstrId>, Refusal> {
        let mut found = None;
        let mut combines = None;
        for &id in needed.iter().filter(|id| !self.inputs.contains_key(id)) {
            let opcode = self.comp[id].opcode;
            if opcode == Opcode::While && found.replace(id).is_some() {
                return Err(Refusal::SecondHero { first: opcode, second: opcode });
            }
            combines = combines.or(is_hero(opcode).then_some(opcode));
        }
        match combines.filter(|&o| found.is_some() && o != Opcode::DynamicUpdateSlice) {
            Some(first) => Err(Refusal::SecondHero { first, second: Opcode::While }),
            None => Ok(found),
        }
    }

    /// The one stage of a region with a loop.
    pub(super) fn looped(&mut self, at: InstrId, outputs: &[Output]) -> Result<(), Refusal> {
        let parts = Rc::new(Parts::new(self.module, self.comp, at)?);
        let nodes = parts.scopes().skip(1).map(|s| parts.comp(s).instrs.len()).sum();
        if nodes > MAX_INSTRUCTIONS {
            return Err(Refusal::CodeSize { nodes, limit: MAX_INSTRUCTIONS });
        }
        let lanes = Rc::new(Lanes::find(&parts)?);
        self.enter(&lanes.extents, &[]);
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let instr = &self.comp[id];
            let shape = instr.shape.leaves()[result as usize].clone();
            self.region.outputs.push(array_of(&instr.name, &shape));
            self.region.output_sources.push((0, n as u32));
        }
        self.begin(&parts, &lanes, outputs);
        let mut looped = self.step(&parts, &lanes, 0)?;
        self.outputs_of(&parts, &lanes, outputs, &mut looped)?;
        self.check_ends(&parts, &mut looped)?;
        let nodes = self.region.reachable(&looped.roots()).len();
        if nodes > MAX_NODES {
            return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
        }
        let results = self.region.outputs.iter().map(|o| o.dtype).collect();
        let elements = lanes.extents.iter().product();
        let kind = Kind::Loop(Box::new(looped));
        let name = self.comp[at].name.to_string();
        self.region.stages.push(Stage {
            opcode: Opcode::While,
            name,
            space: lanes.extents.clone(),
            inner: Vec::new(),
            kind,
            results,
            elements,
        });
        Ok(())
    }

    /// What a loop carries, and when it ends.
    fn step(&mut self, parts: &Parts<'a>, lanes: &Lanes, n: usize) -> Result<Looped, Refusal> {
        let part = &parts.loops[n];
        let mut looped = Looped { trips: part.trips, around: part.around as u32, ..Looped::default() };
        self.warm(parts, lanes, n)?;
        for inner in (0..parts.loops.len()).filter(|&l| l > n && parts.loops[l].around == n) {
            self.inner(inner)?;
        }
        self.within(body(n), |cx| cx.carries(parts, n, &mut looped))?;
        self.within(condition(n), |cx| cx.condition(parts, lanes, n, &mut looped))?;
        looped.within = self.state.as_ref().map_or(Vec::new(), |s| s.within[n].clone());
        Ok(looped)
    }

    /// Gives each component of the state its node.
    fn begin(&mut self, parts: &Rc<Parts<'a>>, lanes: &Rc<Lanes>, outputs: &[Output]) {
        let (mut nodes, mut roles) = (Vec::new(), Vec::new());
        for (n, part) in parts.loops.iter().enumerate() {
            let mut carries = Vec::new();
            let mut role = |element: usize| {
                if !part.changes[element] {
                    return Role::Invariant(part.inits[element]);
                } else if part.stacking[element].is_some() {
                    return Role::Stacked;
                }
                let dims = parts.dims(n, element).to_vec();
                let axes = lanes.of_state(n, element, dims.len());
                let first = carries.len() as u32;
                for _ in points(&dims, &axes) {
                    let carried = Carried { of: n as u32, at: carries.len() as u32, last: false };
                    carries.push(self.region.add(Node::Carry(carried), parts.dtype(n, element)));
                }
                Role::Lanes { first, dims, axes }
            };
            roles.push((0..part.next.len()).map(&mut role).collect());
            nodes.push(carries);
        }
        let frame = |comp| Some(Frame { comp, inputs: FxHashMap::default(), memo: super::Memo::default() });
        let parked = parts.scopes().map(|s| if s == OUTER { None } else { frame(parts.comp(s)) }).collect();
        self.region.loops = vec![Looped::default(); parts.loops.len() - 1];
        let element = |o: &Output| self.result_of(parts, o);
        let results = (0..).zip(outputs).filter_map(|(n, o)| element(o).map(|e| (e, n))).collect();
        let (built, within) = (vec![false; parts.loops.len()], vec![Vec::new(); parts.loops.len()]);
        let (parts, lanes) = (parts.clone(), lanes.clone());
        let state = State { scope: OUTER, parked, parts, lanes, roles, nodes, built, within, results };
        self.state = Some(Box::new(state));
    }

    /// Evaluates in another of the loop's computations.
    fn within<R>(&mut self, scope: usize, f: impl FnOnce(&mut Self) -> R) -> R {
        let back = self.switch(scope);
        let result = f(self);
        self.switch(back);
        result
    }

    fn switch(&mut self, scope: usize) -> usize {
        let Some(state) = &mut self.state else { return scope };
        let back = std::mem::replace(&mut state.scope, scope);
        if let Some(next) = state.parked[scope].take() {
            let comp = std::mem::replace(&mut self.comp, next.comp);
            let inputs = std::mem::replace(&mut self.inputs, next.inputs);
            let memo = std::mem::replace(&mut self.memo, next.memo);
            state.parked[back] = Some(Frame { comp, inputs, memo });
        }
        back
    }

    /// The element at `index` of what an instruction reads from the state of a loop; `None` where it does not.
    pub(super) fn state_element(&mut self, id: InstrId, index: &[Affine]) -> Result<Option<NodeId>, Refusal> {
        let Some(state) = &self.state else { return Ok(None) };
        let Some((n, element)) = state.parts.element_read(state.scope, id) else { return Ok(None) };
        let part = &state.parts.loops[n];
        let after = part.scope == state.scope;
        match &state.roles[n][element] {
            Role::Invariant(init) => {
                let (init, scope) = (*init, part.scope);
                self.within(scope, |cx| cx.value(init, index)).map(Some)
            }
            Role::Stacked => Err(Refusal::NotInPlace { opcode: Opcode::DynamicUpdateSlice }),
            Role::Lanes { first, dims, axes } => {
                let mut inner = Vec::new();
                for ((i, &extent), axis) in index.iter().zip(dims).zip(axes) {
                    match axis {
                        Some(axis) if *i == Affine::axis(*axis) => {}
                        Some(_) => return Err(Refusal::CrossLane { opcode: Opcode::GetTupleElement }),
                        None => inner.push((i.clone(), extent)),
                    }
                }
                if inner.iter().any(|(_, extent)| *extent == 0) {
                    return Err(Refusal::CrossLane { opcode: Opcode::GetTupleElement });
                }
                let count = inner.iter().map(|(_, extent)| *extent as usize).product::<usize>();
                let first = *first as usize;
                let nodes = match after && n > 0 {
                    true => self.last_values(n, first, count)?,
                    false => state.nodes[n][first..][..count].to_vec(),
                };
                Ok(Some(self.chosen(&nodes, &inner)))
            }
        }
    }

    /// The component at an index: known, or the one of all that has it.
    fn chosen(&mut self, nodes: &[NodeId], index: &[(Affine, i64)]) -> NodeId {
        let Some(((i, extent), rest)) = index.split_first() else { return nodes[0] };
        let parts: Vec<&[NodeId]> = nodes.chunks(nodes.len() / *extent as usize).collect();
        let (lo, hi) = i.range(&self.space);
        let last = hi.clamp(0, extent - 1);
        // What is beyond is read by nobody.
        let mut chosen = self.chosen(parts[last as usize], rest);
        for at in (lo.clamp(0, last)..last).rev() {
            let y = self.chosen(parts[at as usize], rest);
            let mask = self.region.add(Node::InRange { value: i.clone(), lo: at, hi: at + 1 }, DType::Pred);
            let dtype = self.region.dtype(y);
            chosen = self.region.add(Node::Select { mask, x: y, y: chosen }, dtype);
        }
        chosen
    }

    /// Evaluates a body in program order, so that no expression is found by a deep recursion.
    fn warm(&mut self, parts: &Parts<'a>, lanes: &Lanes, n: usize) -> Result<(), Refusal> {
        for scope in [condition(n), body(n)] {
            let depends = parts.depends(scope);
            for (id, instr) in parts.comp(scope).iter().filter(|(id, _)| depends[id.index()]) {
                if let Some(inner) = parts.loop_at(scope, id) {
                    self.inner(inner)?;
                    continue;
                }
                let Some(array) = instr.shape.as_array() else { continue };
                let axes = lanes.of(scope, id, array.rank());
                if parts.is_stacking(scope, id) || components(&array.dims, &axes) > MAX_ELEMENTS {
                    continue;
                }
                for index in points(&array.dims, &axes) {
                    if self.within(scope, |cx| cx.value(id, &index)).is_err() {
                        // Whoever needs it will say so.
                        return Ok(());
                    }
                }
                let nodes = self.region.nodes.len();
                if nodes > 4 * MAX_NODES {
                    return Err(Refusal::CodeSize { nodes, limit: MAX_NODES });
                }
            }
        }
        Ok(())
    }

    /// Initial and next value of every scalar of the state, and what each trip stores is left to the outputs.
    fn carries(&mut self, parts: &Parts<'a>, n: usize, looped: &mut Looped) -> Result<(), Refusal> {
        let part = &parts.loops[n];
        for element in 0..part.next.len() {
            let Some(State { roles, nodes, .. }) = self.state.as_deref() else { return Ok(()) };
            let Role::Lanes { first, dims, axes } = &roles[n][element] else { continue };
            let nodes = nodes[n][*first as usize..].to_vec();
            for (index, node) in points(dims, axes).into_iter().zip(nodes) {
                let next = self.value(part.next[element], &index)?;
                let init = self.within(part.scope, |cx| cx.value(part.inits[element], &index))?;
                looped.carries.push(Carry { node, init, next });
            }
        }
        Ok(())
    }

    /// Conjunctions of uniform terms and one `or` over all lanes.
    fn condition(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Lanes,
        n: usize,
        looped: &mut Looped,
    ) -> Result<(), Refusal> {
        let mut left = vec![self.comp.root];
        while let Some(id) = left.pop() {
            let instr = &self.comp[id];
            if instr.opcode == Opcode::And {
                left.extend(instr.operands.iter().rev());
                continue;
            }
            let Some((operand, negated)) = parts.any_of(condition(n), id) else {
                let term = self.value(id, &[])?;
                looped.condition = self.and(looped.condition, Some(term));
                continue;
            };
            let mut any = None;
            let dims = self.shape(operand)?.dims.clone();
            let axes = lanes.of(condition(n), operand, dims.len());
            if components(&dims, &axes) > MAX_ELEMENTS {
                return Err(Refusal::CrossLane { opcode: Opcode::Reduce });
            }
            for index in points(&dims, &axes) {
                let mut p = self.value(operand, &index)?;
                if negated {
                    p = self
                        .region
                        .add(Node::Unary { opcode: Opcode::Not, dtype: DType::Pred, x: p }, DType::Pred);
                }
                any = Some(any.map_or(p, |other| self.binary(Opcode::Or, other, p)));
            }
            if looped.any.is_some() {
                return Err(Refusal::CrossLane { opcode: Opcode::Reduce });
            }
            looped.any = any;
        }
        Ok(())
    }

    /// The element of the loop's result that an output is.
    fn result_of(&self, parts: &Parts<'a>, &(id, result): &Output) -> Option<usize> {
        match self.comp[id].opcode {
            Opcode::While => Some(result as usize),
            _ => parts.element_read(OUTER, id).map(|(_, element)| element),
        }
    }

    /// The elements of each output.
    fn outputs_of(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Lanes,
        outputs: &[Output],
        looped: &mut Looped,
    ) -> Result<(), Refusal> {
        let part = &parts.loops[0];
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let output = n as u32;
            let element = self.result_of(parts, &(id, result));
            if let Some(element) = element
                && part.stacking[element].is_some()
            {
                self.stores(parts, lanes, (0, element), output, looped)?;
                continue;
            }
            let shape = self.comp[id].shape.leaves()[result as usize].clone();
            let axes = match element {
                Some(element) if part.changes[element] => lanes.of_state(0, element, shape.rank()),
                Some(_) => lanes.of_free(&shape.dims),
                None if !parts.depends(OUTER)[id.index()] => lanes.of_free(&shape.dims),
                None => lanes.of(OUTER, id, shape.rank()),
            };
            if components(&shape.dims, &axes) > MAX_ELEMENTS {
                return Err(Refusal::NotInPlace { opcode: Opcode::While });
            }
            for index in points(&shape.dims, &axes) {
                let value = match (self.comp[id].opcode, element.map(|e| (e, part.inits[e]))) {
                    (Opcode::While, Some((e, init))) => self.final_value(e, init, &index)?,
                    _ => self.value(id, &index)?,
                };
                looped.finals.push(Element { output, offset: linearize(&index, &shape.dims), value });
            }
        }
        Ok(())
    }

    /// The final value of an element of the state where the loop itself is an output.
    fn final_value(&mut self, element: usize, init: InstrId, index: &[Affine]) -> Result<NodeId, Refusal> {
        let Some(State { roles, nodes, .. }) = self.state.as_deref() else { return self.value(init, index) };
        let Role::Lanes { first, dims, axes } = &roles[0][element] else { return self.value(init, index) };
        let all = points(dims, axes);
        let at = all.iter().position(|p| p == index).unwrap_or(0);
        Ok(nodes[0][*first as usize + at])
    }
}

/// The elements of an array at one lane, row-major: along lane axes the lane, along others each index.
pub(super) fn points(dims: &[i64], axes: &[Option<usize>]) -> Vec<Vec<Affine>> {
    let mut out = vec![Vec::new()];
    for (&extent, axis) in dims.iter().zip(axes) {
        let choices: Vec<Affine> = match axis {
            Some(axis) => vec![Affine::axis(*axis)],
            None => (0..extent).map(Affine::constant).collect(),
        };
        out = out
            .iter()
            .flat_map(|index: &Vec<Affine>| {
                choices.iter().map(|c| [&index[..], std::slice::from_ref(c)].concat())
            })
            .collect();
    }
    out
}

/// How many elements [`points`] gives.
pub(super) fn components(dims: &[i64], axes: &[Option<usize>]) -> i64 {
    let extents = dims.iter().zip(axes).filter(|(_, axis)| axis.is_none()).map(|(&extent, _)| extent);
    extents.fold(1, i64::saturating_mul)
}
