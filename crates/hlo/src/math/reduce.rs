//! Angles modulo π or π/2.
//!
//! Up to a limit the multiple of π is subtracted in three parts with fused multiply-adds: the first step is exact
//! and the others round once each, so that the remainder keeps its relative accuracy. Larger angles take the
//! rare path: x is an integer times a power of two, and the product of that integer with the right window of
//! the bits of 1/π, modulo 2, gives the remainder (the method of Payne and Hanek).

use super::words::Words;
use super::{Ops, Ty};

/// The angle z with |z| ≤ π/2 and sin z = sin x, or sin z = cos x if `cosine`.
#[inline(always)]
pub(super) fn half_turn<O: Ops>(o: &mut O, x: O::V, cosine: bool) -> O::V {
    let p = params(o, x);
    // sin x = (−1)ⁿ·sin(x − n·π) and cos x = (−1)ⁿ⁺¹·sin(x − (n + ½)·π).
    let (n, parity) = if cosine {
        let turns = o.linear(x, FRAC_1_PI, -0.5);
        let shifted = o.add_c(turns, p.round + 1.0);
        let n = o.sub_c(shifted, p.round + 1.0);
        (o.add_c(n, 0.5), shifted)
    } else {
        let shifted = o.linear(x, FRAC_1_PI, p.round);
        (o.sub_c(shifted, p.round), shifted)
    };
    let mut r = x;
    for part in p.pi {
        r = o.fma_c(n, -part, r);
    }
    let parity = o.to_bits(parity);
    let sign = o.shl_c(parity, p.mantissa + p.exponent);
    let z = o.flip(r, sign);
    large(o, p, x, z, |o| {
        let start = if cosine { o.fabs(x) } else { x };
        let (mut turns, low) = window(o, start);
        if cosine {
            turns = o.iadd_c(turns, 1 << 62);
        }
        let n = o.iadd_c(turns, 1 << 62);
        let n = o.lshr_c(n, 63);
        let sign = o.shl_c(n, 63);
        let turns = o.isub(turns, sign);
        let z = angle(o, x, turns, low);
        let sign = float_sign(o, x, sign);
        let z = o.flip(z, sign);
        if cosine {
            return z;
        }
        let sign = o.sign(x);
        o.flip(z, sign)
    })
}

/// `then(r, n)` with x = n·π/2 + r, |r| ≤ π/4; of the integer n only bit 0 counts.
#[inline(always)]
pub(super) fn eighth_turn<O: Ops>(o: &mut O, x: O::V, then: impl Fn(&mut O, O::V, O::V) -> O::V) -> O::V {
    let p = params(o, x);
    let shifted = o.linear(x, 2.0 * FRAC_1_PI, p.round);
    let n = o.sub_c(shifted, p.round);
    let mut r = x;
    for part in p.pi {
        r = o.fma_c(n, -0.5 * part, r);
    }
    let odd = o.to_bits(shifted);
    let result = then(o, r, odd);
    large(o, p, x, result, |o| {
        let (turns, low) = window(o, x);
        // In units of π/2 the remainder is the same fraction of 2⁶²; its sign comes back from x.
        let n = o.iadd_c(turns, 1 << 61);
        let n = o.lshr_c(n, 62);
        let whole = o.shl_c(n, 62);
        let turns = o.isub(turns, whole);
        let r = angle(o, x, turns, low);
        let odd = if o.ty(x) == Ty::F32 { o.trunc(n) } else { n };
        let result = then(o, r, odd);
        let sign = o.sign(x);
        o.flip(result, sign)
    })
}

/// `result`, or what `rare` gives where |x| is above the limit; NaN for infinite x.
#[inline(always)]
fn large<O: Ops>(o: &mut O, p: &Params, x: O::V, result: O::V, rare: impl FnOnce(&mut O) -> O::V) -> O::V {
    let size = o.fabs(x);
    let small = o.less_c(size, p.limit);
    let other = o.mask_not(small);
    o.if_any(other, result, |o| {
        let exact = rare(o);
        let nan = o.fsub(x, x);
        let finite = o.less_c(size, f64::INFINITY);
        o.select(finite, exact, nan)
    })
}

/// |x|/π modulo 2 as a 128-bit fraction (high and low half) of which the top bit counts 1.
#[inline(always)]
fn window<O: Ops>(o: &mut O, x: O::V) -> (O::V, O::V) {
    let x = o.fabs(x);
    let bits = o.to_bits(x);
    if o.ty(x) == Ty::F32 { window_f32(o, bits) } else { window_f64(o, bits) }
}

