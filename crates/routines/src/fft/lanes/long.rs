//! Fourier transforms of one f32 row whose length is a multiple of 256 without large prime factors, with AVX-512.
//!
//! Of n = 16 m complex numbers, x[16 j + l] is lane l of vector j. With k = a + m b,
//!
//! ```text
//! X[a + m b] = Σ_l w_16^(l b) · w_n^(l a) · Σ_j x[16 j + l] w_m^(j a)
//! ```
//!
//! so the inner sums are one transform of m vectors by passes, and the outer ones are 16 sums of 16 vectors each, after a
//! transposition that turns lanes into vectors. A real row of length 2 n is one of n complex numbers, from whose transform its own is
//! made, and the inverse of one likewise.

use super::columns::is_zero;
use super::instructions::{Avx512, Instructions};
use super::lines::complex_numbers;
use super::passes::{C, all, dft4, mul, pass};
use super::plans::{Plan, of_pairs, turn};
use lawson_hlo::attrs::FftKind;
use std::arch::x86_64::*;
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// Plans that a thread keeps; with a further length all are made anew.
const PLANS: usize = 16;
/// Complex numbers that fill blocks of 16 vectors, and that the caches near a core hold.
const LENGTHS: RangeInclusive<usize> = 256..=1 << 15;

type S = Avx512<f32>;

/// Of a transform of `n` complex numbers, as `m` = `n` / 16 vectors.
struct Long {
    n: usize,
    of_vectors: Plan<f32>,
    /// w_n^(l a) in lane l, for each a below m.
    turns: Vec<C<S>>,
    work: [Vec<C<S>>; 2],
    /// u_k = −i w_2n^k / 2 for k from 1 to n / 2, eight in a vector, each part twice.
    real: Vec<C<S>>,
}

impl Long {
    fn new(s: S, n: usize) -> Option<Long> {
        let m = n / 16;
        let of_vectors = Plan::new(m)?;
        let lanes = |f: &dyn Fn(usize) -> [f32; 2]| {
            let part = |part: usize| s.load(&std::array::from_fn::<f32, 16, _>(|l| f(l)[part]));
            C { re: part(0), im: part(1) }
        };
        let turns: Vec<C<S>> = (0..m).map(|a| lanes(&|l| turn(l * a, n))).collect();
        let real = (0..m).map(|t| lanes(&|l| of_pairs(1 + 8 * t + l / 2, n))).collect();
        Some(Long { n, of_vectors, work: [turns.clone(), turns.clone()], turns, real })
    }
}

/// Transforms a row; tells whether it did, and all results are finite.
pub fn run(kind: FftKind, x: &[f32], y: &mut [f32], n: usize) -> bool {
    let Some(n) = complex_numbers(kind, n).filter(|n| LENGTHS.contains(n) && n.is_multiple_of(256)) else {
        return false;
    };
    let Some(s) = S::detect() else { return false };
    with_plan(s, n, |plan| transform(s, plan, kind, x, y)).unwrap_or(false)
}

/// Calls a function with the plan for a transform of so many complex numbers, which the thread keeps.
fn with_plan<R>(s: S, n: usize, f: impl FnOnce(&mut Long) -> R) -> Option<R> {
    thread_local! {
        static PLANS_KEPT: RefCell<Vec<Long>> = const { RefCell::new(Vec::new()) };
    }
    PLANS_KEPT.with_borrow_mut(|plans| {
        if let Some(at) = plans.iter().position(|p| p.n == n) {
            return Some(f(&mut plans[at]));
        }
        let plan = Long::new(s, n)?;
        if plans.len() == PLANS {
            plans.clear();
        }
        plans.push(plan);
        plans.last_mut().map(f)
    })
}

