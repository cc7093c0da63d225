//! log and log1p.
//!
//! Both split their argument as 2ᵉ·(1 + f) with 1 + f in [√½, √2) by integer arithmetic on the bits; denormals are
//! scaled first. log1p takes the exponent from 1 + x rounded, but f from x itself, so that nothing is lost.

use super::words::Words;
use super::{Ops, Ty};

/// The natural logarithm.
pub fn log<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let p = params(o, x);
    let bits = normal_bits(o, p, x);
    let (f, exponent) = split(o, p, bits);
    let square = o.fmul(f, f);
    let result = log_of(o, p, (f, square), None, exponent);
    let end = o.num(x, 0.0);
    specials(o, x, x, end, result)
}

/// log(1 + x).
pub fn log1p<O: Ops>(o: &mut O, x: O::V) -> O::V {
    log1p_of_sum(o, x, None)
}

/// log(1 + x + low) for a low part within the rounding of x.
#[inline(always)]
pub(super) fn log1p_of_sum<O: Ops>(o: &mut O, x: O::V, low: Option<O::V>) -> O::V {
    let p = params(o, x);
    let u = o.add_c(x, 1.0);
    let bits = o.to_bits(u);
    let exponent = minus_exponent(o, p, bits);
    // Four times 2⁻ᵉ, which is denormal for the largest x: there it may count as zero.
    let scale = o.iadd_c(exponent, (p.bias + 2) << p.mantissa);
    let scale = o.from_bits(scale);
    let one = o.num(x, 1.0);
    let rest = o.fma_c(scale, -0.25, one);
    // f = x·2⁻ᵉ − (1 − 2⁻ᵉ), and x itself where it is too small for the sum with 1 to tell.
    let quarter = o.mul_c(x, 0.25);
    let f = o.fms(quarter, scale, rest);
    let counts = o.feq(u, one);
    let counts = o.mask_not(counts);
    let f = o.select(counts, f, x);
    let low = low.map(|low| {
        let quarter = o.mul_c(low, 0.25);
        o.fmul(quarter, scale)
    });
    let exponent = o.to_float(exponent);
    // Squares that do not count may underflow, which processors take long for.
    let square = o.fmul(f, f);
    let zero = o.num(x, 0.0);
    let square = o.select(counts, square, zero);
    let result = log_of(o, p, (f, square), low, exponent);
    let end = o.num(x, -1.0);
    specials(o, x, u, end, result)
}

/// (f, e) for a positive finite x = 2ᵉ·(1 + f), where f is exact and 1 + f in [√½, √2).
#[inline(always)]
pub(super) fn split_exponent<O: Ops>(o: &mut O, x: O::V, denormals: bool) -> (O::V, O::V) {
    let p = params(o, x);
    let bits = if denormals { normal_bits(o, p, x) } else { o.to_bits(x) };
    let (f, exponent) = split(o, p, bits);
    let unit = 1.0 / (1i64 << p.mantissa) as f64;
    (f, o.mul_c(exponent, -unit))
}

/// The bits of x; those of a denormal as if there were more exponents: the field becomes negative.
#[inline(always)]
fn normal_bits<O: Ops>(o: &mut O, p: &Params, x: O::V) -> O::V {
    let denormal = o.less_c(x, p.min_positive);
    let bits = o.to_bits(x);
    let scaled = o.mul_c(x, p.denormal_scale);
    let scaled = o.to_bits(scaled);
    let scaled = o.iadd_c(scaled, -(p.mantissa + 1) << p.mantissa);
    o.select(denormal, scaled, bits)
}

/// (f, −e·2^mantissa) for the bits of 2ᵉ·(1 + f).
#[inline(always)]
fn split<O: Ops>(o: &mut O, p: &Params, bits: O::V) -> (O::V, O::V) {
    let exponent = minus_exponent(o, p, bits);
    let m = o.iadd(bits, exponent);
    let m = o.from_bits(m);
    let f = o.sub_c(m, 1.0);
    (f, o.to_float(exponent))
}

/// −e of bits = 2ᵉ·m with m in [√½, √2), in the place of the exponent field.
#[inline(always)]
fn minus_exponent<O: Ops>(o: &mut O, p: &Params, bits: O::V) -> O::V {
    let e = o.c_isub(p.sqrt_half + (1 << p.mantissa) - 1, bits);
    o.and_c(e, -1 << p.mantissa)
}

