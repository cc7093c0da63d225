//! Shape rules of slices, dynamic slices and padding.

use super::ShapeError;
use super::args::{Site, fail, plural, same_dtype};
use crate::attrs::Attrs;
use crate::shape::{ArrayShape, Shape};

/// `slice={[start:limit:stride], …}` with 0 ≤ start ≤ limit ≤ extent and stride ≥ 1.
pub(super) fn slice(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let Attrs::Slice(ranges) = site.attrs else { return site.wrong_attrs() };
    one_each("ranges", ranges.len(), x)?;
    let mut dims = Vec::with_capacity(x.rank());
    for (i, (r, &extent)) in ranges.iter().zip(&x.dims).enumerate() {
        if r.stride < 1 {
            return fail!("has stride {} in dimension {i}", r.stride);
        }
        if r.start < 0 || r.start > r.limit || r.limit > extent {
            return fail!("takes [{}:{}] of dimension {i}, which has {extent} elements", r.start, r.limit);
        }
        let span = r.limit - r.start;
        // Rounded up without the overflow of `span + stride - 1`.
        dims.push(span / r.stride + (span % r.stride != 0) as i64);
    }
    Ok(Shape::array(x.dtype, dims))
}

/// `dynamic-slice(x, starts…)`: starts are scalars, or one vector.
pub(super) fn dynamic_slice(site: &Site) -> Result<Shape, ShapeError> {
    let x = site.array(0)?;
    let Attrs::DynamicSlice(sizes) = site.attrs else { return site.wrong_attrs() };
    one_each("sizes", sizes.len(), x)?;
    start_indices(site, 1, x.rank())?;
    fits_inside("takes", sizes, x)?;
    Ok(Shape::array(x.dtype, sizes.clone()))
}

/// `dynamic-update-slice(x, update, starts…)`.
pub(super) fn dynamic_update_slice(site: &Site) -> Result<Shape, ShapeError> {
    let (x, update) = (site.array(0)?, site.array(1)?);
    same_dtype(x, update)?;
    one_each("update dimensions", update.rank(), x)?;
    start_indices(site, 2, x.rank())?;
    fits_inside("writes", &update.dims, x)?;
    Ok(Shape::Array(x.clone()))
}

/// `pad(x, value)`: negative low or high padding crops.
pub(super) fn pad(site: &Site) -> Result<Shape, ShapeError> {
    let [x, value] = site.arrays()?;
    let Attrs::Pad(padding) = site.attrs else { return site.wrong_attrs() };
    same_dtype(x, value)?;
    if !value.is_scalar() {
        return fail!("needs a scalar padding value, not {value}");
    }
    one_each("paddings", padding.len(), x)?;
    let mut dims = Vec::with_capacity(x.rank());
    for (i, (p, &extent)) in padding.iter().zip(&x.dims).enumerate() {
        if p.interior < 0 {
            return fail!("has negative interior padding in dimension {i}");
        }
        let gaps = extent.saturating_sub(1).max(0);
        let result = (gaps.checked_mul(p.interior))
            .and_then(|inner| inner.checked_add(extent))
            .and_then(|n| n.checked_add(p.low))
            .and_then(|n| n.checked_add(p.high));
        match result {
            Some(n) if n >= 0 => dims.push(n),
            Some(n) => return fail!("leaves {n} elements in dimension {i}"),
            None => return fail!("has too many elements in dimension {i}"),
        }
    }
    Ok(Shape::array(x.dtype, dims))
}

/// Start indices from operand `first` on: one integer scalar for each dimension, or one vector of them.
fn start_indices(site: &Site, first: usize, rank: usize) -> Result<(), ShapeError> {
    let starts: Vec<&ArrayShape> =
        (first..site.operands.len()).map(|i| site.array(i)).collect::<Result<_, _>>()?;
    if let Some(odd) = starts.iter().find(|s| !s.dtype.is_integer()) {
        return fail!("needs integer start indices, not {odd}");
    }
    if let [vector] = starts[..]
        && vector.rank() == 1
    {
        if vector.dims[0] != rank as i64 {
            return fail!("needs {rank} start indices, not those of {vector}");
        }
        return Ok(());
    }
    if starts.len() != rank {
        return fail!(
            "needs {rank} start ind{}, not {}",
            if rank == 1 { "ex" } else { "ices" },
            starts.len()
        );
    }
    for s in &starts {
        same_dtype(starts[0], s)?;
        if !s.is_scalar() {
            return fail!("needs scalar start indices, not {s}");
        }
    }
    Ok(())
}

/// A window of these sizes fits into `x`.
fn fits_inside(verb: &str, sizes: &[i64], x: &ArrayShape) -> Result<(), ShapeError> {
    for (i, (&size, &extent)) in sizes.iter().zip(&x.dims).enumerate() {
        if size < 0 || size > extent {
            return fail!("{verb} {size} elements of dimension {i}, which has {extent}");
        }
    }
    Ok(())
}

/// As many as `x` has dimensions.
fn one_each(what: &str, n: usize, x: &ArrayShape) -> Result<(), ShapeError> {
    if n != x.rank() {
        return fail!("has {n} {what} for the {} dimension{} of {x}", x.rank(), plural(x.rank()));
    }
    Ok(())
}