fn transform(s: S, plan: &mut Long, kind: FftKind, x: &[f32], y: &mut [f32]) -> bool {
    let inverse = matches!(kind, FftKind::Ifft | FftKind::Irfft);
    let Long { of_vectors, turns, work: [from, to], real, n } = plan;
    if kind == FftKind::Irfft {
        // SAFETY: `s` proves that the processor has AVX-512; so below.
        unsafe { to_complex(x, y, real) };
    }
    let row = if kind == FftKind::Irfft { &*y } else { x };
    let at = |k: usize| s.apart(s.load(&row[32 * k..]), s.load(&row[32 * k + 16..]));
    let straight = |(re, im)| C { re, im };
    // Inverse transforms exchange real and imaginary parts before and after.
    let exchanged = |(im, re)| C { re, im };
    let (first, others) = of_vectors.passes.split_first().expect("more than one vector");
    match inverse {
        true => pass(s, first, |k| exchanged(at(k)), |k, v| from[k] = v),
        false => pass(s, first, |k| straight(at(k)), |k, v| from[k] = v),
    }
    for p in others {
        pass(s, p, |k| from[k], |k, v| to[k] = v);
        std::mem::swap(from, to);
    }
    let (out, _) = y.as_chunks_mut();
    // SAFETY: see above.
    let check = unsafe {
        match inverse {
            true => outer::<true>(s, from, turns, out, 1.0 / *n as f32),
            false => outer::<false>(s, from, turns, out, 1.0),
        }
    };
    // SAFETY: see above.
    let check = if kind == FftKind::Rfft { unsafe { of_real(y, real) } } else { check };
    is_zero(s, check)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load(x: &[f32; 16]) -> __m512 {
    // SAFETY: there are 16 elements.
    unsafe { _mm512_loadu_ps(x.as_ptr()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store(x: &mut [f32; 16], v: __m512) {
    // SAFETY: there are 16 elements.
    unsafe { _mm512_storeu_ps(x.as_mut_ptr(), v) }
}

/// w_16^1, w_16^2, w_16^3.
const W16: [[f32; 2]; 3] = [
    [0.923_879_5, -0.382_683_43],
    [std::f32::consts::FRAC_1_SQRT_2, -std::f32::consts::FRAC_1_SQRT_2],
    [0.382_683_43, -0.923_879_5],
];

/// Transforms column `b` of 16 elements in four rows.
#[target_feature(enable = "avx512f")]
#[inline]
fn column(s: S, re: &[__m512; 16], im: &[__m512; 16], b: usize) -> [C<S>; 4] {
    let at = |i: usize| C { re: re[i], im: im[i] };
    dft4(s, [at(b), at(4 + b), at(8 + b), at(12 + b)])
}

/// The outer sums. Gives zero times the results, summed up: NaN if one of them is not finite.
#[target_feature(enable = "avx512f")]
fn outer<const SWAP: bool>(
    s: S,
    lines: &[C<S>],
    turns: &[C<S>],
    out: &mut [[f32; 16]],
    scale: f32,
) -> __m512 {
    let m = lines.len();
    let zero = _mm512_setzero_ps();
    let (mut check, scale) = (zero, _mm512_set1_ps(scale));
    let [w1, w2, w3] = [all(s, W16[0]), all(s, W16[1]), all(s, W16[2])];
    let (w4, w6) = (all(s, [0.0, -1.0]), all(s, [-W16[1][0], W16[1][1]]));
    let w9 = all(s, [-W16[0][0], -W16[0][1]]);
    let blocks = lines.as_chunks::<16>().0.iter().zip(turns.as_chunks::<16>().0);
    for (g, (block, turns)) in blocks.enumerate() {
        let (mut re, mut im) = ([zero; 16], [zero; 16]);
        for i in 0..16 {
            let v = mul(s, block[i], turns[i]);
            (re[i], im[i]) = (v.re, v.im);
        }
        s.transpose(&mut re);
        s.transpose(&mut im);
        let (c0, c1) = (column(s, &re, &im, 0), column(s, &re, &im, 1));
        let (c2, c3) = (column(s, &re, &im, 2), column(s, &re, &im, 3));
        // Element a + 4 b of the sums is in row a, column b.
        let sums = [
            dft4(s, [c0[0], c1[0], c2[0], c3[0]]),
            dft4(s, [c0[1], mul(s, c1[1], w1), mul(s, c2[1], w2), mul(s, c3[1], w3)]),
            dft4(s, [c0[2], mul(s, c1[2], w2), mul(s, c2[2], w4), mul(s, c3[2], w6)]),
            dft4(s, [c0[3], mul(s, c1[3], w3), mul(s, c2[3], w6), mul(s, c3[3], w9)]),
        ];
        for (a, row) in sums.iter().enumerate() {
            for (b, v) in row.iter().enumerate() {
                let mut v = *v;
                check = _mm512_fmadd_ps(v.re, zero, _mm512_fmadd_ps(v.im, zero, check));
                if SWAP {
                    v = C { re: _mm512_mul_ps(v.im, scale), im: _mm512_mul_ps(v.re, scale) };
                }
                let at = 2 * g + m / 8 * (a + 4 * b);
                let (low, high) = s.in_turn(v.re, v.im);
                store(&mut out[at], low);
                store(&mut out[at + 1], high);
            }
        }
    }
    check
}

/// Makes of the transform Z of h complex numbers, pairs of neighbours of a real row, that of the row, X:
/// X[k] = (Z[k] + Z[h−k]*) / 2 + u_k (Z[k] − Z[h−k]*) and X[h−k]* = (Z[k] + Z[h−k]*) / 2 − u_k (Z[k] − Z[h−k]*), where
/// u_k = −i w_2h^k / 2. Gives zero times the results, as `outer` does.
#[target_feature(enable = "avx512f")]
fn of_real(y: &mut [f32], turns: &[C<S>]) -> __m512 {
    let h = y.len() / 2 - 1;
    let (re, im) = (y[0], y[1]);
    let (half, zero) = (_mm512_set1_ps(0.5), _mm512_setzero_ps());
    let mut check = _mm512_set1_ps((re + im) * 0.0 + (re - im) * 0.0);
    let (left, right) = y.split_at_mut(h);
    // `left` ends before Z[h/2], which begins `right`: the last of the blocks has it on both sides.
    for (t, u) in turns.iter().enumerate() {
        let at = 2 + 16 * t;
        let other = h - 16 * (t + 1);
        let mut last = [0.0; 16];
        let a = match left[at..].first_chunk() {
            Some(chunk) => load(chunk),
            None => {
                last[..14].copy_from_slice(&left[at..]);
                last[14..].copy_from_slice(&right[..2]);
                load(&last)
            }
        };
        let Some(there) = right[other..].first_chunk_mut() else { break };
        let b = conjugated(backwards(load(there)));
        let (sum, difference) = (_mm512_mul_ps(half, _mm512_add_ps(a, b)), _mm512_sub_ps(a, b));
        let swapped = _mm512_permute_ps::<0b1011_0001>(difference);
        let turned = _mm512_fmaddsub_ps(difference, u.re, _mm512_mul_ps(swapped, u.im));
        let (made, of_there) = (_mm512_add_ps(sum, turned), _mm512_sub_ps(sum, turned));
        check = _mm512_fmadd_ps(made, zero, _mm512_fmadd_ps(of_there, zero, check));
        store(there, backwards(conjugated(of_there)));
        match left[at..].first_chunk_mut() {
            Some(chunk) => store(chunk, made),
            None => {
                store(&mut last, made);
                left[at..].copy_from_slice(&last[..14]);
            }
        }
    }
    (y[0], y[1]) = (re + im, 0.0);
    (y[2 * h], y[2 * h + 1]) = (re - im, 0.0);
    check
}

/// Makes of the transform X of a real row, of h + 1 complex numbers, that of the pairs of neighbours in the row, Z:
/// Z[k] = (X[k] + X[h−k]*) / 2 + u_k* (X[k] − X[h−k]*) and Z[h−k]* = (X[k] + X[h−k]*) / 2 − u_k* (X[k] − X[h−k]*), with the u_k of
/// `of_real`. What the ends have as imaginary parts is not read.
#[target_feature(enable = "avx512f")]
fn to_complex(x: &[f32], z: &mut [f32], turns: &[C<S>]) {
    let h = z.len() / 2;
    let half = _mm512_set1_ps(0.5);
    for (t, u) in turns.iter().enumerate() {
        let (at, other) = (2 + 16 * t, 2 * h - 16 * (t + 1));
        let (Some(a), Some(b)) = (x[at..].first_chunk(), x[other..].first_chunk()) else { break };
        let (a, b) = (load(a), conjugated(backwards(load(b))));
        let (sum, difference) = (_mm512_mul_ps(half, _mm512_add_ps(a, b)), _mm512_sub_ps(a, b));
        let swapped = _mm512_permute_ps::<0b1011_0001>(difference);
        let turned = _mm512_fmsubadd_ps(difference, u.re, _mm512_mul_ps(swapped, u.im));
        if let Some(z) = z[other..].first_chunk_mut() {
            store(z, backwards(conjugated(_mm512_sub_ps(sum, turned))));
        }
        if let Some(z) = z[at..].first_chunk_mut() {
            store(z, _mm512_add_ps(sum, turned));
        }
    }
    (z[0], z[1]) = ((x[0] + x[2 * h]) / 2.0, (x[0] - x[2 * h]) / 2.0);
}

/// Eight complex numbers with the other sign of their imaginary parts.
#[target_feature(enable = "avx512f")]
#[inline]
fn conjugated(v: __m512) -> __m512 {
    let signs = _mm512_castps_si512(_mm512_castpd_ps(_mm512_set1_pd(f64::from_bits(1 << 63))));
    _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(v), signs))
}

/// Eight complex numbers in the other order.
#[target_feature(enable = "avx512f")]
#[inline]
fn backwards(v: __m512) -> __m512 {
    _mm512_permutexvar_ps(_mm512_setr_epi32(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1), v)
}
