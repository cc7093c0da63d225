//! Fourier transforms of f32 rows whose length is a power of two, with AVX-512.
//!
//! Of n = 16 m complex numbers, x[16 j + l] is lane l of vector j. With k = a + m b,
//!
//! ```text
//! X[a + m b] = Σ_l w_16^(l b) · w_n^(l a) · Σ_j x[16 j + l] w_m^(j a)
//! ```
//!
//! so the inner sums are one transform of m vectors, by passes that leave its results in order (Stockham), and the outer ones
//! are 16 sums of 16 vectors each, after a transposition that turns lanes into vectors. A real row of length 2 n is one of n
//! complex numbers, from whose transform its own is made, and the inverse of one likewise.
//!
//! Of rows that are shorter, 16 at a time are transformed by the same passes ([`rows`]).

mod rows;

use super::tables::{Line, Pass, Plan};
use lawson_hlo::attrs::FftKind;
use std::arch::x86_64::*;
use std::cell::RefCell;

/// Plans that a thread keeps; with a further length all are made anew.
const PLANS: usize = 16;
pub const LANES: usize = 16;

/// Transforms a row; tells whether it did, and all results are finite.
pub fn run(kind: FftKind, x: &[f32], y: &mut [f32], n: usize) -> bool {
    let complex = complex_numbers(kind, n);
    if !n.is_power_of_two() || !Plan::LENGTHS.contains(&complex) || !is_x86_feature_detected!("avx512f") {
        return false;
    }
    // SAFETY: the processor has AVX-512.
    with_plan(complex, |plan| unsafe { transform(plan, kind, x, y) })
}

/// Transforms up to 16 rows that are too short for [`run`]; tells whether it did, and all results are finite.
pub fn run_group(kind: FftKind, x: &[f32], y: &mut [f32], n: usize) -> bool {
    let complex = complex_numbers(kind, n);
    let short = n.is_power_of_two() && (8..*Plan::LENGTHS.start()).contains(&complex);
    if !short || !is_x86_feature_detected!("avx512f") {
        return false;
    }
    // SAFETY: the processor has AVX-512.
    with_plan(complex * LANES, |plan| unsafe { rows::transform(plan, kind, x, y) })
}

/// How many complex numbers are transformed for a row of `n`: of a real one half as many.
fn complex_numbers(kind: FftKind, n: usize) -> usize {
    match kind {
        FftKind::Fft | FftKind::Ifft => n,
        FftKind::Rfft | FftKind::Irfft => n / 2,
    }
}

/// Calls a function with the plan for a transform of so many complex numbers, which the thread keeps.
fn with_plan<R>(n: usize, f: impl FnOnce(&mut Plan) -> R) -> R {
    thread_local! {
        static PLANS_KEPT: RefCell<Vec<Plan>> = const { RefCell::new(Vec::new()) };
    }
    PLANS_KEPT.with_borrow_mut(|plans| {
        let at = plans.iter().position(|p| p.n == n).unwrap_or_else(|| {
            if plans.len() == PLANS {
                plans.clear();
            }
            plans.push(Plan::new(n));
            plans.len() - 1
        });
        f(&mut plans[at])
    })
}

#[target_feature(enable = "avx512f")]
fn transform(plan: &mut Plan, kind: FftKind, x: &[f32], y: &mut [f32]) -> bool {
    if kind == FftKind::Irfft {
        to_complex(x, y, plan.real());
    }
    let Plan { passes, turns, work: [from, to], n, .. } = plan;
    let of = |x: &[f32], from: &mut [[Line; 2]]| {
        let row = Source { lines: &[], row: x.as_chunks().0 };
        match kind {
            FftKind::Ifft | FftKind::Irfft => pass::<SWAPPED>(&passes[0], row, from),
            FftKind::Fft | FftKind::Rfft => pass::<IN_ROW>(&passes[0], row, from),
        }
    };
    of(if kind == FftKind::Irfft { y } else { x }, from);
    for p in &passes[1..] {
        pass::<IN_LINES>(p, Source { lines: from, row: &[] }, to);
        std::mem::swap(from, to);
    }
    let (out, _) = y.as_chunks_mut();
    let check = match kind {
        FftKind::Ifft | FftKind::Irfft => outer::<true>(from, turns, out, 1.0 / *n as f32),
        FftKind::Fft | FftKind::Rfft => outer::<false>(from, turns, out, 1.0),
    };
    let check = if kind == FftKind::Rfft { of_real(y, plan.real()) } else { check };
    _mm512_reduce_add_ps(check) == 0.0
}

