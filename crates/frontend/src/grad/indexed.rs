//! Gathers and the scatters that undo them.
//!
//! A gather moves the windows that do not fit to where they do; a scatter drops them. What stands for the one in terms of
//! the other has to say so: [`clamped`] indices for a scatter, a mask of those [`inside`] for a gather.

use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, GatherDims, ScatterDims};
use lawson_hlo::{ArrayShape, Attrs, CompId, DType, InstrId, Literal, Opcode, Scalar};

/// The scatter to where a gather reads.
pub(super) fn scatter_of(g: &GatherDims, to_apply: CompId) -> ScatterDims {
    ScatterDims {
        update_window_dims: g.offset_dims.clone(),
        inserted_window_dims: g.collapsed_slice_dims.clone(),
        scatter_dims_to_operand_dims: g.start_index_map.clone(),
        input_batching_dims: g.operand_batching_dims.clone(),
        scatter_indices_batching_dims: g.start_indices_batching_dims.clone(),
        index_vector_dim: g.index_vector_dim,
        // Vectors of several indices may lose their order where they are clamped.
        indices_are_sorted: g.indices_are_sorted && g.start_index_map.len() <= 1,
        unique_indices: false,
        to_apply,
    }
}

/// The gather from where a scatter of updates of this shape writes.
pub(super) fn gather_of(s: &ScatterDims, operand: &ArrayShape, update: &ArrayShape) -> GatherDims {
    let mut windows = s.update_window_dims.iter();
    let size = |d: usize| match s.inserted_window_dims.contains(&d) || s.input_batching_dims.contains(&d) {
        true => 1,
        false => windows.next().map_or(1, |&w| update.dims[w]),
    };
    GatherDims {
        slice_sizes: (0..operand.rank()).map(size).collect(),
        offset_dims: s.update_window_dims.clone(),
        collapsed_slice_dims: s.inserted_window_dims.clone(),
        start_index_map: s.scatter_dims_to_operand_dims.clone(),
        operand_batching_dims: s.input_batching_dims.clone(),
        start_indices_batching_dims: s.scatter_indices_batching_dims.clone(),
        index_vector_dim: s.index_vector_dim,
        indices_are_sorted: s.indices_are_sorted,
    }
}

/// The elements from where a gather reads that came about by [`gather_of`]; zero where the scatter drops the window.
pub(super) fn gather_inside(
    e: &mut Emit<'_>,
    x: InstrId,
    indices: InstrId,
    g: &GatherDims,
) -> Result<InstrId, Fault> {
    let taken = e.op(Opcode::Gather, &[x, indices], Attrs::Gather(Box::new(g.clone())))?;
    let dims = e.dims(x)?;
    let (mask, result) = (inside(e, indices, g, &dims)?, e.dims(taken)?);
    let batch: Vec<usize> = (0..result.len()).filter(|d| !g.offset_dims.contains(d)).collect();
    let mask = e.broadcast(mask, &result, &batch)?;
    let zeros = e.splat_like(taken, 0.0)?;
    e.select(mask, taken, zeros)
}

/// The indices of a gather from an array of these dimensions, moved to where it reads.
pub(super) fn clamped(
    e: &mut Emit<'_>,
    indices: InstrId,
    g: &GatherDims,
    dims: &[i64],
) -> Result<InstrId, Fault> {
    let (first, last) = (e.splat_like(indices, 0.0)?, last(e, indices, g, dims)?);
    e.op(Opcode::Clamp, &[first, indices, last], Attrs::None)
}

/// Of each index vector, whether its window lies inside of an array of these dimensions.
fn inside(e: &mut Emit<'_>, indices: InstrId, g: &GatherDims, dims: &[i64]) -> Result<InstrId, Fault> {
    let (first, last) = (e.splat_like(indices, 0.0)?, last(e, indices, g, dims)?);
    let (low, high) = (e.compare(Direction::Ge, indices, first)?, e.compare(Direction::Le, indices, last)?);
    let fits = e.binary(Opcode::And, low, high)?;
    if g.index_vector_dim == e.array(indices)?.rank() {
        return Ok(fits);
    }
    let all = e.constant(Literal::scalar(DType::Pred, Scalar::Pred(true)));
    let to_apply = e.scalar_computation(Opcode::And, DType::Pred)?;
    e.op(Opcode::Reduce, &[fits, all], Attrs::Reduce { dims: vec![g.index_vector_dim], to_apply })
}

/// The greatest start index of each component, in the shape of the indices.
fn last(e: &mut Emit<'_>, indices: InstrId, g: &GatherDims, dims: &[i64]) -> Result<InstrId, Fault> {
    let shape = e.array(indices)?.clone();
    let greatest = greatest(shape.dtype);
    let bounds = g.start_index_map.iter().map(|&d| (dims[d] - g.slice_sizes[d]).min(greatest));
    let bounds: Vec<Scalar> = bounds.map(Scalar::Signed).collect();
    let has_vectors = g.index_vector_dim < shape.rank();
    let extents = if has_vectors { vec![bounds.len() as i64] } else { Vec::new() };
    let map = if has_vectors { vec![g.index_vector_dim] } else { Vec::new() };
    let bounds = e.constant(Literal::from_scalars(ArrayShape::new(shape.dtype, extents), bounds));
    if shape.is_scalar() { Ok(bounds) } else { e.broadcast(bounds, &shape.dims, &map) }
}

/// The greatest integer of a type, as far as an extent can be.
fn greatest(dtype: DType) -> i64 {
    let bits = dtype.bits() - dtype.is_signed() as u32;
    if bits >= 63 { i64::MAX } else { (1 << bits) - 1 }
}
