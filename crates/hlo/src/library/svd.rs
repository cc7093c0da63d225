//! Singular values and vectors of a matrix, by one-sided rotations (Hestenes).
//!
//! The matrix, divided by a power of two near its largest element, is taken with no more columns than rows, transposed if need
//! be. Rotations of two columns, in the order of their indices, make them orthogonal until no pair needs one; then the
//! lengths of the columns are the values, which descend. Columns too short to have a direction, and what full matrices have
//! beyond, are unit vectors made orthogonal to the others. Where an element is not finite, or rotations do not end, everything is
//! NaN.

use super::Real;
use super::eigh::rotate;
use super::householder::{largest, norm};

/// Most times that all pairs are visited; eight are usual.
const MAX_SWEEPS: usize = 30;

/// The vectors that are asked for: as many as values, or full bases.
#[derive(Debug)]
pub struct Vectors<'a, T> {
    /// Columns of so many rows as the matrix has.
    pub left: &'a mut [T],
    /// Rows of so many columns as the matrix has.
    pub right: &'a mut [T],
    pub full: bool,
}

/// Writes the singular values of `a`, `rows` × `columns` row by row, and the vectors.
pub fn svd<T: Real>(
    a: &[T],
    (rows, columns): (usize, usize),
    values: &mut [T],
    vectors: Option<Vectors<'_, T>>,
) {
    let tall = rows >= columns;
    let (m, n) = if tall { (rows, columns) } else { (columns, rows) };
    let most = largest(a.iter().copied());
    let scale = if most.is_finite() && most > T::ZERO { most.power_of_two() } else { T::ONE };
    // Columns of the tall matrix follow each other.
    let element = |at: usize| if tall { a[at % m * n + at / m] } else { a[at] };
    let mut left: Vec<T> = (0..n * m).map(|at| element(at) / scale).collect();
    let mut right: Vec<T> = (0..n * n).map(|at| if at % (n + 1) == 0 { T::ONE } else { T::ZERO }).collect();
    if !most.is_finite() || !orthogonalize(&mut left, &mut right, (m, n)) {
        values.fill(T::NAN);
        if let Some(vectors) = vectors {
            vectors.left.fill(T::NAN);
            vectors.right.fill(T::NAN);
        }
        return;
    }
    let lengths: Vec<T> = (0..n).map(|j| norm(left[j * m..][..m].iter().copied())).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| lengths[j].partial_cmp(&lengths[i]).unwrap_or(std::cmp::Ordering::Equal));
    values.iter_mut().zip(&order).for_each(|(s, &j)| *s = lengths[j] * scale);
    let Some(vectors) = vectors else { return };
    let negligible = order.first().map_or(T::ZERO, |&j| lengths[j] * T::EPSILON * T::EPSILON);
    let count = if vectors.full { m } else { n };
    let mut basis = Vec::with_capacity(count * m);
    for &j in order.iter().filter(|&&j| lengths[j] > negligible) {
        basis.extend(left[j * m..][..m].iter().map(|&x| x / lengths[j]));
    }
    complete(&mut basis, m, count);
    let right: Vec<T> = order.iter().flat_map(|&j| &right[j * n..][..n]).copied().collect();
    // `left` has its vectors as columns, `right` as rows.
    let (columns_of, rows_of) = if tall { (basis, right) } else { (right, basis) };
    let count = columns_of.len().checked_div(rows).unwrap_or(0);
    vectors.left.iter_mut().enumerate().for_each(|(at, x)| *x = columns_of[at % count * rows + at / count]);
    vectors.right.copy_from_slice(&rows_of);
}

/// Makes the columns orthogonal by rotations, which `right` goes through too; tells whether they are.
fn orthogonalize<T: Real>(left: &mut [T], right: &mut [T], (m, n): (usize, usize)) -> bool {
    sweeps((m, n), |i, j, tolerance| {
        let [x, y] = pair(left, m, (i, j));
        let (mut xx, mut yy, mut xy) = (T::ZERO, T::ZERO, T::ZERO);
        for (&x, &y) in x.iter().zip(&*y) {
            (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y);
        }
        let found = Products { xx, yy, xy: xy.abs() };
        if found.is_rotated(tolerance) {
            let (c, s) = rotation(xx, yy, xy);
            rotate(x, y, c, -s);
            let [x, y] = pair(right, n, (i, j));
            rotate(x, y, c, -s);
        }
        found
    })
}

/// The products of two columns with themselves and with each other, the last in absolute value.
pub struct Products<T> {
    pub xx: T,
    pub yy: T,
    pub xy: T,
}

