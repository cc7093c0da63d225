//! Factors and equations of complex matrices, by faer. What is not finite is left to the reference algorithm as a whole, which makes
//! infinities and NaN of it where they belong.

use crate::element::Element;
use crate::scalar::{Scalar, are_finite};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj, solve_unit_lower_triangular_in_place_with_conj,
    solve_unit_upper_triangular_in_place_with_conj, solve_upper_triangular_in_place_with_conj,
};
use faer::{Conj, MatMut, MatRef, Par};
use lawson_hlo::attrs::{Transpose, TriangularSolve};
use lawson_hlo::library::Real;
use num_complex::Complex;

/// Writes the factor of a Hermitian matrix, `n` × `n` row by row, of which one triangle is read; tells whether it is finite.
pub(crate) fn cholesky<T: Element>(a: &[Complex<T>], out: &mut [Complex<T>], n: usize, lower: bool) -> bool {
    let zero = Complex::of_real(<T as Real>::ZERO);
    // The library makes a lower triangle of the lower one, which it wants column by column.
    let mut columns: Vec<Complex<T>> = (0..n * n)
        .map(|at| match (at % n, at / n) {
            (i, j) if i < j => zero,
            (i, j) if i == j => Complex::of_real(a[at].re),
            (i, j) if lower => a[i * n + j],
            (i, j) => a[j * n + i].conjugate(),
        })
        .collect();
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<Complex<T>>(n, Par::Seq, Default::default()));
    let matrix = MatMut::from_column_major_slice_mut(&mut columns, n, n);
    let stack = MemStack::new(&mut memory);
    if cholesky_in_place(matrix, Default::default(), Par::Seq, stack, Default::default()).is_err() {
        return false;
    }
    for (at, x) in out.iter_mut().enumerate() {
        let (i, j) = (at / n, at % n);
        *x = match lower {
            true if j <= i => columns[j * n + i],
            false if i <= j => columns[i * n + j].conjugate(),
            _ => zero,
        };
    }
    are_finite(out)
}

/// Writes the LU factors of `a`, `rows` × `columns` row by row, with the exchanges of rows; tells whether they are finite.
pub(crate) fn lu<T: Element>(
    a: &[Complex<T>],
    out: &mut [Complex<T>],
    (rows, columns): (usize, usize),
    pivots: &mut [i32],
    permutation: &mut [i32],
) -> bool {
    let mut factors: Vec<Complex<T>> =
        (0..rows * columns).map(|at| a[at % rows * columns + at / rows]).collect();
    let need = lu_in_place_scratch::<u32, Complex<T>>(rows, columns, Par::Seq, Default::default());
    let (mut order, mut places) = (vec![0u32; rows], vec![0u32; rows]);
    lu_in_place(
        MatMut::from_column_major_slice_mut(&mut factors, rows, columns),
        &mut order,
        &mut places,
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(need)),
        Default::default(),
    );
    for (i, row) in out.chunks_exact_mut(columns.max(1)).enumerate() {
        row.iter_mut().enumerate().for_each(|(j, x)| *x = factors[j * rows + i]);
    }
    permutation.iter_mut().zip(&order).for_each(|(p, &row)| *p = row as i32);
    exchanges(&order, pivots);
    are_finite(out)
}

/// With which row each was exchanged, one after the other, so that they come in this order.
fn exchanges(order: &[u32], pivots: &mut [i32]) {
    let mut rows: Vec<u32> = (0..order.len() as u32).collect();
    let mut place_of = rows.clone();
    for (k, pivot) in pivots.iter_mut().enumerate() {
        let at = place_of[order[k] as usize] as usize;
        *pivot = at as i32;
        rows.swap(k, at);
        (place_of[rows[k] as usize], place_of[rows[at] as usize]) = (k as u32, at as u32);
    }
}

/// Writes the solution for the right-hand sides `b` to `x`, which has so many rows and columns, row by row; tells whether it is finite.
pub(crate) fn solve<T: Element>(
    a: &[Complex<T>],
    b: &[Complex<T>],
    (x, (rows, columns)): (&mut [Complex<T>], (usize, usize)),
    how: TriangularSolve,
) -> bool {
    x.copy_from_slice(b);
    let n = if how.left_side { rows } else { columns };
    let conjugate = if how.transpose_a == Transpose::Adjoint { Conj::Yes } else { Conj::No };
    // x op(a) = b is op(a)ᵀ xᵀ = bᵀ.
    let turned = (how.transpose_a != Transpose::No) == how.left_side;
    let triangle = MatRef::from_row_major_slice(a, n, n);
    let sides = MatMut::from_row_major_slice_mut(&mut *x, rows, columns);
    // Strides that are known only at run time: all cases are one then.
    let triangle = if turned { triangle.transpose().as_dyn_stride() } else { triangle.as_dyn_stride() };
    let sides =
        if how.left_side { sides.as_dyn_stride_mut() } else { sides.transpose_mut().as_dyn_stride_mut() };
    match (how.lower != turned, how.unit_diagonal) {
        (true, false) => solve_lower_triangular_in_place_with_conj(triangle, conjugate, sides, Par::Seq),
        (true, true) => solve_unit_lower_triangular_in_place_with_conj(triangle, conjugate, sides, Par::Seq),
        (false, false) => solve_upper_triangular_in_place_with_conj(triangle, conjugate, sides, Par::Seq),
        (false, true) => solve_unit_upper_triangular_in_place_with_conj(triangle, conjugate, sides, Par::Seq),
    }
    are_finite(x)
}
