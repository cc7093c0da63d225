//! pow.

use super::log::split_exponent;
use super::words::Words;
use super::{Ops, Ty};

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
    o.if_any(rare, power, |o| special(o, x, y, power))
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

/// baseʸ = 2^(y·log₂ base), with the logarithm and the product in two parts.
#[inline(always)]
fn power_f32<O: Ops>(o: &mut O, base: O::V, y: O::V) -> O::V {
    let (high, low) = log2_parts_f32(o, base);
    let (t, rest) = exponent_of_two(o, y, (high, low), (-254.0, 200.0));
    // 2^(t + rest) = 2ʳ·2^⌊n/2⌋·2^⌈n/2⌉. With |r| ≤ ½, and not 1 as in exp, powers of small integers come out exact.
    let round = 12_582_912.0 + 254.0;
    let shifted = o.add_c(t, round);
    let n = o.sub_c(shifted, round);
    let r = o.fsub(t, n);
    let r = o.fadd(r, rest);
    let p = o.poly(r, EXP2_F32);
    let bits = o.to_bits(shifted);
    let above = o.iadd_c(bits, 1);
    let [below, above] = [bits, above].map(|twice| {
        let half = o.lshr_c(twice, 1);
        let scale = o.shl_c(half, 23);
        o.from_bits(scale)
    });
    let p = o.fmul(p, below);
    o.fmul(p, above)
}

/// log₂ x of a positive finite f32 as a sum of two parts, to about 2^-29 of it.
///
/// With s = (m − 1)/(m + 1) and z = s²: e + s·(c₁ + z·tail(z)), where all but the tail is in two parts.
#[inline(always)]
fn log2_parts_f32<O: Ops>(o: &mut O, x: O::V) -> (O::V, O::V) {
    let (f, e) = split_exponent(o, x, true);
    let (s, s_low) = quotient(o, f);
    let twice = o.fadd(s, s);
    let z_low = o.fmul(twice, s_low);
    let z = o.fma(s, s, z_low);
    let tail = o.poly(z, LOG2_TAIL_F32);
    let tail = o.fmul(z, tail);
    let c = sum(o, C1_F32, tail);
    with_exponent(o, e, (s, s_low), c)
}

/// baseʸ = 2^(y·log₂ base), with the logarithm and the product in two parts.
#[inline(always)]
fn power_f64<O: Ops>(o: &mut O, base: O::V, y: O::V) -> O::V {
    let (high, low) = log2_parts(o, base);
    let (t, rest) = exponent_of_two(o, y, (high, low), (-1080.0, 1030.0));
    // 2^(t + rest) = (2ʳ·2ʰ)·2ʰ as in exp.
    let round = 6_755_399_441_055_744.0 + 1023.0;
    let shifted = o.linear(t, 0.5, round);
    let h = o.sub_c(shifted, round);
    let r = o.fma_c(h, -2.0, t);
    let r = o.fadd(r, rest);
    let p = o.poly(r, EXP2_F64);
    let scale = o.to_bits(shifted);
    let scale = o.shl_c(scale, 52);
    let scale = o.from_bits(scale);
    let p = o.fmul(p, scale);
    o.fmul(p, scale)
}

/// y·(high + low) in two parts, within limits beyond which two to its power is 0 or infinite.
#[inline(always)]
fn exponent_of_two<O: Ops>(
    o: &mut O,
    y: O::V,
    (high, low): (O::V, O::V),
    limits: (f64, f64),
) -> (O::V, O::V) {
    let t = o.fmul(y, high);
    let minus = o.fneg(t);
    let rest = o.fma(y, high, minus);
    let rest = o.fma(y, low, rest);
    // Beyond the limits the rest does not count; there it may be NaN.
    let size = o.fabs(t);
    let inside = o.less_c(size, -limits.0);
    let zero = o.num(t, 0.0);
    let rest = o.select(inside, rest, zero);
    let t = o.max_c(t, limits.0);
    (o.min_c(t, limits.1), rest)
}

/// f/(2 + f) in two parts.
#[inline(always)]
fn quotient<O: Ops>(o: &mut O, f: O::V) -> (O::V, O::V) {
    // 2 + f itself loses a bit.
    let below = o.add_c(f, 2.0);
    let rounded = o.sub_c(below, 2.0);
    let below_low = o.fsub(f, rounded);
    let one = o.num(f, 1.0);
    let inverse = o.fdiv(one, below);
    let s = o.fmul(f, inverse);
    let rest = o.fnma(s, below, f);
    let rest = o.fnma(s, below_low, rest);
    (s, o.fmul(rest, inverse))
}

