//! A loop taken apart: its computations, its state, what each trip does to it.

use super::super::Computation;
use super::*;

/// A loop whose state is a tuple of arrays.
pub(in crate::region::build) struct Parts<'a> {
    module: &'a Module,
    pub at: InstrId,
    /// By [`OUTER`], [`CONDITION`], [`BODY`].
    pub comps: [&'a Computation; 3],
    /// For each element of the state the instruction outside that starts it.
    pub inits: Vec<InstrId>,
    /// For each element the instruction of the body that makes its next value.
    pub next: Vec<InstrId>,
    /// Whether a trip changes it.
    pub changes: Vec<bool>,
    /// For elements that are only written: the updates, first to last.
    pub stacking: Vec<Option<Vec<InstrId>>>,
    pub trips: Option<i64>,
    depends: [Vec<bool>; 3],
}

impl<'a> Parts<'a> {
    pub fn new(module: &'a Module, outer: &'a Computation, at: InstrId) -> Result<Parts<'a>, Refusal> {
        let refusal = Refusal::Host { opcode: Opcode::While };
        let instr = &outer[at];
        let Attrs::While { condition, body } = instr.attrs else { return Err(refusal) };
        let comps = [outer, &module[condition], &module[body]];
        let (state, root) = (outer.operand(instr, 0), comps[BODY].root());
        let arrays = |shape: &Shape| match shape {
            Shape::Tuple(parts) => parts.iter().all(|p| p.as_array().is_some_and(|a| !a.is_dynamic())),
            _ => false,
        };
        if state.opcode != Opcode::Tuple || root.opcode != Opcode::Tuple || !arrays(&instr.shape) {
            return Err(refusal);
        }
        let (inits, next) = (state.operands.clone(), root.operands.clone());
        let element_read = |id: InstrId| element_of(comps[BODY], id);
        let changes: Vec<bool> =
            next.iter().enumerate().map(|(n, &id)| element_read(id) != Some(n)).collect();
        let stacking = (0..next.len()).map(|n| stacked::updates(&comps, n, next[n])).collect();
        let mut parts = Parts {
            module,
            at,
            comps,
            inits,
            next,
            changes,
            stacking,
            trips: known_trips(instr),
            depends: Default::default(),
        };
        parts.depends = [OUTER, CONDITION, BODY].map(|scope| parts.find_depends(scope));
        Ok(parts)
    }

    /// Which instructions rest on state that changes.
    fn find_depends(&self, scope: usize) -> Vec<bool> {
        let comp = self.comps[scope];
        let mut depends = vec![false; comp.instrs.len()];
        for (id, instr) in comp.iter() {
            depends[id.index()] = match self.element_read(scope, id) {
                Some(n) => self.changes[n],
                None if scope == OUTER && id == self.at => true,
                None => instr.operands.iter().any(|o| depends[o.index()]),
            };
        }
        depends
    }

    pub fn depends(&self, scope: usize) -> &[bool] {
        &self.depends[scope]
    }

    /// The element of the state an instruction reads.
    pub fn element_read(&self, scope: usize, id: InstrId) -> Option<usize> {
        match (scope, &self.comps[scope][id].attrs) {
            (OUTER, Attrs::TupleIndex(n)) => (self.comps[OUTER][id].operands[0] == self.at).then_some(*n),
            (OUTER, _) => None,
            _ => element_of(self.comps[scope], id),
        }
    }

    /// Whether the element is carried in the scalars of lanes.
    pub fn in_lanes(&self, element: usize) -> bool {
        self.changes[element] && self.stacking[element].is_none()
    }

    /// Whether an instruction is an array that is only written, not a value of lanes.
    pub fn is_stacking(&self, scope: usize, id: InstrId) -> bool {
        if let Some(n) = self.element_read(scope, id) {
            return self.stacking[n].is_some();
        }
        scope == BODY && self.stacking.iter().flatten().any(|chain| chain.contains(&id))
    }

    pub fn dims(&self, element: usize) -> &'a [i64] {
        &self.comps[BODY][self.next[element]].shape.expect_array().dims
    }

    pub fn dtype(&self, element: usize) -> DType {
        self.comps[BODY][self.next[element]].shape.expect_array().dtype
    }

    /// Whether the condition holds where some element of an array does: the array, and whether it is negated.
    pub fn any_of(&self, id: InstrId) -> Option<(InstrId, bool)> {
        let comp = self.comps[CONDITION];
        let instr = &comp[id];
        match instr.opcode {
            Opcode::Reduce => self.reduces_all(instr, Opcode::Or, false).map(|x| (x, false)),
            Opcode::Not => {
                let all = comp.operand(instr, 0);
                self.reduces_all(all, Opcode::And, true).map(|x| (x, true))
            }
            _ => None,
        }
    }

    /// Whether a reduction is the condition's `or` over lanes.
    pub fn is_any(&self, scope: usize, id: InstrId) -> bool {
        let comp = self.comps[scope];
        scope == CONDITION
            && (self.any_of(id).is_some()
                || comp.iter().any(|(n, i)| i.operands.first() == Some(&id) && self.any_of(n).is_some()))
    }

    /// The array that an instruction reduces to one value with `opcode`, from the value that changes nothing.
    fn reduces_all(&self, instr: &Instruction, opcode: Opcode, neutral: bool) -> Option<InstrId> {
        let Attrs::Reduce { dims, to_apply } = &instr.attrs else { return None };
        let comp = self.comps[CONDITION];
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
        Attrs::Constant(Some(lawson_hlo::Value::Array(l))) => {
            l.dtype() == DType::Pred && l.elements() == 1 && (l.bytes()[0] != 0) == value
        }
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
