//! exp, expm1 and logistic.
//!
//! exp splits x = n·ln 2 + r with an even n and |r| ≤ ln 2, so that eˣ = (eʳ·2ʰ)·2ʰ with h = n/2: both powers are normal
//! numbers for every result, also where it overflows or is denormal, and the last product alone rounds.
//! expm1 splits x = n·ln 2 + r with |r| ≤ ½·ln 2, for the relative accuracy of eʳ − 1. Where x has one sign, so that
//! results leave the range of exponents at one end only, eˣ is made in the same way: it is the more accurate one just
//! above powers of two, from where what the callers do next may cross to below.

use super::words::Words;
use super::{Ops, Ty};

/// eˣ.
pub fn exp<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let p = params(o, x);
    let x = o.max_c(x, p.exp_zero);
    let x = o.min_c(x, p.exp_max);
    let small = o.less_c(x, p.exp_small);
    let (n, half) = round_to_power(o, p, x, 2.0, 0);
    let r = reduce(o, p, x, n);
    let e = o.poly(r, p.exp);
    o.scale(e, [half, half], n, small)
}

/// eˣ − 1.
pub fn expm1<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let p = params(o, x);
    let y = o.max_c(x, p.expm1_min);
    let y = o.min_c(y, p.exp_max);
    // Half of the result: 2ⁿ itself may overflow where the result does not.
    let (n, scale) = round_to_power(o, p, y, 1.0, -1);
    let r = reduce(o, p, y, n);
    let q = o.poly(r, p.expm1);
    let r2 = o.fmul(r, r);
    // With s = 2ⁿ⁻¹: s·r²·q + (s·r + (s − ½)); where s·r is large against the result, the inner sum is exact.
    let rest = o.fmul(r2, q);
    let less = o.c_sub(0.5, scale);
    let main = o.fms(r, scale, less);
    let half = o.fma(rest, scale, main);
    let result = o.fadd(half, half);
    // Halving loses bits of denormals; this also keeps −0.
    let size = o.fabs(x);
    let tiny = o.less_c(size, p.epsilon / 4.0);
    o.select(tiny, x, result)
}

/// 1 / (1 + e⁻ˣ), as z / (1 + z) with z = e^−|x| where x is negative, so that nothing overflows.
pub fn logistic<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let p = params(o, x);
    let z = o.minus_abs(x);
    let z = o.max_c(z, p.exp_far);
    let away = (p.bias + 1) / 2;
    let z = one_sided_exp(o, p, z, away, -away);
    let negative = o.less_c(x, 0.0);
    let one = o.num(x, 1.0);
    let above = o.select(negative, z, one);
    let below = o.fadd(z, one);
    fraction(o, above, below)
}

/// above/below, where `below` is 1 + above rounded if `above` is small: there the quotient q suffers from that
/// rounding, and above·(1 − q), which is the same, does not.
#[inline(always)]
pub(super) fn fraction<O: Ops>(o: &mut O, above: O::V, below: O::V) -> O::V {
    let q = o.fdiv(above, below);
    let better = o.fnma(above, q, above);
    let small = o.less_c(above, 0.4);
    o.select(small, better, q)
}

/// ½·eˣ for x ≥ 0, infinite only where this is. NaN stays.
#[inline(always)]
pub(super) fn half_exp<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let p = params(o, x);
    let x = o.min_c(x, p.exp_max + 2.0);
    let away = (p.bias + 1) / 2;
    one_sided_exp(o, p, x, -away, away - 1)
}

/// ½·(e²ˣ − 1) for 0 ≤ x where this is finite.
///
/// n is rounded down more often than up, with −0.21 ≤ r ≤ 0.49: then the sum with 2ⁿ − 1 magnifies no rounding.
#[inline(always)]
pub(super) fn half_expm1_of_twice<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let p = params(o, x);
    let twice = o.fadd(x, x);
    let less = o.linear(x, 2.0, -0.2 * LN_2);
    let (n, scale) = round_to_power(o, p, less, 1.0, -1);
    let r = reduce(o, p, twice, n);
    let q = o.poly(r, p.expm1_up);
    let r2 = o.fmul(r, r);
    let em1 = o.fma(r2, q, r);
    let less = o.c_sub(0.5, scale);
    o.fms(em1, scale, less)
}

/// 2^(first + second)·eˣ, where 2^first·eˣ must be a normal number.
#[inline(always)]
fn one_sided_exp<O: Ops>(o: &mut O, p: &Params, x: O::V, first: i64, second: i64) -> O::V {
    let (n, scale) = round_to_power(o, p, x, 1.0, first);
    let r = reduce(o, p, x, n);
    let q = o.poly(r, p.expm1);
    let q = o.fma_plus(r, q, 1.0);
    let e = o.fma_plus(r, q, 1.0);
    let e = o.fmul(e, scale);
    o.mul_c(e, 2f64.powi(second as i32))
}

/// x − n·ln 2
#[inline(always)]
fn reduce<O: Ops>(o: &mut O, p: &Params, x: O::V, n: O::V) -> O::V {
    let r = o.fma_c(n, -p.ln2_high, x);
    o.fma_c(n, -p.ln2_low, r)
}

