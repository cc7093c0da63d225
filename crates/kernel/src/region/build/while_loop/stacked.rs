//! Arrays that trips write and do not read: the stacked results of a scan go straight to memory, or, where another loop of
//! the kernel reads them, to an array of the lane's own.

use lawson_hlo::{Attrs, Computation, InstrId, Opcode};

/// How an array is written that no trip reads.
pub(in crate::region::build) struct Stacking {
    /// The updates of a trip, first to last.
    pub chain: Vec<InstrId>,
    /// Of a loop within a loop: where the array goes when it is whole.
    pub into: Option<Into>,
    /// Of a loop within a loop: whether what comes after it reads elements.
    pub kept: bool,
}

/// The update that a whole array is, of an element of the loop around.
pub(in crate::region::build) struct Into {
    pub element: usize,
    pub update: InstrId,
}

/// The updates that make the next value of an element, first to last, if nothing else in condition and body reads it
/// or them.
pub(super) fn updates(
    [condition, body]: [&Computation; 2],
    element: usize,
    next: InstrId,
) -> Option<Vec<InstrId>> {
    let uses = |comp: &Computation, id: InstrId| {
        comp.instrs.iter().flat_map(|i| &i.operands).filter(|o| **o == id).count()
    };
    let reads = |comp: &Computation, id: InstrId| {
        matches!(comp[id].attrs, Attrs::TupleIndex(n) if n == element)
            && comp.operand(&comp[id], 0).opcode == Opcode::Parameter
            && uses(comp, id) > 0
    };
    if condition.iter().any(|(id, _)| reads(condition, id)) {
        return None;
    }
    let mut chain = Vec::new();
    let mut id = next;
    while body[id].opcode == Opcode::DynamicUpdateSlice {
        if uses(body, id) != 1 {
            return None;
        }
        chain.push(id);
        id = body[id].operands[0];
    }
    let only = body.iter().filter(|(other, _)| reads(body, *other)).count() == 1;
    chain.reverse();
    (!chain.is_empty() && reads(body, id) && uses(body, id) == 1 && only).then_some(chain)
}
