//! The Cholesky factor by blocks.
//!
//! With `a` = uᵀu in four blocks: u₁₁ is the factor of a₁₁, u₁₁ᵀ u₁₂ = a₁₂, and u₂₂ is the factor of a₂₂ − u₁₂ᵀ u₁₂.
//! Each half is divided again, down to blocks that the reference algorithm factors.

use crate::blocks::{half, subtract_product};
use crate::element::Element;
use crate::triangular_solve::{Triangle, row_major, solve};
use lawson_hlo::library::{BLOCK, factor_upper, place, upper_of};
use ndarray::{ArrayView2, ArrayViewMut2, Axis, s};

/// Writes the factor of `a` to `out`, both `n` × `n` row by row.
pub fn run<T: Element>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    upper_of(a, out, n, lower);
    if !ArrayViewMut2::from_shape((n, n), &mut *out).is_ok_and(factor) {
        out.fill(T::NAN);
        return;
    }
    place(out, n, lower);
}

/// Makes the upper triangle that of the factor; the other one becomes garbage. Tells whether all pivots are positive and
/// finite.
fn factor<T: Element>(mut a: ArrayViewMut2<'_, T>) -> bool {
    let n = a.nrows();
    if n <= BLOCK as usize {
        let mut block = row_major(a.view());
        let positive = block.as_slice_mut().is_some_and(|b| factor_upper(b, n));
        a.assign(&block);
        return positive;
    }
    let h = half(n);
    let (upper, below) = a.view_mut().split_at(Axis(0), h);
    let (mut first, mut beside) = upper.split_at(Axis(1), h);
    let (_, mut last) = below.split_at(Axis(1), h);
    if !factor(first.view_mut()) {
        return false;
    }
    let first = Triangle { elements: first.view().reversed_axes(), lower: true, unit_diagonal: false };
    solve(&first, beside.view_mut());
    subtract_square(last.view_mut(), beside.view());
    factor(last)
}

/// `c -= uᵀ u`, of which the upper triangle is needed.
fn subtract_square<T: Element>(mut c: ArrayViewMut2<'_, T>, u: ArrayView2<'_, T>) {
    let n = c.nrows();
    if n <= 4 * BLOCK as usize {
        return subtract_product(c, u.t(), u);
    }
    let h = half(n);
    let (left, right) = (u.slice(s![.., ..h]), u.slice(s![.., h..]));
    subtract_product(c.slice_mut(s![..h, h..]), left.t(), right);
    subtract_square(c.slice_mut(s![..h, ..h]), left);
    subtract_square(c.slice_mut(s![h.., h..]), right);
}
