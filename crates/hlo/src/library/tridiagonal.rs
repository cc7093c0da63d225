//! A symmetric matrix as an orthogonal, a tridiagonal and the transpose of the orthogonal one, packed as LAPACK's `sytrd`.
//!
//! With the lower triangle, for j = 0, 1, … the reflector of column j makes zeros below its subdiagonal, and the rest loses
//! `v wᵀ + w vᵀ` with `w = tau (a v − ½ tau (vᵀ a v) v)`. The upper triangle is the lower one of the matrix read backwards.

use super::Real;
use super::householder::{column, reflector, store};

/// The diagonal, what stands beside it, and the reflectors.
#[derive(Debug)]
pub struct Tridiagonal<'a, T> {
    pub diagonal: &'a mut [T],
    pub beside: &'a mut [T],
    pub taus: &'a mut [T],
}

/// Packs the factors of `a`, `n` × `n` row by row, in its place. One triangle is read; what is above the other side of the
/// diagonal stays as it was.
pub fn tridiagonal<T: Real>(a: &mut [T], n: usize, lower: bool, result: Tridiagonal<'_, T>) {
    // Backwards row by row is backwards in memory.
    if !lower {
        a.reverse();
    }
    for (j, (tau, beside)) in result.taus.iter_mut().zip(&mut *result.beside).enumerate() {
        let mut v = column(a, n, j + 1..n, j);
        (*beside, *tau) = reflector(&mut v);
        if *tau != T::ZERO {
            subtract(&mut a[(j + 1) * (n + 1)..], n, &v, *tau);
        }
        store(a, n, (j + 1, j), *beside, &v);
    }
    result.diagonal.iter_mut().enumerate().for_each(|(i, d)| *d = a[i * (n + 1)]);
    if !lower {
        a.reverse();
        result.diagonal.reverse();
        result.beside.reverse();
        result.taus.reverse();
    }
}

/// Reflects the lower triangle of a matrix, whose rows are `width` apart, from both sides.
fn subtract<T: Real>(a: &mut [T], width: usize, v: &[T], tau: T) {
    let mut w = vec![T::ZERO; v.len()];
    for i in 0..v.len() {
        let row = &a[i * width..][..i];
        let product = row.iter().zip(v).fold(a[i * width + i] * v[i], |sum, (&x, &v)| sum + x * v);
        w[i] = w[i] + product;
        w[..i].iter_mut().zip(row).for_each(|(w, &x)| *w = *w + x * v[i]);
    }
    w.iter_mut().for_each(|w| *w = tau * *w);
    let dot = w.iter().zip(v).fold(T::ZERO, |sum, (&w, &v)| sum + w * v);
    let half = T::of(0.5) * tau * dot;
    w.iter_mut().zip(v).for_each(|(w, &v)| *w = *w - half * v);
    for i in 0..v.len() {
        let (vi, wi) = (v[i], w[i]);
        let row = a[i * width..][..i + 1].iter_mut();
        row.zip(v.iter().zip(&w)).for_each(|(x, (&v, &w))| *x = *x - (vi * w + wi * v));
    }
}
