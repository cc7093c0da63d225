//! Operations that rearrange whole arrays: their dimensions move up by one.

use super::super::{Batched, Batcher};
use super::Made;
use super::elementwise::spread_all;
use crate::fault;
use lawson_hlo::attrs::{PadDim, SliceDim};
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Literal, Opcode, Scalar};

/// Dimension numbers behind that of the batch.
pub(super) fn up(dims: &[usize]) -> Vec<usize> {
    dims.iter().map(|d| d + 1).collect()
}

/// Dimension numbers behind that of the batch, which stands in front.
pub(super) fn up_with_batch(dims: &[usize]) -> Vec<usize> {
    std::iter::once(0).chain(up(dims)).collect()
}

pub(super) fn broadcast(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    _: &[Batched],
) -> Made {
    let map = match &instr.attrs {
        Attrs::Dims(map) => up_with_batch(map),
        _ => vec![0],
    };
    let shape = cx.spread_shape(&instr.shape);
    Ok((cx.emit.op_shaped(Opcode::Broadcast, shape, operands, Attrs::Dims(map))?, Batched::Yes))
}

/// Of reshape and of bitcast, whose examples lie one behind the other.
pub(super) fn reshape(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    _: &[Batched],
) -> Made {
    let shape = cx.spread_shape(&instr.shape);
    Ok((cx.emit.op_shaped(instr.opcode, shape, operands, instr.attrs.clone())?, Batched::Yes))
}

pub(super) fn transpose(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    _: &[Batched],
) -> Made {
    let Attrs::Dims(permutation) = &instr.attrs else { return fault!("`transpose` has no permutation") };
    Ok((cx.emit.transpose(operands[0], &up_with_batch(permutation))?, Batched::Yes))
}

/// Of reverse and concatenate.
pub(super) fn along_dims(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Dims(dims) = &instr.attrs else { return fault!("`{}` has no dimensions", instr.opcode) };
    let operands = spread_all(cx, operands, batched)?;
    Ok((cx.emit.op(instr.opcode, &operands, Attrs::Dims(up(dims)))?, Batched::Yes))
}

pub(super) fn slice(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    _: &[Batched],
) -> Made {
    let Attrs::Slice(ranges) = &instr.attrs else { return fault!("`slice` has no ranges") };
    let whole = SliceDim { start: 0, limit: cx.size, stride: 1 };
    let ranges = std::iter::once(whole).chain(ranges.iter().copied()).collect();
    Ok((cx.emit.slice(operands[0], ranges)?, Batched::Yes))
}

/// A padding value that differs between examples is put where the padding is, found by padding a mask.
pub(super) fn pad(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Pad(padding) = &instr.attrs else { return fault!("`pad` has no padding") };
    let with_batch = || {
        let none = PadDim { low: 0, high: 0, interior: 0 };
        Attrs::Pad(std::iter::once(none).chain(padding.iter().copied()).collect())
    };
    let (x, value) = (operands[0], operands[1]);
    if batched[1] == Batched::No {
        return Ok((cx.emit.op(Opcode::Pad, &[x, value], with_batch())?, Batched::Yes));
    }
    let of_operand = batched[0] == Batched::Yes;
    let dims = cx.spread_shape(&instr.shape).expect_array().dims.clone();
    let e = &mut *cx.emit;
    let dtype = e.dtype(x)?;
    let zero = e.constant(Literal::scalar(dtype, Scalar::zero(dtype)));
    let truth = |value| Literal::scalar(DType::Pred, Scalar::Pred(value));
    let (yes, no) = (e.constant(truth(true)), e.constant(truth(false)));
    let example = e.dims(x)?[usize::from(of_operand)..].to_vec();
    let ones = e.broadcast(yes, &example, &[])?;
    let mask = e.op(Opcode::Pad, &[ones, no], instr.attrs.clone())?;
    let padded =
        e.op(Opcode::Pad, &[x, zero], if of_operand { with_batch() } else { instr.attrs.clone() })?;
    let mask = cx.spread(mask, &Batched::No)?;
    let padded = cx.spread(padded, &batched[0])?;
    let values = cx.emit.broadcast(value, &dims, &[0])?;
    Ok((cx.emit.select(mask, padded, values)?, Batched::Yes))
}

/// The same for all examples.
pub(super) fn get_dimension_size(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    _: &[Batched],
) -> Made {
    let Attrs::Dims(dims) = &instr.attrs else { return fault!("`get-dimension-size` has no dimension") };
    let size = cx.emit.op(Opcode::GetDimensionSize, operands, Attrs::Dims(up(dims)))?;
    Ok((size, Batched::No))
}
