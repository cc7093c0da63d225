//! Elements that are taken from where integers say: tangents go the same way.

use super::super::linearize::Arg;
use super::super::{Linearizer, Tangent};
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, GatherDims};
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar};

/// The integers that count the elements of an array of these dimensions.
pub(super) fn position_type(dims: &[i64]) -> DType {
    let n = dims.iter().fold(1i64, |n, &d| n.saturating_mul(d));
    if n <= i32::MAX as i64 { DType::S32 } else { DType::S64 }
}

/// For each element the number of its index along these dimensions, row-major.
pub(super) fn positions(e: &mut Emit<'_>, dims: &[i64], along: &[usize]) -> Result<InstrId, Fault> {
    let extents: Vec<i64> = along.iter().map(|&d| dims[d]).collect();
    let n: i64 = extents.iter().product();
    let counts = e.iota(position_type(&extents), &[n], 0)?;
    let counts = e.reshape(counts, &extents)?;
    e.broadcast(counts, dims, along)
}

/// The position of what is no element.
pub(super) fn nowhere(e: &mut Emit<'_>, dtype: DType) -> InstrId {
    e.constant(Literal::scalar(dtype, Scalar::Signed(-1)))
}

/// `result[…, i, …] = t[…, at[…, i, …], …]` along one dimension; zero where that has no elements.
pub(super) fn take_along(
    cx: &mut Linearizer<'_, '_>,
    t: Tangent,
    at: InstrId,
    dim: usize,
) -> Result<Option<Tangent>, Fault> {
    if cx.shape_of(Arg::Tangent(t))?.dims[dim] == 0 {
        return Ok(None);
    }
    let rank = cx.emit.array(at)?.rank();
    let vectors = [cx.emit.dims(at)?, vec![1]].concat();
    let at = cx.emit.reshape(at, &vectors)?;
    let others: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
    let dims = GatherDims {
        collapsed_slice_dims: vec![dim],
        start_index_map: vec![dim],
        operand_batching_dims: others.clone(),
        start_indices_batching_dims: others,
        index_vector_dim: rank,
        slice_sizes: vec![1; rank],
        ..GatherDims::default()
    };
    let attrs = Attrs::Gather(Box::new(dims));
    Ok(Some(cx.linear(Opcode::Gather, &[Arg::Tangent(t), Arg::Primal(at)], attrs)?))
}

/// The dimensions of a gather of single elements of a vector by an array of that many dimensions and an index vector.
fn single(rank: usize) -> Attrs {
    Attrs::Gather(Box::new(GatherDims {
        collapsed_slice_dims: vec![0],
        start_index_map: vec![0],
        index_vector_dim: rank,
        slice_sizes: vec![1],
        ..GatherDims::default()
    }))
}

/// `result[i] = t[at[i]]`, counting the elements of `t` row-major; zero where the position is negative.
pub(super) fn take_flat_tangent(
    cx: &mut Linearizer<'_, '_>,
    t: Tangent,
    at: InstrId,
) -> Result<Option<Tangent>, Fault> {
    let shape = cx.shape_of(Arg::Tangent(t))?;
    if shape.elements() == 0 {
        return Ok(None);
    }
    let flat = ArrayShape::new(shape.dtype, [shape.elements()]);
    let flat = cx.linear_shaped(Opcode::Reshape, &flat, &[Arg::Tangent(t)], Attrs::None)?;
    let (there, vectors, rank) = split(cx.emit, at)?;
    let taken = cx.linear(Opcode::Gather, &[Arg::Tangent(flat), Arg::Primal(vectors)], single(rank))?;
    Ok(Some(super::choice::where_true(cx, there, taken)?))
}

/// As [`take_flat_tangent`], of a value.
pub(in crate::grad) fn take_flat(e: &mut Emit<'_>, x: InstrId, at: InstrId) -> Result<InstrId, Fault> {
    let shape = e.array(x)?.clone();
    if shape.elements() == 0 {
        let dims = e.dims(at)?;
        return e.zeros(&ArrayShape::new(shape.dtype, dims));
    }
    let flat = e.reshape(x, &[shape.elements()])?;
    let (there, vectors, rank) = split(e, at)?;
    let taken = e.op(Opcode::Gather, &[flat, vectors], single(rank))?;
    let zeros = e.splat_like(taken, 0.0)?;
    e.select(there, taken, zeros)
}

/// Which positions are those of elements; the positions as index vectors, and how many dimensions stand before these.
fn split(e: &mut Emit<'_>, at: InstrId) -> Result<(InstrId, InstrId, usize), Fault> {
    let zero = e.splat_like(at, 0.0)?;
    let there = e.compare(Direction::Ge, at, zero)?;
    let dims = e.dims(at)?;
    let vectors = e.reshape(at, &[&dims[..], &[1]].concat())?;
    Ok((there, vectors, dims.len()))
}
