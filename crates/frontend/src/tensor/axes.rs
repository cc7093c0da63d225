//! Dimensions by number: negative ones count from the last.

use crate::error::Fault;
use crate::fault;
use lawson_hlo::ArrayShape;
use std::ops::Range;

/// One axis or several: an integer, an array, slice or vector of them, or a range. Negative ones count from the last.
pub trait Axes {
    /// The numbers, negative ones as they are.
    fn axes(&self) -> Vec<i64>;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Axes for $t {
            fn axes(&self) -> Vec<i64> {
                vec![one(*self as i128)]
            }
        }

        impl<const N: usize> Axes for [$t; N] {
            fn axes(&self) -> Vec<i64> {
                self.as_slice().axes()
            }
        }

        impl Axes for [$t] {
            fn axes(&self) -> Vec<i64> {
                self.iter().map(|&a| one(a as i128)).collect()
            }
        }

        impl Axes for Vec<$t> {
            fn axes(&self) -> Vec<i64> {
                self.as_slice().axes()
            }
        }

        impl Axes for Range<$t> {
            fn axes(&self) -> Vec<i64> {
                self.clone().map(|a| one(a as i128)).collect()
            }
        }
    )*};
}

integers! { i32 i64 isize u32 usize }

impl<T: Axes + ?Sized> Axes for &T {
    fn axes(&self) -> Vec<i64> {
        (**self).axes()
    }
}

/// What no dimension has, where it is too large for any.
fn one(axis: i128) -> i64 {
    i64::try_from(axis).unwrap_or(i64::MAX)
}

/// The number of a dimension.
///
/// # Errors
/// The array has no such dimension.
pub fn axis(name: &str, axis: i64, shape: &ArrayShape) -> Result<usize, Fault> {
    match within(axis, shape.rank()) {
        Some(axis) => Ok(axis),
        None => fault!("`{name}` of {shape}, which has no axis {axis}"),
    }
}

/// The numbers of dimensions, each once, ascending.
///
/// # Errors
/// The array has no such dimension, or one is named twice.
pub fn axes(name: &str, axes: &[i64], shape: &ArrayShape) -> Result<Vec<usize>, Fault> {
    let mut found = in_order(name, axes, shape)?;
    found.sort_unstable();
    Ok(found)
}

/// The numbers of dimensions in the order in which they are given.
///
/// # Errors
/// As [`axes`].
pub fn in_order(name: &str, axes: &[i64], shape: &ArrayShape) -> Result<Vec<usize>, Fault> {
    let mut found = Vec::with_capacity(axes.len());
    for &a in axes {
        let axis = axis(name, a, shape)?;
        if found.contains(&axis) {
            return fault!("`{name}` of {shape} names axis {axis} twice");
        }
        found.push(axis);
    }
    Ok(found)
}

/// A number of `rank` things, where negative ones count from the last.
pub fn within(number: i64, rank: usize) -> Option<usize> {
    let rank = rank as i64;
    (-rank..rank).contains(&number).then(|| number.rem_euclid(rank) as usize)
}
