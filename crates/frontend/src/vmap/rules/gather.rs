//! Gather and scatter: the batch is a dimension of whole slices where the indices are the same for all examples, and a
//! batching dimension of array and indices where both differ.

use super::super::{Batched, Batcher};
use super::Made;
use super::movement::{up, up_with_batch};
use crate::fault;
use lawson_hlo::attrs::{GatherDims, ScatterDims};
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub(super) fn gather(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Gather(old) = &instr.attrs else { return fault!("`gather` has no dimension numbers") };
    let (of_operand, of_indices) = (batched[0] == Batched::Yes, batched[1] == Batched::Yes);
    let mut new: GatherDims = (**old).clone();
    if of_operand {
        new.collapsed_slice_dims = up(&old.collapsed_slice_dims);
        new.start_index_map = up(&old.start_index_map);
        new.operand_batching_dims = up(&old.operand_batching_dims);
        let taken = if of_indices { cx.size.min(1) } else { cx.size };
        new.slice_sizes.insert(0, taken);
    }
    if of_indices {
        new.index_vector_dim += 1;
        new.start_indices_batching_dims = up(&old.start_indices_batching_dims);
        new.indices_are_sorted = false;
    }
    new.offset_dims = if of_indices { up(&old.offset_dims) } else { up_with_batch(&old.offset_dims) };
    if of_operand && of_indices {
        new.operand_batching_dims.insert(0, 0);
        new.start_indices_batching_dims.insert(0, 0);
    }
    Ok((cx.emit.op(Opcode::Gather, operands, Attrs::Gather(Box::new(new)))?, Batched::Yes))
}

pub(super) fn scatter(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Scatter(old) = &instr.attrs else { return fault!("`scatter` has no dimension numbers") };
    let indices = operands.len() / 2;
    let of_indices = batched[indices] == Batched::Yes;
    let mut all = Vec::with_capacity(operands.len());
    for (i, (&x, of)) in operands.iter().zip(batched).enumerate() {
        all.push(if i == indices { x } else { cx.spread(x, of)? });
    }
    let mut new: ScatterDims = (**old).clone();
    new.inserted_window_dims = up(&old.inserted_window_dims);
    new.scatter_dims_to_operand_dims = up(&old.scatter_dims_to_operand_dims);
    new.input_batching_dims = up(&old.input_batching_dims);
    if of_indices {
        new.index_vector_dim += 1;
        new.scatter_indices_batching_dims = up(&old.scatter_indices_batching_dims);
        new.input_batching_dims.insert(0, 0);
        new.scatter_indices_batching_dims.insert(0, 0);
        new.update_window_dims = up(&old.update_window_dims);
        new.indices_are_sorted = false;
    } else {
        new.update_window_dims = up_with_batch(&old.update_window_dims);
    }
    let made = cx.emit.op(Opcode::Scatter, &all, Attrs::Scatter(Box::new(new)))?;
    let flag = Batched::all(cx.emit.shape(made));
    Ok((made, flag))
}
