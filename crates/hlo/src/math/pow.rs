//! pow.

use super::words::Words;
use super::{Ops, Ty, exp, log};

/// xʸ, with the special cases of C: |x|ʸ first, which fits positive finite x and finite y, and all else on the rare
/// path.
pub fn pow<O: Ops>(o: &mut O, x: O::V, y: O::V) -> O::V {
    let base = o.fabs(x);
    let exponent = o.fabs(y);
    let power = if o.ty(x) == Ty::F64 { power_f64(o, base, y) } else { power_f32(o, base, y) };

    let zero = o.num(x, 0.0);
    let positive = o.flt(zero, x);
    let base_finite = o.less_c(x, f64::INFINITY);
    let exponent_finite = o.less_c(exponent, f64::INFINITY);
    let common = o.mask_and(positive, base_finite);
    let common = o.mask_and(common, exponent_finite);
    let rare = o.mask_not(common);
    o.if_any(rare, power, |o| {
        let exact = special(o, x, y, power);
        o.select(common, power, exact)
    })
}

/// xʸ from `power`, which is right for |x|ʸ if |x| and |y| are finite and x is not 0.
#[inline(always)]
fn special<O: Ops>(o: &mut O, x: O::V, y: O::V, power: O::V) -> O::V {
    let (zero, one) = (o.num(x, 0.0), o.num(x, 1.0));
    let infinity = o.num(x, f64::INFINITY);
    let (base, exponent) = (o.fabs(x), o.fabs(y));

    // Bases 0 and ∞ and infinite exponents give 0 or ∞.
    let base_zero = o.feq(x, zero);
    let base_infinite = o.feq(base, infinity);
    let exponent_infinite = o.feq(exponent, infinity);
    let extreme_base = o.mask_or(base_zero, base_infinite);
    let extreme = o.mask_or(extreme_base, exponent_infinite);
    let growth = o.fsub(base, one);
    let growth = o.fmul(growth, y);
    let grows = o.flt(zero, growth);
    let limit = o.select(grows, infinity, zero);
    let result = o.select(extreme, limit, power);

    // A negative base: the sign of an odd exponent, NaN for an exponent that is not whole.
    let rounded = o.rint(y);
    let whole = o.feq(rounded, y);
    let half = o.mul_c(y, 0.5);
    let rounded = o.rint(half);
    let even = o.feq(rounded, half);
    let sign = o.sign(x);
    let no_sign = o.word(sign, 0);
    let sign = o.select(even, no_sign, sign);
    let sign = o.select(whole, sign, no_sign);
    let result = o.flip(result, sign);
    let negative = o.flt(x, zero);
    let broken = o.mask_not(whole);
    let undefined = o.mask_and(negative, broken);
    let finite = o.mask_not(extreme_base);
    let undefined = o.mask_and(undefined, finite);

    let sum = o.fadd(x, y);
    let number = o.feq(sum, sum);
    let opposite = o.fsub(x, y);
    let opposite = o.feq(opposite, opposite);
    let number = o.mask_or(number, opposite);
    let nan = o.mask_not(number);
    let undefined = o.mask_or(undefined, nan);
    let result = o.select_c(undefined, f64::NAN, result);

    // 1 to any power, anything to the power 0, (−1)^±∞: 1, NaN or not.
    let base_one = o.feq(base, one);
    let unit = o.mask_and(base_one, exponent_infinite);
    let exactly = o.feq(x, one);
    let unit = o.mask_or(unit, exactly);
    let none = o.feq(y, zero);
    let unit = o.mask_or(unit, none);
    o.select(unit, one, result)
}

/// baseʸ in f64 arithmetic: no denormals, and rounded once.
#[inline(always)]
fn power_f32<O: Ops>(o: &mut O, base: O::V, y: O::V) -> O::V {
    let base = o.widen(base);
    let y = o.widen(y);
    let l = log2_of_f32(o, base);
    let t = o.fmul(y, l);
    let t = o.max_c(t, -200.0);
    let t = o.min_c(t, 200.0);
    let magic = 6_755_399_441_055_744.0 + 1023.0;
    let shifted = o.add_c(t, magic);
    let n = o.sub_c(shifted, magic);
    let r = o.fsub(t, n);
    let p = o.poly(r, EXP2);
    let scale = o.to_bits(shifted);
    let scale = o.shl_c(scale, 52);
    let scale = o.from_bits(scale);
    let p = o.fmul(p, scale);
    o.narrow(p)
}

/// log₂ of a positive f32 in f64: e + q(s²)·s with s = (m − 1)/(m + 1).
#[inline(always)]
fn log2_of_f32<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let bits = o.to_bits(x);
    let exponent = o.c_isub(0x3fe6_a09e_667f_3bcd + (1 << 52) - 1, bits);
    let exponent = o.and_c(exponent, -1 << 52);
    let m = o.iadd(bits, exponent);
    let m = o.from_bits(m);
    let above = o.sub_c(m, 1.0);
    let below = o.add_c(m, 1.0);
    let s = o.fdiv(above, below);
    let z = o.fmul(s, s);
    let q = o.poly(z, LOG2);
    let exponent = o.to_float(exponent);
    let exponent = o.mul_c(exponent, -1.0 / (1u64 << 52) as f64);
    o.fma(s, q, exponent)
}

#[inline(always)]
fn power_f64<O: Ops>(o: &mut O, base: O::V, y: O::V) -> O::V {
    let l = log(o, base);
    let t = o.fmul(l, y);
    exp(o, t)
}

// Fitted as in exp.rs.

/// log₂((1 + s)/(1 − s)) / s in s², |s| ≤ 3 − 2√2, error 2^-37.8.
const LOG2: &[f64] =
    &[2.885390081790092, 0.9617966733336227, 0.5770835865399309, 0.4116726217521607, 0.34073197459152077];

/// 2ʳ, |r| ≤ ½, error 2^-34.3.
const EXP2: &[f64] = &[
    1.0,
    0.6931471807046287,
    0.240226510666701,
    0.05550410364733209,
    0.009618038119350076,
    0.0013333936292901504,
    0.00015466759580979445,
    1.519584601346108e-05,
];
