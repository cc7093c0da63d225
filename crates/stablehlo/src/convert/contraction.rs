//! Products of arrays: dot and convolution. How precise they are asked to be is kept as a note.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::{ConvDims, DotDims, WindowDim};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

pub fn dot_general<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [a, b] = f.exactly(op)?;
    let dims = DotDims {
        lhs_contracting: f.dims(op, "lhs_contracting_dimensions")?,
        rhs_contracting: f.dims(op, "rhs_contracting_dimensions")?,
        lhs_batch: f.optional_dims(op, "lhs_batching_dimensions")?,
        rhs_batch: f.optional_dims(op, "rhs_batching_dimensions")?,
    };
    let shape = f.result(op)?.clone();
    product(f, op, opcode, shape, [a, b], Attrs::Dot(Box::new(dims)))
}

/// `dot` of vectors and matrices: the last dimension of the one and the first of the other.
pub fn dot<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [a, b] = f.exactly(op)?;
    let Some(last) = f.array(op, a)?.rank().checked_sub(1) else {
        return Err(f.wrong(op, "needs a vector or a matrix"));
    };
    let dims = DotDims { lhs_contracting: vec![last], rhs_contracting: vec![0], ..DotDims::default() };
    let shape = f.result(op)?.clone();
    product(f, op, opcode, shape, [a, b], Attrs::Dot(Box::new(dims)))
}

pub fn convolution<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [a, b] = f.exactly(op)?;
    let kernel = f.array(op, b)?;
    let kernel_spatial = f.dims(op, "kernel_spatial_dimensions")?;
    let sizes: Option<Vec<i64>> = kernel_spatial.iter().map(|&d| kernel.dims.get(d).copied()).collect();
    let Some(sizes) = sizes else {
        return Err(f.wrong(op, format!("has kernel dimensions {kernel_spatial:?} of {kernel}")));
    };
    let mut window = window(f, op, &sizes, "window_strides", "lhs_dilation", "rhs_dilation")?;
    if let Some(reversal) = f.optional(op, "window_reversal", Attr::ints)? {
        window.iter_mut().zip(&reversal).for_each(|(w, &r)| w.reversal = r != 0);
    }
    let dims = ConvDims {
        window,
        input_batch: f.dim(op, "input_batch_dimension")?,
        input_feature: f.dim(op, "input_feature_dimension")?,
        input_spatial: f.dims(op, "input_spatial_dimensions")?,
        kernel_input_feature: f.dim(op, "kernel_input_feature_dimension")?,
        kernel_output_feature: f.dim(op, "kernel_output_feature_dimension")?,
        kernel_spatial,
        output_batch: f.dim(op, "output_batch_dimension")?,
        output_feature: f.dim(op, "output_feature_dimension")?,
        output_spatial: f.dims(op, "output_spatial_dimensions")?,
        feature_group_count: f.attr(op, "feature_group_count", Attr::int)?,
        batch_group_count: f.attr(op, "batch_group_count", Attr::int)?,
    };
    let shape = f.result(op)?.clone();
    product(f, op, opcode, shape, [a, b], Attrs::Convolution(Box::new(dims)))
}

/// A window of these sizes, with what is said of it; what is not said is nothing.
pub fn window(
    f: &Frame,
    op: &Op,
    sizes: &[i64],
    strides: &str,
    base_dilations: &str,
    window_dilations: &str,
) -> Result<Vec<WindowDim>> {
    let n = sizes.len();
    let list = |name: &str, nothing: i64, len: usize| {
        let list = f.optional(op, name, Attr::ints)?.unwrap_or_else(|| vec![nothing; len]);
        match list.len() == len {
            true => Ok(list),
            false => Err(f.wrong(op, format!("has {} numbers in `{name}`, not {len}", list.len()))),
        }
    };
    let (strides, padding) = (list(strides, 1, n)?, list("padding", 0, 2 * n)?);
    let (base, dilations) = (list(base_dilations, 1, n)?, list(window_dilations, 1, n)?);
    let dim = |i: usize| WindowDim {
        stride: strides[i],
        pad_low: padding[2 * i],
        pad_high: padding[2 * i + 1],
        base_dilation: base[i],
        window_dilation: dilations[i],
        ..WindowDim::of_size(sizes[i])
    };
    Ok((0..n).map(dim).collect())
}

/// A product of that shape.
pub fn product(
    f: &mut Frame,
    op: &Op,
    opcode: Opcode,
    shape: Shape,
    operands: [InstrId; 2],
    attrs: Attrs,
) -> Result<InstrId> {
    let id = f.add_shaped(op, opcode, shape, &operands, attrs)?;
    let precisions: Vec<String> = match op.attr("precision_config") {
        Some(Attr::Array(list)) => list.iter().filter_map(Attr::as_str).map(str::to_lowercase).collect(),
        _ => Vec::new(),
    };
    if precisions.len() == 2 && precisions.iter().any(|p| p != "default") {
        let text = format!("{{{}}}", precisions.join(","));
        f.body.get_mut(id).notes_mut().rest.push(("operand_precision".into(), text));
    }
    Ok(id)
}
