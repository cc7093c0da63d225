//! What is known about `while` loops, and the passes over them.

pub(crate) mod carry;
pub mod constants;
pub mod endless;
mod in_trip;
pub mod invariants;
pub mod last_values;
pub mod rows;
pub mod short;
pub mod time_tiling;
pub(crate) mod trips;

pub use trips::{trip_count, trips_of};

use crate::effects::is_random;
use lawson_hlo::opcode::Class;
use lawson_hlo::{Attrs, CompId, Computation, InstrId, Instruction, Module, Opcode};

/// Whether a matrix of this shape is worth a transposed copy before a loop: few long rows, for sums along them, small enough
/// to stay in the first-level cache, and to be folded where it is a constant.
pub fn is_worth_turning(rows: i64, length: i64, bytes: i64) -> bool {
    (2..=32).contains(&rows) && length >= 64 && bytes <= 32 << 10
}

/// The condition and body of a loop.
pub fn parts(instr: &Instruction) -> Option<(CompId, CompId)> {
    match instr.attrs {
        Attrs::While { condition, body } => Some((condition, body)),
        _ => None,
    }
}

/// Which element of its parameter tuple an instruction of a loop computation reads.
pub fn element_read(comp: &Computation, id: InstrId) -> Option<usize> {
    let Attrs::TupleIndex(i) = comp[id].attrs else { return None };
    (comp.operand(&comp[id], 0).opcode == Opcode::Parameter).then_some(i)
}

/// For each element of the state, the instruction of the body that makes its next value; `None` if the root of
/// the body is no tuple.
pub fn next_values(module: &Module, body: CompId) -> Option<&[InstrId]> {
    let root = module[body].root();
    (root.opcode == Opcode::Tuple).then_some(&root.operands)
}

/// Whether the body passes an element of the state on as it is.
pub fn is_invariant(module: &Module, body: CompId, element: usize) -> bool {
    next_values(module, body).is_some_and(|next| element_read(&module[body], next[element]) == Some(element))
}

/// Whether an instruction gives the same value wherever it stands.
fn may_move(instr: &Instruction) -> bool {
    let ordered = instr.notes.as_ref().is_some_and(|n| !n.control_predecessors.is_empty());
    let pure = match instr.opcode.class() {
        Class::Control | Class::Communication => false,
        Class::Structure => matches!(instr.opcode, Opcode::Tuple | Opcode::GetTupleElement),
        _ => !matches!(instr.opcode, Opcode::Parameter | Opcode::CustomCall | Opcode::Fusion),
    };
    pure && !ordered && !instr.has_side_effect() && !is_random(instr)
}
