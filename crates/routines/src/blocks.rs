//! Algorithms by blocks: where a matrix is cut, and the products between its parts.

use crate::element::Element;
use lawson_hlo::library::{BLOCK, Real};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

/// The rows of the first half of a matrix: whole blocks.
pub(crate) fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(BLOCK as usize)
}

/// `c -= a b`
pub(crate) fn subtract_product<T: Element>(
    mut c: ArrayViewMut2<'_, T>,
    a: ArrayView2<'_, T>,
    b: ArrayView2<'_, T>,
) {
    general_mat_mul(-<T as Real>::ONE, &a, &b, <T as Real>::ONE, &mut c);
}
