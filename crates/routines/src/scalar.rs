//! What matrices are made of: real numbers, and complex ones, which callers give as two floats each, the real part first.

use crate::element::Element;
use bytemuck::Pod;
use faer::linalg::matmul::matmul;
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par};
use lawson_hlo::library::Real;
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, CowArray, Ix2, LinalgScalar};
use num_complex::Complex;

/// A real or complex number, which the libraries compute with too.
pub(crate) trait Scalar: ComplexField<Real = Self::Part> + LinalgScalar + Pod + Send + Sync {
    type Part: Element;
    fn of_real(x: Self::Part) -> Self;
    fn real(self) -> Self::Part;
    fn conjugate(self) -> Self;
    /// Both parts, multiplied by a number.
    fn times(self, factor: Self::Part) -> Self;
    /// `c = c + factor a b`, or without what was there.
    fn product(
        c: ArrayViewMut2<'_, Self>,
        keep: Keep,
        factor: Self::Part,
        a: ArrayView2<'_, Self>,
        b: ArrayView2<'_, Self>,
    );
}

/// What becomes of the matrix where a product is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    Nothing,
    Sum,
}

impl<T: Element> Scalar for T {
    type Part = T;

    fn of_real(x: T) -> T {
        x
    }

    fn real(self) -> T {
        self
    }

    fn conjugate(self) -> T {
        self
    }

    fn times(self, factor: T) -> T {
        self * factor
    }

    fn product(
        mut c: ArrayViewMut2<'_, T>,
        keep: Keep,
        factor: T,
        a: ArrayView2<'_, T>,
        b: ArrayView2<'_, T>,
    ) {
        let kept = if keep == Keep::Sum { <T as Real>::ONE } else { <T as Real>::ZERO };
        general_mat_mul(factor, &a, &b, kept, &mut c);
    }
}

impl<T: Element> Scalar for Complex<T> {
    type Part = T;

    fn of_real(x: T) -> Complex<T> {
        Complex::new(x, <T as Real>::ZERO)
    }

    fn real(self) -> T {
        self.re
    }

    fn conjugate(self) -> Complex<T> {
        Complex::new(self.re, -self.im)
    }

    fn times(self, factor: T) -> Complex<T> {
        Complex::new(self.re * factor, self.im * factor)
    }

    /// By faer, whose products of complex matrices take half as long. Matrices that lie in parts are copied.
    fn product(
        mut c: ArrayViewMut2<'_, Complex<T>>,
        keep: Keep,
        factor: T,
        a: ArrayView2<'_, Complex<T>>,
        b: ArrayView2<'_, Complex<T>>,
    ) {
        let (a, b) = (in_line(a), in_line(b));
        let (Some(a), Some(b)) = (for_faer(a.view()), for_faer(b.view())) else {
            unreachable!("matrices whose rows or columns follow each other")
        };
        let accumulate = if keep == Keep::Sum { Accum::Add } else { Accum::Replace };
        let factor = Complex::of_real(factor);
        let (rows, columns) = c.dim();
        if let Some(c) = c.as_slice_mut() {
            return matmul(
                MatMut::from_row_major_slice_mut(c, rows, columns),
                accumulate,
                a,
                b,
                factor,
                Par::Seq,
            );
        }
        let mut copy: Vec<Complex<T>> = c.iter().copied().collect();
        let out = MatMut::from_row_major_slice_mut(&mut copy, rows, columns);
        matmul(out, accumulate, a, b, factor, Par::Seq);
        c.iter_mut().zip(copy).for_each(|(x, new)| *x = new);
    }
}

/// A matrix whose rows or columns follow each other.
fn in_line<S: Scalar>(x: ArrayView2<'_, S>) -> CowArray<'_, S, Ix2> {
    if x.is_standard_layout() || x.t().is_standard_layout() { x.into() } else { x.to_owned().into() }
}

/// Such a matrix, for faer.
fn for_faer<S: Scalar>(x: ArrayView2<'_, S>) -> Option<MatRef<'_, S>> {
    let (rows, columns) = x.dim();
    match x.to_slice() {
        Some(x) => Some(MatRef::from_row_major_slice(x, rows, columns).as_dyn_stride()),
        None => Some(
            MatRef::from_column_major_slice(x.reversed_axes().to_slice()?, rows, columns).as_dyn_stride(),
        ),
    }
}

/// The numbers that these floats are.
pub(crate) fn numbers<S: Scalar>(parts: &[S::Part]) -> &[S] {
    bytemuck::cast_slice(parts)
}

/// The same, to be written.
pub(crate) fn numbers_mut<S: Scalar>(parts: &mut [S::Part]) -> &mut [S] {
    bytemuck::cast_slice_mut(parts)
}

/// Whether all parts of these numbers are finite.
pub(crate) fn are_finite<S: Scalar>(x: &[S]) -> bool {
    let parts: &[S::Part] = bytemuck::cast_slice(x);
    parts.iter().fold(true, |all, &x| all & Real::is_finite(x))
}
