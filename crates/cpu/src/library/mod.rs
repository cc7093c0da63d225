//! Routines on the host: by the reference algorithm, by blocks whose products a library computes, or by a library.
//!
//! [`run`] chooses, for each routine in one place. Both ways read the same elements and give NaN in the same places, and
//! a matrix has the same bits on any number of threads. The next routine is a case of `approximate`.

mod cholesky;
mod decompositions;
mod fft;
mod triangular_solve;

use bytemuck::Pod;
use faer::traits::RealField;
use fft::Planners;
use lawson_hlo::library::{Call, Input, Output, Real, Routine};
use lawson_kernel::cost::BLOCK;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, LinalgScalar};
use rustfft::FftNum;
use std::cell::RefCell;

/// f32 or f64, which the libraries compute with too.
pub trait Element: Real + LinalgScalar + RealField + FftNum + Pod {
    /// What transforms of this type are planned by; plans are kept.
    fn with_planners<R>(f: impl FnOnce(&mut Planners<Self>) -> R) -> R;
}

macro_rules! element {
    ($t:ident) => {
        impl Element for $t {
            fn with_planners<R>(f: impl FnOnce(&mut Planners<$t>) -> R) -> R {
                thread_local! {
                    static PLANNERS: RefCell<Planners<$t>> = RefCell::default();
                }
                PLANNERS.with_borrow_mut(f)
            }
        }
    };
}

element!(f32);
element!(f64);

/// Computes one matrix of the batch, row by row; `exact` asks for the bits of the reference algorithm.
pub fn run<T: Element>(call: &Call, exact: bool, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) {
    match call.routine {
        // No library is asked for factors of complex matrices.
        _ if exact || call.dtype.is_complex() => call.run(operands, results),
        Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Linalg(_)
            if call.unknowns() <= BLOCK =>
        {
            call.run(operands, results);
        }
        _ => approximate(call, operands, results),
    }
}

/// By an algorithm whose roundings are its own.
fn approximate<T: Element>(call: &Call, operands: &[Input<'_, T>], results: &mut [Output<'_, T>]) {
    use Input::Elements as In;
    use Output::Elements as Out;
    let size = (call.rows as usize, call.columns as usize);
    match (call.routine, operands, results) {
        (Routine::Cholesky { lower }, [In(a)], [Out(l)]) => cholesky::run(a, l, size.0, lower),
        (Routine::TriangularSolve(how), [In(a), In(b)], [Out(x)]) => {
            triangular_solve::run(a, b, (x, size), how);
        }
        (Routine::Fft { kind, length }, [In(x)], [Out(y)]) => fft::run(kind, x, y, length as usize),
        (Routine::Linalg(_), operands, results) => {
            if !decompositions::run(call, operands, results) {
                call.run(operands, results);
            }
        }
        (Routine::Cholesky { .. } | Routine::TriangularSolve(_) | Routine::Fft { .. }, operands, results) => {
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
