//! Shape rules of dot and convolution.

use super::ShapeError;
use super::args::{Site, distinct, fail, without};
use super::window;
use crate::attrs::{Attrs, ConvDims};
use crate::dtype::DType;
use crate::shape::{ArrayShape, Shape};

/// Batch dimensions, then the free ones of the left operand, then those of the right.
pub(super) fn dot(site: &Site) -> Result<Shape, ShapeError> {
    let [lhs, rhs] = site.arrays()?;
    let Attrs::Dot(dims) = site.attrs else { return site.wrong_attrs() };
    let dtype = product_dtype(lhs, rhs)?;
    pairs("lhs_batch_dims", lhs, &dims.lhs_batch, "rhs_batch_dims", rhs, &dims.rhs_batch)?;
    let (a, b) = (&dims.lhs_contracting, &dims.rhs_contracting);
    pairs("lhs_contracting_dims", lhs, a, "rhs_contracting_dims", rhs, b)?;
    let lhs_used =
        distinct("batch and contracting dimensions", &[&dims.lhs_batch[..], a].concat(), lhs.rank())?;
    let rhs_used =
        distinct("batch and contracting dimensions", &[&dims.rhs_batch[..], b].concat(), rhs.rank())?;
    let mut out: Vec<i64> = dims.lhs_batch.iter().map(|&d| lhs.dims[d]).collect();
    out.extend(without(&lhs.dims, &lhs_used));
    out.extend(without(&rhs.dims, &rhs_used));
    Ok(Shape::array(dtype, out))
}

/// Dimension lists that are walked together have the same length and extents.
fn pairs(
    a_name: &str,
    a: &ArrayShape,
    a_dims: &[usize],
    b_name: &str,
    b: &ArrayShape,
    b_dims: &[usize],
) -> Result<(), ShapeError> {
    distinct(a_name, a_dims, a.rank())?;
    distinct(b_name, b_dims, b.rank())?;
    if a_dims.len() != b_dims.len() {
        return fail!("has {} {a_name}, but {} {b_name}", a_dims.len(), b_dims.len());
    }
    for (&i, &j) in a_dims.iter().zip(b_dims) {
        if a.dims[i] != b.dims[j] {
            return fail!("pairs dimension {i} of {a} with dimension {j} of {b}");
        }
    }
    Ok(())
}

/// Groups divide features (and batch groups the batch); spatial extents follow the window.
pub(super) fn convolution(site: &Site) -> Result<Shape, ShapeError> {
    let [lhs, rhs] = site.arrays()?;
    let Attrs::Convolution(conv) = site.attrs else { return site.wrong_attrs() };
    let dtype = product_dtype(lhs, rhs)?;
    let n = conv.window.len();
    let rank = n + 2;
    if lhs.rank() != rank || rhs.rank() != rank {
        return fail!("with a window of {n} dimensions needs operands of {rank}, not {lhs} and {rhs}");
    }
    labels("input dim_labels", conv.input_batch, conv.input_feature, &conv.input_spatial, rank)?;
    let (i, o) = (conv.kernel_input_feature, conv.kernel_output_feature);
    labels("kernel dim_labels", i, o, &conv.kernel_spatial, rank)?;
    labels("output dim_labels", conv.output_batch, conv.output_feature, &conv.output_spatial, rank)?;
    let batch = groups(conv, lhs, rhs)?;

    let mut out = vec![0; rank];
    out[conv.output_batch] = batch;
    out[conv.output_feature] = rhs.dims[o];
    for (k, w) in conv.window.iter().enumerate() {
        let size = rhs.dims[conv.kernel_spatial[k]];
        if w.size != size {
            return fail!("has window size {} in spatial dimension {k}, where the kernel has {size}", w.size);
        }
        out[conv.output_spatial[k]] = window::positions(k, w, lhs.dims[conv.input_spatial[k]])?;
    }
    Ok(Shape::array(dtype, out))
}

/// Each dimension is named once.
fn labels(what: &str, a: usize, b: usize, spatial: &[usize], rank: usize) -> Result<(), ShapeError> {
    if spatial.len() + 2 != rank {
        return fail!("has {} spatial dimensions in {what}, not {}", spatial.len(), rank - 2);
    }
    distinct(what, &[&[a, b], spatial].concat(), rank).map(drop)
}

/// Checks both kinds of groups against the extents; gives the output batch.
fn groups(conv: &ConvDims, lhs: &ArrayShape, rhs: &ArrayShape) -> Result<i64, ShapeError> {
    let (fg, bg) = (conv.feature_group_count, conv.batch_group_count);
    if fg < 1 || bg < 1 {
        return fail!("needs positive group counts, not {fg} and {bg}");
    }
    if fg > 1 && bg > 1 {
        return fail!("has both feature and batch groups");
    }
    let features = lhs.dims[conv.input_feature];
    let kernel_in = rhs.dims[conv.kernel_input_feature];
    let kernel_out = rhs.dims[conv.kernel_output_feature];
    let batch = lhs.dims[conv.input_batch];
    if kernel_in.checked_mul(fg) != Some(features) {
        return fail!("has {features} input features, but a kernel for {fg} times {kernel_in}");
    }
    if kernel_out % fg != 0 || kernel_out % bg != 0 {
        return fail!("has {kernel_out} output features in {} groups", fg.max(bg));
    }
    if batch % bg != 0 {
        return fail!("has a batch of {batch} in {bg} groups");
    }
    Ok(batch / bg)
}

/// Two real types, two complex ones, or elements of one field and its extension; of different ones a float counts, then
/// the wider.
fn product_dtype(lhs: &ArrayShape, rhs: &ArrayShape) -> Result<DType, ShapeError> {
    let (a, b) = (lhs.dtype, rhs.dtype);
    if !mix(a, b) {
        return fail!("needs operands that are both real, both complex or of one field, not {lhs} and {rhs}");
    }
    Ok(if (b.is_float(), b.bits()) > (a.is_float(), a.bits()) { b } else { a })
}

/// The declared element type may differ (`preferred_element_type`): any real type for floats, none narrower for
/// integers.
pub(super) fn result_fits(inferred: &Shape, declared: &Shape) -> bool {
    let (Shape::Array(a), Shape::Array(b)) = (inferred, declared) else { return false };
    let (from, to) = (a.dtype, b.dtype);
    let wide_enough = from.is_float() || from.bits() <= to.bits();
    let convertible = from == to || (mix(from, to) && wide_enough);
    a.dims == b.dims && convertible
}

/// Whether products may take and give elements of both types: two real ones, composites of one algebra, or an extension
/// and its field.
fn mix(a: DType, b: DType) -> bool {
    if a.is_field() || b.is_field() {
        let scales = |extension: DType, by: DType| extension.extension().is_some() && extension.part() == by;
        return a == b || scales(a, b) || scales(b, a);
    }
    match (a.composite(), b.composite()) {
        (Some(a), Some(b)) => a.algebra == b.algebra,
        _ => a == b || (a.is_ordered() && b.is_ordered()),
    }
}
