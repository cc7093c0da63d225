//! What the forward half of a loop or branch saves for its backward half, and what that computes again.
//!
//! Saved are the values that the forward half starts a trip with, and results that are expensive to have again; all that is
//! cheap is computed again from those. The reasons, for a body that works on arrays of n elements:
//!
//! - An elementwise operation or a movement of elements costs less than what it saves: a value that is saved is written once
//!   and read once, 8 bytes per element of f32, whereas one more operation on values that are read anyway costs no byte, also
//!   a transcendental one of some tens of instructions. Fused, the cone of such operations is part of the loop's kernel.
//! - A product, convolution, window, sort, factorisation, loop, conditional or foreign function costs much more than its
//!   bytes, and random numbers and effects cannot be had again.
//! - A reduction that shrinks by [`SHRINKS`] or more leaves few bytes, and having it again reads many.

use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, Computation, InstrId, Instruction, Opcode};

/// A reduction of at least so many elements to one is saved: 1/32 of the bytes it reads are little beside them.
const SHRINKS: i64 = 32;

/// The values to save so that those needed can be had from them, those that are available, and constants.
/// They are arrays, in order, each once.
pub(super) fn saved(
    comp: &Computation,
    needed: &[InstrId],
    available: &dyn Fn(InstrId) -> bool,
) -> Vec<InstrId> {
    let mut found = Vec::new();
    let mut seen = vec![false; comp.instrs.len()];
    let mut open = needed.to_vec();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        if available(id) {
            continue;
        }
        let instr = &comp[id];
        match instr.attrs {
            Attrs::Parameter(_) => found.push(id),
            _ if is_expensive(comp, maker(comp, id)) => found.push(id),
            _ => open.extend(&instr.operands),
        }
    }
    found.sort_unstable();
    found
}

/// What made the tuple of which a value is an element, or the value itself.
fn maker(comp: &Computation, id: InstrId) -> &Instruction {
    let instr = &comp[id];
    match instr.opcode {
        Opcode::GetTupleElement => maker(comp, instr.operands[0]),
        _ => instr,
    }
}

/// Whether it costs more to have a result again than to save it.
pub(super) fn is_expensive(comp: &Computation, instr: &Instruction) -> bool {
    match instr.opcode {
        Opcode::Reduce => {
            let elements = |i: &Instruction| i.shape.leaves().first().map_or(0, |s| s.elements());
            elements(comp.operand(instr, 0)) >= SHRINKS * elements(instr).max(1)
        }
        Opcode::Gather => false,
        Opcode::Rng | Opcode::RngBitGenerator | Opcode::RngGetAndUpdateState => true,
        Opcode::OptimizationBarrier => true,
        opcode => matches!(
            opcode.class(),
            Class::Reduction | Class::Control | Class::Library | Class::Communication
        ),
    }
}
