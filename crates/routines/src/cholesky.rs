//! The Cholesky factor by blocks.
//!
//! With `a` = uᵀu in four blocks: u₁₁ is the factor of a₁₁, u₁₁ᵀ u₁₂ = a₁₂, and u₂₂ is the factor of a₂₂ − u₁₂ᵀ u₁₂.
//! Each half is divided again, down to blocks that are factored as the reference algorithm does, to the bit.

use crate::blocks::{half, subtract_product};
use crate::element::Element;
use crate::substitution::Triangle;
use crate::team::Team;
use crate::triangular_solve::solve_together;
use crate::vectors::{Loops, with_vectors};
use lawson_hlo::library::{BLOCK, Real, place, upper_of};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use std::ops::Range;

/// Up to so many rows a triangle is turned element by element, which takes longer only where its columns do not fit in the second-level
/// cache.
const FEW_ROWS: usize = 512;

/// Rows of a block that stays in the first-level cache.
pub(crate) const LEAF: usize = 64;
/// Elements of a line, which a row is made of whole, or of which each is of another matrix.
pub(crate) const LINE: usize = 8;

/// Writes the factor of `a` to `out`, both `n` × `n` row by row.
pub fn run<T: Element>(team: &dyn Team, a: &[T], out: &mut [T], (n, lower): (usize, bool)) {
    let by_squares = lower && n > FEW_ROWS;
    match by_squares {
        true => squares_above(a, out, n),
        false => upper_of(a, out, n, lower),
    }
    if !ArrayViewMut2::from_shape((n, n), &mut *out).is_ok_and(|a| factor(team, a)) {
        out.fill(T::NAN);
        return;
    }
    match by_squares {
        true => squares_below(out, n),
        false => place(out, n, lower),
    }
}

/// The same as [`upper_of`] for the lower triangle.
fn squares_above<T: Element>(a: &[T], out: &mut [T], n: usize) {
    for (rows, columns) in squares(n) {
        let turned = turned(a, n, rows.clone(), columns.clone());
        for (j, elements) in columns.zip(turned) {
            let first = rows.start.max(j);
            out[j * n + first..j * n + rows.end].copy_from_slice(&elements[first - rows.start..rows.len()]);
        }
    }
}

/// The same as [`place`] for the lower triangle.
fn squares_below<T: Element>(out: &mut [T], n: usize) {
    for (rows, columns) in squares(n) {
        let turned = turned(out, n, columns.clone(), rows.clone());
        for (i, elements) in rows.zip(turned) {
            let end = columns.end.min(i + 1);
            out[i * n + columns.start..i * n + end].copy_from_slice(&elements[..end - columns.start]);
        }
    }
    (0..n).for_each(|i| out[i * n + i + 1..(i + 1) * n].fill(<T as Real>::ZERO));
}

/// Rows and columns of a square: those of f32 are a line of the cache.
const SIDE: usize = 16;

/// Squares that have the diagonal and what is below it.
fn squares(n: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let part = move |first: usize| first..(first + SIDE).min(n);
    let starts = (0..n).step_by(SIDE);
    starts.flat_map(move |top| (0..=top).step_by(SIDE).map(move |left| (part(top), part(left))))
}

/// The columns of a square, one after the other: where a row is a power of two, those of a column share a set of the cache, and go by
/// way of elsewhere.
fn turned<T: Element>(a: &[T], n: usize, rows: Range<usize>, columns: Range<usize>) -> [[T; SIDE]; SIDE] {
    let mut lines = [[<T as Real>::ZERO; SIDE]; SIDE];
    for (line, i) in lines.iter_mut().zip(rows) {
        line[..columns.len()].copy_from_slice(&a[i * n..][columns.clone()]);
    }
    let mut turned = lines;
    for (i, line) in lines.iter().enumerate() {
        turned.iter_mut().zip(line).for_each(|(column, &x)| column[i] = x);
    }
    turned
}

/// Writes the factors of matrices that follow each other, small ones: vectors have an element of each of several. To the bit those of the
/// reference algorithm.
pub fn run_several<T: Element>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    if n == 0 {
        return;
    }
    let (zero, one) = (<T as Real>::ZERO, <T as Real>::ONE);
    let mut lines = vec![[zero; LINE]; n * n];
    for (a, out) in a.chunks(LINE * n * n).zip(out.chunks_mut(LINE * n * n)) {
        // Where there are fewer matrices, the others are the identity.
        let matrices: [Option<&[T]>; LINE] = std::array::from_fn(|m| a.get(m * n * n..(m + 1) * n * n));
        for i in 0..n {
            for j in i..n {
                let from = if lower { j * n + i } else { i * n + j };
                let rest = if i == j { one } else { zero };
                lines[i * n + j] = matrices.map(|a| a.map_or(rest, |a| a[from]));
            }
        }
        let positive = with_vectors(FactorSeveral { lines: &mut lines, n });
        for (m, out) in out.chunks_exact_mut(n * n).enumerate() {
            if !positive[m] {
                out.fill(T::NAN);
                continue;
            }
            out.fill(zero);
            for i in 0..n {
                for j in i..n {
                    out[if lower { j * n + i } else { i * n + j }] = lines[i * n + j][m];
                }
            }
        }
    }
}