/// e + s·c in two parts, where |e| ≥ 1 > |s·c|, or e = 0.
#[inline(always)]
fn with_exponent<O: Ops>(
    o: &mut O,
    e: O::V,
    (s, s_low): (O::V, O::V),
    (c, c_low): (O::V, O::V),
) -> (O::V, O::V) {
    let (l, l_low) = product(o, s, c);
    let l_low = o.fma(s, c_low, l_low);
    let l_low = o.fma(s_low, c, l_low);
    let high = o.fadd(e, l);
    let low = o.fsub(e, high);
    let low = o.fadd(low, l);
    (high, o.fadd(low, l_low))
}

/// log₂ x of a positive finite f64 as a sum of two parts, to about 2^-64 of it.
///
/// With s = (m − 1)/(m + 1) and z = s²: e + s·(c₁ + z·(c₃ + z·tail(z))), where all but the tail is in two parts.
#[inline(always)]
fn log2_parts<O: Ops>(o: &mut O, x: O::V) -> (O::V, O::V) {
    let (f, e) = split_exponent(o, x, true);
    let (s, s_low) = quotient(o, f);
    let (z, z_low) = product(o, s, s);
    let twice = o.fadd(s, s);
    let z_low = o.fma(twice, s_low, z_low);
    let tail = o.poly(z, LOG2_TAIL);
    let tail = o.fmul(z, tail);
    let (c, c_low) = sum(o, C3, tail);
    let (q, q_low) = product(o, z, c);
    let q_low = o.fma(z, c_low, q_low);
    let q_low = o.fma(z_low, c, q_low);
    let (c, c_low) = sum(o, C1, q);
    let c_low = o.fadd(c_low, q_low);
    with_exponent(o, e, (s, s_low), (c, c_low))
}

/// a·b and its rounding error.
#[inline(always)]
fn product<O: Ops>(o: &mut O, a: O::V, b: O::V) -> (O::V, O::V) {
    let high = o.fmul(a, b);
    let minus = o.fneg(high);
    (high, o.fma(a, b, minus))
}

/// c + a in two parts, for a constant of two parts above |a|.
#[inline(always)]
fn sum<O: Ops>(o: &mut O, c: (f64, f64), a: O::V) -> (O::V, O::V) {
    let high = o.add_c(a, c.0);
    let low = o.c_sub(c.0, high);
    let low = o.fadd(low, a);
    (high, o.add_c(low, c.1))
}

// Fitted as in exp.rs.

/// 2/ln 2 with its rest, in f32.
const C1_F32: (f64, f64) = (2.885390043258667, 3.851926067000022e-08);

/// (log₂((1 + s)/(1 − s))/s − c₁)/z in z = s², |s| ≤ 3 − 2√2, error 2^-27.0.
const LOG2_TAIL_F32: &[f64] =
    &[0.9617967009544373, 0.5770752429962158, 0.41228607296943665, 0.32819223403930664];

/// 2ʳ, |r| ≤ ½, error 2^-28.3.
const EXP2_F32: &[f64] = &[
    1.0,
    0.6931471824645996,
    0.24022647738456726,
    0.05550359934568405,
    0.009618505835533142,
    0.0013390806270763278,
    0.0001532646274426952,
];

/// 2/ln 2 and 2/(3·ln 2), each with its rest.
const C1: (f64, f64) = (2.8853900817779268, 4.0710547481862066e-17);
const C3: (f64, f64) = (0.9617966939259756, 5.0577616648125907e-17);

/// (log₂((1 + s)/(1 − s))/s − c₁ − c₃·z)/z² in z = s², |s| ≤ 3 − 2√2, error 2^-73.5 of the logarithm.
const LOG2_TAIL: &[f64] = &[
    0.5770780163555851,
    0.4121985831113457,
    0.3205988979127777,
    0.26230819865974825,
    0.22195227015788258,
    0.19240133291874734,
    0.168451239017754,
    0.17282006468681135,
];

/// 2ʳ, |r| ≤ 1, error 2^-56.5.
const EXP2_F64: &[f64] = &[
    1.0,
    std::f64::consts::LN_2,
    0.2402265069591003,
    0.055504108664822825,
    0.009618129107637388,
    0.001333355814630979,
    0.00015403530387184474,
    1.5252733847544253e-05,
    1.3215488727537886e-06,
    1.0178078714524484e-07,
    7.054609387594477e-09,
    4.4460803153873543e-10,
    2.5908308604288276e-11,
    1.3581815303748664e-12,
];
