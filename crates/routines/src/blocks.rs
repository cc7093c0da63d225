//! Algorithms by blocks: where a matrix is cut, and the products between its parts.

use crate::scalar::{Keep, Scalar};
use lawson_hlo::library::{BLOCK, Real};
use ndarray::{ArrayView2, ArrayViewMut2};

/// The rows of the first half of a matrix: whole blocks.
pub(crate) fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(BLOCK as usize)
}

/// `c -= a b`
pub(crate) fn subtract_product<S: Scalar>(
    c: ArrayViewMut2<'_, S>,
    a: ArrayView2<'_, S>,
    b: ArrayView2<'_, S>,
) {
    S::product(c, Keep::Sum, -<S::Part as Real>::ONE, a, b);
}
