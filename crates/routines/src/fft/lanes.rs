//! Fourier transforms by code of our own: of several rows or columns at once, each in a lane ([`rows`], [`columns`]), and of one
//! row ([`long`]).

mod columns;
mod lines;
mod long;
mod passes;
mod plans;
mod rows;

use crate::columns::Columns;
use crate::element::Element;
use crate::instructions::Instructions;
use lawson_hlo::attrs::FftKind;
use std::cell::Cell;
use std::ops::Range;

/// Fewer rows or columns leave too many lanes without work.
const FEW: usize = 4;

/// Lines of a longer transform are not near a core.
const LONGEST: usize = 4096;

thread_local! {
    static ONLY_NARROW: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function as if the processor had AVX2 alone.
pub fn with_narrow_vectors<R>(f: impl FnOnce() -> R) -> R {
    let before = ONLY_NARROW.replace(true);
    let result = f();
    ONLY_NARROW.set(before);
    result
}

fn wide<T: Element>() -> Option<T::Wide> {
    T::Wide::detect().filter(|_| !ONLY_NARROW.get())
}

/// Transforms a row; tells whether it did, and all results are finite.
pub fn run<T: Element>(kind: FftKind, x: &[T], y: &mut [T], n: usize) -> bool {
    match (wide::<T>(), T::Narrow::detect()) {
        (Some(s), _) if long::vectors::<T::Wide>(kind, n).is_some() => long::run(s, kind, x, y, n),
        (_, Some(s)) => long::run(s, kind, x, y, n),
        (_, None) => false,
    }
}

/// Transforms the first rows of so many, and says how many: those that are left are too few. None where a result is not finite.
pub fn run_rows<T: Element>(kind: FftKind, x: &[T], y: &mut [T], n: usize, rows: usize) -> usize {
    if is_long::<T>(kind, n) {
        return 0;
    }
    match (wide::<T>(), T::Narrow::detect()) {
        (Some(s), _) => rows::run(s, kind, x, y, (n, rows)),
        (None, Some(s)) => rows::run(s, kind, x, y, (n, rows)),
        (None, None) => 0,
    }
}

/// Whether rows are better transformed one by one: each alone is nearer to the core than several are together.
fn is_long<T: Element>(kind: FftKind, n: usize) -> bool {
    let is_there = T::Narrow::detect().is_some();
    let with_wide = wide::<T>().and_then(|_| long::vectors::<T::Wide>(kind, n));
    match (with_wide, long::vectors::<T::Narrow>(kind, n)) {
        (Some(vectors), _) => vectors >= MANY_WIDE,
        (None, Some(vectors)) => is_there && vectors >= MANY_NARROW,
        (None, None) => false,
    }
}

/// From so many vectors on: measured on rows of 64 to 4096 complex numbers.
const MANY_WIDE: usize = 16;
const MANY_NARROW: usize = 64;

/// Transforms columns; tells whether it did, and all results are finite.
pub fn run_columns<T: Element>(
    kind: FftKind,
    x: (&[T], usize),
    y: &mut Columns<'_, T>,
    n: usize,
    which: Range<usize>,
) -> bool {
    match (wide::<T>(), T::Narrow::detect()) {
        (Some(s), _) => columns::run(s, kind, x, y, n, which),
        (None, Some(s)) => columns::run(s, kind, x, y, n, which),
        (None, None) => false,
    }
}
