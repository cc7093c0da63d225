//! Fourier transforms of one row.
//!
//! Of n = L m complex numbers, x[L j + l] is lane l of vector j. With k = a + m b,
//!
//! ```text
//! X[a + m b] = Σ_l w_L^(l b) · w_n^(l a) · Σ_j x[L j + l] w_m^(j a)
//! ```
//!
//! so the inner sums are one transform of m vectors by passes, and the outer ones are L sums of L vectors each, after a transposition
//! that turns lanes into vectors. A real row of length 2 n is one of n complex numbers, from whose transform its own is made, and the
//! inverse of one likewise.

use super::lines::{MOST, blocks, complex_numbers, is_zero, scale};
use super::passes::{C, Source, add, after, all, dft4, dft8, mul, sub};
use super::plans::{Plan, Plans, is_smooth, of_pairs, turn, with_plans};
use crate::instructions::{Call, Instructions};
use lawson_hlo::attrs::FftKind;
use lawson_hlo::library::Real;

/// Plans that a thread keeps; with a further length all are made anew.
const PLANS: usize = 16;
/// The caches near a core do not hold more complex numbers.
const LONGEST: usize = 1 << 15;

/// Of a transform of `n` complex numbers, as `m` = `n` / `LANES` vectors.
pub struct Long<S: Instructions> {
    n: usize,
    of_vectors: Plan<S::Float>,
    /// w_n^(l a) in lane l, for each a below m.
    turns: Vec<C<S>>,
    lines: [Vec<C<S>>; 2],
    /// u_k = −i w_2n^k / 2 for k below n: real parts, imaginary parts. Of real rows alone.
    of_pairs: [Vec<S::Float>; 2],
    /// Complex numbers on the way to a real row or from it. Of real rows alone.
    row: Vec<S::Float>,
}

impl<S: Instructions> Long<S> {
    fn new(s: S, n: usize) -> Option<Long<S>> {
        let m = n / S::LANES;
        let of_vectors = Plan::new(m)?;
        let of_vector = |a: usize| {
            let [mut re, mut im] = [[<S::Float as Real>::ZERO; MOST]; 2];
            (0..S::LANES).for_each(|l| [re[l], im[l]] = turn(l * a, n));
            C { re: s.load(&re), im: s.load(&im) }
        };
        let turns: Vec<C<S>> = (0..m).map(of_vector).collect();
        let lines = [turns.clone(), turns.clone()];
        Some(Long { n, of_vectors, lines, turns, of_pairs: Default::default(), row: Vec::new() })
    }

    /// Makes what real rows need too.
    fn for_real_rows(&mut self) {
        if self.row.is_empty() {
            let n = self.n;
            let pairs = (0..n).map(|k| of_pairs(k, n));
            self.of_pairs = pairs.map(|[re, im]: [S::Float; 2]| (re, im)).unzip().into();
            self.row = vec![<S::Float as Real>::ZERO; 2 * n];
        }
    }
}

/// How many vectors a row of this length is, if it is any for this code.
pub fn vectors<S: Instructions>(kind: FftKind, n: usize) -> Option<usize> {
    let n = complex_numbers(kind, n).filter(|n| *n <= LONGEST && n.is_multiple_of(S::LANES))?;
    let m = n / S::LANES;
    (m >= S::LANES && is_smooth(m)).then_some(m)
}

/// Transforms a row; tells whether it did, and all results are finite.
pub fn run<S: Instructions>(s: S, kind: FftKind, x: &[S::Float], y: &mut [S::Float], n: usize) -> bool {
    let Some(n) = vectors::<S>(kind, n).map(|m| m * S::LANES) else { return false };
    with_plans(|plans: &mut Plans<S>| {
        let plans = &mut plans.long;
        let at = match plans.iter().position(|p| p.n == n) {
            Some(at) => at,
            None => {
                let Some(plan) = Long::new(s, n) else { return false };
                if plans.len() == PLANS {
                    plans.clear();
                }
                plans.push(plan);
                plans.len() - 1
            }
        };
        transform(s, &mut plans[at], kind, x, y)
    })
}

