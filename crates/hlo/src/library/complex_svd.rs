//! Singular values and vectors of a complex matrix: the algorithm of [`super::svd`], in which a column is turned until its product
//! with the other is real before both are rotated, and the matrix with no more columns than rows is the adjoint.

use super::Real;
use super::eigh::rotate;
use super::number::Number;
use super::pair::{Pair, direction, dot, largest_part, length, mul, sub};
use super::svd::{Products, Vectors, pair, rotation, sweeps};

/// Writes the singular values of `a`, `rows` × `columns` row by row, and the vectors.
pub fn svd<T: Real>(
    a: &[T],
    (rows, columns): (usize, usize),
    values: &mut [T],
    vectors: Option<Vectors<'_, T>>,
) {
    let (a, _) = a.as_chunks::<2>();
    let tall = rows >= columns;
    let (m, n) = if tall { (rows, columns) } else { (columns, rows) };
    let most = largest_part(a);
    let scale = if most.is_finite() && most > T::ZERO { most.power_of_two() } else { T::ONE };
    // Columns of the tall matrix follow each other.
    let element = |at: usize| if tall { a[at % m * n + at / m] } else { a[at].conjugate() };
    let mut left: Vec<Pair<T>> = (0..n * m).map(|at| element(at).map(|x| x / scale)).collect();
    let unit = |at: usize| [if at.is_multiple_of(n + 1) { T::ONE } else { T::ZERO }, T::ZERO];
    let mut right: Vec<Pair<T>> = (0..n * n).map(unit).collect();
    if !most.is_finite() || !orthogonalize(&mut left, &mut right, (m, n)) {
        values.fill(T::NAN);
        if let Some(vectors) = vectors {
            vectors.left.fill(T::NAN);
            vectors.right.fill(T::NAN);
        }
        return;
    }
    let lengths: Vec<T> = (0..n).map(|j| length(&left[j * m..][..m])).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| lengths[j].partial_cmp(&lengths[i]).unwrap_or(std::cmp::Ordering::Equal));
    values.iter_mut().zip(&order).for_each(|(s, &j)| *s = lengths[j] * scale);
    let Some(vectors) = vectors else { return };
    let negligible = order.first().map_or(T::ZERO, |&j| lengths[j] * T::EPSILON * T::EPSILON);
    let count = if vectors.full { m } else { n };
    let mut basis: Vec<Pair<T>> = Vec::with_capacity(count * m);
    for &j in order.iter().filter(|&&j| lengths[j] > negligible) {
        basis.extend(left[j * m..][..m].iter().map(|x| x.map(|part| part / lengths[j])));
    }
    complete(&mut basis, m, count);
    let right: Vec<Pair<T>> = order.iter().flat_map(|&j| &right[j * n..][..n]).copied().collect();
    let (columns_of, rows_of) = if tall { (basis, right) } else { (right, basis) };
    let count = columns_of.len().checked_div(rows).unwrap_or(0);
    let (to, _) = vectors.left.as_chunks_mut();
    to.iter_mut().enumerate().for_each(|(at, x)| *x = columns_of[at % count * rows + at / count]);
    let (to, _) = vectors.right.as_chunks_mut();
    to.iter_mut().zip(rows_of).for_each(|(to, x)| *to = x.conjugate());
}

/// Makes the columns orthogonal by rotations, which `right` goes through too; tells whether they are.
fn orthogonalize<T: Real>(left: &mut [Pair<T>], right: &mut [Pair<T>], (m, n): (usize, usize)) -> bool {
    sweeps((m, n), |i, j, tolerance| {
        let [x, y] = pair(left, m, (i, j));
        let (xx, yy) = (dot(x, x)[0], dot(y, y)[0]);
        let (turn, xy) = direction(dot(x, y));
        let found = Products { xx, yy, xy };
        if found.is_rotated(tolerance) {
            let (c, s) = rotation(xx, yy, xy);
            for (vectors, length) in [(&mut *left, m), (&mut *right, n)] {
                let [x, y] = pair(vectors, length, (i, j));
                y.iter_mut().for_each(|y| *y = mul(*y, turn.conjugate()));
                rotate(x.as_flattened_mut(), y.as_flattened_mut(), c, -s);
            }
        }
        found
    })
}

/// Appends vectors of length `m` until there are `count`, each orthogonal to all before: of the unit vectors always the one
/// that has most of its length outside of them.
fn complete<T: Real>(basis: &mut Vec<Pair<T>>, m: usize, count: usize) {
    let mut inside: Vec<T> = vec![T::ZERO; m];
    let note = |inside: &mut [T], vector: &[Pair<T>]| {
        inside.iter_mut().zip(vector).for_each(|(sum, &x)| *sum = *sum + mul(x, x.conjugate())[0]);
    };
    basis.chunks_exact(m.max(1)).for_each(|vector| note(&mut inside, vector));
    while basis.len() < count * m {
        let least = (1..m).fold(0, |best, i| if inside[i] < inside[best] { i } else { best });
        let mut vector = vec![[T::ZERO; 2]; m];
        vector[least][0] = T::ONE;
        // What the first pass leaves by rounding, the second one takes away.
        for _ in 0..2 {
            for known in basis.chunks_exact(m) {
                let part = dot(known, &vector);
                vector.iter_mut().zip(known).for_each(|(x, &k)| *x = sub(*x, mul(part, k)));
            }
        }
        let length = length(&vector);
        vector.iter_mut().flatten().for_each(|x| *x = *x / length);
        note(&mut inside, &vector);
        basis.extend(vector);
    }
}
