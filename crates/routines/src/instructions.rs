//! Vectors of floats by the instructions that the processor has, for code that is generic in both.
//!
//! A value of [`Avx2`] or [`Avx512`] is the proof that there are such instructions; all arithmetic goes through it. What is generic
//! in [`Instructions`] is inlined into what [`Instructions::call`] calls, which is compiled for them.

use lawson_hlo::library::Real;
use std::arch::x86_64::*;
use std::marker::PhantomData;

pub trait Instructions: Copy + Sized + 'static {
    type Float: Real;
    type Vector: Copy + 'static;
    const LANES: usize;

    /// If the processor has them.
    fn detect() -> Option<Self>;
    /// The first elements of a slice.
    fn load(self, x: &[Self::Float]) -> Self::Vector;
    /// Into the first elements of a slice.
    fn store(self, x: &mut [Self::Float], v: Self::Vector);
    fn splat(self, x: Self::Float) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a b + c`
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// `c − a b`
    fn sub_mul(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// The elements with even numbers of both, one after the other, and those with odd numbers.
    fn apart(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector);
    /// The other way: elements of `a` and `b` in turn.
    fn in_turn(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector);
    /// The elements in the other order.
    fn reverse(self, v: Self::Vector) -> Self::Vector;
    /// Asks for what lies there, to read or to write it soon.
    fn prefetch(self, x: &[Self::Float], write: bool);
    /// Of as many vectors as they have lanes, element j of vector i becomes element i of vector j.
    fn transpose(self, x: &mut [Self::Vector]);

    /// Calls a function that is compiled for these instructions.
    fn call<C: Call<Self>>(self, call: C) -> C::Result;
}

/// Bytes of a line of a cache.
const LINE: usize = 64;

/// A function that is generic in the instructions.
pub trait Call<S: Instructions> {
    type Result;
    /// Has to be inlined.
    fn call(self, s: S) -> Self::Result;
}

/// AVX-512 for floats of this type.
#[derive(Clone, Copy)]
pub struct Avx512<T>(PhantomData<T>);

impl<T> Avx512<T> {
    fn is_there() -> bool {
        is_x86_feature_detected!("avx512f")
    }
}

/// AVX2 with FMA for floats of this type.
#[derive(Clone, Copy)]
pub struct Avx2<T>(PhantomData<T>);

impl<T> Avx2<T> {
    fn is_there() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }
}

/// Instructions on one type, by the suffixes of their names.
macro_rules! instructions {
    ($set:ident<$float:ident>, $vector:ident, $lanes:literal, $features:literal, $load:ident, $store:ident, $splat:ident,
     $add:ident, $sub:ident, $mul:ident, $mul_add:ident, $sub_mul:ident, $apart:ident, $in_turn:ident, $reverse:ident, $transpose:ident) => {
        impl Instructions for $set<$float> {
            type Float = $float;
            type Vector = $vector;
            const LANES: usize = $lanes;

            fn detect() -> Option<$set<$float>> {
                $set::<$float>::is_there().then_some($set(PhantomData))
            }

            #[inline(always)]
            fn load(self, x: &[$float]) -> $vector {
                let x = &x[..$lanes];
                // SAFETY: there are so many elements, and `self` proves that the processor has the instruction.
                unsafe { $load(x.as_ptr()) }
            }

            #[inline(always)]
            fn store(self, x: &mut [$float], v: $vector) {
                let x = &mut x[..$lanes];
                // SAFETY: as for `load`.
                unsafe { $store(x.as_mut_ptr(), v) }
            }

            #[inline(always)]
            fn splat(self, x: $float) -> $vector {
                // SAFETY: `self` proves that the processor has the instruction; so below.
                unsafe { $splat(x) }
            }

            #[inline(always)]
            fn add(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: as for `splat`.
                unsafe { $add(a, b) }
            }

            #[inline(always)]
            fn sub(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: as for `splat`.
                unsafe { $sub(a, b) }
            }

            #[inline(always)]
            fn mul(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: as for `splat`.
                unsafe { $mul(a, b) }
            }

            #[inline(always)]
            fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                // SAFETY: as for `splat`.
                unsafe { $mul_add(a, b, c) }
            }

            #[inline(always)]
            fn sub_mul(self, a: $vector, b: $vector, c: $vector) -> $vector {
                // SAFETY: as for `splat`.
                unsafe { $sub_mul(a, b, c) }
            }

            #[inline(always)]
            fn apart(self, a: $vector, b: $vector) -> ($vector, $vector) {
                // SAFETY: as for `splat`.
                unsafe { $apart(a, b) }
            }

            #[inline(always)]
            fn in_turn(self, a: $vector, b: $vector) -> ($vector, $vector) {
                // SAFETY: as for `splat`.
                unsafe { $in_turn(a, b) }
            }

            #[inline(always)]
            fn reverse(self, v: $vector) -> $vector {
                // SAFETY: as for `splat`.
                unsafe { $reverse(v) }
            }

            #[inline(always)]
            fn prefetch(self, x: &[$float], write: bool) {
                for line in x.chunks(LINE / size_of::<$float>()) {
                    // SAFETY: nothing is read or written.
                    unsafe {
                        match write {
                            true => _mm_prefetch::<_MM_HINT_ET0>(line.as_ptr().cast()),
                            false => _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()),
                        }
                    }
                }
            }

            #[inline(always)]
            fn transpose(self, x: &mut [$vector]) {
                if let Some(x) = x.first_chunk_mut() {
                    // SAFETY: as for `splat`.
                    unsafe { $transpose(x) }
                }
            }

            fn call<C: Call<Self>>(self, call: C) -> C::Result {
                #[target_feature(enable = $features)]
                fn compiled<C: Call<$set<$float>>>(s: $set<$float>, call: C) -> C::Result {
                    call.call(s)
                }
                // SAFETY: `self` proves that the processor has the instructions.
                unsafe { compiled(self, call) }
            }
        }
    };
}

instructions!(
    Avx512<f32>,
    __m512,
    16,
    "avx512f",
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_set1_ps,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_fmadd_ps,
    _mm512_fnmadd_ps,
    apart_16,
    in_turn_16,
    reverse_16,
    transpose_16
);
instructions!(
    Avx512<f64>,
    __m512d,
    8,
    "avx512f",
    _mm512_loadu_pd,
    _mm512_storeu_pd,
    _mm512_set1_pd,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    _mm512_fmadd_pd,
    _mm512_fnmadd_pd,
    apart_8d,
    in_turn_8d,
    reverse_8d,
    transpose_8d
);
instructions!(
    Avx2<f32>,
    __m256,
    8,
    "avx2,fma",
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_set1_ps,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_fmadd_ps,
    _mm256_fnmadd_ps,
    apart_8,
    in_turn_8,
    reverse_8,
    transpose_8
);
instructions!(
    Avx2<f64>,
    __m256d,
    4,
    "avx2,fma",
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_set1_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_fmadd_pd,
    _mm256_fnmadd_pd,
    apart_4d,
    in_turn_4d,
    reverse_4d,
    transpose_4d
);

#[target_feature(enable = "avx512f")]
#[inline]
fn apart_16(a: __m512, b: __m512) -> (__m512, __m512) {
    let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    (_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn in_turn_16(a: __m512, b: __m512) -> (__m512, __m512) {
    let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    (_mm512_permutex2var_ps(a, low, b), _mm512_permutex2var_ps(a, high, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn apart_8d(a: __m512d, b: __m512d) -> (__m512d, __m512d) {
    let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    (_mm512_permutex2var_pd(a, even, b), _mm512_permutex2var_pd(a, odd, b))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn in_turn_8d(a: __m512d, b: __m512d) -> (__m512d, __m512d) {
    let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    (_mm512_permutex2var_pd(a, low, b), _mm512_permutex2var_pd(a, high, b))
}

#[target_feature(enable = "avx2")]
#[inline]
fn apart_8(a: __m256, b: __m256) -> (__m256, __m256) {
    let quarters = |v: __m256| _mm256_castpd_ps(_mm256_permute4x64_pd::<0xd8>(_mm256_castps_pd(v)));
    (quarters(_mm256_shuffle_ps::<0x88>(a, b)), quarters(_mm256_shuffle_ps::<0xdd>(a, b)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn in_turn_8(a: __m256, b: __m256) -> (__m256, __m256) {
    let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    (_mm256_permute2f128_ps::<0x20>(low, high), _mm256_permute2f128_ps::<0x31>(low, high))
}

#[target_feature(enable = "avx2")]
#[inline]
fn apart_4d(a: __m256d, b: __m256d) -> (__m256d, __m256d) {
    let quarters = |v| _mm256_permute4x64_pd::<0xd8>(v);
    (quarters(_mm256_unpacklo_pd(a, b)), quarters(_mm256_unpackhi_pd(a, b)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn in_turn_4d(a: __m256d, b: __m256d) -> (__m256d, __m256d) {
    let (low, high) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
    (_mm256_permute2f128_pd::<0x20>(low, high), _mm256_permute2f128_pd::<0x31>(low, high))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn reverse_16(v: __m512) -> __m512 {
    _mm512_permutexvar_ps(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn reverse_8d(v: __m512d) -> __m512d {
    _mm512_permutexvar_pd(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), v)
}

#[target_feature(enable = "avx2")]
#[inline]
fn reverse_8(v: __m256) -> __m256 {
    _mm256_permutevar8x32_ps(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))
}

#[target_feature(enable = "avx2")]
#[inline]
fn reverse_4d(v: __m256d) -> __m256d {
    _mm256_permute4x64_pd::<0b00_01_10_11>(v)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn transpose_16(x: &mut [__m512; 16]) {
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
    for c in 0..4 {
        let (v0, v1, v2, v3) = (fours[c], fours[4 + c], fours[8 + c], fours[12 + c]);
        let (a, b) = (_mm512_shuffle_f32x4::<0x88>(v0, v1), _mm512_shuffle_f32x4::<0x88>(v2, v3));
        x[c] = _mm512_shuffle_f32x4::<0x88>(a, b);
        x[8 + c] = _mm512_shuffle_f32x4::<0xdd>(a, b);
        let (a, b) = (_mm512_shuffle_f32x4::<0xdd>(v0, v1), _mm512_shuffle_f32x4::<0xdd>(v2, v3));
        x[4 + c] = _mm512_shuffle_f32x4::<0x88>(a, b);
        x[12 + c] = _mm512_shuffle_f32x4::<0xdd>(a, b);
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn transpose_8d(x: &mut [__m512d; 8]) {
    // Pairs of rows first: columns 2 i in `even`, 2 i + 1 in `odd`.
    let mut pairs = *x;
    for g in (0..8).step_by(2) {
        pairs[g] = _mm512_unpacklo_pd(x[g], x[g + 1]);
        pairs[g + 1] = _mm512_unpackhi_pd(x[g], x[g + 1]);
    }
    for c in 0..2 {
        let (v0, v1, v2, v3) = (pairs[c], pairs[2 + c], pairs[4 + c], pairs[6 + c]);
        let (a, b) = (_mm512_shuffle_f64x2::<0x88>(v0, v1), _mm512_shuffle_f64x2::<0x88>(v2, v3));
        x[c] = _mm512_shuffle_f64x2::<0x88>(a, b);
        x[4 + c] = _mm512_shuffle_f64x2::<0xdd>(a, b);
        let (a, b) = (_mm512_shuffle_f64x2::<0xdd>(v0, v1), _mm512_shuffle_f64x2::<0xdd>(v2, v3));
        x[2 + c] = _mm512_shuffle_f64x2::<0x88>(a, b);
        x[6 + c] = _mm512_shuffle_f64x2::<0xdd>(a, b);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn transpose_8(x: &mut [__m256; 8]) {
    let mut fours = *x;
    for g in (0..8).step_by(4) {
        let pd = |a| _mm256_castps_pd(a);
        let (a, b) = (pd(_mm256_unpacklo_ps(x[g], x[g + 1])), pd(_mm256_unpackhi_ps(x[g], x[g + 1])));
        let (c, d) = (pd(_mm256_unpacklo_ps(x[g + 2], x[g + 3])), pd(_mm256_unpackhi_ps(x[g + 2], x[g + 3])));
        fours[g] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
        fours[g + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
        fours[g + 2] = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
        fours[g + 3] = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));
    }
    for c in 0..4 {
        x[c] = _mm256_permute2f128_ps::<0x20>(fours[c], fours[4 + c]);
        x[4 + c] = _mm256_permute2f128_ps::<0x31>(fours[c], fours[4 + c]);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn transpose_4d(x: &mut [__m256d; 4]) {
    let (a, b) = (_mm256_unpacklo_pd(x[0], x[1]), _mm256_unpackhi_pd(x[0], x[1]));
    let (c, d) = (_mm256_unpacklo_pd(x[2], x[3]), _mm256_unpackhi_pd(x[2], x[3]));
    *x = [
        _mm256_permute2f128_pd::<0x20>(a, c),
        _mm256_permute2f128_pd::<0x20>(b, d),
        _mm256_permute2f128_pd::<0x31>(a, c),
        _mm256_permute2f128_pd::<0x31>(b, d),
    ];
}