fn transform<S: Instructions>(
    s: S,
    plan: &mut Long<S>,
    kind: FftKind,
    x: &[S::Float],
    y: &mut [S::Float],
) -> bool {
    if matches!(kind, FftKind::Rfft | FftKind::Irfft) {
        plan.for_real_rows();
    }
    let Long { n, of_vectors, turns, lines: [here, there], of_pairs, row } = plan;
    if kind == FftKind::Irfft {
        s.call(Halves { from: x, to: row, of_pairs, n: *n, back: true });
    }
    // Inverse transforms exchange real and imaginary parts before and after.
    let exchange = matches!(kind, FftKind::Ifft | FftKind::Irfft);
    let from = if kind == FftKind::Irfft { &row[..] } else { x };
    let mut lines = [&mut here[..], &mut there[..]];
    after(s, &of_vectors.passes, Row { row: from, exchange }, &mut lines);
    let out = if kind == FftKind::Rfft { &mut row[..] } else { &mut *y };
    let scale = scale(kind, *n);
    let finite = s.call(Outer { lines: lines[0], turns, out, exchange, scale });
    if kind != FftKind::Rfft {
        return finite;
    }
    // Sums of finite numbers may be none.
    let finite = s.call(Halves { from: row, to: y, of_pairs, n: *n, back: false }) && finite;
    let (first, last) = (row[0] + row[1], row[0] - row[1]);
    (y[0], y[1]) = (first, <S::Float as Real>::ZERO);
    (y[2 * *n], y[2 * *n + 1]) = (last, <S::Float as Real>::ZERO);
    finite && Real::is_finite(first) && Real::is_finite(last)
}

/// Neighbouring complex numbers from this one on.
#[inline(always)]
fn complex<S: Instructions>(s: S, row: &[S::Float], at: usize) -> C<S> {
    let row = &row[2 * at..][..2 * S::LANES];
    let (re, im) = s.apart(s.load(row), s.load(&row[S::LANES..]));
    C { re, im }
}

/// A row as vectors of neighbours.
struct Row<'a, T> {
    row: &'a [T],
    exchange: bool,
}

impl<S: Instructions> Source<S> for Row<'_, S::Float> {
    #[inline(always)]
    fn get(&self, s: S, k: usize) -> C<S> {
        let C { re, im } = complex(s, self.row, S::LANES * k);
        if self.exchange { C { re: im, im: re } } else { C { re, im } }
    }
}

/// The outer sums; tells whether all are finite.
struct Outer<'a, S: Instructions> {
    lines: &'a [C<S>],
    turns: &'a [C<S>],
    out: &'a mut [S::Float],
    exchange: bool,
    scale: S::Float,
}

impl<S: Instructions> Call<S> for Outer<'_, S> {
    type Result = bool;

    #[inline(always)]
    fn call(self, s: S) -> bool {
        let (lanes, m) = (S::LANES, self.lines.len());
        let (zero, scale) = (s.splat(<S::Float as Real>::ZERO), s.splat(self.scale));
        let mut check = zero;
        for first in blocks(m, lanes) {
            let (mut re, mut im) = ([zero; MOST], [zero; MOST]);
            let (lines, turns) = (&self.lines[first..][..lanes], &self.turns[first..][..lanes]);
            for i in 0..lanes {
                let v = mul(s, lines[i], turns[i]);
                (re[i], im[i]) = (v.re, v.im);
            }
            s.transpose(&mut re[..lanes]);
            s.transpose(&mut im[..lanes]);
            let sums = of_lanes(s, &re, &im);
            for (b, v) in sums.iter().enumerate().take(lanes) {
                check = s.mul_add(v.re, zero, s.mul_add(v.im, zero, check));
                let (re, im) = (s.mul(v.re, scale), s.mul(v.im, scale));
                let (low, high) = if self.exchange { s.in_turn(im, re) } else { s.in_turn(re, im) };
                let out = &mut self.out[2 * (first + m * b)..][..2 * lanes];
                s.store(out, low);
                s.store(&mut out[lanes..], high);
            }
        }
        is_zero(s, check)
    }
}

