//! Shape rules of windowed operations.

use super::ShapeError;
use super::args::{Site, fail, plural};
use super::reduction;
use crate::attrs::{Attrs, Window, WindowDim};
use crate::dtype::DType;
use crate::shape::Shape;

/// The number of window positions in one dimension.
pub(super) fn positions(dim: usize, w: &WindowDim, extent: i64) -> Result<i64, ShapeError> {
    for (what, value) in [
        ("size", w.size),
        ("stride", w.stride),
        ("base dilation", w.base_dilation),
        ("window dilation", w.window_dilation),
    ] {
        if value < 1 {
            return fail!("has window {what} {value} in dimension {dim}");
        }
    }
    if extent < 0 {
        return fail!("has {extent} elements in dimension {dim}");
    }
    match w.output_extent(extent) {
        Some(n) => Ok(n),
        None => fail!("has too large a window in dimension {dim}"),
    }
}

/// The window positions over an array of these dimensions.
fn output_dims(window: &Window, dims: &[i64]) -> Result<Vec<i64>, ShapeError> {
    if window.len() != dims.len() {
        let n = dims.len();
        return fail!("has a window of {} dimensions for {n} dimension{}", window.len(), plural(n));
    }
    window.iter().zip(dims).enumerate().map(|(i, (w, &extent))| positions(i, w, extent)).collect()
}

/// `reduce-window(x…, init…)`.
pub(super) fn reduce_window(site: &Site) -> Result<Shape, ShapeError> {
    let Attrs::ReduceWindow { window, to_apply } = site.attrs else { return site.wrong_attrs() };
    let r = reduction::reducible(site, *to_apply)?;
    Ok(r.results(&output_dims(window, r.dims)?))
}

/// `select-and-scatter(x, source, init)`: one source element for each window position.
pub(super) fn select_and_scatter(site: &Site) -> Result<Shape, ShapeError> {
    let [x, source, init] = site.arrays()?;
    let Attrs::SelectAndScatter { window, select, scatter } = site.attrs else { return site.wrong_attrs() };
    site.callees.signature(*select)?.compares(&[x.dtype])?;
    if !init.is_scalar() {
        return fail!("needs a scalar initial value, not {init}");
    }
    let scatter = site.callees.signature(*scatter)?;
    scatter.reduces(&[source.dtype], &[init.dtype])?;
    let found: Option<DType> = super::callee::scalar(scatter.root);
    if source.dtype != x.dtype || found != Some(x.dtype) {
        return fail!("needs operand, source and scatter computation of one element type");
    }
    let wanted = output_dims(window, &x.dims)?;
    if source.dims != wanted {
        return fail!("needs a source of dimensions {wanted:?}, not {source}");
    }
    Ok(Shape::Array(x.clone()))
}
