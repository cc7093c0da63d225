//! Tuples, calls, and what gives its operands back.

use super::super::{Batched, Batcher};
use super::Made;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    match (instr.opcode, &instr.attrs) {
        (Opcode::Tuple, _) => Ok((cx.emit.tuple(operands)?, Batched::of_parts(batched.to_vec()))),
        (Opcode::GetTupleElement, Attrs::TupleIndex(i)) => {
            Ok((cx.emit.element(operands[0], *i)?, batched[0].part(*i)))
        }
        (Opcode::Call, Attrs::Call { to_apply: callee, .. })
        | (Opcode::Fusion, Attrs::Fusion { calls: callee, .. }) => cx.inline(*callee, operands, batched),
        (Opcode::Copy | Opcode::AddDependency, _) => {
            Ok((cx.emit.op(instr.opcode, operands, Attrs::None)?, batched[0].clone()))
        }
        // Its shardings are those of one example.
        (Opcode::Domain, _) => Ok((operands[0], batched[0].clone())),
        (Opcode::OptimizationBarrier, _) => {
            let flag = match batched {
                [one] => one.clone(),
                all => Batched::of_parts(all.to_vec()),
            };
            Ok((cx.emit.op(instr.opcode, operands, Attrs::None)?, flag))
        }
        (opcode, _) => fault!("`{opcode}` has no rule of structure"),
    }
}
