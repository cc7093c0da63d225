//! Eigenvalues and eigenvectors of a Hermitian matrix: made tridiagonal and real by reflectors, then as [`super::eigh`].
//!
//! Imaginary parts on the diagonal are not read.

use super::Real;
use super::complex_householder::reflect_right;
use super::complex_tridiagonal::{complete, reduce};
use super::eigh::{ascending, diagonalize};
use super::householder::Block;
use super::pair::{Pair, largest_part};

/// Writes the vectors of `a`, `n` × `n` row by row, as columns in its place, and the values to `values`.
pub fn eigh<T: Real>(a: &mut [T], n: usize, lower: bool, values: &mut [T]) {
    let (a, _) = a.as_chunks_mut::<2>();
    complete(a, n, lower);
    let most = largest_part(a);
    if most == T::ZERO || !most.is_finite() {
        let value = if most == T::ZERO { T::ZERO } else { T::NAN };
        values.fill(value);
        a.fill([value; 2]);
        (0..n).for_each(|i| a[i * (n + 1)][0] = value + T::ONE);
        return;
    }
    let scale = most.power_of_two();
    a.iter_mut().flatten().for_each(|x| *x = *x / scale);
    let (q, mut beside) = tridiagonal(a, n);
    (0..n).for_each(|i| values[i] = a[i * (n + 1)][0]);
    // Rows are columns of the product: rotations exchange neighbouring memory.
    let mut vectors: Vec<Pair<T>> = (0..n * n).map(|at| q[at % n * n + at / n]).collect();
    if !diagonalize(values, &mut beside, vectors.as_flattened_mut()) {
        values.fill(T::NAN);
        a.fill([T::NAN; 2]);
        return;
    }
    values.iter_mut().for_each(|x| *x = *x * scale);
    for (j, from) in ascending(values).into_iter().enumerate() {
        (0..n).for_each(|i| a[i * n + j] = vectors[from * n + i]);
    }
}

/// Makes the matrix tridiagonal; gives the basis in which it is, as columns, and the elements beside the diagonal.
fn tridiagonal<T: Real>(a: &mut [Pair<T>], n: usize) -> (Vec<Pair<T>>, Vec<T>) {
    let unit = |at: usize| [if at.is_multiple_of(n + 1) { T::ONE } else { T::ZERO }, T::ZERO];
    let mut q: Vec<Pair<T>> = (0..n * n).map(unit).collect();
    let mut beside = Vec::with_capacity(n);
    reduce(a, n, |j, (beta, tau), v| {
        beside.push(beta);
        reflect_right(&mut q, Block { width: n, rows: 0..n, columns: j + 1..n }, v, tau);
    });
    (q, beside)
}
