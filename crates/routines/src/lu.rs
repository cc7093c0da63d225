//! The LU factors by blocks.
//!
//! With the columns in two parts: the left one is factored and its exchanges are made in the right one too, whose upper
//! part is then solved for, l₁₁ u₁₂ = a₁₂, and whose lower part becomes a₂₂ − l₂₁ u₁₂ and is factored.
//!
//! The left part is [`WIDE`] columns, which one thread factors: it divides them in halves, and these again, down to panels that are
//! factored column by column, to the bits of the reference algorithm. What is right of them is done by a team in strips of columns,
//! each of which loses the product of all [`WIDE`] at once: strips of the next step are nearly those of this one, so that their
//! elements stay in the cache of a thread. What is not finite is left to the reference algorithm as a whole.

use crate::blocks::subtract_product;
use crate::element::Element;
use crate::substitution::Triangle;
use crate::team::{Alone, Team, in_strips};
use crate::triangular_solve::solve;
use crate::vectors::{Loops, largest, with_vectors};
use lawson_hlo::library::{Real, order};
use ndarray::{ArrayView2, ArrayViewMut2, Axis, Zip, s};

/// Columns of a panel: its rows are a cache line of f32.
const PANEL: usize = 16;
/// Columns after which those right of them are changed: so many that their products take most of the time.
const WIDE: usize = 128;
/// Multiply-adds that take as long as the exchange of two elements.
const EXCHANGED: usize = 8;

/// Writes the factors of `a`, `rows` × `columns` row by row, to `out`; tells whether all of them are finite.
pub fn run<T: Element>(
    team: &dyn Team,
    (a, out): (&[T], &mut [T]),
    (rows, columns): (usize, usize),
    pivots: &mut [i32],
    permutation: &mut [i32],
) -> bool {
    out.copy_from_slice(a);
    let Ok(view) = ArrayViewMut2::from_shape((rows, columns), &mut *out) else { return false };
    factor(team, view, pivots);
    order(pivots, permutation);
    out.iter().fold(true, |all, x| all & Real::is_finite(*x))
}

fn factor<T: Element>(team: &dyn Team, mut a: ArrayViewMut2<'_, T>, pivots: &mut [i32]) {
    for (n, pivots) in pivots.chunks_mut(WIDE).enumerate() {
        let (first, width) = (n * WIDE, pivots.len());
        let (done, rest) = a.slice_mut(s![first.., ..]).split_at(Axis(1), first);
        let (mut left, right) = rest.split_at(Axis(1), width);
        factor_halves(left.view_mut(), pivots);
        let left = left.view();
        let exchanges = &*pivots;
        in_strips(team, (Axis(1), EXCHANGED * width * first), done, |_, columns| {
            exchange(columns, exchanges)
        });
        in_strips(team, (Axis(1), left.len() * right.ncols()), right, |_, mut columns| {
            exchange(columns.view_mut(), exchanges);
            reduce(left, columns);
        });
        pivots.iter_mut().for_each(|pivot| *pivot += first as i32);
    }
}

/// The columns right of some that have been factored, with their exchanges made: the upper part is solved for, and the lower one loses
/// their product.
fn reduce<T: Element>(factored: ArrayView2<'_, T>, right: ArrayViewMut2<'_, T>) {
    let width = factored.ncols().min(factored.nrows());
    let (mut upper, below) = right.split_at(Axis(0), width);
    let triangle =
        Triangle { elements: factored.slice(s![..width, ..width]), lower: true, unit_diagonal: true };
    solve(&triangle, upper.view_mut());
    if below.nrows() > 0 {
        subtract_product(&Alone, below, factored.slice(s![width.., ..width]), upper.view());
    }
}

/// The factors of at most [`WIDE`] columns, by one thread.
fn factor_halves<T: Element>(mut a: ArrayViewMut2<'_, T>, pivots: &mut [i32]) {
    if a.ncols() <= PANEL {
        return factor_panel(a, pivots);
    }
    let left = if pivots.len() <= PANEL { pivots.len() } else { (pivots.len() / 2).next_multiple_of(PANEL) };
    let (of_left, of_right) = pivots.split_at_mut(left);
    let (mut first, mut last) = a.view_mut().split_at(Axis(1), left);
    factor_halves(first.view_mut(), of_left);
    exchange(last.view_mut(), of_left);
    reduce(first.view(), last.view_mut());
    if first.nrows() == left {
        return;
    }
    factor_halves(last.slice_mut(s![left.., ..]), of_right);
    exchange(first.slice_mut(s![left.., ..]), of_right);
    of_right.iter_mut().for_each(|pivot| *pivot += left as i32);
}

fn factor_panel<T: Element>(mut a: ArrayViewMut2<'_, T>, pivots: &mut [i32]) {
    let (rows, columns) = a.dim();
    if rows == 0 {
        return;
    }
    // No power of two from a column to the next: their elements of one row would share a set of the cache.
    let stride = rows.next_multiple_of(2 * PANEL) + PANEL;
    let mut panel = vec![<T as Real>::ZERO; stride * columns];
    for (i, row) in a.rows().into_iter().enumerate() {
        row.iter().zip(panel[i..].iter_mut().step_by(stride)).for_each(|(&x, place)| *place = x);
    }
    with_vectors(Panel { columns: &mut panel, rows, stride, pivots });
    for (i, mut row) in a.rows_mut().into_iter().enumerate() {
        row.iter_mut().zip(panel[i..].iter().step_by(stride)).for_each(|(place, &x)| *place = x);
    }
}

/// A panel, column by column: its columns are long, its rows short.
struct Panel<'a, T> {
    columns: &'a mut [T],
    rows: usize,
    /// From a column to the next.
    stride: usize,
    pivots: &'a mut [i32],
}

impl<T: Element> Loops for Panel<'_, T> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        for (k, chosen) in self.pivots.iter_mut().enumerate() {
            let best = k + greatest(&self.columns[k * self.stride..][k..self.rows]);
            *chosen = best as i32;
            self.columns.chunks_exact_mut(self.stride).for_each(|column| column.swap(k, best));
            let (done, right) = self.columns.split_at_mut((k + 1) * self.stride);
            let [pivot, factors @ ..] = &mut done[k * self.stride..][k..self.rows] else { return };
            if *pivot == <T as Real>::ZERO {
                continue;
            }
            factors.iter_mut().for_each(|x| *x /= *pivot);
            for column in right.chunks_exact_mut(self.stride) {
                let [known, below @ ..] = &mut column[k..self.rows] else { return };
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
