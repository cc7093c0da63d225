//! Operations that move elements: all are one strided copy.

use super::error::{EvalError, Result};
use super::limits::Limits;
use super::walk::Walk;
use crate::attrs::{PadDim, SliceDim};
use crate::literal::Literal;
use crate::shape::{ArrayShape, row_major_strides};

/// A position and strides, in elements, of a walk over an array.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub start: i64,
    pub strides: &'a [i64],
}

/// Copies an element of `size` bytes for each index of `dims` from one array to another.
pub fn copy(dims: &[i64], size: usize, to: (&mut [u8], View), from: (&[u8], View)) {
    if dims.contains(&0) {
        return;
    }
    let ((target, t), (source, s)) = (to, from);
    let (outer, n, t_step, s_step) = match dims.split_last() {
        Some((&n, outer)) => (outer, n, t.strides[outer.len()], s.strides[outer.len()]),
        None => (dims, 1, 1, 1),
    };
    let rank = outer.len();
    for [t_at, s_at] in Walk::new(outer, [t.start, s.start], [&t.strides[..rank], &s.strides[..rank]]) {
        if t_step == 1 && s_step == 1 {
            let (t_at, s_at, bytes) = (t_at as usize * size, s_at as usize * size, n as usize * size);
            target[t_at..t_at + bytes].copy_from_slice(&source[s_at..s_at + bytes]);
            continue;
        }
        let positions = (0..n).map(|i| ((t_at + i * t_step) as usize, (s_at + i * s_step) as usize));
        match size {
            1 => positions.for_each(|(t, s)| target[t] = source[s]),
            2 => copy_row::<2>(target, source, positions),
            4 => copy_row::<4>(target, source, positions),
            8 => copy_row::<8>(target, source, positions),
            _ => positions.for_each(|(t, s)| {
                target[t * size..(t + 1) * size].copy_from_slice(&source[s * size..(s + 1) * size])
            }),
        }
    }
}

fn copy_row<const N: usize>(
    target: &mut [u8],
    source: &[u8],
    positions: impl Iterator<Item = (usize, usize)>,
) {
    let (target, source) = (target.as_chunks_mut::<N>().0, source.as_chunks::<N>().0);
    positions.for_each(|(t, s)| target[t] = source[s]);
}

/// An array of `shape` whose elements are read from `x` through a view.
pub fn read(limits: Limits, x: &Literal, view: View, shape: &ArrayShape) -> Result<Literal> {
    let mut out = limits.array(shape)?;
    let dense = row_major_strides(&shape.dims);
    copy(&shape.dims, shape.dtype.size(), (&mut out, View { start: 0, strides: &dense }), (x.bytes(), view));
    Ok(Literal::new(shape.clone(), out))
}

/// Operand dimension `i` becomes result dimension `dims[i]`; the others repeat.
pub fn broadcast(limits: Limits, x: &Literal, dims: &[usize], shape: &ArrayShape) -> Result<Literal> {
    let mut strides = vec![0; shape.rank()];
    for ((&d, stride), &extent) in dims.iter().zip(x.shape().strides()).zip(x.dims()) {
        if extent != 1 {
            strides[d] = stride;
        }
    }
    read(limits, x, View { start: 0, strides: &strides }, shape)
}

/// Result dimension `i` is operand dimension `permutation[i]`.
pub fn transpose(limits: Limits, x: &Literal, permutation: &[usize], shape: &ArrayShape) -> Result<Literal> {
    let own = x.shape().strides();
    let strides: Vec<i64> = permutation.iter().map(|&d| own[d]).collect();
    read(limits, x, View { start: 0, strides: &strides }, shape)
}

/// Each of `dims` runs backwards.
pub fn reverse(limits: Limits, x: &Literal, dims: &[usize], shape: &ArrayShape) -> Result<Literal> {
    let mut strides = x.shape().strides();
    let mut start = 0;
    if x.elements() > 0 {
        for &d in dims {
            start += (x.dims()[d] - 1) * strides[d];
            strides[d] = -strides[d];
        }
    }
    read(limits, x, View { start, strides: &strides }, shape)
}

