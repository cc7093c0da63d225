//! The Schur form of a complex matrix: a unitary one, a triangle and the adjoint of the first; and Hessenberg's, packed as LAPACK's
//! `gehrd`.

use super::Real;
use super::complex_eig::{reflect_column, triangle};
use super::pair::Pair;

/// Makes the triangle of `a`, `n` × `n` row by row, in its place; gives the unitary factor. Where something is not finite, or a value
/// takes too many steps, everything is NaN.
pub fn schur<T: Real>(a: &mut [T], n: usize) -> Vec<Pair<T>> {
    let (pairs, _) = a.as_chunks_mut::<2>();
    let Some((q, scale)) = triangle(pairs, n) else {
        a.fill(T::NAN);
        return vec![[T::NAN; 2]; n * n];
    };
    pairs.iter_mut().flatten().for_each(|part| *part = *part * scale);
    q
}

/// Packs the factors of `a`, `n` × `n` row by row, in its place.
pub fn hessenberg<T: Real>(a: &mut [T], n: usize, taus: &mut [T]) {
    let ((a, _), (taus, _)) = (a.as_chunks_mut::<2>(), taus.as_chunks_mut::<2>());
    for (k, tau_of) in (1..n).zip(taus) {
        let (v, tau) = reflect_column(a, n, k);
        *tau_of = tau;
        v.iter().zip(k..).skip(1).for_each(|(&v, i)| a[i * n + k - 1] = v);
    }
}