#[inline(always)]
fn window_f32<O: Ops>(o: &mut O, bits: O::V) -> (O::V, O::V) {
    let exponent = o.lshr_c(bits, 23);
    let index = o.iadd_c(exponent, -FIRST_F32);
    let index = at_least_zero(o, index);
    let index = o.zext(index);
    let m = o.and_c(bits, (1 << 23) - 1);
    let one = o.word(m, 1 << 23);
    let m = o.ior(m, one);
    let m = o.zext(m);
    let index = o.shl_c(index, 1);
    let high = o.table(&WINDOWS_F32, index);
    let index = o.iadd_c(index, 1);
    let low = o.table(&WINDOWS_F32, index);
    let high = o.imul(m, high);
    let low = o.imul(m, low);
    let carried = o.lshr_c(low, 32);
    let low = o.shl_c(low, 32);
    (o.iadd(high, carried), low)
}

#[inline(always)]
fn window_f64<O: Ops>(o: &mut O, bits: O::V) -> (O::V, O::V) {
    let exponent = o.lshr_c(bits, 52);
    // Bit p of 1/π after the point counts 2^(e − 1075 − p) here; the table starts with 64 zero bits.
    let start = o.iadd_c(exponent, 63 - 1075);
    let start = at_least_zero(o, start);
    let shift = o.and_c(start, 63);
    let unshift = o.c_isub(63, shift);
    let index = o.lshr_c(start, 6);
    let mut words = [index; 4];
    for (i, word) in words.iter_mut().enumerate() {
        let at = o.iadd_c(index, i as i64);
        *word = o.table(&FRAC_1_PI_WORDS, at);
    }
    let mut window = [index; 3];
    for i in 0..3 {
        let high = o.shl(words[i], shift);
        let low = o.lshr_c(words[i + 1], 1);
        let low = o.lshr(low, unshift);
        window[i] = o.ior(high, low);
    }
    let m = o.and_c(bits, (1 << 52) - 1);
    let one = o.word(m, 1 << 52);
    let m = o.ior(m, one);

    let tail = high_product(o, m, window[2]);
    let middle = o.imul(m, window[1]);
    let low = o.iadd(middle, tail);
    let carry = o.ult(low, tail);
    let high = o.imul(m, window[0]);
    let middle = high_product(o, m, window[1]);
    let high = o.iadd(high, middle);
    let carried = o.iadd_c(high, 1);
    (o.select(carry, carried, high), low)
}

/// The high 64 bits of the unsigned product a·b, where a is below 2⁵³.
#[inline(always)]
fn high_product<O: Ops>(o: &mut O, a: O::V, b: O::V) -> O::V {
    let (a0, a1) = (o.and_c(a, 0xffff_ffff), o.lshr_c(a, 32));
    let (b0, b1) = (o.and_c(b, 0xffff_ffff), o.lshr_c(b, 32));
    let low = o.imul(a0, b0);
    let low = o.lshr_c(low, 32);
    let t = o.imul(a1, b0);
    let t = o.iadd(t, low);
    let middle = o.and_c(t, 0xffff_ffff);
    let u = o.imul(a0, b1);
    let u = o.iadd(u, middle);
    let high = o.imul(a1, b1);
    let t = o.lshr_c(t, 32);
    let u = o.lshr_c(u, 32);
    let high = o.iadd(high, t);
    o.iadd(high, u)
}

/// π times the signed fraction (high, low), of which 2⁶³ in `high` counts 1, in the type of `like`.
#[inline(always)]
fn angle<O: Ops>(o: &mut O, like: O::V, high: O::V, low: O::V) -> O::V {
    let unit = 1.0 / (1u64 << 63) as f64;
    // Ones' complement of a negative number is off by 1 in the last of 128 bits: far below the result.
    let shift = o.word(high, 63);
    let negative = o.ashr(high, shift);
    let high = o.ixor(high, negative);
    let low = o.ixor(low, negative);
    let a = o.to_float(high);
    let rounded = o.to_int(a);
    let rest = o.isub(high, rounded);
    let rest = o.to_float(rest);
    let low = o.lshr_c(low, 1);
    let low = o.to_float(low);
    let b = o.fma_c(low, unit, rest);
    // (a + b)·π, where the product a·π keeps its rounding error.
    let main = o.mul_c(a, PI_F64[0]);
    let minus = o.fneg(main);
    let error = o.fma_c(a, PI_F64[0], minus);
    let error = o.fma_c(a, PI_F64[1], error);
    let error = o.fma_c(b, PI_F64[0], error);
    let sum = o.fadd(main, error);
    let sum = o.mul_c(sum, unit);
    let sign = o.shl(negative, shift);
    let sum = o.flip(sum, sign);
    if o.ty(like) == Ty::F32 { o.narrow(sum) } else { sum }
}