impl<T: Real> Products<T> {
    /// Whether the columns are not orthogonal yet.
    pub fn is_rotated(&self, tolerance: T) -> bool {
        // Not-a-number is not small.
        let is_small = self.xy == T::ZERO || self.xy <= tolerance * self.xx.sqrt() * self.yy.sqrt();
        !is_small
    }
}

/// Visits all pairs of `n` columns of length `m`, again and again until none is rotated; `visit` rotates one where its products
/// exceed the tolerance. Tells whether that ended, but for what rounding leaves of the longest column.
pub fn sweeps<T: Real>(
    (m, n): (usize, usize),
    mut visit: impl FnMut(usize, usize, T) -> Products<T>,
) -> bool {
    let tolerance = T::EPSILON * T::of((m as f64).sqrt());
    let rounding = T::EPSILON * T::of(4.0 * m as f64);
    // The greatest product that is left, and the greatest square.
    let (mut left_over, mut greatest) = (T::ZERO, T::ZERO);
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        (left_over, greatest) = (T::ZERO, T::ZERO);
        for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
            let found = visit(i, j, tolerance);
            greatest = largest([greatest, found.xx, found.yy].into_iter());
            if found.is_rotated(tolerance) {
                rotated = true;
                left_over = largest([left_over, found.xy].into_iter());
            }
        }
        if !rotated {
            return true;
        }
    }
    left_over <= rounding * greatest
}

/// Cosine and sine of the smaller angle that makes the product of two columns zero, from their products.
pub fn rotation<T: Real>(xx: T, yy: T, xy: T) -> (T, T) {
    let twice = (yy - xx) / (T::of(2.0) * xy);
    let tangent = T::ONE.with_sign(twice) / (twice.abs() + twice.hypot(T::ONE));
    let c = T::ONE / tangent.hypot(T::ONE);
    (c, c * tangent)
}

/// Two of the vectors of this length.
pub fn pair<T>(vectors: &mut [T], length: usize, (i, j): (usize, usize)) -> [&mut [T]; 2] {
    let (before, after) = vectors.split_at_mut(j * length);
    [&mut before[i * length..][..length], &mut after[..length]]
}

/// Appends vectors of length `m` until there are `count`, each orthogonal to all before: of the unit vectors always the one
/// that has most of its length outside of them.
fn complete<T: Real>(basis: &mut Vec<T>, m: usize, count: usize) {
    let mut inside: Vec<T> = vec![T::ZERO; m];
    let note = |inside: &mut [T], vector: &[T]| {
        inside.iter_mut().zip(vector).for_each(|(sum, &x)| *sum = *sum + x * x);
    };
    basis.chunks_exact(m.max(1)).for_each(|vector| note(&mut inside, vector));
    while basis.len() < count * m {
        let least = (1..m).fold(0, |best, i| if inside[i] < inside[best] { i } else { best });
        let mut vector = vec![T::ZERO; m];
        vector[least] = T::ONE;
        // What the first pass leaves by rounding, the second one takes away.
        for _ in 0..2 {
            for known in basis.chunks_exact(m) {
                let part = known.iter().zip(&vector).fold(T::ZERO, |sum, (&a, &b)| sum + a * b);
                vector.iter_mut().zip(known).for_each(|(x, &k)| *x = *x - part * k);
            }
        }
        let length = norm(vector.iter().copied());
        vector.iter_mut().for_each(|x| *x = *x / length);
        note(&mut inside, &vector);
        basis.extend(vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_of_few_rows_takes_memory_for_its_results_only() {
        // A full basis of this length would not fit in any memory.
        let columns = 400_000;
        let a: Vec<f32> = (0..2 * columns).map(|at| if at % 2 == at / columns { 3.0 } else { 0.0 }).collect();
        let (mut values, mut left, mut right) = ([0.0; 2], [0.0; 4], vec![0.0; 2 * columns]);
        let vectors = Vectors { left: &mut left, right: &mut right, full: false };
        svd(&a, (2, columns), &mut values, Some(vectors));
        let length = 3.0 * (columns as f32 / 2.0).sqrt();
        assert!(values.iter().all(|s| (s / length - 1.0).abs() < 1e-3), "{values:?}, not {length}");
        let sum: f64 = right[..columns].iter().map(|&x| f64::from(x) * f64::from(x)).sum();
        assert!((sum - 1.0).abs() < 1e-3, "the length of a right vector is {sum}");
    }
}
