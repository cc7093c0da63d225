//! Routines on the host: by the reference algorithm, or by blocks whose products a library computes.
//!
//! [`run`] chooses, for each routine in one place. Both ways read the same elements and give NaN in the same places, and
//! a matrix has the same bits on any number of threads. The next routine is a case of `blocked`.

mod cholesky;
mod decompositions;
mod triangular_solve;

use faer::traits::RealField;
use lawson_hlo::library::{Call, Input, Output, Real, Routine};
use lawson_kernel::cost::BLOCK;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, LinalgScalar};

/// f32 or f64, which the library multiplies too.
pub trait Element: Real + LinalgScalar + RealField {}

impl Element for f32 {}
impl Element for f64 {}

/// Computes one matrix of the batch, row by row; `exact` asks for the bits of the reference algorithm.
pub fn run<T: Element>(call: &Call, exact: bool, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) {
    match exact || call.unknowns() <= BLOCK {
        true => call.run(operands, results),
        false => blocked(call, operands, results),
    }
}

fn blocked<T: Element>(call: &Call, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) {
    use Input::Elements as In;
    use Output::Elements as Out;
    let size = (call.rows as usize, call.columns as usize);
    match (call.routine, operands, results) {
        (Routine::Cholesky { lower }, [In(a)], [Out(l)]) => cholesky::run(a, l, size.0, lower),
        (Routine::TriangularSolve(how), [In(a), In(b)], [Out(x)]) => {
            triangular_solve::run(a, b, (x, size), how);
        }
        (Routine::Linalg(_), operands, results) => {
            if !decompositions::run(call, operands, results) {
                call.run(operands, results);
            }
        }
        (Routine::Cholesky { .. } | Routine::TriangularSolve(_), operands, results) => {
            unreachable!("{} operands and {} results", operands.len(), results.len())
        }
    }
}

/// The rows of the first half of a matrix: whole blocks.
fn half(n: usize) -> usize {
    (n / 2).next_multiple_of(BLOCK as usize)
}

/// `c -= a b`
fn subtract_product<T: Element>(mut c: ArrayViewMut2<'_, T>, a: ArrayView2<'_, T>, b: ArrayView2<'_, T>) {
    general_mat_mul(-<T as Real>::ONE, &a, &b, <T as Real>::ONE, &mut c);
}

#[cfg(test)]
mod tests;
