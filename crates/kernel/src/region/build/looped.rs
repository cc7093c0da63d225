//! A `while` as one stage: lanes outside, the time loop inside, the state in scalars.
//!
//! Elements of the state that no trip changes are read where they come from. An array that each trip writes a part
//! of and nothing reads is stored to directly. What is left is state: one [`Carry`] for each component of each
//! element, at a point that is a lane. Initial values and uses of the results are expressions like any other.

use super::lanes::Lanes;
use super::*;
use crate::region::{Carry, Element, Looped};
use lawson_hlo::{CompId, Shape};

mod absorb;
mod combine;
mod parts;
mod stacked;

pub(super) use parts::Parts;
pub use parts::known_trips;

/// The computation that holds the loop, its condition, its body.
pub(super) const OUTER: usize = 0;
pub(super) const CONDITION: usize = 1;
pub(super) const BODY: usize = 2;

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
    /// Those not in use.
    parked: [Option<Frame<'a>>; 3],
    at: InstrId,
    roles: Vec<Role>,
    nodes: Vec<NodeId>,
}

impl<'a> Builder<'a> {
    /// The loop the outputs need, if there is one.
    pub(super) fn loop_of(&self, outputs: &[Output]) -> Result<Option<InstrId>, Refusal> {
        let mut found = None;
        let mut combines = None;
        for id in self.needed(outputs).into_iter().filter(|id| !self.inputs.contains_key(id)) {
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
        let parts = Parts::new(self.module, self.comp, at)?;
        let nodes = parts.comps[CONDITION].instrs.len() + parts.comps[BODY].instrs.len();
        if nodes > MAX_INSTRUCTIONS {
            return Err(Refusal::CodeSize { nodes, limit: MAX_INSTRUCTIONS });
        }
        let lanes = Lanes::find(&parts)?;
        self.enter(&lanes.extents, &[]);
        self.begin(&parts, &lanes);
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let instr = &self.comp[id];
            let shape = instr.shape.leaves()[result as usize].clone();
            self.region.outputs.push(array_of(&instr.name, &shape));
            self.region.output_sources.push((0, n as u32));
        }
        self.warm(&parts, &lanes)?;
        let mut looped = Looped { trips: parts.trips, ..Looped::default() };
        self.within(BODY, |cx| cx.carries(&parts, &mut looped))?;
        self.within(CONDITION, |cx| cx.condition(&parts, &lanes, &mut looped))?;
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
            space: lanes.extents,
            inner: Vec::new(),
            kind,
            results,
            elements,
        });
        Ok(())
    }

    /// Gives each component of the state its node.
    fn begin(&mut self, parts: &Parts<'a>, lanes: &Lanes) {
        let mut nodes = Vec::new();
        let mut roles = Vec::new();
        for n in 0..parts.next.len() {
            roles.push(if !parts.changes[n] {
                Role::Invariant(parts.inits[n])
            } else if parts.stacking[n].is_some() {
                Role::Stacked
            } else {
                let dims = parts.dims(n).to_vec();
                let axes = lanes.of_state(n, dims.len());
                let first = nodes.len() as u32;
                for _ in points(&dims, &axes) {
                    let carry = Node::Carry(nodes.len() as u32);
                    nodes.push(self.region.add(carry, parts.dtype(n)));
                }
                Role::Lanes { first, dims, axes }
            });
        }
        let frame = |comp| Some(Frame { comp, inputs: FxHashMap::default(), memo: super::Memo::default() });
        let parked = [None, frame(parts.comps[CONDITION]), frame(parts.comps[BODY])];
        self.state = Some(Box::new(State { scope: OUTER, parked, at: parts.at, roles, nodes }));
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

    /// The element at `index` of what an instruction reads from the loop's state; `None` where it does not.
    pub(super) fn state_element(&mut self, id: InstrId, index: &[Affine]) -> Result<Option<NodeId>, Refusal> {
        let Some(state) = &self.state else { return Ok(None) };
        let instr = &self.comp[id];
        let (Attrs::TupleIndex(n), &[whole]) = (&instr.attrs, &instr.operands[..]) else { return Ok(None) };
        let ours = match state.scope {
            OUTER => whole == state.at,
            _ => self.comp[whole].opcode == Opcode::Parameter,
        };
        if !ours {
            return Ok(None);
        }
        match &state.roles[*n] {
            Role::Invariant(init) => {
                let init = *init;
                self.within(OUTER, |cx| cx.value(init, index)).map(Some)
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
                let nodes = state.nodes[*first as usize..][..count].to_vec();
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

    /// Evaluates the body in program order, so that no expression is found by a deep recursion.
    fn warm(&mut self, parts: &Parts<'a>, lanes: &Lanes) -> Result<(), Refusal> {
        for scope in [CONDITION, BODY] {
            let depends = parts.depends(scope);
            for (id, instr) in parts.comps[scope].iter().filter(|(id, _)| depends[id.index()]) {
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
    fn carries(&mut self, parts: &Parts<'a>, looped: &mut Looped) -> Result<(), Refusal> {
        for n in 0..parts.next.len() {
            let Some(State { roles, nodes, .. }) = self.state.as_deref() else { return Ok(()) };
            let Role::Lanes { first, dims, axes } = &roles[n] else { continue };
            let nodes = nodes[*first as usize..].to_vec();
            for (index, node) in points(dims, axes).into_iter().zip(nodes) {
                let next = self.value(parts.next[n], &index)?;
                let init = self.within(OUTER, |cx| cx.value(parts.inits[n], &index))?;
                looped.carries.push(Carry { node, init, next });
            }
        }
        Ok(())
    }

    /// Conjunctions of uniform terms and one `or` over all lanes.
    fn condition(&mut self, parts: &Parts<'a>, lanes: &Lanes, looped: &mut Looped) -> Result<(), Refusal> {
        let mut left = vec![self.comp.root];
        while let Some(id) = left.pop() {
            let instr = &self.comp[id];
            if instr.opcode == Opcode::And {
                left.extend(instr.operands.iter().rev());
                continue;
            }
            let Some((operand, negated)) = parts.any_of(id) else {
                let term = self.value(id, &[])?;
                looped.condition = self.and(looped.condition, Some(term));
                continue;
            };
            let mut any = None;
            let dims = self.shape(operand)?.dims.clone();
            let axes = lanes.of(CONDITION, operand, dims.len());
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

    /// The elements of each output.
    fn outputs_of(
        &mut self,
        parts: &Parts<'a>,
        lanes: &Lanes,
        outputs: &[Output],
        looped: &mut Looped,
    ) -> Result<(), Refusal> {
        for (n, &(id, result)) in outputs.iter().enumerate() {
            let output = n as u32;
            let element = match self.comp[id].opcode {
                Opcode::While => Some(result as usize),
                _ => parts.element_read(OUTER, id),
            };
            if let Some(element) = element
                && let Some(chain) = &parts.stacking[element]
            {
                self.stores(parts, lanes, (element, chain), output, looped)?;
                continue;
            }
            let shape = self.comp[id].shape.leaves()[result as usize].clone();
            let axes = match element {
                Some(element) if parts.changes[element] => lanes.of_state(element, shape.rank()),
                Some(_) => lanes.of_free(&shape.dims),
                None if !parts.depends(OUTER)[id.index()] => lanes.of_free(&shape.dims),
                None => lanes.of(OUTER, id, shape.rank()),
            };
            if components(&shape.dims, &axes) > MAX_ELEMENTS {
                return Err(Refusal::NotInPlace { opcode: Opcode::While });
            }
            for index in points(&shape.dims, &axes) {
                let value = match (self.comp[id].opcode, element.map(|e| (e, parts.inits[e]))) {
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
        let Role::Lanes { first, dims, axes } = &roles[element] else { return self.value(init, index) };
        let all = points(dims, axes);
        let at = all.iter().position(|p| p == index).unwrap_or(0);
        Ok(nodes[*first as usize + at])
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
