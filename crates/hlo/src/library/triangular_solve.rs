//! Linear equations with a triangular matrix, for many right-hand sides.
//!
//! Unknowns are found one after the other: `x_k` is what is left of `b_k`, divided by the diagonal element unless that
//! counts as 1; then every equation still open loses its coefficient times `x_k`. The order is that of the indices where
//! the first equation has one unknown, else the reverse one. Each right-hand side is solved by itself, so neither their
//! number nor their order in memory changes a bit. A zero on the diagonal is divided by, as IEEE 754 has it.

use super::number::Number;
use crate::attrs::{Transpose, TriangularSolve};

/// Solves in place: `x` holds the right-hand sides, `rows` × `columns` row by row.
pub fn triangular_solve<T: Number>(
    a: &[T],
    x: &mut [T],
    (rows, columns): (usize, usize),
    how: TriangularSolve,
) {
    let n = if how.left_side { rows } else { columns };
    let coefficients = Coefficients {
        elements: a,
        n,
        transpose: how.transpose_a,
        lower: how.lower != (how.transpose_a != Transpose::No),
        unit_diagonal: how.unit_diagonal,
    };
    match how.left_side {
        true => solve_left(&coefficients, x, columns),
        false => solve_right(&coefficients, x),
    }
}

/// A triangular matrix, as it stands in the equations.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients<'a, T> {
    /// `n` × `n`, row by row before it is transposed.
    pub elements: &'a [T],
    pub n: usize,
    pub transpose: Transpose,
    /// The triangle that is not zero once it is transposed.
    pub lower: bool,
    /// The diagonal is not read and counts as 1.
    pub unit_diagonal: bool,
}

impl<T: Number> Coefficients<'_, T> {
    fn at(&self, i: usize, j: usize) -> T {
        match self.transpose {
            Transpose::No => self.elements[i * self.n + j],
            Transpose::Transpose => self.elements[j * self.n + i],
            Transpose::Adjoint => self.elements[j * self.n + i].conjugate(),
        }
    }
}

/// Solves `t x = b` in place, for `columns` right-hand sides that are the columns of `x`.
// Routines compile its loops for the vectors of the processor.
#[inline(always)]
pub fn solve_left<T: Number>(t: &Coefficients<'_, T>, x: &mut [T], columns: usize) {
    if columns == 0 {
        return;
    }
    for step in 0..t.n {
        let k = if t.lower { step } else { t.n - 1 - step };
        let (before, rest) = x.split_at_mut(k * columns);
        let (row, after) = rest.split_at_mut(columns);
        if !t.unit_diagonal {
            let diagonal = t.at(k, k);
            row.iter_mut().for_each(|x| *x = x.over(diagonal));
        }
        let (open, first) = if t.lower { (after, k + 1) } else { (before, 0) };
        for (i, other) in open.chunks_exact_mut(columns).enumerate() {
            let coefficient = t.at(first + i, k);
            other.iter_mut().zip(&*row).for_each(|(x, &known)| *x = x.minus_product(coefficient, known));
        }
    }
}

/// Solves `x t = b` in place, for right-hand sides that are the rows of `x`.
fn solve_right<T: Number>(t: &Coefficients<'_, T>, x: &mut [T]) {
    if t.n == 0 {
        return;
    }
    for row in x.chunks_exact_mut(t.n) {
        for step in 0..t.n {
            let k = if t.lower { t.n - 1 - step } else { step };
            if !t.unit_diagonal {
                row[k] = row[k].over(t.at(k, k));
            }
            let known = row[k];
            let (open, first) = if t.lower { (&mut row[..k], 0) } else { (&mut row[k + 1..], k + 1) };
            for (j, x) in open.iter_mut().enumerate() {
                *x = x.minus_product(t.at(k, first + j), known);
            }
        }
    }
}
