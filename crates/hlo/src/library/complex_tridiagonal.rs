//! A Hermitian matrix as a unitary, a real tridiagonal and the adjoint of the unitary one, packed as LAPACK's `hetrd`: as
//! [`super::tridiagonal`], of complex numbers.

use super::Real;
use super::complex_householder::{reflect_left, reflect_right, reflector};
use super::householder::Block;
use super::number::Number;
use super::pair::Pair;
use super::tridiagonal::Tridiagonal;

/// Packs the factors of `a`, `n` × `n` row by row, in its place. One triangle is read, and the real parts of the diagonal.
pub fn tridiagonal<T: Real>(a: &mut [T], n: usize, lower: bool, result: Tridiagonal<'_, T>) {
    let ((a, _), (taus, _)) = (a.as_chunks_mut::<2>(), result.taus.as_chunks_mut::<2>());
    // The upper triangle is the lower one of the matrix read backwards.
    if !lower {
        a.reverse();
    }
    let mut whole = a.to_vec();
    complete(&mut whole, n, true);
    reduce(&mut whole, n, |j, (beta, tau), v| {
        (result.beside[j], taus[j]) = (beta, tau);
        a[(j + 1) * n + j] = [beta, T::ZERO];
        v.iter().zip(j + 1..).skip(1).for_each(|(&v, i)| a[i * n + j] = v);
    });
    for (i, d) in result.diagonal.iter_mut().enumerate() {
        *d = whole[i * (n + 1)][0];
        a[i * (n + 1)] = [*d, T::ZERO];
    }
    if !lower {
        a.reverse();
        result.diagonal.reverse();
        result.beside.reverse();
        taus.reverse();
    }
}

/// Makes a matrix Hermitian by one of its triangles and the real parts of its diagonal.
pub fn complete<T: Real>(a: &mut [Pair<T>], n: usize, lower: bool) {
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        match lower {
            true => a[j * n + i] = a[i * n + j].conjugate(),
            false => a[i * n + j] = a[j * n + i].conjugate(),
        }
    }
    (0..n).for_each(|i| a[i * (n + 1)][1] = T::ZERO);
}

/// Reflects a Hermitian matrix from both sides, column by column, until it is tridiagonal; `each` gets the number of the column,
/// what then stands below its diagonal with `tau`, and the reflector's vector.
pub fn reduce<T: Real>(a: &mut [Pair<T>], n: usize, mut each: impl FnMut(usize, (T, Pair<T>), &[Pair<T>])) {
    for k in 1..n {
        let mut v: Vec<Pair<T>> = (k..n).map(|i| a[i * n + k - 1]).collect();
        let (beta, tau) = reflector(&mut v);
        reflect_left(a, Block { width: n, rows: k..n, columns: k..n }, &v, tau.conjugate());
        reflect_right(a, Block { width: n, rows: k..n, columns: k..n }, &v, tau);
        each(k - 1, (beta, tau), &v);
    }
}