/// (n, 2^(n/step + k)) with n = x/ln 2 rounded to a multiple of `step`, 1 or 2: adding 1.5·2^(mantissa bits)·step leaves
/// n/step in the low bits.
#[inline(always)]
fn round_to_power<O: Ops>(o: &mut O, p: &Params, x: O::V, step: f64, k: i64) -> (O::V, O::V) {
    let magic = step * (p.round + (p.bias + k) as f64);
    let shifted = o.linear(x, 1.0 / LN_2, magic);
    let n = o.sub_c(shifted, magic);
    let bits = o.to_bits(shifted);
    let scale = o.shl_c(bits, p.mantissa);
    (n, o.from_bits(scale))
}

const LN_2: f64 = std::f64::consts::LN_2;

/// What differs between the types.
pub(super) struct Params {
    mantissa: i64,
    bias: i64,
    round: f64,
    epsilon: f64,
    /// Far below, where 2^(n + away) in `logistic` has no bits left: its products are zero without an underflow, which takes
    /// processors long.
    exp_far: f64,
    /// Above, eˣ is infinite.
    exp_max: f64,
    /// Below, eˣ is less than the least normal number; between this and the logarithm of that number are at most a few x.
    exp_small: f64,
    /// Far below, where 2ʰ has no bits left: products are zero without an underflow, which processors take long for.
    exp_zero: f64,
    /// Below, eˣ − 1 rounds to −1.
    expm1_min: f64,
    ln2_high: f64,
    ln2_low: f64,
    exp: &'static [f64],
    expm1: &'static [f64],
    expm1_up: &'static [f64],
}

#[inline(always)]
fn params<O: Ops>(o: &O, x: O::V) -> &'static Params {
    if o.ty(x) == Ty::F64 { &F64 } else { &F32 }
}

// Polynomials: weighted minimax fits (Lawson's reweighted least squares at 200 bits), the coefficients rounded one
// by one from the lowest while the others are fitted again. "Error" is relative to the function.

static F32: Params = Params {
    mantissa: 23,
    bias: 127,
    round: 12_582_912.0,
    epsilon: f32::EPSILON as f64,
    exp_far: -132.5,
    exp_max: 89.0,
    exp_small: -87.33655,
    exp_zero: -176.1,
    expm1_min: -18.0,
    ln2_high: 0.693_147_182_464_599_6,
    ln2_low: -1.904_654_212_125_933_6e-9,
    // |r| ≤ ln 2, error 2^-26.0
    exp: &[
        1.0,
        1.0,
        0.5000003576278687,
        0.1666661649942398,
        0.04166119545698166,
        0.008335965685546398,
        0.0014105556765571237,
        0.00019630610768217593,
    ],
    // (eʳ − 1 − r) / r², |r| ≤ ½ ln 2, error 2^-26.1
    expm1: &[
        0.4999999701976776,
        0.1666654497385025,
        0.04166749492287636,
        0.008366410620510578,
        0.001386525807902217,
    ],
    // As above, −0.21 ≤ r ≤ 0.49, error 2^-26.1
    expm1_up: &[
        0.5000001192092896,
        0.16666768491268158,
        0.041657254099845886,
        0.0083150090649724,
        0.0015573984710499644,
    ],
};

static F64: Params = Params {
    mantissa: 52,
    bias: 1023,
    round: 6_755_399_441_055_744.0,
    epsilon: f64::EPSILON,
    exp_far: -1064.0,
    exp_max: 710.0,
    exp_small: -708.396_418_532_264_1,
    exp_zero: -1418.3,
    expm1_min: -38.0,
    ln2_high: std::f64::consts::LN_2,
    ln2_low: 2.3190468138462996e-17,
    // |r| ≤ ln 2, error 2^-56.5
    exp: &[
        1.0,
        1.0,
        0.4999999999999993,
        0.16666666666666935,
        0.04166666666670211,
        0.008333333333270309,
        0.0013888888883575813,
        0.00019841269892477797,
        2.480159083017702e-05,
        2.755730075565814e-06,
        2.755615804545435e-07,
        2.5055016481722354e-08,
        2.106232815566394e-09,
        1.5936618982630843e-10,
    ],
    // (eʳ − 1 − r) / r², |r| ≤ ½ ln 2, error 2^-55.6
    expm1: &[
        0.5000000000000006,
        0.16666666666666627,
        0.04166666666657403,
        0.008333333333364673,
        0.0013888888932209668,
        0.0001984126977400663,
        2.4801504660624706e-05,
        2.7557357747529578e-06,
        2.762624117443384e-07,
        2.506967978082475e-08,
    ],
    // As above, −0.21 ≤ r ≤ 0.49, error 2^-55.4
    expm1_up: &[
        0.49999999999999983,
        0.16666666666665902,
        0.041666666666713176,
        0.008333333334159575,
        0.001388888884616059,
        0.00019841267587346846,
        2.4801735196307305e-05,
        2.7557650283855454e-06,
        2.7400012888914296e-07,
        2.840838850689398e-08,
    ],
};
