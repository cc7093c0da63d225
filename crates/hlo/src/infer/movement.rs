//! Shape rules of operations that rearrange whole arrays: transpose, reverse, concatenate, reshape, broadcast …

use super::ShapeError;
use super::args::{Site, distinct, fail, in_range, plural, same_dtype};
use crate::dtype::DType;
use crate::shape::{ArrayShape, Shape};

/// Result dimension `i` is operand dimension `permutation[i]`.
pub(super) fn transpose(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let permutation = site.dims()?;
    distinct("the permutation", permutation, x.rank())?;
    if permutation.len() != x.rank() {
        return fail!("has a permutation of {} dimensions for {x}", permutation.len());
    }
    Ok(Shape::array(x.dtype, permutation.iter().map(|&d| x.dims[d]).collect::<Vec<_>>()))
}

pub(super) fn reverse(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    distinct("dimensions", site.dims()?, x.rank())?;
    Ok(Shape::Array(x.clone()))
}

/// Extents along which indices are reversed digit by digit are powers of two.
pub(super) fn bit_reverse(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let dims = site.dims()?;
    distinct("dimensions", dims, x.rank())?;
    if let Some(&d) = dims.iter().find(|&&d| !(x.dims[d] as u64).is_power_of_two()) {
        return fail!("needs an extent that is a power of two along dimension {d}, not {}", x.dims[d]);
    }
    Ok(Shape::Array(x.clone()))
}

/// All operands agree but for the one dimension, whose extents add up.
pub(super) fn concatenate(site: &Site) -> Result<Shape, ShapeError> {
    let arrays = site.all_arrays()?;
    let Some(first) = arrays.first() else { return fail!("takes at least one operand") };
    let &[dim] = site.dims()? else { return fail!("needs exactly one dimension") };
    in_range("dimensions", dim, first.rank())?;
    let mut extent = 0i64;
    for a in &arrays {
        same_dtype(first, a)?;
        let agree = a.rank() == first.rank() && (0..a.rank()).all(|i| i == dim || a.dims[i] == first.dims[i]);
        if !agree {
            return fail!("joins {first} and {a}, which differ outside dimension {dim}");
        }
        extent = match extent.checked_add(a.dims[dim]) {
            Some(sum) => sum,
            None => return fail!("has too many elements in dimension {dim}"),
        };
    }
    let mut dims = first.dims.clone();
    dims[dim] = extent;
    Ok(Shape::array(first.dtype, dims))
}

pub(super) fn get_dimension_size(site: &Site) -> Result<Shape, ShapeError> {
    let [x] = site.arrays()?;
    let &[dim] = site.dims()? else { return fail!("needs exactly one dimension") };
    in_range("dimensions", dim, x.rank())?;
    Ok(Shape::scalar(DType::S32))
}

/// `set-dimension-size(x, size)`: the extent becomes a bound.
pub(super) fn set_dimension_size(site: &Site) -> Result<Shape, ShapeError> {
    let [x, size] = site.arrays()?;
    let &[dim] = site.dims()? else { return fail!("needs exactly one dimension") };
    in_range("dimensions", dim, x.rank())?;
    if !size.is_scalar() || !size.dtype.is_s32() {
        return fail!("needs the size as s32[], not {size}");
    }
    let mut result = x.clone();
    result.dynamic.resize(x.rank(), false);
    result.dynamic[dim] = true;
    Ok(Shape::Array(result))
}

/// Operand dimension `i` becomes result dimension `dims[i]`.
pub(super) fn broadcast(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let [x] = site.arrays()?;
    same_dtype(x, declared)?;
    let dims = site.dims()?;
    if dims.len() != x.rank() {
        let n = dims.len();
        return fail!("maps {n} dimension{} of {x}, which has {}", plural(n), x.rank());
    }
    distinct("dimensions", dims, declared.rank())?;
    for (from, &to) in dims.iter().enumerate() {
        if x.dims[from] != declared.dims[to] {
            let (a, b) = (x.dims[from], declared.dims[to]);
            return fail!("maps dimension {from} of {a} elements to dimension {to} of {b}");
        }
    }
    Ok(())
}

/// Reshape and dynamic-reshape: as many elements after as before.
pub(super) fn reshape(x: &ArrayShape, declared: &ArrayShape) -> Result<(), ShapeError> {
    same_dtype(x, declared)?;
    match (x.checked_elements(), declared.checked_elements()) {
        (Some(a), Some(b)) if a == b => Ok(()),
        _ => fail!("cannot give {x} the dimensions of {declared}: the numbers of elements differ"),
    }
}

/// `dynamic-reshape(x, sizes…)`: one size for each dimension.
pub(super) fn dynamic_reshape(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let x = site.array(0)?;
    let sizes = site.operands.len() - 1;
    if sizes != declared.rank() {
        return fail!("has {sizes} size{} for {declared}", plural(sizes));
    }
    for i in 1..=sizes {
        let size = site.array(i)?;
        if !size.is_scalar() || !size.dtype.is_integer() {
            return fail!("needs an integer scalar as operand {i}, not {size}");
        }
    }
    reshape(x, declared)
}

/// `bitcast`: the same bits, dense, under other dimensions and perhaps another type.
pub(super) fn bitcast(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let [x] = site.arrays()?;
    let bits = |a: &ArrayShape| a.checked_elements().map(|n| n as i128 * a.dtype.cast_bits() as i128);
    if bits(x) != bits(declared) {
        return fail!("cannot view {x} as {declared}: the sizes differ");
    }
    Ok(())
}

/// `bitcast-convert`: between widths the ratio appears or disappears as the minor-most dimension.
pub(super) fn bitcast_convert(site: &Site, declared: &ArrayShape) -> Result<(), ShapeError> {
    let [x] = site.arrays()?;
    let plain = |d: DType| d.is_ordered() || d.is_field();
    if x.dtype != declared.dtype && !(plain(x.dtype) && plain(declared.dtype)) {
        return fail!("cannot mix complex and real elements: {x} to {declared}");
    }
    let (from, to) = (x.dtype.cast_bits(), declared.dtype.cast_bits());
    let (wide, narrow) = if from >= to { (x, declared) } else { (declared, x) };
    let mut dims = wide.dims.clone();
    if from != to {
        dims.push((from.max(to) / from.min(to)) as i64);
    }
    if from.max(to) % from.min(to) != 0 || dims != narrow.dims {
        return fail!("cannot reinterpret {x} as {declared}");
    }
    Ok(())
}
