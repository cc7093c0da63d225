//! Operations that work element by element: operands that are not batched are repeated.

use super::super::{Batched, Batcher};
use super::Made;
use crate::error::Fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let operands = spread_all(cx, operands, batched)?;
    let shape = cx.spread_shape(&instr.shape);
    Ok((cx.emit.op_shaped(instr.opcode, shape, &operands, instr.attrs.clone())?, Batched::Yes))
}

/// All operands with a batch dimension.
pub(super) fn spread_all(
    cx: &mut Batcher<'_, '_>,
    operands: &[InstrId],
    batched: &[Batched],
) -> Result<Vec<InstrId>, Fault> {
    operands.iter().zip(batched).map(|(&x, b)| cx.spread(x, b)).collect()
}

/// Some operands may be scalars beside arrays: they stay, unless they are batched.
pub(super) fn with_scalars(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let shape = cx.spread_shape(&instr.shape);
    let dims = shape.expect_array().dims.clone();
    let mut spread = Vec::with_capacity(operands.len());
    for (i, (&x, of)) in operands.iter().zip(batched).enumerate() {
        let rank = cx.emit.array(x)?.rank() - usize::from(*of == Batched::Yes);
        let may_be_scalar = match instr.opcode {
            Opcode::Clamp => i != 1,
            _ => i == 0,
        };
        spread.push(match (rank, of) {
            (0, Batched::No) if may_be_scalar => x,
            (0, Batched::Yes) if dims.len() > 1 => cx.emit.broadcast(x, &dims, &[0])?,
            _ => cx.spread(x, of)?,
        });
    }
    Ok((cx.emit.op_shaped(instr.opcode, shape, &spread, instr.attrs.clone())?, Batched::Yes))
}

pub(super) fn map(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let mut again = instr.clone();
    if let Attrs::Map { dims, .. } = &mut again.attrs
        && !dims.is_empty()
    {
        dims.push(dims.len());
    }
    rule(cx, &again, operands, batched)
}