/// An I64 sign bit as the sign bit of a float of the type of `like`.
#[inline(always)]
fn float_sign<O: Ops>(o: &mut O, like: O::V, sign: O::V) -> O::V {
    if o.ty(like) == Ty::F64 {
        return sign;
    }
    let sign = o.lshr_c(sign, 32);
    o.trunc(sign)
}

/// Lanes that are not large must not read outside a table.
#[inline(always)]
fn at_least_zero<O: Ops>(o: &mut O, index: O::V) -> O::V {
    let zero = o.word(index, 0);
    let negative = o.ilt(index, zero);
    o.select(negative, zero, index)
}

const FRAC_1_PI: f64 = std::f64::consts::FRAC_1_PI;

/// What differs between the types.
struct Params {
    mantissa: i64,
    exponent: i64,
    round: f64,
    /// From here on the rare path is taken.
    limit: f64,
    pi: &'static [f64; 3],
}

#[inline(always)]
fn params<O: Ops>(o: &O, x: O::V) -> &'static Params {
    if o.ty(x) == Ty::F64 { &F64 } else { &F32 }
}

static F32: Params = Params { mantissa: 23, exponent: 8, round: 12_582_912.0, limit: 131_072.0, pi: &PI_F32 };
static F64: Params = Params {
    mantissa: 52,
    exponent: 11,
    round: 6_755_399_441_055_744.0,
    limit: 1_073_741_824.0,
    pi: &PI_F64,
};

/// π in parts, each the rest rounded to the type.
static PI_F32: [f64; 3] = [3.1415927410125732, -8.742277657347586e-08, -3.4302490200117637e-15];
static PI_F64: [f64; 3] = [std::f64::consts::PI, 1.2246467991473532e-16, -2.9947698097183397e-33];

/// The biased exponent of the f32 limit.
const FIRST_F32: i64 = 127 + 17;
const COUNT_F32: usize = (256 - FIRST_F32) as usize;

/// For each f32 exponent e from the limit on: 96 bits of 2^(e − 150)/π modulo 2, as 64 and 32.
static WINDOWS_F32: [u64; 2 * COUNT_F32] = {
    let mut table = [0; 2 * COUNT_F32];
    let mut i = 0;
    while i < COUNT_F32 {
        let start = FIRST_F32 as usize + i + 63 - 150;
        table[2 * i] = bits_of_frac_1_pi(start);
        table[2 * i + 1] = bits_of_frac_1_pi(start + 64) >> 32;
        i += 1;
    }
    table
};

/// 64 bits of the table below, from bit `start` on.
const fn bits_of_frac_1_pi(start: usize) -> u64 {
    let (word, shift) = (start / 64, start % 64);
    (FRAC_1_PI_WORDS[word] << shift) | (FRAC_1_PI_WORDS[word + 1] >> 1 >> (63 - shift))
}

/// 64 zero bits and then the bits of 1/π after the point.
static FRAC_1_PI_WORDS: [u64; 22] = [
    0,
    0x517cc1b727220a94,
    0xfe13abe8fa9a6ee0,
    0x6db14acc9e21c820,
    0xff28b1d5ef5de2b0,
    0xdb92371d2126e970,
    0x0324977504e8c90e,
    0x7f0ef58e5894d39f,
    0x74411afa975da242,
    0x74ce38135a2fbf20,
    0x9cc8eb1cc1a99cfa,
    0x4e422fc5defc941d,
    0x8ffc4bffef02cc07,
    0xf79788c5ad05368f,
    0xb69b3f6793e584db,
    0xa7a31fb34f2ff516,
    0xba93dd63f5f2f8bd,
    0x9e839cfbc5294975,
    0x35fdafd88fc6ae84,
    0x2b0198237e3db5d5,
    0xf867de104d7a1b0e,
    0xd4f1c8b0af730d84,
];
