//! A loop taken apart: its computations, its state, what each trip does to it; and the loops in its body likewise. Several
//! loops that follow one another are loops within one without state, whose body is the computation that holds them.

use super::scopes::{OUTER, body, condition, is_condition, loop_of};
use super::stacked::{self, Into, Stacking};
use super::updated::{Change, Updated};
use crate::refusal::Refusal;
use lawson_hlo::{
    Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Scalar, Shape, Value,
};

/// Loops within a loop and itself; more are refused.
const MAX_LOOPS: usize = 16;

/// A loop whose state is a tuple of arrays, and the loops in its body.
pub(in crate::region::build) struct Parts<'a> {
    module: &'a Module,
    /// The computation that holds the loop, then condition and body of each.
    pub(super) comps: Vec<&'a Computation>,
    /// Each after the one around it.
    pub loops: Vec<Part>,
    /// Whether the first loop stands for several, one after the other.
    straight: bool,
    /// By scope, for each instruction whether it is part of an array that trips only write.
    stacking: Vec<Vec<bool>>,
    /// The same, of arrays that are read after the loop.
    kept: Vec<Vec<bool>>,
    /// By scope, for each instruction whether it is a whole array that trips update where it lies.
    pub(super) updated: Vec<Vec<bool>>,
    depends: Vec<Vec<bool>>,
}

/// One of the loops.
pub(in crate::region::build) struct Part {
    /// The loop around it; of the first there is none.
    pub around: usize,
    /// The computation that holds it.
    pub scope: usize,
    pub at: InstrId,
    /// For each element of the state the instruction of that computation that starts it.
    pub inits: Vec<InstrId>,
    /// For each element the instruction of the body that makes its next value.
    pub next: Vec<InstrId>,
    /// Whether a trip changes it.
    pub changes: Vec<bool>,
    /// For elements that are only written.
    pub stacking: Vec<Option<Stacking>>,
    /// For elements that are read and of which a few elements are changed: those that stay in memory.
    pub updated: Vec<Option<Updated>>,
    pub trips: Option<i64>,
}

impl Part {
    /// Whether the element has the dimensions of lanes, in scalars or in memory.
    pub fn has_lanes(&self, element: usize) -> bool {
        self.changes[element] && self.stacking[element].is_none()
    }

    /// Whether the element is carried in the scalars of lanes.
    pub fn in_lanes(&self, element: usize) -> bool {
        self.changes[element] && self.stacking[element].is_none() && self.updated[element].is_none()
    }
}

