//! Elementary reflectors `1 − tau v vᵀ`, of which the decompositions are made.
//!
//! Matrices lie row by row; a [`Block`] names some of their rows and columns.

use super::Real;
use std::ops::Range;

/// Rows and columns of a matrix with `width` columns.
#[derive(Clone, Debug)]
pub struct Block {
    pub width: usize,
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

/// The reflector that takes a vector to a multiple of the first unit vector. The vector becomes `v`, whose first element is
/// one; gives the multiple, which has the other sign than the first element had, and `tau`: zero where there is nothing to
/// reflect.
pub fn reflector<T: Real>(x: &mut [T]) -> (T, T) {
    let most = largest(x.iter().copied());
    let [first, rest @ ..] = x else { return (T::ZERO, T::ZERO) };
    let alpha = std::mem::replace(first, T::ONE);
    if rest.iter().all(|&x| x == T::ZERO) {
        return (alpha, T::ZERO);
    }
    // Subnormal numbers have too few digits to be divided by.
    let scale = most.power_of_two();
    let alpha = alpha / scale;
    rest.iter_mut().for_each(|x| *x = *x / scale);
    let beta = -alpha.hypot(norm(rest.iter().copied())).with_sign(alpha);
    let divisor = alpha - beta;
    rest.iter_mut().for_each(|x| *x = *x / divisor);
    (beta * scale, (beta - alpha) / beta)
}

/// The square root of the sum of squares, each divided by the largest number first.
pub fn norm<T: Real>(x: impl Iterator<Item = T> + Clone) -> T {
    let largest = largest(x.clone());
    if largest == T::ZERO {
        return T::ZERO;
    }
    let scale = largest.power_of_two();
    let sum = x.fold(T::ZERO, |sum, x| {
        let part = x / scale;
        sum + part * part
    });
    scale * sum.sqrt()
}

/// The largest absolute value; not-a-number where there is one.
pub fn largest<T: Real>(x: impl Iterator<Item = T>) -> T {
    x.fold(T::ZERO, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
}

/// Multiplies the block from the left by the reflector; `v` has an element for each of its rows.
pub fn reflect_left<T: Real>(a: &mut [T], block: Block, v: &[T], tau: T) {
    let Block { width, rows, columns } = block;
    if tau == T::ZERO || columns.is_empty() {
        return;
    }
    let row = |i: usize| i * width + columns.start..i * width + columns.end;
    let mut products = vec![T::ZERO; columns.len()];
    for (i, &v) in rows.clone().zip(v) {
        products.iter_mut().zip(&a[row(i)]).for_each(|(w, &x)| *w = *w + v * x);
    }
    for (i, &v) in rows.zip(v) {
        let factor = tau * v;
        a[row(i)].iter_mut().zip(&products).for_each(|(x, &w)| *x = *x - factor * w);
    }
}

/// Multiplies the block from the right by the reflector; `v` has an element for each of its columns.
pub fn reflect_right<T: Real>(a: &mut [T], block: Block, v: &[T], tau: T) {
    let Block { width, rows, columns } = block;
    if tau == T::ZERO {
        return;
    }
    for i in rows {
        let row = &mut a[i * width..][columns.clone()];
        let product = row.iter().zip(v).fold(T::ZERO, |sum, (&x, &v)| sum + x * v);
        let factor = tau * product;
        row.iter_mut().zip(v).for_each(|(x, &v)| *x = *x - factor * v);
    }
}

/// The elements of a column from a row on.
pub fn column<T: Real>(a: &[T], width: usize, rows: Range<usize>, j: usize) -> Vec<T> {
    rows.map(|i| a[i * width + j]).collect()
}

/// Writes a reflector to its place: `beta` at the first of the rows, `v` without its one below.
pub fn store<T: Real>(a: &mut [T], width: usize, (row, j): (usize, usize), beta: T, v: &[T]) {
    v.iter().enumerate().for_each(|(i, &v)| a[(row + i) * width + j] = if i == 0 { beta } else { v });
}

/// Writes the product of the first reflectors of a packed matrix, `rows` × `columns`, in its place. The reflector of column j
/// begins in row j + `below`; of the matrix `rows` − `below` columns are read.
pub fn product<T: Real>(packed: &mut [T], (rows, columns): (usize, usize), taus: &[T]) {
    for j in (0..columns).rev() {
        let rest = Block { width: columns, rows: j..rows, columns: j + 1..columns };
        let (mut v, tau) = match taus.get(j) {
            Some(&tau) => (column(packed, columns, j..rows, j), tau),
            None => (vec![T::ZERO; rows - j], T::ZERO),
        };
        v[0] = T::ONE;
        reflect_left(packed, rest, &v, tau);
        for i in 0..rows {
            let element = if i < j { T::ZERO } else { -tau * v[i - j] };
            packed[i * columns + j] = if i == j { T::ONE + element } else { element };
        }
    }
}