/// Index i along each of the dimensions has the element of the index with i's binary digits in reverse order.
pub fn bit_reverse(limits: Limits, x: &Literal, dims: &[usize], shape: &ArrayShape) -> Result<Literal> {
    let (strides, size) = (x.shape().strides(), x.dtype().size());
    let mut out = limits.with_capacity(x.bytes().len())?;
    for i in 0..limits.elements(shape)? {
        let mut from = i as i64;
        for &d in dims {
            let (extent, stride) = (x.dims()[d], strides[d]);
            let digits = extent.trailing_zeros();
            let at = i as i64 / stride % extent;
            let reversed = if digits == 0 { 0 } else { (at as u64).reverse_bits() >> (64 - digits) };
            from += (reversed as i64 - at) * stride;
        }
        out.extend_from_slice(&x.bytes()[from as usize * size..(from as usize + 1) * size]);
    }
    Ok(Literal::new(shape.clone(), out))
}

pub fn slice(limits: Limits, x: &Literal, dims: &[SliceDim], shape: &ArrayShape) -> Result<Literal> {
    let own = x.shape().strides();
    let start = dims.iter().zip(&own).map(|(d, s)| d.start * s).sum();
    let strides: Vec<i64> = dims.iter().zip(&own).map(|(d, s)| d.stride * s).collect();
    read(limits, x, View { start, strides: &strides }, shape)
}

/// The operands one after another along dimension `dim`.
pub fn concatenate(limits: Limits, xs: &[&Literal], dim: usize, shape: &ArrayShape) -> Result<Literal> {
    let mut out = limits.array(shape)?;
    let strides = shape.strides();
    let mut at = 0;
    for x in xs {
        copy(
            x.dims(),
            shape.dtype.size(),
            (&mut out, View { start: at * strides[dim], strides: &strides }),
            (x.bytes(), View { start: 0, strides: &x.shape().strides() }),
        );
        at += x.dims()[dim];
    }
    Ok(Literal::new(shape.clone(), out))
}

/// Puts `x` into an array of `value`: element `i` of a dimension lands on `low + i·(interior + 1)`, or is
/// dropped where that is outside.
pub fn pad(
    limits: Limits,
    x: &Literal,
    value: &Literal,
    dims: &[PadDim],
    shape: &ArrayShape,
) -> Result<Literal> {
    let size = shape.dtype.size();
    let mut out = limits.with_capacity(limits.elements(shape)?.saturating_mul(size))?;
    for _ in 0..limits.elements(shape)? {
        out.extend_from_slice(value.bytes());
    }
    let (to, from) = (shape.strides(), x.shape().strides());
    let (mut to_start, mut from_start) = (0, 0);
    let (mut to_strides, mut kept) = (Vec::new(), Vec::new());
    for (d, pad) in dims.iter().enumerate() {
        let step = pad.interior + 1;
        // The first element at or after 0, and the first at or after the end.
        let first = (-pad.low).max(0).div_euclid(step) + ((-pad.low).max(0) % step != 0) as i64;
        let reach = shape.dims[d] - pad.low;
        let end = if reach <= 0 { 0 } else { ((reach - 1) / step + 1).min(x.dims()[d]) };
        kept.push((end - first).max(0));
        to_start += (pad.low + first * step) * to[d];
        from_start += first * from[d];
        to_strides.push(step * to[d]);
    }
    copy(
        &kept,
        size,
        (&mut out, View { start: to_start, strides: &to_strides }),
        (x.bytes(), View { start: from_start, strides: &from }),
    );
    Ok(Literal::new(shape.clone(), out))
}

/// The same elements, row-major, under other dimensions.
pub fn reshape(x: &Literal, shape: &ArrayShape) -> Result<Literal> {
    if x.shape().checked_elements() != shape.checked_elements() || x.dtype() != shape.dtype {
        return Err(EvalError::malformed(format!("{} as {shape}", x.shape())));
    }
    Ok(x.reshaped(shape.dims.clone()))
}