impl<'a> Parts<'a> {
    /// Of these loops of a computation: one, or several in the order in which they run. `in_memory` leaves arrays of which trips
    /// change a few elements where they lie; else lanes have all their elements in registers.
    pub fn new(
        module: &'a Module,
        outer: &'a Computation,
        all: &[InstrId],
        in_memory: bool,
    ) -> Result<Parts<'a>, Refusal> {
        let straight = all.len() > 1;
        let (comps, (stacking, kept, updated, depends)) = (vec![outer], Default::default());
        let mut parts =
            Parts { module, comps, loops: Vec::new(), straight, stacking, kept, updated, depends };
        let scope = if straight { parts.add_straight() } else { OUTER };
        for &at in all {
            parts.add(0, scope, at)?;
        }
        let mut next = straight as usize;
        while next < parts.loops.len() {
            let scope = body(next);
            let comp = parts.comps[scope];
            for (id, _) in comp.iter().filter(|(_, i)| i.opcode == Opcode::While) {
                parts.add(next, scope, id)?;
            }
            next += 1;
        }
        if in_memory {
            parts.find_updated();
        }
        parts.find_stacking();
        for scope in parts.scopes() {
            let depends = parts.find_depends(scope);
            parts.depends.push(depends);
        }
        Ok(parts)
    }

    /// The loop that stands for several; gives the scope they stand in. It has no condition, and nothing outside of it.
    fn add_straight(&mut self) -> usize {
        let outer = self.comps[OUTER];
        self.comps.extend([outer; 2]);
        let (inits, next, changes, stacking, updated) = Default::default();
        let (at, trips) = (outer.root, Some(1));
        self.loops.push(Part { around: 0, scope: OUTER, at, inits, next, changes, stacking, updated, trips });
        body(0)
    }

    /// The scope in which results of loops are used outside of all loops.
    pub fn results_scope(&self) -> usize {
        if self.straight { body(0) } else { OUTER }
    }

    pub fn is_straight(&self) -> bool {
        self.straight
    }

    fn add(&mut self, around: usize, scope: usize, at: InstrId) -> Result<(), Refusal> {
        let refusal = Refusal::Host { opcode: Opcode::While };
        let outer = self.comps[scope];
        let instr = &outer[at];
        let Attrs::While { condition, body } = instr.attrs else { return Err(refusal) };
        let (state, root) = (outer.operand(instr, 0), self.module[body].root());
        let arrays = |shape: &Shape| match shape {
            Shape::Tuple(parts) => parts.iter().all(|p| p.as_array().is_some_and(|a| !a.is_dynamic())),
            _ => false,
        };
        if state.opcode != Opcode::Tuple || root.opcode != Opcode::Tuple || !arrays(&instr.shape) {
            return Err(refusal);
        }
        if self.loops.len() == MAX_LOOPS {
            return Err(Refusal::ManyLoops { limit: MAX_LOOPS });
        }
        self.comps.extend([&self.module[condition], &self.module[body]]);
        let (inits, next) = (state.operands.clone(), root.operands.clone());
        let element_read = |id: InstrId| element_of(&self.module[body], id);
        let changes = next.iter().enumerate().map(|(n, &id)| element_read(id) != Some(n)).collect();
        let stacking = next.iter().map(|_| None).collect();
        let updated = next.iter().map(|_| None).collect();
        let trips = known_trips(instr);
        self.loops.push(Part { around, scope, at, inits, next, changes, stacking, updated, trips });
        Ok(())
    }

    /// Whether an instruction is a whole array that trips update where it lies.
    pub fn is_updated(&self, scope: usize, id: InstrId) -> bool {
        self.updated.get(scope).is_some_and(|of| of[id.index()])
    }

    /// What trips of the loop around do to the array that an element of a loop within is: the loop around, its element.
    pub fn through(&self, n: usize, element: usize) -> Option<(usize, usize)> {
        let Part { around, .. } = self.loops[n];
        let goes = |u: &Option<Updated>| {
            u.as_ref().is_some_and(|u| u.changes.contains(&Change::Loop { of: n, element }))
        };
        let outer = self.loops[around].updated.iter().position(goes).filter(|_| n > 0)?;
        Some((around, outer))
    }

    /// Which arrays trips only write.
    fn find_stacking(&mut self) {
        self.stacking = self.comps.iter().map(|c| vec![false; c.instrs.len()]).collect();
        self.kept = self.stacking.clone();
        for n in 0..self.loops.len() {
            let comps = [self.comps[condition(n)], self.comps[body(n)]];
            for element in 0..self.loops[n].next.len() {
                let next = self.loops[n].next[element];
                if self.loops[n].updated[element].is_some() {
                    continue;
                }
                let Some(chain) = stacked::updates(comps, element, next) else { continue };
                let mut path = Vec::new();
                let mut into = None;
                if n > 0 {
                    match self.written_into(n, element) {
                        Some((instrs, update)) => (path, into) = (instrs, Some(update)),
                        None if self.results_of(n, element).next().is_none() => continue,
                        None => {}
                    }
                }
                let kept = n > 0 && into.is_none() && self.is_read(n, element);
                let scope = self.loops[n].scope;
                path.into_iter().for_each(|id| self.stacking[scope][id.index()] = true);
                let reads = comps[1].iter().filter(|(id, _)| element_of(comps[1], *id) == Some(element));
                chain.iter().copied().chain(reads.map(|(id, _)| id)).for_each(|id| {
                    self.stacking[body(n)][id.index()] = true;
                    self.kept[body(n)][id.index()] = kept;
                });
                self.loops[n].stacking[element] = Some(Stacking { chain, into, kept });
            }
        }
    }

    /// Whether something uses an element of the result of a loop but to give it away.
    fn is_read(&self, n: usize, element: usize) -> bool {
        let comp = self.comps[self.loops[n].scope];
        let given = |id: InstrId| comp.root == id && comp[id].opcode == Opcode::Tuple;
        self.results_of(n, element)
            .any(|read| comp.iter().any(|(id, i)| !given(id) && i.operands.contains(&read)))
    }

    /// The instructions that read an element of the result of a loop.
    fn results_of(&self, n: usize, element: usize) -> impl Iterator<Item = InstrId> {
        let Part { scope, at, .. } = self.loops[n];
        let of = move |i: &Instruction| {
            i.operands.first() == Some(&at) && matches!(i.attrs, Attrs::TupleIndex(n) if n == element)
        };
        self.comps[scope].iter().filter(move |(_, i)| of(i)).map(|(id, _)| id)
    }

    /// The instructions from a result of a loop within a loop to the one update that writes it, and the update.
    fn written_into(&self, inner: usize, element: usize) -> Option<(Vec<InstrId>, Into)> {
        let Part { around, scope, .. } = self.loops[inner];
        let comp = self.comps[scope];
        let users = |id: InstrId| comp.iter().filter(move |(_, i)| i.operands.contains(&id)).map(|(n, _)| n);
        let only = |id: InstrId| {
            let mut all = users(id);
            all.next().filter(|_| all.next().is_none() && comp.root != id)
        };
        let mut reads = self.results_of(inner, element);
        let mut id = reads.next().filter(|_| reads.next().is_none())?;
        let mut path = vec![id];
        loop {
            let user = only(id)?;
            let dims = |id: InstrId| {
                let long = comp[id].shape.as_array()?.dims.iter().copied().filter(|&d| d != 1);
                Some(long.collect::<Vec<i64>>())
            };
            match comp[user].opcode {
                Opcode::Reshape | Opcode::Bitcast | Opcode::Copy if dims(user) == dims(id) => {
                    path.push(user);
                    id = user;
                }
                Opcode::DynamicUpdateSlice if comp[user].operands[1] == id => {
                    let to = |s: &Option<Stacking>| s.as_ref().is_some_and(|s| s.chain == [user]);
                    let element = self.loops[around].stacking.iter().position(to)?;
                    return Some((path, Into { element, update: user }));
                }
                _ => return None,
            }
        }
    }

    /// The loop and the element of it that what a loop within it writes becomes a part of, at last.
    pub fn written_whole(&self, mut n: usize, mut element: usize) -> Option<(usize, usize)> {
        while let Some(into) = &self.loops[n].stacking[element].as_ref()?.into {
            (n, element) = (self.loops[n].around, into.element);
        }
        Some((n, element))
    }

    /// All computations, each after the one around it.
    pub fn scopes(&self) -> std::ops::Range<usize> {
        0..self.comps.len()
    }

    pub fn comp(&self, scope: usize) -> &'a Computation {
        self.comps[scope]
    }

    /// Which instructions rest on state that changes.
    fn find_depends(&self, scope: usize) -> Vec<bool> {
        let comp = self.comps[scope];
        let mut depends = vec![false; comp.instrs.len()];
        for (id, instr) in comp.iter() {
            depends[id.index()] = match self.element_read(scope, id) {
                Some((n, element)) => {
                    let Part { scope: outside, inits, changes, .. } = &self.loops[n];
                    let init = inits[element].index();
                    let outside = if *outside == scope { &depends } else { &self.depends[*outside] };
                    changes[element] || outside[init]
                }
                None if self.loop_at(scope, id).is_some() => true,
                None => instr.operands.iter().any(|o| depends[o.index()]),
            };
        }
        depends
    }

    pub fn depends(&self, scope: usize) -> &[bool] {
        &self.depends[scope]
    }

    /// The loop that an instruction is.
    pub fn loop_at(&self, scope: usize, id: InstrId) -> Option<usize> {
        self.loops.iter().position(|l| l.scope == scope && l.at == id)
    }

    /// The element of the state of a loop that an instruction reads, in a trip or after the last.
    pub fn element_read(&self, scope: usize, id: InstrId) -> Option<(usize, usize)> {
        let comp = self.comps[scope];
        let Attrs::TupleIndex(n) = comp[id].attrs else { return None };
        let whole = comp[id].operands[0];
        match self.loop_at(scope, whole) {
            None if self.is_within(scope) && comp[whole].opcode == Opcode::Parameter => {
                Some((loop_of(scope), n))
            }
            found => found.map(|l| (l, n)),
        }
    }

    /// Whether a scope is condition or body of a loop.
    fn is_within(&self, scope: usize) -> bool {
        scope != OUTER && !(self.straight && loop_of(scope) == 0)
    }

    /// Whether the arrays that the kernel reads have their names in a scope.
    pub fn holds_inputs(&self, scope: usize) -> bool {
        !self.is_within(scope)
    }

    /// Whether an instruction is an array that trips only write, not a value of lanes.
    pub fn is_stacking(&self, scope: usize, id: InstrId) -> bool {
        self.stacking[scope][id.index()]
    }

    /// Whether lanes have elements of it: a value, or an array that is read after its loop.
    pub fn is_of_lanes(&self, scope: usize, id: InstrId) -> bool {
        !self.is_stacking(scope, id) || self.kept[scope][id.index()]
    }

    pub fn dims(&self, n: usize, element: usize) -> &'a [i64] {
        &self.comps[body(n)][self.loops[n].next[element]].shape.expect_array().dims
    }

    pub fn dtype(&self, n: usize, element: usize) -> DType {
        self.comps[body(n)][self.loops[n].next[element]].shape.expect_array().dtype
    }

    /// Whether the condition holds where some element of an array does: the array, and whether it is negated.
    pub fn any_of(&self, scope: usize, id: InstrId) -> Option<(InstrId, bool)> {
        let comp = self.comps[scope];
        let instr = &comp[id];
        match instr.opcode {
            Opcode::Reduce => self.reduces_all(comp, instr, Opcode::Or, false).map(|x| (x, false)),
            Opcode::Not => {
                let all = comp.operand(instr, 0);
                self.reduces_all(comp, all, Opcode::And, true).map(|x| (x, true))
            }
            _ => None,
        }
    }

    /// Whether a reduction is the condition's `or` over lanes.
    pub fn is_any(&self, scope: usize, id: InstrId) -> bool {
        let comp = self.comps[scope];
        is_condition(scope)
            && (self.any_of(scope, id).is_some()
                || comp
                    .iter()
                    .any(|(n, i)| i.operands.first() == Some(&id) && self.any_of(scope, n).is_some()))
    }

    /// The array that an instruction reduces to one value with `opcode`, from the value that changes nothing.
    fn reduces_all(
        &self,
        comp: &Computation,
        instr: &Instruction,
        opcode: Opcode,
        neutral: bool,
    ) -> Option<InstrId> {
        let Attrs::Reduce { dims, to_apply } = &instr.attrs else { return None };
        let [x, init] = instr.operands[..] else { return None };
        let whole = comp[x].shape.as_array().is_some_and(|a| a.rank() == dims.len());
        (whole && is_bool(&comp[init], neutral) && combines(self.module, *to_apply, opcode)).then_some(x)
    }
}

