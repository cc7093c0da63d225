//! Factors and triangular equations of matrices of complex numbers: the algorithms of [`super::cholesky`] and
//! [`super::triangular_solve`], with conjugates where those of real numbers have none.
//!
//! Matrices are read and written as floats, two for each element, the real part first. Products and sums of parts are each
//! rounded; a quotient is divided by the greater part of its divisor first, so that no square overflows.

use super::Real;
use crate::attrs::{Transpose, TriangularSolve};

/// The parts of a number.
type Pair<T> = [T; 2];

/// Writes the factor of the Hermitian matrix `a` to `out`, both `n` × `n` row by row. Imaginary parts on the diagonal are not
/// read.
pub fn cholesky<T: Real>(a: &[T], out: &mut [T], n: usize, lower: bool) {
    let (a, _) = a.as_chunks::<2>();
    let (out, _) = out.as_chunks_mut::<2>();
    for i in 0..n {
        for j in i..n {
            out[i * n + j] = if lower { conj(a[j * n + i]) } else { a[i * n + j] };
        }
    }
    if !factor(out, n) {
        return out.fill([T::NAN; 2]);
    }
    for i in 0..n {
        for j in i + 1..n {
            let element = out[i * n + j];
            out[j * n + i] = if lower { conj(element) } else { [T::ZERO; 2] };
            out[i * n + j] = if lower { [T::ZERO; 2] } else { element };
        }
    }
}

/// The upper triangle of uᴴu becomes u; tells whether all pivots are positive and finite.
fn factor<T: Real>(a: &mut [Pair<T>], n: usize) -> bool {
    for k in 0..n {
        let pivot = a[k * n + k][0];
        if !(pivot > T::ZERO && pivot.is_finite()) {
            return false;
        }
        let pivot = pivot.sqrt();
        a[k * n + k] = [pivot, T::ZERO];
        a[k * n + k + 1..][..n - k - 1].iter_mut().for_each(|x| *x = x.map(|part| part / pivot));
        let (done, below) = a.split_at_mut((k + 1) * n);
        let row = &done[k * n..];
        for (other, i) in below.chunks_exact_mut(n).zip(k + 1..n) {
            let factor = conj(row[i]);
            (i..n).for_each(|j| other[j] = minus_product(other[j], factor, row[j]));
        }
    }
    true
}

/// Solves in place: `x` holds the right-hand sides, `rows` × `columns` row by row.
pub fn triangular_solve<T: Real>(
    a: &[T],
    x: &mut [T],
    (rows, columns): (usize, usize),
    how: TriangularSolve,
) {
    let n = if how.left_side { rows } else { columns };
    let (a, _) = a.as_chunks::<2>();
    let (x, _) = x.as_chunks_mut::<2>();
    let transposed = how.transpose_a != Transpose::No;
    let at = |i: usize, j: usize| match how.transpose_a {
        Transpose::No => a[i * n + j],
        Transpose::Transpose => a[j * n + i],
        Transpose::Adjoint => conj(a[j * n + i]),
    };
    // x op(a) = b takes the equations of the transposed matrix, one right-hand side for each row.
    let coefficient = |i: usize, j: usize| if how.left_side { at(i, j) } else { at(j, i) };
    let first_is_alone = (how.lower != transposed) == how.left_side;
    let sides = if how.left_side { columns } else { rows };
    let place = |k: usize, side: usize| if how.left_side { k * columns + side } else { side * columns + k };
    for step in 0..n {
        let k = if first_is_alone { step } else { n - 1 - step };
        for side in 0..sides {
            if !how.unit_diagonal {
                x[place(k, side)] = divide(x[place(k, side)], coefficient(k, k));
            }
            let known = x[place(k, side)];
            let open = if first_is_alone { k + 1..n } else { 0..k };
            for i in open {
                x[place(i, side)] = minus_product(x[place(i, side)], coefficient(i, k), known);
            }
        }
    }
}

fn conj<T: Real>([re, im]: Pair<T>) -> Pair<T> {
    [re, -im]
}

/// z − x·y
fn minus_product<T: Real>(z: Pair<T>, [a, b]: Pair<T>, [c, d]: Pair<T>) -> Pair<T> {
    [z[0] - (a * c - b * d), z[1] - (a * d + b * c)]
}

fn divide<T: Real>([a, b]: Pair<T>, [c, d]: Pair<T>) -> Pair<T> {
    let (size_c, size_d) = (if c < T::ZERO { -c } else { c }, if d < T::ZERO { -d } else { d });
    let greater = if size_c < size_d { size_d } else { size_c };
    let (c, d) = (c / greater, d / greater);
    let square = c * c + d * d;
    [(a * c + b * d) / square / greater, (b * c - a * d) / square / greater]
}
