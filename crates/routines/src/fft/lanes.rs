//! Fourier transforms by code of our own: of several rows or columns at once, each in a lane ([`rows`], [`columns`]), and of one long
//! row in f32 ([`long`]).

mod columns;
mod instructions;
mod lines;
mod long;
mod passes;
mod plans;
mod rows;

pub use instructions::{Avx2, Avx512, Instructions};

use crate::columns::Columns;
use crate::element::Element;
use lawson_hlo::attrs::FftKind;
use std::ops::Range;

/// Lines of a longer transform are not near a core.
const LONGEST: usize = 4096;

/// Transforms a row; tells whether it did, and all results are finite.
pub fn run<T: Element>(kind: FftKind, x: &[T], y: &mut [T], n: usize) -> bool {
    std::any::TypeId::of::<T>() == std::any::TypeId::of::<f32>()
        && long::run(kind, bytemuck::cast_slice(x), bytemuck::cast_slice_mut(y), n)
}

/// Transforms rows that follow each other; tells whether it did, and all results are finite.
pub fn run_rows<T: Element>(kind: FftKind, x: &[T], y: &mut [T], n: usize, rows: usize) -> bool {
    match (T::Wide::detect(), T::Narrow::detect()) {
        (Some(s), _) => rows::run(s, kind, x, y, (n, rows)),
        (None, Some(s)) => rows::run(s, kind, x, y, (n, rows)),
        (None, None) => false,
    }
}

/// Transforms columns; tells whether it did, and all results are finite.
pub fn run_columns<T: Element>(
    kind: FftKind,
    x: (&[T], usize),
    y: &mut Columns<'_, T>,
    n: usize,
    which: Range<usize>,
) -> bool {
    match (T::Wide::detect(), T::Narrow::detect()) {
        (Some(s), _) => columns::run(s, kind, x, y, n, which),
        (None, Some(s)) => columns::run(s, kind, x, y, n, which),
        (None, None) => false,
    }
}
