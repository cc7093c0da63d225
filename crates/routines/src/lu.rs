//! The LU factors by blocks.
//!
//! With the columns in two halves: the left one is factored and its exchanges are made in the right one too, whose upper
//! part is then solved for, l₁₁ u₁₂ = a₁₂, and whose lower part becomes a₂₂ − l₂₁ u₁₂ and is factored. Each half is divided
//! again, down to panels that the reference algorithm factors. What is not finite is left to it as a whole.

use crate::blocks::subtract_product;
use crate::element::Element;
use crate::triangular_solve::{Triangle, row_major, solve};
use lawson_hlo::library::{Real, lu, order};
use ndarray::{ArrayViewMut2, Axis, Zip, s};

/// Columns of a panel: its rows are a cache line of f32.
const PANEL: usize = 16;

/// Writes the factors of `a`, `rows` × `columns` row by row, to `out`; tells whether all of them are finite.
pub fn run<T: Element>(
    a: &[T],
    out: &mut [T],
    (rows, columns): (usize, usize),
    pivots: &mut [i32],
    permutation: &mut [i32],
) -> bool {
    out.copy_from_slice(a);
    let Ok(view) = ArrayViewMut2::from_shape((rows, columns), &mut *out) else { return false };
    factor(view, pivots);
    order(pivots, permutation);
    out.iter().fold(true, |all, x| all & Real::is_finite(*x))
}

fn factor<T: Element>(mut a: ArrayViewMut2<'_, T>, pivots: &mut [i32]) {
    let (rows, columns) = a.dim();
    if columns <= PANEL {
        return factor_panel(a, pivots);
    }
    let left = if pivots.len() <= PANEL { pivots.len() } else { (pivots.len() / 2).next_multiple_of(PANEL) };
    let (of_left, of_right) = pivots.split_at_mut(left);
    let (mut first, mut last) = a.view_mut().split_at(Axis(1), left);
    factor(first.view_mut(), of_left);
    exchange(last.view_mut(), of_left);
    let (mut upper, mut below) = last.split_at(Axis(0), left);
    let triangle = Triangle { elements: first.slice(s![..left, ..]), lower: true, unit_diagonal: true };
    solve(&triangle, upper.view_mut());
    if rows == left {
        return;
    }
    subtract_product(below.view_mut(), first.slice(s![left.., ..]), upper.view());
    factor(below, of_right);
    exchange(first.slice_mut(s![left.., ..]), of_right);
    of_right.iter_mut().for_each(|pivot| *pivot += left as i32);
}

fn factor_panel<T: Element>(mut a: ArrayViewMut2<'_, T>, pivots: &mut [i32]) {
    let mut panel = row_major(a.view());
    let mut permutation = vec![0; a.nrows()];
    if let Some(elements) = panel.as_slice_mut() {
        lu(elements, a.dim(), pivots, &mut permutation);
    }
    a.assign(&panel);
}

/// Exchanges row k with row `pivots[k]`, one after the other.
fn exchange<T: Element>(mut a: ArrayViewMut2<'_, T>, pivots: &[i32]) {
    for (k, &pivot) in pivots.iter().enumerate() {
        if pivot as usize > k {
            let (mut upper, mut lower) = a.view_mut().split_at(Axis(0), pivot as usize);
            Zip::from(upper.row_mut(k)).and(lower.row_mut(0)).for_each(std::mem::swap);
        }
    }
}
