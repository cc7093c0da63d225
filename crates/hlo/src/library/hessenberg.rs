//! A square matrix as an orthogonal, a Hessenberg matrix and the transpose of the orthogonal one, packed as LAPACK's `gehrd`.
//!
//! For j = 0, 1, … the reflector of column j makes zeros below its subdiagonal; the rest is reflected from the right and from
//! the left.

use super::Real;
use super::householder::{Block, column, product, reflect_left, reflect_right, reflector, store};

/// Packs the factors of `a`, `n` × `n` row by row, in its place.
pub fn hessenberg<T: Real>(a: &mut [T], n: usize, taus: &mut [T]) {
    for (j, tau) in taus.iter_mut().enumerate() {
        let mut v = column(a, n, j + 1..n, j);
        let beta;
        (beta, *tau) = reflector(&mut v);
        reflect_right(a, Block { width: n, rows: 0..n, columns: j + 1..n }, &v, *tau);
        reflect_left(a, Block { width: n, rows: j + 1..n, columns: j + 1..n }, &v, *tau);
        store(a, n, (j + 1, j), beta, &v);
    }
}

/// The product of the reflectors of a packed matrix that begin one row below the diagonal.
pub fn orthogonal<T: Real>(packed: &[T], n: usize, taus: &[T]) -> Vec<T> {
    let inner = n.saturating_sub(1);
    let mut q: Vec<T> = (0..inner * inner).map(|at| packed[(at / inner + 1) * n + at % inner]).collect();
    product(&mut q, (inner, inner), taus);
    let element = |at: usize| match (at / n, at % n) {
        (0, 0) => T::ONE,
        (0, _) | (_, 0) => T::ZERO,
        (i, j) => q[(i - 1) * inner + j - 1],
    };
    (0..n * n).map(element).collect()
}