/// How often a loop runs, as XLA or a pass noted it in the backend configuration.
pub fn known_trips(instr: &Instruction) -> Option<i64> {
    let config = instr.notes.as_ref()?.backend_config.as_ref()?;
    let at = config.find("known_trip_count")?;
    let digits: String =
        config[at..].chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Which element of its parameter tuple an instruction of a loop computation reads.
fn element_of(comp: &Computation, id: InstrId) -> Option<usize> {
    let Attrs::TupleIndex(n) = comp[id].attrs else { return None };
    (comp.operand(&comp[id], 0).opcode == Opcode::Parameter).then_some(n)
}

fn is_bool(instr: &Instruction, value: bool) -> bool {
    match &instr.attrs {
        Attrs::Constant(Some(Value::Array(l))) => l.elements() == 1 && l.get(0) == Scalar::Pred(value),
        _ => false,
    }
}

/// Whether a computation of two parameters is that operation on them.
fn combines(module: &Module, comp: CompId, opcode: Opcode) -> bool {
    let comp = &module[comp];
    let root = comp.root();
    let from = |n: usize| comp.operand(root, n).opcode == Opcode::Parameter;
    root.opcode == opcode
        && root.operands.len() == 2
        && root.operands[0] != root.operands[1]
        && from(0)
        && from(1)
}
