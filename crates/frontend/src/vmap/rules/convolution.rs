//! Convolution: the examples become part of a dimension that a convolution has already.
//!
//! ```text
//! images for each example    batch of the input              [batch · N]
//! kernels for each example   output features of the kernel   [batch · O]
//! both                       groups: of features, or of the batch where there are such already
//! ```
//! Where the dimension is divided into groups, the examples stand inside each group: `[G · batch · N / G]`.

use super::super::{Batched, Batcher};
use super::Made;
use super::dot::product;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Literal, Scalar};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::Convolution(old) = &instr.attrs else { return fault!("`convolution` has no dim_labels") };
    let mut new = old.clone();
    let (mut x, mut kernel) = (operands[0], operands[1]);
    let shape = instr.shape.expect_array();
    if cx.size == 0 {
        // No number of groups is zero.
        let zero = cx.emit.constant(Literal::scalar(shape.dtype, Scalar::zero(shape.dtype)));
        let dims = cx.with_batch(&shape.dims);
        return Ok((cx.emit.broadcast(zero, &dims, &[])?, Batched::Yes));
    }
    let (folded, groups) = match (batched[0] == Batched::Yes, batched[1] == Batched::Yes) {
        (true, false) => {
            x = fold(cx, x, old.input_batch, old.batch_group_count)?;
            (old.output_batch, 1)
        }
        (false, true) => {
            let groups = old.feature_group_count.max(old.batch_group_count);
            kernel = fold(cx, kernel, old.kernel_output_feature, groups)?;
            (old.output_feature, groups)
        }
        _ => {
            kernel = fold(cx, kernel, old.kernel_output_feature, 1)?;
            if old.batch_group_count > 1 {
                x = fold(cx, x, old.input_batch, 1)?;
                new.batch_group_count *= cx.size;
            } else {
                x = fold(cx, x, old.input_feature, 1)?;
                new.feature_group_count *= cx.size;
            }
            (old.output_feature, 1)
        }
    };
    let made = product(cx, instr, &[x, kernel], Attrs::Convolution(new))?;
    Ok((unfold(cx, made, folded, groups)?, Batched::Yes))
}

/// Puts the examples, which stand in front, into dimension `dim` of an example, inside of each of its groups.
pub(super) fn fold(cx: &mut Batcher<'_, '_>, x: InstrId, dim: usize, groups: i64) -> Result<InstrId, Fault> {
    let example = cx.emit.dims(x)?[1..].to_vec();
    let inner = example[dim] / groups.max(1);
    let (before, after) = (&example[..dim], &example[dim + 1..]);
    let split = [&[cx.size], before, &[groups, inner], after].concat();
    let x = cx.emit.reshape(x, &split)?;
    // [batch, before…, groups, inner, after…] → [before…, groups, batch, inner, after…]
    let order: Vec<usize> = (1..dim + 2).chain([0]).chain(dim + 2..split.len()).collect();
    let x = cx.emit.transpose(x, &order)?;
    cx.emit.reshape(x, &[before, &[example[dim] * cx.size], after].concat())
}

/// What [`fold`] did, undone.
pub(super) fn unfold(
    cx: &mut Batcher<'_, '_>,
    x: InstrId,
    dim: usize,
    groups: i64,
) -> Result<InstrId, Fault> {
    let dims = cx.emit.dims(x)?;
    let inner = dims[dim] / (groups * cx.size).max(1);
    let (before, after) = (&dims[..dim], &dims[dim + 1..]);
    let split = [before, &[groups, cx.size, inner], after].concat();
    let x = cx.emit.reshape(x, &split)?;
    let order: Vec<usize> = [dim + 1].into_iter().chain((0..split.len()).filter(|&d| d != dim + 1)).collect();
    let x = cx.emit.transpose(x, &order)?;
    cx.emit.reshape(x, &[&[cx.size], before, &[groups * inner], after].concat())
}
