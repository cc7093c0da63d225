//! Tuples and calls, and what passes its operand on.

use super::super::{Linearizer, Tan};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    match (instr.opcode, &instr.attrs) {
        (Opcode::Tuple, _) => Ok((cx.emit.tuple(operands)?, Tan::of_parts(tangents.to_vec()))),
        (Opcode::GetTupleElement, Attrs::TupleIndex(i)) => {
            Ok((cx.emit.element(operands[0], *i)?, tangents[0].part(*i)))
        }
        (Opcode::Call, Attrs::Call { to_apply: comp, .. })
        | (Opcode::Fusion, Attrs::Fusion { calls: comp, .. }) => cx.inline(*comp, operands, tangents),
        (Opcode::AddDependency | Opcode::Copy | Opcode::Domain, _) => {
            Ok((cx.emit.again(instr, operands), tangents[0].clone()))
        }
        // What holds values back says nothing of their derivatives. Several operands are a tuple.
        (Opcode::OptimizationBarrier, _) => {
            let value = cx.emit.again(instr, operands);
            let tangent = match tangents {
                [one] => one.clone(),
                many => Tan::of_parts(many.to_vec()),
            };
            Ok((value, tangent))
        }
        (opcode, _) => fault!("`{opcode}` has no rule of structure"),
    }
}

/// The same type is the same value; another one has no derivative.
pub(super) fn bitcast_convert(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let (from, to) = (cx.emit.array(operands[0])?, instr.shape.expect_array());
    if !from.same(to) {
        return fault!("`bitcast-convert` of {from} to {to} has no derivative: it reads bits, not numbers");
    }
    Ok((cx.emit.again(instr, operands), tangents[0].clone()))
}
