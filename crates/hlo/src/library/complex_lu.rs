//! The LU factors of a complex matrix with exchanged rows: the algorithm of [`super::lu`], in which the greatest element is that
//! with the greatest sum of absolute parts, as LAPACK has it.

use super::Real;
use super::lu::order;
use super::pair::{Pair, div, mul, sub};

/// Writes the factors of `a`, `rows` × `columns` row by row, in its place.
pub fn lu<T: Real>(
    a: &mut [T],
    (rows, columns): (usize, usize),
    pivots: &mut [i32],
    permutation: &mut [i32],
) {
    let (a, _) = a.as_chunks_mut::<2>();
    for (k, pivot) in pivots.iter_mut().enumerate() {
        let mut best = k;
        for i in k..rows {
            let (x, most) = (size(a[i * columns + k]), size(a[best * columns + k]));
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

fn size<T: Real>([re, im]: Pair<T>) -> T {
    re.abs() + im.abs()
}

/// Subtracts the first of the rows from the others so that their elements of column k become factors.
fn eliminate<T: Real>(a: &mut [Pair<T>], columns: usize, k: usize) {
    let (row, below) = a.split_at_mut(columns);
    let [pivot, row @ ..] = &row[k..] else { return };
    if *pivot == [T::ZERO; 2] {
        return;
    }
    for other in below.chunks_exact_mut(columns) {
        let [first, rest @ ..] = &mut other[k..] else { return };
        *first = div(*first, *pivot);
        let factor = *first;
        rest.iter_mut().zip(row).for_each(|(x, &u)| *x = sub(*x, mul(factor, u)));
    }
}