/// Several matrices of `n` rows: a line has an element of each.
struct FactorSeveral<'a, T> {
    lines: &'a mut [[T; LINE]],
    n: usize,
}

impl<T: Element> Loops for FactorSeveral<'_, T> {
    type Result = [bool; LINE];

    /// Which of them have pivots that are all positive and finite.
    #[inline(always)]
    fn run(self) -> [bool; LINE] {
        let n = self.n;
        let mut positive = [true; LINE];
        for k in 0..n {
            let (done, below) = self.lines.split_at_mut((k + 1) * n);
            let row = &mut done[k * n..];
            for (positive, &pivot) in positive.iter_mut().zip(&row[k]) {
                *positive &= pivot > <T as Real>::ZERO && Real::is_finite(pivot);
            }
            let pivot = row[k].map(Real::sqrt);
            row[k] = pivot;
            for line in &mut row[k + 1..] {
                *line = std::array::from_fn(|e| line[e] / pivot[e]);
            }
            for (i, other) in (k + 1..).zip(below.chunks_exact_mut(n)) {
                let factor = row[i];
                for (line, known) in other[i..].iter_mut().zip(&row[i..]) {
                    *line = std::array::from_fn(|e| line[e] - factor[e] * known[e]);
                }
            }
        }
        positive
    }
}

/// Makes the upper triangle that of the factor; the other one becomes garbage. Tells whether all pivots are positive and
/// finite.
fn factor<T: Element>(team: &dyn Team, mut a: ArrayViewMut2<'_, T>) -> bool {
    let n = a.nrows();
    if n <= LEAF {
        return factor_block(a);
    }
    let h = half(n);
    let (upper, below) = a.view_mut().split_at(Axis(0), h);
    let (mut first, mut beside) = upper.split_at(Axis(1), h);
    let (_, mut last) = below.split_at(Axis(1), h);
    if !factor(team, first.view_mut()) {
        return false;
    }
    let first = Triangle { elements: first.view().reversed_axes(), lower: true, unit_diagonal: false };
    solve_together(team, &first, beside.view_mut());
    subtract_square(team, last.view_mut(), beside.view());
    factor(team, last)
}

fn factor_block<T: Element>(mut a: ArrayViewMut2<'_, T>) -> bool {
    let n = a.nrows();
    let width = n.next_multiple_of(LINE);
    let mut padded = Array2::from_elem((n, width), <T as Real>::ZERO);
    padded.slice_mut(s![.., ..n]).assign(&a);
    let Some((lines, [])) = padded.as_slice_mut().map(|p| p.as_chunks_mut()) else {
        unreachable!("rows of whole lines")
    };
    let positive = with_vectors(Factor { lines, n });
    a.assign(&padded.slice(s![.., ..n]));
    positive
}

/// A block of `n` rows, as lines.
struct Factor<'a, T> {
    lines: &'a mut [[T; LINE]],
    n: usize,
}

impl<T: Element> Loops for Factor<'_, T> {
    type Result = bool;

    /// Whole lines are computed: what that makes of elements left of the diagonal is garbage.
    #[inline(always)]
    fn run(self) -> bool {
        let width = self.n.div_ceil(LINE);
        for k in 0..self.n {
            let (done, below) = self.lines.split_at_mut((k + 1) * width);
            let row = &mut done[k * width..];
            let pivot = row[k / LINE][k % LINE];
            if !(pivot > <T as Real>::ZERO && Real::is_finite(pivot)) {
                return false;
            }
            let pivot = Real::sqrt(pivot);
            for line in &mut row[k / LINE..] {
                *line = line.map(|x| x / pivot);
            }
            row[k / LINE][k % LINE] = pivot;
            for (i, other) in (k + 1..).zip(below.chunks_exact_mut(width)) {
                let factor = row[i / LINE][i % LINE];
                for (line, known) in other[i / LINE..].iter_mut().zip(&row[i / LINE..]) {
                    // All of a line before it is stored: a vector.
                    *line = std::array::from_fn(|e| line[e] - factor * known[e]);
                }
            }
        }
        true
    }
}

/// `c -= uᵀ u`, of which the upper triangle is needed.
fn subtract_square<T: Element>(team: &dyn Team, mut c: ArrayViewMut2<'_, T>, u: ArrayView2<'_, T>) {
    let n = c.nrows();
    if n <= 4 * BLOCK as usize {
        return subtract_product(team, c, u.t(), u);
    }
    let h = half(n);
    let (left, right) = (u.slice(s![.., ..h]), u.slice(s![.., h..]));
    subtract_product(team, c.slice_mut(s![..h, h..]), left.t(), right);
    subtract_square(team, c.slice_mut(s![..h, ..h]), left);
    subtract_square(team, c.slice_mut(s![h.., h..]), right);
}
