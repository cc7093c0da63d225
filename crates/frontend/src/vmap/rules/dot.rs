//! Dot: examples of both operands are a batch dimension of the product. Those of one are a free dimension of it, which is
//! then moved to the front.

use super::super::{Batched, Batcher};
use super::Made;
use super::movement::{up, up_with_batch};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::DotDims;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape, infer};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Dot(old) = &instr.attrs else { return fault!("`dot` has no dimension numbers") };
    let (left, right) = (batched[0] == Batched::Yes, batched[1] == Batched::Yes);
    let together = left && right;
    let batch = |of: bool, dims: &[usize]| match (of, together) {
        (true, true) => up_with_batch(dims),
        (true, false) => up(dims),
        _ => dims.to_vec(),
    };
    let contracting = |of: bool, dims: &[usize]| if of { up(dims) } else { dims.to_vec() };
    let new = DotDims {
        lhs_batch: batch(left, &old.lhs_batch),
        rhs_batch: batch(right, &old.rhs_batch),
        lhs_contracting: contracting(left, &old.lhs_contracting),
        rhs_contracting: contracting(right, &old.rhs_contracting),
    };
    // Behind the batch dimensions stand the free ones of the left operand, then those of the right, its examples first.
    let left_rank = cx.emit.array(operands[0])?.rank();
    let at = match (left, right) {
        (true, true) => 0,
        (true, false) => old.lhs_batch.len(),
        _ => left_rank - old.lhs_contracting.len(),
    };
    let product = product(cx, instr, operands, Attrs::Dot(Box::new(new)))?;
    Ok((to_front(cx.emit, product, at)?, Batched::Yes))
}

/// The product of these operands, of elements as those of another.
pub(super) fn product(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    attrs: Attrs,
) -> Result<InstrId, Fault> {
    let opcode: Opcode = instr.opcode;
    let shapes: Vec<&Shape> = operands.iter().map(|&o| cx.emit.shape(o)).collect();
    let found = infer::infer(cx.emit.graph.module(), opcode, &attrs, &shapes)?;
    let shape = found.expect_array().with_dtype(instr.shape.expect_array().dtype);
    cx.emit.op_shaped(opcode, Shape::Array(shape), operands, attrs)
}

/// Moves a dimension to the front.
pub(in super::super) fn to_front(e: &mut Emit<'_>, x: InstrId, at: usize) -> Result<InstrId, Fault> {
    let rank = e.array(x)?.rank();
    let order: Vec<usize> = std::iter::once(at).chain((0..rank).filter(|&d| d != at)).collect();
    e.transpose(x, &order)
}
