//! Transforms of several rows or columns at once, each in a lane: of complex numbers in lines, or of real ones, in pairs of neighbours
//! that count as complex numbers.
//!
//! The inverse transform is the forward one with its results in another order, x[−k] instead of x[k], divided by the length.

use super::instructions::{Call, Instructions};
use super::passes::{C, add, all, mul, pass, sub};
use super::plans::Plan;
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::Real;

/// Lines that are transformed: they are given in `from`, as many as the plan says, and are there afterwards.
pub struct Lines<'a, S: Instructions> {
    pub plan: &'a Plan<S::Float>,
    pub kind: FftKind,
    pub from: &'a mut [C<S>],
    pub to: &'a mut [C<S>],
    /// The element of a real row's transform that has no line.
    pub last: S::Vector,
}

/// How many complex numbers are transformed for `n`; `None` for an odd number of real ones.
pub fn complex_numbers(kind: FftKind, n: usize) -> Option<usize> {
    match kind {
        FftKind::Fft | FftKind::Ifft => Some(n),
        FftKind::Rfft | FftKind::Irfft => n.is_multiple_of(2).then_some(n / 2),
    }
}

impl<S: Instructions> Lines<'_, S> {
    /// Transforms the lines.
    #[inline(always)]
    pub fn run(&mut self, s: S) {
        if self.kind == FftKind::Irfft {
            self.of_half(s);
        }
        for p in &self.plan.passes {
            let (from, to) = (&*self.from, &mut *self.to);
            pass(s, p, |k| from[k], |k, v| to[k] = v);
            std::mem::swap(&mut self.from, &mut self.to);
        }
        if self.kind == FftKind::Rfft {
            self.to_half(s);
        }
    }

    /// The line that has result `k`.
    #[inline(always)]
    pub fn result(&self, k: usize) -> C<S> {
        match self.kind {
            FftKind::Ifft | FftKind::Irfft if k > 0 => self.from[self.from.len() - k],
            _ => self.from[k],
        }
    }

    /// What results are multiplied by.
    pub fn scale(&self) -> S::Float {
        match self.kind {
            FftKind::Ifft | FftKind::Irfft => S::Float::of(1.0 / self.plan.n as f64),
            FftKind::Fft | FftKind::Rfft => <S::Float as Real>::ONE,
        }
    }

    /// Of the transforms Z of m pairs, those of the real rows, X: X[k] = (Z[k] + Z[m−k]*) / 2 + u_k (Z[k] − Z[m−k]*) and
    /// X[m−k]* = (Z[k] + Z[m−k]*) / 2 − u_k (Z[k] − Z[m−k]*), where u_k = −i w_2m^k / 2.
    #[inline(always)]
    fn to_half(&mut self, s: S) {
        let C { re, im } = self.from[0];
        s.call(Halves { lines: self.from, turns: &self.plan.half, back: false });
        self.from[0] = C { re: s.add(re, im), im: s.splat(<S::Float as Real>::ZERO) };
        self.last = s.sub(re, im);
    }

    /// The other way, with u_k* instead of u_k.
    #[inline(always)]
    fn of_half(&mut self, s: S) {
        let (first, half) = (self.from[0].re, s.splat(S::Float::of(0.5)));
        s.call(Halves { lines: self.from, turns: &self.plan.half, back: true });
        self.from[0] = C {
            re: s.mul(half, s.add(first, self.last)),
            im: s.mul(half, s.sub(first, self.last)),
        };
    }
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
