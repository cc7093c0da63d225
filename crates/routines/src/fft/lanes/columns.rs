//! Columns of a matrix, as many at once as a vector has lanes: where their rows are in different sets of the caches, the first pass
//! reads them, and the last one writes their transforms; else they are copied to lines and back.

use super::lines::{Mirror, complex_numbers, is_zero, load_some, of_half, place, scale, store_some, to_half};
use super::passes::{C, Sink, Source, after, between, pass};
use super::plans::{Plan, Plans, with_plans};
use super::{FEW, LONGEST};
use crate::columns::Columns;
use crate::instructions::{Call, Instructions};
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::Real;
use std::ops::Range;

/// Transforms columns; tells whether it did, and all results are finite.
pub fn run<S: Instructions>(
    s: S,
    kind: FftKind,
    (x, columns): (&[S::Float], usize),
    y: &mut Columns<'_, S::Float>,
    n: usize,
    which: Range<usize>,
) -> bool {
    let pairs = complex_numbers(kind, n);
    let (m, paired) = (pairs.unwrap_or(n), pairs.is_some());
    if !(1..=LONGEST).contains(&m) || which.len() < FEW {
        return false;
    }
    with_plans(|plans: &mut Plans<S>| {
        let Some((plan, mut lines)) = plans.of(s, m) else { return false };
        let mut check = s.splat(<S::Float as Real>::ZERO);
        // Rows that are apart by a multiple of this share few sets of the caches: they are better read and written in order.
        let in_order = (columns * parts(kind) * size_of::<S::Float>()).is_multiple_of(1 << 10);
        for first in which.clone().step_by(S::LANES) {
            let end = (first + S::LANES).min(which.end);
            let x = &Matrix { x, columns, which: first..end };
            let at = first - which.start..end - which.start;
            let write = Write { kind, m, paired, scale: s.splat(scale(kind, m)), check, y: &mut *y, at };
            let lines = &mut lines;
            let whole = matches!(kind, FftKind::Fft | FftKind::Ifft);
            check = match plan.passes.split_last() {
                Some((last, [])) if whole => pass(s, last, Complex(x), write).check,
                Some((last, before)) if whole && !in_order => {
                    after(s, before, Complex(x), lines);
                    pass(s, last, &*lines[0], write).check
                }
                _ => in_lines(s, plan, lines, x, write),
            };
        }
        is_zero(s, check)
    })
}

/// Copies columns to lines, transforms these, and copies the results back; gives the check.
fn in_lines<S: Instructions>(
    s: S,
    plan: &Plan<S::Float>,
    lines: &mut [&mut [C<S>]; 2],
    x: &Matrix<'_, S::Float>,
    write: Write<'_, '_, S>,
) -> S::Vector {
    let Write { kind, m, paired, .. } = write;
    let to = &mut *lines[0];
    match (kind, paired) {
        (FftKind::Fft | FftKind::Ifft, _) => s.call(ReadAll { lines: to, from: Complex(x) }),
        (FftKind::Rfft, true) => s.call(ReadAll { lines: to, from: Pairs(x) }),
        (FftKind::Rfft, false) => s.call(ReadAll { lines: to, from: Reals(x) }),
        (FftKind::Irfft, true) => {
            s.call(ReadAll { lines: to, from: Complex(x) });
            of_half(s, to, &plan.half, Complex(x).get(s, m).re);
        }
        (FftKind::Irfft, false) => {
            s.call(ReadAll { lines: &mut to[..m / 2 + 1], from: Complex(x) });
            s.call(Mirror { lines: to });
        }
    }
    between(s, &plan.passes, lines);
    let lines = &mut *lines[0];
    let (results, last) = match (kind, paired) {
        (FftKind::Rfft, true) => (m, Some(to_half(s, lines, &plan.half))),
        (FftKind::Rfft, false) => (m / 2 + 1, None),
        (FftKind::Fft | FftKind::Ifft | FftKind::Irfft, _) => (m, None),
    };
    s.call(WriteAll { lines, results, last, write })
}

/// Floats of an element that is read.
fn parts(kind: FftKind) -> usize {
    if kind == FftKind::Rfft { 1 } else { 2 }
}

/// Rows that are asked for ahead of each that is read or written: no processor does so by itself where each is in another page.
const AHEAD: usize = 8;

/// Columns of a matrix of so many, at most as many as there are lanes.
struct Matrix<'a, T> {
    x: &'a [T],
    columns: usize,
    which: Range<usize>,
}

impl<T: Real> Matrix<'_, T> {
    /// The elements of a row, of so many floats each, while those of a later row are fetched.
    #[inline(always)]
    fn row<S: Instructions<Float = T>>(&self, s: S, k: usize, parts: usize) -> &[T] {
        let count = self.which.len() * parts;
        let at = |k: usize| (k * self.columns + self.which.start) * parts;
        if let Some(later) = self.x.get(at(k + AHEAD)..at(k + AHEAD) + count) {
            s.prefetch(later, false);
        }
        &self.x[at(k)..][..count]
    }
}

