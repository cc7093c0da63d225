//! Eigenvalues and eigenvectors of a symmetric matrix.
//!
//! The matrix is divided by a power of two near its largest element, made tridiagonal, and QR steps with Wilkinson's shift make
//! what is beside the diagonal vanish, from the last element upwards. Values ascend; of equal ones the order is that of the
//! diagonal. Where an element that is read is not finite, or an eigenvalue takes too many steps, everything is NaN.

use super::Real;
use super::hessenberg::orthogonal;
use super::householder::largest;
use super::tridiagonal::{Tridiagonal, tridiagonal};

/// Most steps for one eigenvalue; three are usual.
const MAX_STEPS: usize = 60;

/// Writes the vectors of `a`, `n` × `n` row by row, as columns in its place, and the values to `values`; if no vectors are asked for,
/// anything in its place.
pub fn eigh<T: Real>(a: &mut [T], (n, lower): (usize, bool), values: &mut [T], with_vectors: bool) {
    // The triangle that is read becomes the lower one.
    if !lower {
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            a[i * n + j] = a[j * n + i];
        }
    }
    let triangle = (0..n).flat_map(|i| a[i * n..][..i + 1].iter().copied());
    let most = largest(triangle);
    if most == T::ZERO || !most.is_finite() {
        let value = if most == T::ZERO { T::ZERO } else { T::NAN };
        values.fill(value);
        a.fill(value);
        (0..n).for_each(|i| a[i * (n + 1)] = value + T::ONE);
        return;
    }
    let scale = most.power_of_two();
    a.iter_mut().for_each(|x| *x = *x / scale);
    let mut beside = vec![T::ZERO; n.saturating_sub(1)];
    let mut taus = beside.clone();
    let result = Tridiagonal { diagonal: &mut *values, beside: &mut beside, taus: &mut taus };
    tridiagonal(a, n, true, result);
    // Rows are columns of the product: rotations exchange neighbouring memory.
    let mut vectors = Vec::new();
    if with_vectors {
        let q = orthogonal(a, n, &taus);
        vectors.extend((0..n * n).map(|at| q[at % n * n + at / n]));
    }
    if !diagonalize(values, &mut beside, &mut vectors) {
        values.fill(T::NAN);
        a.fill(T::NAN);
        return;
    }
    values.iter_mut().for_each(|x| *x = *x * scale);
    for (j, from) in ascending(values).into_iter().enumerate().filter(|_| with_vectors) {
        (0..n).for_each(|i| a[i * n + j] = vectors[from * n + i]);
    }
}

/// Sorts the values; gives where each was.
pub fn ascending<T: Real>(values: &mut [T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].partial_cmp(&values[j]).unwrap_or(std::cmp::Ordering::Equal));
    let sorted: Vec<T> = order.iter().map(|&i| values[i]).collect();
    values.copy_from_slice(&sorted);
    order
}

/// Makes `beside` zero; `vectors` has the vectors as rows, all parts of complex ones. Tells whether it could.
pub fn diagonalize<T: Real>(diagonal: &mut [T], beside: &mut [T], vectors: &mut [T]) -> bool {
    let length = vectors.len().checked_div(diagonal.len()).unwrap_or(0);
    let (mut last, mut steps) = (diagonal.len().saturating_sub(1), 0);
    while last > 0 {
        // The largest element of the matrix is near one: what is less than ε² of it is nothing.
        let is_small = |i: usize| {
            let around = T::of(0.5) * (diagonal[i].abs() + diagonal[i + 1].abs());
            beside[i].abs() <= T::EPSILON * (T::EPSILON + around)
        };
        let first = (0..last).rev().find(|&i| is_small(i));
        if first == Some(last - 1) {
            (last, steps) = (last - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MAX_STEPS {
            return false;
        }
        step(diagonal, beside, (first.map_or(0, |i| i + 1), last), |k, c, s| {
            let (upper, lower) = vectors[k * length..].split_at_mut(length);
            rotate(upper, &mut lower[..length], c, s);
        });
    }
    true
}

/// One QR step on the rows `first..=last`; `rotated` is told each rotation of rows k and k + 1.
fn step<T: Real>(
    d: &mut [T],
    e: &mut [T],
    (first, last): (usize, usize),
    mut rotated: impl FnMut(usize, T, T),
) {
    let half = (d[last - 1] - d[last]) * T::of(0.5);
    let corner = e[last - 1];
    let shift = d[last] - corner * (corner / (half + half.hypot(corner).with_sign(half)));
    let (mut x, mut bulge) = (d[first] - shift, e[first]);
    for k in first..last {
        let length = x.hypot(bulge);
        let (c, s) = if length == T::ZERO { (T::ONE, T::ZERO) } else { (x / length, bulge / length) };
        if k > first {
            e[k - 1] = length;
        }
        let (a, b) = (d[k], d[k + 1]);
        // What the rotation moves from one diagonal element to the other.
        let part = s * (s * (b - a) + T::of(2.0) * c * e[k]);
        e[k] = c * (s * (b - a) + c * e[k]) - s * s * e[k];
        d[k] = a + part;
        d[k + 1] = b - part;
        if k + 1 < last {
            x = e[k];
            bulge = s * e[k + 1];
            e[k + 1] = c * e[k + 1];
        }
        rotated(k, c, s);
    }
}

/// Rotates two vectors: `c x + s y` and `c y − s x`.
pub fn rotate<T: Real>(x: &mut [T], y: &mut [T], c: T, s: T) {
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
    }
}