/// A vector of complex numbers.
#[derive(Clone, Copy)]
struct C {
    re: __m512,
    im: __m512,
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

#[target_feature(enable = "avx512f")]
#[inline]
fn add(a: C, b: C) -> C {
    C { re: _mm512_add_ps(a.re, b.re), im: _mm512_add_ps(a.im, b.im) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn sub(a: C, b: C) -> C {
    C { re: _mm512_sub_ps(a.re, b.re), im: _mm512_sub_ps(a.im, b.im) }
}

/// `a − i b`
#[target_feature(enable = "avx512f")]
#[inline]
fn sub_i(a: C, b: C) -> C {
    C { re: _mm512_add_ps(a.re, b.im), im: _mm512_sub_ps(a.im, b.re) }
}

/// `a + i b`
#[target_feature(enable = "avx512f")]
#[inline]
fn add_i(a: C, b: C) -> C {
    C { re: _mm512_sub_ps(a.re, b.im), im: _mm512_add_ps(a.im, b.re) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn mul(a: C, b: C) -> C {
    C {
        re: _mm512_fnmadd_ps(a.im, b.im, _mm512_mul_ps(a.re, b.re)),
        im: _mm512_fmadd_ps(a.im, b.re, _mm512_mul_ps(a.re, b.im)),
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn all(w: [f32; 2]) -> C {
    C { re: _mm512_set1_ps(w[0]), im: _mm512_set1_ps(w[1]) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn dft4([a, b, c, d]: [C; 4]) -> [C; 4] {
    let (s, t) = (add(a, c), sub(a, c));
    let (u, v) = (add(b, d), sub(b, d));
    [add(s, u), sub_i(t, v), sub(s, u), add_i(t, v)]
}

#[target_feature(enable = "avx512f")]
#[inline]
fn dft8(a: [C; 8]) -> [C; 8] {
    let e = dft4([a[0], a[2], a[4], a[6]]);
    let o = dft4([a[1], a[3], a[5], a[7]]);
    let h = _mm512_set1_ps(std::f32::consts::FRAC_1_SQRT_2);
    // (1 − i) / √2, and −(1 + i) / √2
    let first = C {
        re: _mm512_mul_ps(h, _mm512_add_ps(o[1].re, o[1].im)),
        im: _mm512_mul_ps(h, _mm512_sub_ps(o[1].im, o[1].re)),
    };
    let third = C {
        re: _mm512_mul_ps(h, _mm512_sub_ps(o[3].im, o[3].re)),
        im: _mm512_mul_ps(h, _mm512_add_ps(o[3].re, o[3].im)),
    };
    [
        add(e[0], o[0]),
        add(e[1], first),
        sub_i(e[2], o[2]),
        C { re: _mm512_add_ps(e[3].re, third.re), im: _mm512_sub_ps(e[3].im, third.im) },
        sub(e[0], o[0]),
        sub(e[1], first),
        add_i(e[2], o[2]),
        C { re: _mm512_sub_ps(e[3].re, third.re), im: _mm512_add_ps(e[3].im, third.im) },
    ]
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
fn column(re: &[__m512; 16], im: &[__m512; 16], b: usize) -> [C; 4] {
    let at = |i: usize| C { re: re[i], im: im[i] };
    dft4([at(b), at(4 + b), at(8 + b), at(12 + b)])
}

/// What a pass reads: lines of real and imaginary parts, or a row of complex numbers.
#[derive(Clone, Copy)]
struct Source<'a> {
    lines: &'a [[Line; 2]],
    row: &'a [[f32; 16]],
}

const IN_LINES: u8 = 0;
const IN_ROW: u8 = 1;
/// As it is for inverse transforms, whose real and imaginary parts change places before and after.
const SWAPPED: u8 = 2;

#[target_feature(enable = "avx512f")]
#[inline]
fn take<const FROM: u8>(source: Source<'_>, at: usize) -> C {
    if FROM == IN_LINES {
        let [re, im] = &source.lines[at];
        return C { re: load(&re.0), im: load(&im.0) };
    }
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    let (a, b) = (load(&source.row[2 * at]), load(&source.row[2 * at + 1]));
    let (re, im) = (_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b));
    if FROM == SWAPPED { C { re: im, im: re } } else { C { re, im } }
}

#[target_feature(enable = "avx512f")]
fn pass<const FROM: u8>(pass: &Pass, source: Source<'_>, to: &mut [[Line; 2]]) {
    match pass.radix {
        8 => by_eight::<FROM>(pass, source, to),
        _ => by_four::<FROM>(pass, source, to),
    }
}

macro_rules! pass_of {
    ($name:ident, $radix:literal, $dft:ident) => {
        #[target_feature(enable = "avx512f")]
        fn $name<const FROM: u8>(pass: &Pass, source: Source<'_>, to: &mut [[Line; 2]]) {
            let Pass { length, stride, .. } = *pass;
            for (p, turns) in pass.turns.as_chunks::<$radix>().0.iter().enumerate() {
                for q in 0..stride {
                    let mut a = [all([0.0, 0.0]); $radix];
                    for (i, a) in a.iter_mut().enumerate() {
                        *a = take::<FROM>(source, q + stride * (p + length * i));
                    }
                    let b = $dft(a);
                    for i in 0..$radix {
                        let made = if i == 0 || p == 0 { b[i] } else { mul(b[i], all(turns[i])) };
                        let [re, im] = &mut to[q + stride * ($radix * p + i)];
                        store(&mut re.0, made.re);
                        store(&mut im.0, made.im);
                    }
                }
            }
        }
    };
}

pass_of!(by_eight, 8, dft8);
pass_of!(by_four, 4, dft4);

/// The outer sums. Gives zero times the results, summed up: NaN if one of them is not finite.
#[target_feature(enable = "avx512f")]
fn outer<const SWAP: bool>(
    lines: &[[Line; 2]],
    turns: &[[Line; 2]],
    out: &mut [[f32; 16]],
    scale: f32,
) -> __m512 {
    let m = lines.len();
    let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    let zero = _mm512_setzero_ps();
    let (mut check, scale) = (zero, _mm512_set1_ps(scale));
    let [w1, w2, w3] = [all(W16[0]), all(W16[1]), all(W16[2])];
    let (w4, w6) = (all([0.0, -1.0]), all([-W16[1][0], W16[1][1]]));
    let w9 = all([-W16[0][0], -W16[0][1]]);
    let blocks = lines.as_chunks::<16>().0.iter().zip(turns.as_chunks::<16>().0);
    for (g, (block, turns)) in blocks.enumerate() {
        let (mut re, mut im) = ([zero; 16], [zero; 16]);
        for i in 0..16 {
            let turn = C { re: load(&turns[i][0].0), im: load(&turns[i][1].0) };
            let v = mul(C { re: load(&block[i][0].0), im: load(&block[i][1].0) }, turn);
            (re[i], im[i]) = (v.re, v.im);
        }
        let (re, im) = (transposed(&re), transposed(&im));
        let (c0, c1) = (column(&re, &im, 0), column(&re, &im, 1));
        let (c2, c3) = (column(&re, &im, 2), column(&re, &im, 3));
        // Element a + 4 b of the sums is in row a, column b.
        let sums = [
            dft4([c0[0], c1[0], c2[0], c3[0]]),
            dft4([c0[1], mul(c1[1], w1), mul(c2[1], w2), mul(c3[1], w3)]),
            dft4([c0[2], mul(c1[2], w2), mul(c2[2], w4), mul(c3[2], w6)]),
            dft4([c0[3], mul(c1[3], w3), mul(c2[3], w6), mul(c3[3], w9)]),
        ];
        for (a, row) in sums.iter().enumerate() {
            for (b, v) in row.iter().enumerate() {
                let mut v = *v;
                check = _mm512_fmadd_ps(v.re, zero, _mm512_fmadd_ps(v.im, zero, check));
                if SWAP {
                    v = C { re: _mm512_mul_ps(v.im, scale), im: _mm512_mul_ps(v.re, scale) };
                }
                let at = 2 * g + m / 8 * (a + 4 * b);
                store(&mut out[at], _mm512_permutex2var_ps(v.re, low, v.im));
                store(&mut out[at + 1], _mm512_permutex2var_ps(v.re, high, v.im));
            }
        }
    }
    check
}

/// Element j of vector i becomes element i of vector j.
#[target_feature(enable = "avx512f")]
#[inline]
fn transposed(x: &[__m512; 16]) -> [__m512; 16] {
    let mut fours = *x;
    for g in (0..16).step_by(4) {
        let pd = |a| _mm512_castps_pd(a);
        let (a, b) = (pd(_mm512_unpacklo_ps(x[g], x[g + 1])), pd(_mm512_unpackhi_ps(x[g], x[g + 1])));
        let (c, d) = (pd(_mm512_unpacklo_ps(x[g + 2], x[g + 3])), pd(_mm512_unpackhi_ps(x[g + 2], x[g + 3])));
        fours[g] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        fours[g + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        fours[g + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
        fours[g + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
    }
    let mut out = fours;
    for c in 0..4 {
        let (v0, v1, v2, v3) = (fours[c], fours[4 + c], fours[8 + c], fours[12 + c]);
        let (a, b) = (_mm512_shuffle_f32x4::<0x88>(v0, v1), _mm512_shuffle_f32x4::<0x88>(v2, v3));
        out[c] = _mm512_shuffle_f32x4::<0x88>(a, b);
        out[8 + c] = _mm512_shuffle_f32x4::<0xdd>(a, b);
        let (a, b) = (_mm512_shuffle_f32x4::<0xdd>(v0, v1), _mm512_shuffle_f32x4::<0xdd>(v2, v3));
        out[4 + c] = _mm512_shuffle_f32x4::<0x88>(a, b);
        out[12 + c] = _mm512_shuffle_f32x4::<0xdd>(a, b);
    }
    out
}

/// Makes of the transform Z of h complex numbers, pairs of neighbours of a real row, that of the row, X:
/// X[k] = (Z[k] + Z[h−k]*) / 2 + u_k (Z[k] − Z[h−k]*) and X[h−k]* = (Z[k] + Z[h−k]*) / 2 − u_k (Z[k] − Z[h−k]*), where
/// u_k = −i w_2h^k / 2. Gives zero times the results, as `outer` does.
#[target_feature(enable = "avx512f")]
fn of_real(y: &mut [f32], turns: &[[Line; 2]]) -> __m512 {
    let h = y.len() / 2 - 1;
    let (re, im) = (y[0], y[1]);
    let (half, zero) = (_mm512_set1_ps(0.5), _mm512_setzero_ps());
    let mut check = _mm512_set1_ps((re + im) * 0.0 + (re - im) * 0.0);
    let (left, right) = y.split_at_mut(h);
    // `left` ends before Z[h/2], which begins `right`: the last of the blocks has it on both sides.
    for (t, [u_re, u_im]) in turns.iter().enumerate() {
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
        let turned = _mm512_fmaddsub_ps(difference, load(&u_re.0), _mm512_mul_ps(swapped, load(&u_im.0)));
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
fn to_complex(x: &[f32], z: &mut [f32], turns: &[[Line; 2]]) {
    let h = z.len() / 2;
    let half = _mm512_set1_ps(0.5);
    for (t, [u_re, u_im]) in turns.iter().enumerate() {
        let (at, other) = (2 + 16 * t, 2 * h - 16 * (t + 1));
        let (Some(a), Some(b)) = (x[at..].first_chunk(), x[other..].first_chunk()) else { break };
        let (a, b) = (load(a), conjugated(backwards(load(b))));
        let (sum, difference) = (_mm512_mul_ps(half, _mm512_add_ps(a, b)), _mm512_sub_ps(a, b));
        let swapped = _mm512_permute_ps::<0b1011_0001>(difference);
        let turned = _mm512_fmsubadd_ps(difference, load(&u_re.0), _mm512_mul_ps(swapped, load(&u_im.0)));
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