/// Rows of complex numbers.
#[derive(Clone, Copy)]
struct Complex<'a, T>(&'a Matrix<'a, T>);

impl<S: Instructions> Source<S> for Complex<'_, S::Float> {
    #[inline(always)]
    fn get(&self, s: S, k: usize) -> C<S> {
        let row = self.0.row(s, k, 2);
        let (re, im) = s.apart(load_some(s, row), load_some(s, row.get(S::LANES..).unwrap_or_default()));
        C { re, im }
    }
}

/// Pairs of rows of real numbers.
struct Pairs<'a, T>(&'a Matrix<'a, T>);

impl<S: Instructions> Source<S> for Pairs<'_, S::Float> {
    #[inline(always)]
    fn get(&self, s: S, k: usize) -> C<S> {
        C { re: load_some(s, self.0.row(s, 2 * k, 1)), im: load_some(s, self.0.row(s, 2 * k + 1, 1)) }
    }
}

/// Rows of real numbers.
struct Reals<'a, T>(&'a Matrix<'a, T>);

impl<S: Instructions> Source<S> for Reals<'_, S::Float> {
    #[inline(always)]
    fn get(&self, s: S, k: usize) -> C<S> {
        C { re: load_some(s, self.0.row(s, k, 1)), im: s.splat(<S::Float as Real>::ZERO) }
    }
}

/// Writes results, and adds zero times them to `check`: NaN if one of them is not finite.
struct Write<'a, 'y, S: Instructions> {
    kind: FftKind,
    m: usize,
    /// Whether lines are pairs of real numbers.
    paired: bool,
    scale: S::Vector,
    check: S::Vector,
    y: &'a mut Columns<'y, S::Float>,
    /// Where the columns are among those of `y`.
    at: Range<usize>,
}

impl<S: Instructions> Write<'_, '_, S> {
    /// The elements of a row, of so many floats each.
    #[inline(always)]
    fn row(&mut self, s: S, k: usize, parts: usize) -> &mut [S::Float] {
        let Range { start, end } = self.at;
        let (start, end) = (start * parts, end * parts);
        if k + AHEAD < self.y.rows() {
            s.prefetch(&self.y.of_row(k + AHEAD)[start..end], true);
        }
        &mut self.y.of_row(k)[start..end]
    }

    #[inline(always)]
    fn complex(&mut self, s: S, k: usize, C { re, im }: C<S>) {
        let zero = s.splat(<S::Float as Real>::ZERO);
        self.check = s.mul_add(re, zero, s.mul_add(im, zero, self.check));
        let (low, high) = s.in_turn(re, im);
        let row = self.row(s, k, 2);
        match row.split_at_mut_checked(S::LANES) {
            Some((first, rest)) => {
                s.store(first, low);
                store_some(s, rest, high);
            }
            None => store_some(s, row, low),
        }
    }
}

impl<S: Instructions> Write<'_, '_, S> {
    #[inline(always)]
    fn result(&mut self, s: S, k: usize, line: C<S>) {
        let line = C { re: s.mul(line.re, self.scale), im: s.mul(line.im, self.scale) };
        if self.kind != FftKind::Irfft {
            return self.complex(s, k, line);
        }
        let zero = s.splat(<S::Float as Real>::ZERO);
        self.check = s.mul_add(line.re, zero, s.mul_add(line.im, zero, self.check));
        if !self.paired {
            return store_some(s, self.row(s, k, 1), line.re);
        }
        store_some(s, self.row(s, 2 * k, 1), line.re);
        store_some(s, self.row(s, 2 * k + 1, 1), line.im);
    }
}

impl<S: Instructions> Sink<S> for Write<'_, '_, S> {
    #[inline(always)]
    fn put(&mut self, s: S, k: usize, line: C<S>) {
        self.result(s, place(self.kind, k, self.m), line);
    }
}

/// Writes so many results, and the element of a real column's transform that has no line; gives the check.
struct WriteAll<'a, 'w, 'y, S: Instructions> {
    lines: &'a [C<S>],
    results: usize,
    last: Option<S::Vector>,
    write: Write<'w, 'y, S>,
}

impl<S: Instructions> Call<S> for WriteAll<'_, '_, '_, S> {
    type Result = S::Vector;

    #[inline(always)]
    fn call(self, s: S) -> S::Vector {
        let WriteAll { lines, results, last, mut write } = self;
        for k in 0..results {
            write.result(s, k, lines[place(write.kind, k, lines.len())]);
        }
        if let Some(re) = last {
            write.complex(s, lines.len(), C { re, im: s.splat(<S::Float as Real>::ZERO) });
        }
        write.check
    }
}

/// Reads all lines.
struct ReadAll<'a, S: Instructions, F> {
    lines: &'a mut [C<S>],
    from: F,
}

impl<S: Instructions, F: Source<S>> Call<S> for ReadAll<'_, S, F> {
    type Result = ();

    #[inline(always)]
    fn call(self, s: S) {
        for (k, line) in self.lines.iter_mut().enumerate() {
            *line = self.from.get(s, k);
        }
    }
}
