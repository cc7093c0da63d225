//! The LU factors by blocks.
//!
//! With the columns in two halves: the left one is factored and its exchanges are made in the right one too, whose upper
//! part is then solved for, l₁₁ u₁₂ = a₁₂, and whose lower part becomes a₂₂ − l₂₁ u₁₂ and is factored. Each half is divided
//! again, down to panels that are factored column by column, to the bits of the reference algorithm. What is not finite is left
//! to that as a whole.

use crate::blocks::subtract_product;
use crate::element::Element;
use crate::substitution::Triangle;
use crate::triangular_solve::solve;
use crate::vectors::{Loops, largest, with_vectors};
use lawson_hlo::library::{Real, order};
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
    let (rows, columns) = a.dim();
    if rows == 0 {
        return;
    }
    let mut panel = vec![<T as Real>::ZERO; rows * columns];
    for (i, row) in a.rows().into_iter().enumerate() {
        row.iter().zip(panel[i..].iter_mut().step_by(rows)).for_each(|(&x, place)| *place = x);
    }
    with_vectors(Panel { columns: &mut panel, rows, pivots });
    for (i, mut row) in a.rows_mut().into_iter().enumerate() {
        row.iter_mut().zip(panel[i..].iter().step_by(rows)).for_each(|(place, &x)| *place = x);
    }
}

/// A panel, column by column: its columns are long, its rows short.
struct Panel<'a, T> {
    columns: &'a mut [T],
    rows: usize,
    pivots: &'a mut [i32],
}

impl<T: Element> Loops for Panel<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        for (k, chosen) in self.pivots.iter_mut().enumerate() {
            let best = k + greatest(&self.columns[k * self.rows..][k..self.rows]);
            *chosen = best as i32;
            self.columns.chunks_exact_mut(self.rows).for_each(|column| column.swap(k, best));
            let (done, right) = self.columns.split_at_mut((k + 1) * self.rows);
            let [pivot, factors @ ..] = &mut done[k * self.rows + k..] else { return };
            if *pivot == <T as Real>::ZERO {
                continue;
            }
            factors.iter_mut().for_each(|x| *x /= *pivot);
            for column in right.chunks_exact_mut(self.rows) {
                let [known, below @ ..] = &mut column[k..] else { return };
                below.iter_mut().zip(&*factors).for_each(|(x, &factor)| *x -= factor * *known);
            }
        }
    }
}

/// The first of the elements of the greatest absolute value, which are numbers.
#[inline(always)]
fn greatest<T: Element>(x: &[T]) -> usize {
    let (lines, rest) = x.as_chunks();
    let larger = |most: T, &x: &T| if Real::abs(x) > most { Real::abs(x) } else { most };
    let most = rest.iter().fold(largest(lines), larger);
    x.iter().position(|&x| Real::abs(x) == most).unwrap_or(0)
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
