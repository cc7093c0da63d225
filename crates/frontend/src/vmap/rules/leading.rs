//! Operations of the last dimensions, for any number of others in front; and sort, whose dimension moves up.

use super::super::{Batched, Batcher};
use super::Made;
use super::elementwise::spread_all;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let operands = spread_all(cx, operands, batched)?;
    Ok((cx.emit.op(instr.opcode, &operands, instr.attrs.clone())?, Batched::all(&instr.shape)))
}

pub(super) fn sort(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Sort { dim, is_stable, to_apply } = instr.attrs else {
        return fault!("`sort` has no dimension");
    };
    let operands = spread_all(cx, operands, batched)?;
    let attrs = Attrs::Sort { dim: dim + 1, is_stable, to_apply };
    Ok((cx.emit.op(Opcode::Sort, &operands, attrs)?, Batched::all(&instr.shape)))
}
