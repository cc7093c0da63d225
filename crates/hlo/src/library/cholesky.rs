//! The Cholesky factor of a symmetric positive definite matrix.
//!
//! With `a` = uᵀu, for k = 0, 1, … and all j > k: `u_kk = sqrt(a_kk)`, `u_kj = a_kj / u_kk`, and every element to the
//! right and below loses `u_ki · u_kj`. The lower factor is the transpose of the upper one, with the same bits. Only the
//! triangle of the result's side is read, and the other one of the result is zero. Where a pivot `a_kk` is not positive
//! and finite the matrix is not positive definite: then every element of the result is NaN.

use super::Real;
use std::ops::Range;

/// Writes the factor of `a` to `out`, both `n` × `n` row by row.
pub fn cholesky<T: Real>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    upper_of(a, out, n, lower);
    match factor_upper(out, n) {
        true => place(out, n, lower),
        false => out.fill(T::NAN),
    }
}

/// Writes the triangle that is read to the upper one of `out`, both `n` × `n` row by row.
pub fn upper_of<T: Real>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    if !lower {
        (0..n).for_each(|i| out[i * n + i..(i + 1) * n].copy_from_slice(&a[i * n + i..(i + 1) * n]));
        return;
    }
    for (rows, columns) in squares(n) {
        let turned = turned(a, n, rows.clone(), columns.clone());
        for (j, elements) in columns.zip(turned) {
            let first = rows.start.max(j);
            out[j * n + first..j * n + rows.end].copy_from_slice(&elements[first - rows.start..rows.len()]);
        }
    }
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
fn turned<T: Real>(a: &[T], n: usize, rows: Range<usize>, columns: Range<usize>) -> [[T; SIDE]; SIDE] {
    let mut lines = [[T::ZERO; SIDE]; SIDE];
    for (line, i) in lines.iter_mut().zip(rows) {
        line[..columns.len()].copy_from_slice(&a[i * n..][columns.clone()]);
    }
    let mut turned = lines;
    for (i, line) in lines.iter().enumerate() {
        turned.iter_mut().zip(line).for_each(|(column, &x)| column[i] = x);
    }
    turned
}

/// Moves the upper triangle, which is the factor, to where the result has it; the other one becomes zero.
pub fn place<T: Real>(out: &mut [T], n: usize, lower: bool) {
    if lower {
        for (rows, columns) in squares(n) {
            let turned = turned(out, n, columns.clone(), rows.clone());
            for (i, elements) in rows.zip(turned) {
                let end = columns.end.min(i + 1);
                out[i * n + columns.start..i * n + end].copy_from_slice(&elements[..end - columns.start]);
            }
        }
    }
    for i in 0..n {
        let zeros = if lower { i * n + i + 1..(i + 1) * n } else { i * n..i * n + i };
        out[zeros].fill(T::ZERO);
    }
}

/// Makes the upper triangle of a matrix, `n` × `n` row by row, that of its factor; the rest is neither read nor written.
/// Tells whether all pivots are positive and finite: if not, the elements from that row on mean nothing.
fn factor_upper<T: Real>(a: &mut [T], n: usize) -> bool {
    for k in 0..n {
        let (done, below) = a.split_at_mut((k + 1) * n);
        let row = &mut done[k * n + k..];
        let [pivot, row @ ..] = row else { return true };
        if !(*pivot > T::ZERO && pivot.is_finite()) {
            return false;
        }
        *pivot = pivot.sqrt();
        row.iter_mut().for_each(|x| *x = *x / *pivot);
        for (i, other) in below.chunks_exact_mut(n).enumerate() {
            let factor = row[i];
            // Row k + 1 + i, from its diagonal on.
            other[k + 1 + i..].iter_mut().zip(&row[i..]).for_each(|(x, &u)| *x = *x - factor * u);
        }
    }
    true
}