/// The transform of as many vectors as they have lanes.
#[inline(always)]
fn of_lanes<S: Instructions>(s: S, re: &[S::Vector; MOST], im: &[S::Vector; MOST]) -> [C<S>; MOST] {
    let mut at = [C { re: re[0], im: im[0] }; MOST];
    for (at, (&re, &im)) in at.iter_mut().zip(re.iter().zip(im)) {
        *at = C { re, im };
    }
    match S::LANES {
        4 => {
            let sums = dft4(s, [at[0], at[1], at[2], at[3]]);
            at[..4].copy_from_slice(&sums);
        }
        8 => {
            let sums = dft8(s, [at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]]);
            at[..8].copy_from_slice(&sums);
        }
        _ => {
            let c0 = dft4(s, [at[0], at[4], at[8], at[12]]);
            let c1 = dft4(s, [at[1], at[5], at[9], at[13]]);
            let c2 = dft4(s, [at[2], at[6], at[10], at[14]]);
            let c3 = dft4(s, [at[3], at[7], at[11], at[15]]);
            let (w1, w2, w3) = (w16(s, 1), w16(s, 2), w16(s, 3));
            let (w4, w6, w9) = (w16(s, 4), w16(s, 6), w16(s, 9));
            // Element a + 4 b of the sums is in row a, column b.
            let rows = [
                dft4(s, [c0[0], c1[0], c2[0], c3[0]]),
                dft4(s, [c0[1], mul(s, c1[1], w1), mul(s, c2[1], w2), mul(s, c3[1], w3)]),
                dft4(s, [c0[2], mul(s, c1[2], w2), mul(s, c2[2], w4), mul(s, c3[2], w6)]),
                dft4(s, [c0[3], mul(s, c1[3], w3), mul(s, c2[3], w6), mul(s, c3[3], w9)]),
            ];
            for (a, row) in rows.iter().enumerate() {
                for (b, &sum) in row.iter().enumerate() {
                    at[a + 4 * b] = sum;
                }
            }
        }
    }
    at
}

#[inline(always)]
fn w16<S: Instructions>(s: S, k: usize) -> C<S> {
    let [re, im] = W16[k];
    all(s, [S::Float::of(re), S::Float::of(im)])
}

/// cos and −sin of 2π k / 16.
const W16: [[f64; 2]; 10] = {
    const C: f64 = 0.923_879_532_511_286_7;
    const S: f64 = 0.382_683_432_365_089_8;
    const H: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [[1.0, 0.0], [C, -S], [H, -H], [S, -C], [0.0, -1.0], [-S, -C], [-H, -H], [-C, -S], [-1.0, 0.0], [-C, S]]
};

/// Of the transform Z of n complex numbers, pairs of neighbours of a real row, makes that of the row:
/// X[k] = (Z[k] + Z[n−k]*) / 2 + u_k (Z[k] − Z[n−k]*) for k from 1 to n − 1. The other way the same with u_k*, for k from 0 on: what
/// the ends have as imaginary parts is not read. Tells whether all are finite.
struct Halves<'a, T> {
    from: &'a [T],
    to: &'a mut [T],
    of_pairs: &'a [Vec<T>; 2],
    n: usize,
    back: bool,
}

impl<S: Instructions> Call<S> for Halves<'_, S::Float> {
    type Result = bool;

    #[inline(always)]
    fn call(self, s: S) -> bool {
        let Halves { from, to, of_pairs: [u_re, u_im], n, back } = self;
        let lanes = S::LANES;
        let (half, zero) = (s.splat(S::Float::of(0.5)), s.splat(<S::Float as Real>::ZERO));
        let mut check = zero;
        // Of the complex row the element after the last is the first, which has its result elsewhere.
        let numbers = if back { n } else { n - 1 };
        for first in blocks(numbers, lanes) {
            let k = if back { first } else { first + 1 };
            let a = complex(s, from, k);
            let b = complex(s, from, n - k + 1 - lanes);
            let b = C { re: s.reverse(b.re), im: s.sub(zero, s.reverse(b.im)) };
            let im = s.load(&u_im[k..]);
            let u = C { re: s.load(&u_re[k..]), im: if back { s.sub(zero, im) } else { im } };
            let sum = add(s, a, b);
            let turned = mul(s, sub(s, a, b), u);
            let made: C<S> =
                C { re: s.mul_add(half, sum.re, turned.re), im: s.mul_add(half, sum.im, turned.im) };
            check = s.mul_add(made.re, zero, s.mul_add(made.im, zero, check));
            let (low, high) = s.in_turn(made.re, made.im);
            let to = &mut to[2 * k..][..2 * lanes];
            s.store(to, low);
            s.store(&mut to[lanes..], high);
        }
        if back {
            let (first, last) = (from[0], from[2 * n]);
            let half = S::Float::of(0.5);
            (to[0], to[1]) = ((first + last) * half, (first - last) * half);
        }
        is_zero(s, check)
    }
}
