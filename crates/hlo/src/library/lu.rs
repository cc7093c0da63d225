//! The LU factors of a matrix with exchanged rows.
//!
//! For k = 0, 1, … the row whose element in column k is the greatest by [`Number::size`], the first of equal ones, is exchanged
//! with row k; the elements below the diagonal are divided by it, and every element to the right and below loses
//! `l_ik · u_kj`. A column of zeros stays as it is. A not-a-number counts as the greatest.

use super::Real;
use super::number::Number;

/// Writes the factors of `a`, `rows` × `columns` row by row, in its place: the upper triangle is U, and below it stands L
/// without its diagonal of ones. `pivots` says with which row each was exchanged, `permutation` where each row of the
/// product comes from.
pub fn lu<T: Number>(
    a: &mut [T],
    (rows, columns): (usize, usize),
    pivots: &mut [i32],
    permutation: &mut [i32],
) {
    for (k, pivot) in pivots.iter_mut().enumerate() {
        let mut best = k;
        for i in k..rows {
            let (x, most) = (a[i * columns + k].size(), a[best * columns + k].size());
            if !most.is_nan() && (x > most || x.is_nan()) {
                best = i;
            }
        }
        *pivot = best as i32;
        if best != k {
            let (upper, lower) = a.split_at_mut(best * columns);
            upper[k * columns..][..columns].swap_with_slice(&mut lower[..columns]);
        }
        eliminate(&mut a[k * columns..], columns, k);
    }
    order(pivots, permutation);
}

/// Subtracts the first of the rows from the others so that their elements of column k become factors.
fn eliminate<T: Number>(a: &mut [T], columns: usize, k: usize) {
    let (row, below) = a.split_at_mut(columns);
    let [pivot, row @ ..] = &row[k..] else { return };
    if *pivot == T::ZERO {
        return;
    }
    for other in below.chunks_exact_mut(columns) {
        let [first, rest @ ..] = &mut other[k..] else { return };
        *first = first.over(*pivot);
        let factor = *first;
        rest.iter_mut().zip(row).for_each(|(x, &u)| *x = x.minus_product(factor, u));
    }
}

/// The order of rows that a list of exchanges makes.
pub fn order(pivots: &[i32], permutation: &mut [i32]) {
    (0..).zip(&mut *permutation).for_each(|(n, p)| *p = n);
    for (k, &pivot) in pivots.iter().enumerate() {
        permutation.swap(k, pivot as usize);
    }
}
