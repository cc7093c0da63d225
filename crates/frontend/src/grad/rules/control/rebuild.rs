//! Values of a computation, made again elsewhere from some of them.

use crate::graph::Emit;
use lawson_hlo::{Computation, InstrId, Opcode};
use rustc_hash::FxHashMap;

/// Makes these values of a computation again: `at` says where those are that are at hand; it gets the others.
///
/// # Panics
/// A parameter that is needed is not at hand; [`super::save`] says what must be.
pub(super) fn rebuild(
    emit: &mut Emit<'_>,
    comp: &Computation,
    needed: &[InstrId],
    at: &mut FxHashMap<InstrId, InstrId>,
) {
    let mut wanted = vec![false; comp.instrs.len()];
    needed.iter().for_each(|id| wanted[id.index()] = true);
    for (id, instr) in comp.iter().rev() {
        if wanted[id.index()] && !at.contains_key(&id) {
            instr.operands.iter().for_each(|o| wanted[o.index()] = true);
        }
    }
    let outer = emit.body.origin.clone();
    for (id, instr) in comp.iter().filter(|(id, _)| wanted[id.index()]) {
        if at.contains_key(&id) {
            continue;
        }
        assert!(instr.opcode != Opcode::Parameter, "parameter `{}` is not at hand", instr.name);
        let operands: Vec<InstrId> = instr.operands.iter().map(|o| at[o]).collect();
        emit.body.origin = instr.origin.clone();
        let made = emit.again(instr, &operands);
        at.insert(id, made);
    }
    emit.body.origin = outer;
}

/// The values among these that [`rebuild`] takes from what is at hand.
pub(super) fn used(
    comp: &Computation,
    needed: &[InstrId],
    at_hand: &dyn Fn(InstrId) -> bool,
) -> Vec<InstrId> {
    let mut wanted = vec![false; comp.instrs.len()];
    needed.iter().for_each(|id| wanted[id.index()] = true);
    let mut found = Vec::new();
    for (id, instr) in comp.iter().rev() {
        if !wanted[id.index()] {
            continue;
        }
        if at_hand(id) {
            found.push(id);
        } else {
            instr.operands.iter().for_each(|o| wanted[o.index()] = true);
        }
    }
    found.reverse();
    found
}
