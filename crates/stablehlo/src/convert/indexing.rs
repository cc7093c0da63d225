//! Gather and scatter.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{GatherDims, ScatterDims};
use lawson_hlo::{Attrs, InstrId, Opcode};

pub fn gather<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let dims = GatherDims {
        offset_dims: f.optional_dims(op, "offset_dims")?,
        collapsed_slice_dims: f.optional_dims(op, "collapsed_slice_dims")?,
        start_index_map: f.optional_dims(op, "start_index_map")?,
        operand_batching_dims: f.optional_dims(op, "operand_batching_dims")?,
        start_indices_batching_dims: f.optional_dims(op, "start_indices_batching_dims")?,
        index_vector_dim: index_vector_dim(f, op)?,
        slice_sizes: f.ints(op, "slice_sizes")?,
        indices_are_sorted: f.flag(op, "indices_are_sorted")?,
    };
    f.add(op, opcode, &operands, Attrs::Gather(Box::new(dims)))
}

pub fn scatter<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let dims = ScatterDims {
        update_window_dims: f.optional_dims(op, "update_window_dims")?,
        inserted_window_dims: f.optional_dims(op, "inserted_window_dims")?,
        scatter_dims_to_operand_dims: f.optional_dims(op, "scatter_dims_to_operand_dims")?,
        input_batching_dims: f.optional_dims(op, "input_batching_dims")?,
        scatter_indices_batching_dims: f.optional_dims(op, "scatter_indices_batching_dims")?,
        index_vector_dim: index_vector_dim(f, op)?,
        indices_are_sorted: f.flag(op, "indices_are_sorted")?,
        unique_indices: f.flag(op, "unique_indices")?,
        to_apply: f.applied(op, 0)?,
    };
    f.add(op, opcode, &operands, Attrs::Scatter(Box::new(dims)))
}

/// The text leaves it out where it is zero.
fn index_vector_dim(f: &Frame, op: &Op) -> Result<usize> {
    let read = |a: &crate::ir::Attr| usize::try_from(a.int()?).ok();
    Ok(f.optional(op, "index_vector_dim", read)?.unwrap_or(0))
}
