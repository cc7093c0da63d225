//! The transposes of `convolution` in either operand are convolutions.
//!
//! Result o takes element i of the input by weight k where i·base = o·stride + k·dilation − low. So cotangents go back to the
//! input by the window of [`reversed`] with the weights from the end, features of input and result exchanged; and to weight
//! k by a convolution in which the cotangent is the window: it moves by the dilation and is dilated by the stride, and batch and
//! features of the input have exchanged their places.

use super::super::Transposer;
use super::super::tape::Linear;
use super::reduction::reversed;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{ConvDims, WindowDim};
use lawson_hlo::{ArrayShape, Attrs, InstrId, Opcode, Shape};

pub(super) fn transpose(
    cx: &mut Transposer<'_, '_>,
    op: &Linear,
    shape: &ArrayShape,
    ct: InstrId,
) -> Result<(), Fault> {
    let Attrs::Convolution(dims) = &op.attrs else { return fault!("`convolution` lacks its dimensions") };
    for side in 0..2 {
        let (Some(t), Some(other)) = (op.operands[side].tangent(), cx.primal(op, 1 - side)) else { continue };
        let whole = cx.shape(t).clone();
        let e = &mut *cx.emit;
        let back = if whole.elements() == 0 || shape.elements() == 0 || e.array(other)?.elements() == 0 {
            e.zeros(&whole)?
        } else if side == 0 {
            to_input(e, dims, &whole, shape, other, ct)?
        } else {
            to_kernel(e, dims, &whole, other, ct)?
        };
        cx.contribute(t, back)?;
    }
    Ok(())
}

/// Dimension `dim` as two, of which the first counts `groups`.
fn split(e: &mut Emit<'_>, x: InstrId, dim: usize, groups: i64) -> Result<InstrId, Fault> {
    let mut dims = e.dims(x)?;
    dims[dim] /= groups;
    dims.insert(dim, groups);
    e.reshape(x, &dims)
}

/// Moves dimension `from` of an array that has one more than is wanted in front of dimension `to` of the others, and joins
/// the two.
fn join(e: &mut Emit<'_>, x: InstrId, from: usize, to: usize) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    let mut order: Vec<usize> = (0..dims.len()).filter(|&d| d != from).collect();
    order.insert(to, from);
    let turned = e.transpose(x, &order)?;
    let mut joined = e.dims(turned)?;
    let groups = joined.remove(to);
    joined[to] *= groups;
    e.reshape(turned, &joined)
}

fn to_input(
    e: &mut Emit<'_>,
    dims: &ConvDims,
    whole: &ArrayShape,
    result: &ArrayShape,
    kernel: InstrId,
    ct: InstrId,
) -> Result<InstrId, Fault> {
    let (features, batches) = (dims.feature_group_count, dims.batch_group_count);
    let groups = features.max(batches);
    // Each group of results takes weights of its own: groups of output features become groups of input features.
    let kernel = if groups > 1 {
        let apart = split(e, kernel, dims.kernel_output_feature, groups)?;
        join(e, apart, dims.kernel_output_feature, dims.kernel_input_feature)?
    } else {
        kernel
    };
    let spatial = dims.window.iter().enumerate().map(|(k, w)| {
        let (out, x) = (result.dims[dims.output_spatial[k]], whole.dims[dims.input_spatial[k]]);
        WindowDim { reversal: !w.reversal, ..reversed(w, out, x) }
    });
    let back = ConvDims {
        window: spatial.collect(),
        input_batch: dims.output_batch,
        input_feature: dims.output_feature,
        input_spatial: dims.output_spatial.clone(),
        kernel_input_feature: dims.kernel_output_feature,
        kernel_output_feature: dims.kernel_input_feature,
        kernel_spatial: dims.kernel_spatial.clone(),
        output_batch: dims.input_batch,
        output_feature: dims.input_feature,
        output_spatial: dims.input_spatial.clone(),
        feature_group_count: groups,
        batch_group_count: 1,
    };
    let x = convolve(e, whole.clone(), [ct, kernel], back)?;
    if batches == 1 {
        return Ok(x);
    }
    // Features hold the groups of batches.
    let apart = split(e, x, dims.input_feature, batches)?;
    join(e, apart, dims.input_feature, dims.input_batch)
}

fn to_kernel(
    e: &mut Emit<'_>,
    dims: &ConvDims,
    whole: &ArrayShape,
    input: InstrId,
    ct: InstrId,
) -> Result<InstrId, Fault> {
    let (x, out) = (e.dims(input)?, e.dims(ct)?);
    let spatial = dims.window.iter().enumerate().map(|(k, w)| {
        let (x, out) = (x[dims.input_spatial[k]], out[dims.output_spatial[k]]);
        let dilated = (x - 1) * w.base_dilation + 1;
        let needed = (out - 1) * w.stride + 1 + (w.size - 1) * w.window_dilation;
        WindowDim {
            size: out,
            stride: w.window_dilation,
            pad_low: w.pad_low,
            pad_high: needed - dilated - w.pad_low,
            base_dilation: w.base_dilation,
            window_dilation: w.stride,
            reversal: false,
        }
    });
    let back = ConvDims {
        window: spatial.collect(),
        input_batch: dims.input_feature,
        input_feature: dims.input_batch,
        input_spatial: dims.input_spatial.clone(),
        kernel_input_feature: dims.output_batch,
        kernel_output_feature: dims.output_feature,
        kernel_spatial: dims.output_spatial.clone(),
        output_batch: dims.kernel_input_feature,
        output_feature: dims.kernel_output_feature,
        output_spatial: dims.kernel_spatial.clone(),
        feature_group_count: dims.batch_group_count,
        batch_group_count: dims.feature_group_count,
    };
    let weights = convolve(e, whole.clone(), [input, ct], back)?;
    let from_end = dims.window.iter().zip(&dims.kernel_spatial).filter(|(w, _)| w.reversal);
    let from_end: Vec<usize> = from_end.map(|(_, &d)| d).collect();
    match from_end.is_empty() {
        true => Ok(weights),
        false => e.op(Opcode::Reverse, &[weights], Attrs::Dims(from_end)),
    }
}

/// A convolution whose result is of the type of `like`; its dimensions follow.
fn convolve(
    e: &mut Emit<'_>,
    like: ArrayShape,
    operands: [InstrId; 2],
    dims: ConvDims,
) -> Result<InstrId, Fault> {
    let attrs = Attrs::Convolution(Box::new(dims));
    let shapes = operands.map(|id| e.shape(id));
    let shape = lawson_hlo::infer::infer(e.graph.module(), Opcode::Convolution, &attrs, &shapes)?;
    let shape = Shape::Array(shape.expect_array().with_dtype(like.dtype));
    e.op_shaped(Opcode::Convolution, shape, &operands, attrs)
}
