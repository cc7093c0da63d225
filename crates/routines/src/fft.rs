//! Fourier transforms: by code of our own for vectors ([`lanes`]) of several rows or columns, and of one row that fills vectors, where
//! the length has no large prime factor; else by rustfft and realfft.
//!
//! Where a sum on the way overflows, the reference algorithm tells whether the result does.
//!
//! Plans and scratch memory are kept for each thread: those of up to [`PLANS`] lengths, and up to [`KEPT`] elements of scratch.

mod columns;
#[cfg(target_arch = "x86_64")]
pub mod lanes;
#[cfg(not(target_arch = "x86_64"))]
pub mod lanes {
    //! There is no code of our own for the vectors of other processors.

    use crate::columns::Columns;
    use lawson_hlo::attrs::FftKind;
    use std::ops::Range;

    pub fn with_narrow_vectors<R>(f: impl FnOnce() -> R) -> R {
        f()
    }

    pub fn run<T>(_: FftKind, _: &[T], _: &mut [T], _: usize) -> bool {
        false
    }

    pub fn run_rows<T>(_: FftKind, _: &[T], _: &mut [T], _: usize, _: usize) -> usize {
        0
    }

    pub fn run_columns<T>(
        _: FftKind,
        _: (&[T], usize),
        _: &mut Columns<'_, T>,
        _: usize,
        _: Range<usize>,
    ) -> bool {
        false
    }
}

pub use columns::run_columns;

use crate::element::{Element, Planners};
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::{self, GROUP, Real};
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// Scratch longer than this is given back.
const KEPT: usize = 1 << 16;
/// With a further length all plans are made anew.
const PLANS: usize = 32;

/// Transforms one row. Complex numbers are two floats each; `n` is the length of the transform.
pub fn run<T: Element>(kind: FftKind, x: &[T], y: &mut [T], n: usize) {
    if n == 0 || lanes::run(kind, x, y, n) {
        return;
    }
    T::with_planners(|planners| {
        planners.remember(n);
        match kind {
            FftKind::Fft | FftKind::Ifft => planners.complex(kind, x, y, n),
            FftKind::Rfft => planners.transform_real(x, y, n),
            FftKind::Irfft => planners.transform_to_real(x, y, n),
        }
        if planners.scratch.len() > KEPT || planners.row.len() > KEPT {
            (planners.scratch, planners.row) = (Vec::new(), Vec::new());
        }
    });
    if !is_finite(y) && is_finite(x) {
        library::fft(kind, x, y, n);
    }
}

/// Transforms rows one after the other, or short ones side by side, in groups that are the same however rows are divided among calls.
pub fn run_rows<T: Element>(kind: FftKind, x: &[T], y: &mut [T], n: usize, rows: usize) {
    let (read, written) = (x.len() / rows.max(1), y.len() / rows.max(1));
    let mut first = 0;
    while first < rows {
        let end = (first + GROUP).min(rows);
        let (x, y) = (&x[first * read..end * read], &mut y[first * written..end * written]);
        for row in lanes::run_rows(kind, x, y, n, end - first)..end - first {
            run(kind, &x[row * read..][..read], &mut y[row * written..][..written], n);
        }
        first = end;
    }
}

/// Without a branch for each element, which would take as long as the transform.
fn is_finite<T: Element>(x: &[T]) -> bool {
    x.iter().fold(true, |all, &x| all & Real::is_finite(x))
}

impl<T: Element> Planners<T> {
    fn remember(&mut self, n: usize) {
        if self.lengths.contains(&n) {
            return;
        }
        if self.lengths.len() == PLANS {
            *self = Planners::default();
        }
        self.lengths.push(n);
    }

    fn complex(&mut self, kind: FftKind, x: &[T], y: &mut [T], n: usize) {
        let inverse = kind == FftKind::Ifft;
        let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
        let is_last = |plan: &&Arc<dyn Fft<T>>| plan.len() == n && plan.fft_direction() == direction;
        let plan = match self.last.as_ref().filter(is_last) {
            Some(plan) => plan.clone(),
            None => self.last.insert(self.complex.plan_fft(n, direction)).clone(),
        };
        let scratch = grown(&mut self.scratch, plan.get_immutable_scratch_len());
        plan.process_immutable_with_scratch(bytemuck::cast_slice(x), bytemuck::cast_slice_mut(y), scratch);
        if inverse {
            divide(y, n);
        }
    }

    fn transform_real(&mut self, x: &[T], y: &mut [T], n: usize) {
        let plan = self.real.plan_fft_forward(n);
        let scratch = grown(&mut self.scratch, plan.get_scratch_len());
        let row = grown(&mut self.row, n);
        row.copy_from_slice(x);
        let done = plan.process_with_scratch(row, bytemuck::cast_slice_mut(y), scratch);
        debug_assert!(done.is_ok(), "{done:?}");
    }

    fn transform_to_real(&mut self, x: &[T], y: &mut [T], n: usize) {
        let plan = self.real.plan_fft_inverse(n);
        let half = n / 2 + 1;
        let scratch = grown(&mut self.scratch, plan.get_scratch_len() + half);
        let (row, scratch) = scratch.split_at_mut(half);
        row.copy_from_slice(bytemuck::cast_slice(x));
        row[0].im = T::ZERO;
        if n.is_multiple_of(2) {
            row[half - 1].im = T::ZERO;
        }
        let done = plan.process_with_scratch(row, y, scratch);
        debug_assert!(done.is_ok(), "{done:?}");
        divide(y, n);
    }
}

fn divide<T: Element>(row: &mut [T], n: usize) {
    let n = T::of(n as f64);
    row.iter_mut().for_each(|x| *x /= n);
}

/// The first `n` elements, made where they are missing.
fn grown<E: Copy + rustfft::num_traits::Zero>(scratch: &mut Vec<E>, n: usize) -> &mut [E] {
    if scratch.len() < n {
        scratch.resize(n, E::zero());
    }
    &mut scratch[..n]
}
