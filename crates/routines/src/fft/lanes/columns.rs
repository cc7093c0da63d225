//! Columns of a matrix, as many at once as a vector has lanes.

use super::LONGEST;
use super::instructions::{Call, Instructions};
use super::lines::{Lines, complex_numbers};
use super::passes::C;
use crate::columns::Columns;
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
    let Some(m) = complex_numbers(kind, n).filter(|&m| (1..=LONGEST).contains(&m)) else { return false };
    let pairs = kind == FftKind::Rfft;
    S::with_plans(|plans| {
        let Some((plan, [from, to])) = plans.of(s, m) else { return false };
        let last = s.splat(<S::Float as Real>::ZERO);
        let mut lines = Lines { plan, kind, from, to, last };
        let mut finite = true;
        for first in which.clone().step_by(S::LANES) {
            let end = (first + S::LANES).min(which.end);
            let parts = if pairs { 1 } else { 2 };
            let row = |k: usize| &x[(k * columns + first) * parts..][..(end - first) * parts];
            s.call(Take { lines: lines.from, row, pairs });
            if kind == FftKind::Irfft {
                lines.last = complex(s, row(m)).re;
            }
            lines.run(s);
            finite &= s.call(Give { lines: &lines, y, place: first - which.start..end - which.start });
        }
        finite
    })
}

/// Complex numbers that lie side by side, or fewer of them.
#[inline(always)]
fn complex<S: Instructions>(s: S, row: &[S::Float]) -> C<S> {
    let n = S::LANES;
    let (re, im) = if row.len() == 2 * n {
        s.apart(s.load(row), s.load(&row[n..]))
    } else {
        let mut padded = [<S::Float as Real>::ZERO; 2 * MOST];
        padded[..row.len()].copy_from_slice(row);
        s.apart(s.load(&padded), s.load(&padded[n..]))
    };
    C { re, im }
}

#[inline(always)]
fn real<S: Instructions>(s: S, row: &[S::Float]) -> S::Vector {
    if row.len() == S::LANES {
        return s.load(row);
    }
    let mut padded = [<S::Float as Real>::ZERO; MOST];
    padded[..row.len()].copy_from_slice(row);
    s.load(&padded)
}

/// The most lanes of any vector.
const MOST: usize = 16;

/// Reads the columns, or pairs of neighbouring rows of real ones.
struct Take<'a, S: Instructions, R> {
    lines: &'a mut [C<S>],
    row: R,
    pairs: bool,
}

impl<'x, S: Instructions, R: Fn(usize) -> &'x [S::Float]> Call<S> for Take<'_, S, R> {
    type Result = ();

    #[inline(always)]
    fn call(self, s: S) {
        for (k, line) in self.lines.iter_mut().enumerate() {
            *line = match self.pairs {
                true => C { re: real(s, (self.row)(2 * k)), im: real(s, (self.row)(2 * k + 1)) },
                false => complex(s, (self.row)(k)),
            };
        }
    }
}

/// Writes results; tells whether all are finite.
struct Give<'a, 'l, 'y, S: Instructions> {
    lines: &'a Lines<'l, S>,
    y: &'a mut Columns<'y, S::Float>,
    place: Range<usize>,
}

impl<S: Instructions> Call<S> for Give<'_, '_, '_, S> {
    type Result = bool;

    #[inline(always)]
    fn call(self, s: S) -> bool {
        let Give { lines, y, place } = self;
        let zero = s.splat(<S::Float as Real>::ZERO);
        let (mut check, scale) = (zero, s.splat(lines.scale()));
        let m = lines.plan.n;
        for k in 0..m {
            let C { re, im } = lines.result(k);
            let (re, im) = (s.mul(re, scale), s.mul(im, scale));
            check = s.mul_add(re, zero, s.mul_add(im, zero, check));
            if lines.kind == FftKind::Irfft {
                put(s, &mut y.of_row(2 * k)[place.clone()], re);
                put(s, &mut y.of_row(2 * k + 1)[place.clone()], im);
            } else {
                put_complex(s, &mut y.of_row(k)[2 * place.start..2 * place.end], C { re, im });
            }
        }
        if lines.kind == FftKind::Rfft {
            check = s.mul_add(lines.last, zero, check);
            put_complex(s, &mut y.of_row(m)[2 * place.start..2 * place.end], C { re: lines.last, im: zero });
        }
        is_zero(s, check)
    }
}

/// Whether all lanes are zero, and none is no number.
#[inline(always)]
pub fn is_zero<S: Instructions>(s: S, v: S::Vector) -> bool {
    let mut lanes = [<S::Float as Real>::ZERO; MOST];
    s.store(&mut lanes, v);
    lanes.iter().all(|&x| x == <S::Float as Real>::ZERO)
}

#[inline(always)]
fn put<S: Instructions>(s: S, row: &mut [S::Float], v: S::Vector) {
    if row.len() == S::LANES {
        return s.store(row, v);
    }
    let mut whole = [<S::Float as Real>::ZERO; MOST];
    s.store(&mut whole, v);
    row.copy_from_slice(&whole[..row.len()]);
}

#[inline(always)]
fn put_complex<S: Instructions>(s: S, row: &mut [S::Float], v: C<S>) {
    let n = S::LANES;
    let (low, high) = s.in_turn(v.re, v.im);
    if row.len() == 2 * n {
        s.store(row, low);
        return s.store(&mut row[n..], high);
    }
    let mut whole = [<S::Float as Real>::ZERO; 2 * MOST];
    s.store(&mut whole, low);
    s.store(&mut whole[n..], high);
    row.copy_from_slice(&whole[..row.len()]);
}
