//! Transforms of several rows or columns at once, each in a lane: of complex numbers in lines, or of real ones, in pairs of neighbours
//! that count as complex numbers where their number is even.
//!
//! The inverse transform is the forward one with its results in another order, x[−k] instead of x[k], divided by the length.

use super::passes::{C, add, all, mul, sub};
use crate::instructions::{Call, Instructions};
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::Real;

/// How many complex numbers are transformed for `n`; `None` for an odd number of real ones.
pub fn complex_numbers(kind: FftKind, n: usize) -> Option<usize> {
    match kind {
        FftKind::Fft | FftKind::Ifft => Some(n),
        FftKind::Rfft | FftKind::Irfft => n.is_multiple_of(2).then_some(n / 2),
    }
}

/// Of the first lines of the transform of a real row, of an odd number of elements, makes the others: X[n−k] = X[k]*. What the first
/// has as imaginary part is not looked at.
pub struct Mirror<'a, S: Instructions> {
    pub lines: &'a mut [C<S>],
}

impl<S: Instructions> Call<S> for Mirror<'_, S> {
    type Result = ();

    #[inline(always)]
    fn call(self, s: S) {
        let (n, zero) = (self.lines.len(), s.splat(<S::Float as Real>::ZERO));
        self.lines[0].im = zero;
        for k in 1..=n / 2 {
            let C { re, im } = self.lines[k];
            self.lines[n - k] = C { re, im: s.sub(zero, im) };
        }
    }
}

/// Which element of the transform result `k` of `n` is.
#[inline(always)]
pub fn place(kind: FftKind, k: usize, n: usize) -> usize {
    match kind {
        FftKind::Ifft | FftKind::Irfft if k > 0 => n - k,
        _ => k,
    }
}

/// What results are multiplied by.
pub fn scale<T: Real>(kind: FftKind, n: usize) -> T {
    match kind {
        FftKind::Ifft | FftKind::Irfft => T::of(1.0 / n as f64),
        FftKind::Fft | FftKind::Rfft => T::ONE,
    }
}

/// Makes of the transforms Z of m pairs those of the real rows, X: X[k] = (Z[k] + Z[m−k]*) / 2 + u_k (Z[k] − Z[m−k]*) and
/// X[m−k]* = (Z[k] + Z[m−k]*) / 2 − u_k (Z[k] − Z[m−k]*), where `turns` are u_k = −i w_2m^k / 2. Gives X[m], which is real.
pub fn to_half<S: Instructions>(s: S, lines: &mut [C<S>], turns: &[[S::Float; 2]]) -> S::Vector {
    let C { re, im } = lines[0];
    s.call(Halves { lines, turns, back: false });
    lines[0] = C { re: s.add(re, im), im: s.splat(<S::Float as Real>::ZERO) };
    s.sub(re, im)
}

/// The other way, with u_k* instead of u_k; `last` is X[m].
pub fn of_half<S: Instructions>(s: S, lines: &mut [C<S>], turns: &[[S::Float; 2]], last: S::Vector) {
    let (first, half) = (lines[0].re, s.splat(S::Float::of(0.5)));
    s.call(Halves { lines, turns, back: true });
    lines[0] = C { re: s.mul(half, s.add(first, last)), im: s.mul(half, s.sub(first, last)) };
}

struct Halves<'a, S: Instructions> {
    lines: &'a mut [C<S>],
    turns: &'a [[S::Float; 2]],
    back: bool,
}

impl<S: Instructions> Call<S> for Halves<'_, S> {
    type Result = ();

    #[inline(always)]
    fn call(self, s: S) {
        let m = self.lines.len();
        let sign = s.splat(S::Float::of(if self.back { -1.0 } else { 1.0 }));
        let (half, zero) = (s.splat(S::Float::of(0.5)), s.splat(<S::Float as Real>::ZERO));
        let conjugate = |a: C<S>| C { re: a.re, im: s.sub(zero, a.im) };
        for (k, &u) in self.turns.iter().enumerate().skip(1) {
            let u = all(s, u);
            let u = C { re: u.re, im: s.mul(u.im, sign) };
            let (a, b) = (self.lines[k], conjugate(self.lines[m - k]));
            let sum = add(s, a, b);
            let sum = C { re: s.mul(half, sum.re), im: s.mul(half, sum.im) };
            let turned = mul(s, sub(s, a, b), u);
            self.lines[m - k] = conjugate(sub(s, sum, turned));
            self.lines[k] = add(s, sum, turned);
        }
    }
}

/// The first of each block of so many: the last block ends with all, unless they are fewer.
#[inline(always)]
pub fn blocks(all: usize, block: usize) -> impl Iterator<Item = usize> {
    (0..all).step_by(block).map(move |first| first.min(all.saturating_sub(block)))
}

/// Whether all lanes are zero, and none is no number.
pub fn is_zero<S: Instructions>(s: S, v: S::Vector) -> bool {
    let mut lanes = [<S::Float as Real>::ZERO; MOST];
    s.store(&mut lanes, v);
    lanes.iter().all(|&x| x == <S::Float as Real>::ZERO)
}

/// The most lanes of any vector.
pub const MOST: usize = 16;

/// The elements of a slice, or the first of them, with zeros where it is too short.
#[inline(always)]
pub fn load_some<S: Instructions>(s: S, x: &[S::Float]) -> S::Vector {
    if x.len() >= S::LANES {
        return s.load(x);
    }
    let mut padded = [<S::Float as Real>::ZERO; MOST];
    padded[..x.len()].copy_from_slice(x);
    s.load(&padded)
}

/// As many elements as a slice has.
#[inline(always)]
pub fn store_some<S: Instructions>(s: S, y: &mut [S::Float], v: S::Vector) {
    if y.len() >= S::LANES {
        return s.store(y, v);
    }
    let mut whole = [<S::Float as Real>::ZERO; MOST];
    s.store(&mut whole, v);
    y.copy_from_slice(&whole[..y.len()]);
}
