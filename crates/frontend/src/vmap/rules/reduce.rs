//! Reductions: the dimensions move up by one.
//!
//! An initial value must be a scalar. Where each example has its own, one operation with an identity starts from that, and
//! meets the initial values afterwards; any other goes from example to example.

use super::super::{Batched, Batcher};
use super::elementwise::spread_all;
use super::movement::up;
use super::{Made, sequential};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::identity::identity;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Literal, Opcode, Scalar};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Reduce { dims, to_apply } = &instr.attrs else { return fault!("`reduce` has no dimensions") };
    let inputs = operands.len() / 2;
    if batched[inputs..].iter().all(Batched::is_no) {
        let spread = spread_all(cx, &operands[..inputs], &batched[..inputs])?;
        let all = [&spread, &operands[inputs..]].concat();
        let attrs = Attrs::Reduce { dims: up(dims), to_apply: *to_apply };
        return Ok((cx.emit.op(Opcode::Reduce, &all, attrs)?, Batched::all(&instr.shape)));
    }
    let Some((opcode, start)) = starts_anywhere(cx, instr, operands, *to_apply)? else {
        return sequential::rule(cx, instr, operands, batched);
    };
    let start = cx.emit.constant(start);
    let of_input = batched[0] == Batched::Yes;
    let dims = if of_input { up(dims) } else { dims.clone() };
    let attrs = Attrs::Reduce { dims, to_apply: *to_apply };
    let reduced = cx.emit.op(Opcode::Reduce, &[operands[0], start], attrs)?;
    let reduced = cx.spread(reduced, &batched[0])?;
    let all = cx.emit.dims(reduced)?;
    let starts = cx.emit.broadcast(operands[1], &all, &[0])?;
    Ok((cx.emit.binary(opcode, starts, reduced)?, Batched::Yes))
}

/// The operation of a reduction, with its identity, if the initial value can be left for afterwards.
fn starts_anywhere(
    cx: &Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    to_apply: CompId,
) -> Result<Option<(Opcode, Literal)>, Fault> {
    let Some(opcode) = cx.emit.graph.computation(to_apply).as_simple_binary() else { return Ok(None) };
    let dtype = cx.emit.dtype(operands[0])?;
    let one_type = operands.len() == 2
        && cx.emit.dtype(operands[1])? == dtype
        && instr.shape.as_array().is_some_and(|a| a.dtype == dtype);
    if !one_type || dtype.accumulator() != dtype {
        return Ok(None);
    }
    let found = identity(opcode, dtype);
    Ok(found.map(|start: Scalar| (opcode, Literal::scalar(dtype, start))))
}