/// log(1 + f + low) + e·ln 2, where `exponent` is −e·2^mantissa. `f2` is f², or 0 where that does not count.
#[inline(always)]
fn log_of<O: Ops>(o: &mut O, p: &Params, (f, f2): (O::V, O::V), low: Option<O::V>, exponent: O::V) -> O::V {
    let unit = 1.0 / (1i64 << p.mantissa) as f64;
    if o.ty(f) == Ty::F32 {
        // ln 2 in f32 happens to be right to 28 bits: no second part is needed.
        let q = o.poly(f, p.poly);
        let small = match low {
            None => o.fma(f2, q, f),
            Some(low) => {
                let rest = o.fma(f2, q, low);
                o.fadd(f, rest)
            }
        };
        return o.fma_c(exponent, -LN_2 * unit, small);
    }
    // With s = f/(2 + f): log(1 + f) = f − (f²/2 − s·(f²/2 + R(s²))).
    let below = o.add_c(f, 2.0);
    let s = o.fdiv(f, below);
    let z = o.fmul(s, s);
    let r = o.poly(z, p.poly);
    let half = o.mul_c(f2, 0.5);
    let r = o.fma(z, r, half);
    let rest = o.mul_c(exponent, -LN_2_LOW * unit);
    let r = o.fma(s, r, rest);
    let r = o.fsub(half, r);
    // Only for small f does the low part matter, where the derivative is 1.
    let r = low.map_or(r, |low| o.fsub(r, low));
    let small = o.fsub(f, r);
    o.fma_c(exponent, -LN_2 * unit, small)
}

/// −inf at `end`, where the logarithm's argument `u` is 0; NaN below; infinity and NaN map to themselves.
#[inline(always)]
fn specials<O: Ops>(o: &mut O, x: O::V, u: O::V, end: O::V, result: O::V) -> O::V {
    let finite = o.less_c(x, f64::INFINITY);
    let result = o.select(finite, result, x);
    let zero = o.feq(x, end);
    let nan = o.num(x, f64::NAN);
    let edge = o.select_c(zero, f64::NEG_INFINITY, nan);
    let zero = o.num(u, 0.0);
    let positive = o.flt(zero, u);
    o.select(positive, result, edge)
}

const LN_2: f64 = std::f64::consts::LN_2;
const LN_2_LOW: f64 = 2.3190468138462996e-17;

/// What differs between the types.
struct Params {
    mantissa: i64,
    bias: i64,
    /// The bits of √½.
    sqrt_half: i64,
    min_positive: f64,
    /// 2^(mantissa + 1)
    denormal_scale: f64,
    poly: &'static [f64],
}

#[inline(always)]
fn params<O: Ops>(o: &O, x: O::V) -> &'static Params {
    if o.ty(x) == Ty::F64 { &F64 } else { &F32 }
}

static F32: Params = Params {
    mantissa: 23,
    bias: 127,
    sqrt_half: 0x3f35_04f3,
    min_positive: f32::MIN_POSITIVE as f64,
    denormal_scale: 16_777_216.0,
    // (log(1 + f) − f) / f², 1 + f in [√½, √2], error 2^-27.8 (fitted as in exp.rs)
    poly: &[
        -0.49999988079071045,
        0.33333325386047363,
        -0.2500159740447998,
        0.20001955330371857,
        -0.1660880148410797,
        0.1418246477842331,
        -0.13245822489261627,
        0.12899935245513916,
        -0.07608696073293686,
    ],
};

static F64: Params = Params {
    mantissa: 52,
    bias: 1023,
    sqrt_half: 0x3fe6_a09e_667f_3bcd,
    min_positive: f64::MIN_POSITIVE,
    denormal_scale: 9_007_199_254_740_992.0,
    // (log((1 + s)/(1 − s)) / s − 2) / s², |s| ≤ 3 − 2√2, error 2^-59.5
    poly: &[
        0.6666666666666734,
        0.3999999999941687,
        0.2857142874196018,
        0.2222219861241343,
        0.18183562484901744,
        0.15314093304013765,
        0.14795560692013668,
    ],
};
