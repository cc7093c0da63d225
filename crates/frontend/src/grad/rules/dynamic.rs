//! What reads and writes at places that the program computes: the same on tangents, at the same places.

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan};
use super::arg;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::{InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let y = cx.emit.again(instr, operands);
    let arrays = match instr.opcode {
        Opcode::DynamicSlice | Opcode::Gather => 1,
        Opcode::DynamicUpdateSlice => 2,
        other => return fault!("`{other}` does not read or write where indices say"),
    };
    let mut args = Vec::with_capacity(operands.len());
    for n in 0..operands.len() {
        args.push(if n < arrays { arg(cx, operands[n], &tangents[n])? } else { Arg::Primal(operands[n]) });
    }
    Ok((y, Tan::One(cx.linear(instr.opcode, &args, instr.attrs.clone())?)))
}
