//! Shape rules of operations that no device of Lawson runs, but that are read, checked and printed.

use super::ShapeError;
use super::args::{Site, class, fail, same_dtype};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::shape::{ArrayShape, Shape};

/// Square matrices in the two minor-most dimensions.
pub(super) fn cholesky(site: &Site) -> Result<Shape, ShapeError> {
    let [a] = site.arrays()?;
    square(a)?;
    Ok(Shape::Array(a.clone()))
}

/// `triangular-solve(a, b)`: a result like `b`.
pub(super) fn triangular_solve(site: &Site) -> Result<Shape, ShapeError> {
    let [a, b] = site.arrays()?;
    same_dtype(a, b)?;
    square(a)?;
    let left = attribute(site, "left_side") != Some("false");
    let n = a.rank();
    if b.rank() != n || a.dims[..n - 2] != b.dims[..n - 2] {
        return fail!("needs operands with the same batch dimensions, not {a} and {b}");
    }
    if b.dims[if left { n - 2 } else { n - 1 }] != a.dims[n - 1] {
        return fail!("cannot solve {b} by {a}");
    }
    Ok(Shape::Array(b.clone()))
}

fn square(a: &ArrayShape) -> Result<(), ShapeError> {
    class(a.dtype.is_float() || a.dtype.is_complex(), "floats or complex numbers", a)?;
    match a.dims[..] {
        [.., m, n] if m == n => Ok(()),
        _ => fail!("needs square matrices, not {a}"),
    }
}

/// Transforms of the minor-most dimensions; a real transform keeps half of the last one.
pub(super) fn fft(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let kind = attribute(site, "fft_type").unwrap_or("");
    let length = attribute(site, "fft_length").unwrap_or("");
    let length: Option<Vec<i64>> =
        length.trim_matches(['{', '}']).split(',').map(|n| n.trim().parse().ok()).collect();
    let Some(length) = length else { return fail!("needs fft_length") };
    let Some(kept) = x.rank().checked_sub(length.len()) else {
        return fail!("transforms {} dimensions of {x}", length.len());
    };
    let last = length[length.len() - 1];
    if length.iter().any(|&n| n < 0) {
        return fail!("has a negative fft_length");
    }
    let mut dims = x.dims.clone();
    let half = last / 2 + 1;
    let (wanted, dtype) = match (kind, x.dtype) {
        ("FFT" | "IFFT", d) if d.is_complex() => (last, d),
        ("RFFT", DType::F32) => (last, DType::C64),
        ("RFFT", DType::F64) => (last, DType::C128),
        ("IRFFT", DType::C64) => (half, DType::F32),
        ("IRFFT", DType::C128) => (half, DType::F64),
        _ => return fail!("cannot be {kind:?} of {x}"),
    };
    let outer = &length[..length.len() - 1];
    if dims[kept..dims.len() - 1] != *outer || dims[dims.len() - 1] != wanted {
        return fail!("has fft_length {length:?} for {x}");
    }
    let minor = dims.len() - 1;
    match kind {
        "RFFT" => dims[minor] = if last == 0 { 0 } else { half },
        "IRFFT" => dims[minor] = last,
        _ => {}
    }
    Ok(Shape::array(dtype, dims))
}

/// The text of an attribute that is kept verbatim.
fn attribute<'a>(site: &Site<'a, '_>, name: &str) -> Option<&'a str> {
    match site.attrs {
        Attrs::Verbatim { attrs, .. } => attrs.iter().find(|(k, _)| k == name).map(|(_, v)| v.trim()),
        _ => None,
    }
}

/// `replica-id` and `partition-id`.
pub(super) fn device_number(site: &Site) -> Result<Shape, ShapeError> {
    site.operands::<0>()?;
    Ok(Shape::scalar(DType::U32))
}
