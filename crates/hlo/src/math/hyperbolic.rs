//! tanh, sinh, cosh and their inverses.

use super::exp::{fraction, half_exp, half_expm1_of_twice};
use super::log::{log1p, log1p_of_sum};
use super::words::Words;
use super::{Ops, Ty};

/// tanh x = w/(1 + w) with w = ½·(e^2|x| − 1), up to where it rounds to 1.
pub fn tanh<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let size = o.fabs(x);
    let size = o.min_c(size, if o.ty(x) == Ty::F64 { 19.1 } else { 9.1 });
    let w = half_expm1_of_twice(o, size);
    let one = o.num(x, 1.0);
    let below = o.fadd(w, one);
    let result = fraction(o, w, below);
    let sign = o.sign(x);
    o.flip(result, sign)
}

/// x + x³·q(x²) up to |x| = 1, and e − ¼/e with e = ½·e^|x| beyond.
pub fn sinh<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let wide = o.ty(x) == Ty::F64;
    let x2 = o.fmul(x, x);
    let q = o.poly(x2, if wide { SINH_F64 } else { SINH_F32 });
    let x3 = o.fmul(x2, q);
    let near = o.fma(x3, x, x);

    let size = o.fabs(x);
    let e = half_exp(o, size);
    let quarter = o.num(x, 0.25);
    let small = o.fdiv(quarter, e);
    let far = o.fsub(e, small);
    let sign = o.sign(x);
    let far = o.flip(far, sign);

    let is_near = o.less_c(size, 1.0);
    o.select(is_near, near, far)
}

/// e + ¼/e with e = ½·e^|x|.
pub fn cosh<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let size = o.fabs(x);
    let e = half_exp(o, size);
    let quarter = o.num(x, 0.25);
    let small = o.fdiv(quarter, e);
    o.fadd(e, small)
}

/// log(a + √(a² + 1)) = log1p(a + a·a/(1 + √(a² + 1))), and log a + ln 2 where the 1 no longer counts.
pub fn asinh<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let limit = if o.ty(x) == Ty::F64 { (1u64 << 56) as f64 } else { (1u64 << 28) as f64 };
    let size = o.fabs(x);
    let small = o.less_c(size, limit);
    let one = o.num(x, 1.0);
    let a2 = o.fmul(size, size);
    let root = o.fadd(a2, one);
    let root = o.sqrt(root);
    let root = o.fadd(root, one);
    let rest = o.fdiv(a2, root);
    let argument = o.fadd(size, rest);
    let argument = o.select(small, argument, size);
    let result = log1p(o, argument);
    let doubled = o.add_c(result, std::f64::consts::LN_2);
    let result = o.select(small, result, doubled);
    let sign = o.sign(x);
    o.flip(result, sign)
}

/// log1p(t + √(2t + t²)) with t = x − 1, and log x + ln 2 where the 1 no longer counts; NaN below 1.
pub fn acosh<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let limit = if o.ty(x) == Ty::F64 { (1u64 << 56) as f64 } else { (1u64 << 28) as f64 };
    let small = o.less_c(x, limit);
    let t = o.sub_c(x, 1.0);
    let root = o.fadd(t, t);
    let root = o.fma(t, t, root);
    let root = o.sqrt(root);
    let sum = o.fadd(t, root);
    let low = o.fsub(sum, root);
    let low = o.fsub(t, low);
    let zero = o.num(x, 0.0);
    let low = o.select(small, low, zero);
    let sum = o.select(small, sum, x);
    let result = log1p_of_sum(o, sum, Some(low));
    let doubled = o.add_c(result, std::f64::consts::LN_2);
    let result = o.select(small, result, doubled);
    let outside = o.less_c(x, 1.0);
    o.select_c(outside, f64::NAN, result)
}

/// ½·log1p(2a + 2a·a/(1 − a)); infinite at ±1 and NaN beyond.
pub fn atanh<O: Ops>(o: &mut O, x: O::V) -> O::V {
    let size = o.fabs(x);
    let rest = o.c_sub(1.0, size);
    let rest = o.fdiv(size, rest);
    let twice = o.fadd(size, size);
    let argument = o.fma(twice, rest, twice);
    let result = log1p(o, argument);
    let result = o.mul_c(result, 0.5);
    let sign = o.sign(x);
    let result = o.flip(result, sign);
    // Doubling and halving loses bits of denormals.
    let tiny = o.less_c(size, if o.ty(x) == Ty::F64 { 1e-9 } else { 1e-4 });
    let result = o.select(tiny, x, result);
    let one = o.num(x, 1.0);
    let outside = o.flt(one, size);
    o.select_c(outside, f64::NAN, result)
}

// Fitted as in exp.rs: (sinh x − x) / x³ in x², |x| ≤ 1.

/// Error 2^-31.6.
const SINH_F32: &[f64] =
    &[0.1666666716337204, 0.00833331048488617, 0.00019842895562760532, 2.7822131869470468e-06];

/// Error 2^-61.8.
const SINH_F64: &[f64] = &[
    0.16666666666666669,
    0.008333333333332912,
    0.00019841269841593484,
    2.7557319106668488e-06,
    2.5052131027520332e-08,
    1.6056655550451116e-10,
    7.776756004264428e-13,
];
