//! The values that C and XLA prescribe, in both types, with the signs of zeros.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use lawson_hlo::math::{Function, scalar};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Equal, with equal signs of zeros; NaN is NaN.
fn same(a: f64, b: f64) -> bool {
    if b.is_nan() { a.is_nan() } else { a == b && a.is_sign_negative() == b.is_sign_negative() }
}

#[test]
fn unary() {
    use Function::*;
    // At −∞, −0, +0, +∞.
    let table = [
        (Exp, [0.0, 1.0, 1.0, INF]),
        (Expm1, [-1.0, -0.0, 0.0, INF]),
        (Log, [NAN, -INF, -INF, INF]),
        (Log1p, [NAN, -0.0, 0.0, INF]),
        (Tanh, [-1.0, -0.0, 0.0, 1.0]),
        (Logistic, [0.0, 0.5, 0.5, 1.0]),
        (Sin, [NAN, -0.0, 0.0, NAN]),
        (Cos, [NAN, 1.0, 1.0, NAN]),
        (Tan, [NAN, -0.0, 0.0, NAN]),
        (Erf, [-1.0, -0.0, 0.0, 1.0]),
        (Rsqrt, [NAN, -INF, INF, 0.0]),
        (Cbrt, [-INF, -0.0, 0.0, INF]),
        (Atan, [-FRAC_PI_2, -0.0, 0.0, FRAC_PI_2]),
        (Asin, [NAN, -0.0, 0.0, NAN]),
        (Acos, [NAN, FRAC_PI_2, FRAC_PI_2, NAN]),
        (Sinh, [-INF, -0.0, 0.0, INF]),
        (Cosh, [INF, 1.0, 1.0, INF]),
        (Asinh, [-INF, -0.0, 0.0, INF]),
        (Acosh, [NAN, NAN, NAN, INF]),
        (Atanh, [NAN, -0.0, 0.0, NAN]),
    ];
    assert_eq!(table.len(), Function::ALL.len());
    for (function, expected) in table {
        for (x, expected) in [-INF, -0.0, 0.0, INF].into_iter().zip(expected) {
            let got = function.apply_f64(x);
            assert!(same(got, expected), "{function:?}({x:?}) = {got:?} in f64");
            let got = function.apply_f32(x as f32);
            let expected = f64::from(expected as f32);
            assert!(same(f64::from(got), expected), "{function:?}({x:?}) = {got:?} in f32");
        }
        assert!(function.apply_f64(NAN).is_nan() && function.apply_f64(-NAN).is_nan(), "{function:?}");
        assert!(function.apply_f32(f32::NAN).is_nan(), "{function:?}");
    }
}

#[test]
fn exact_values() {
    use Function::*;
    let table = [
        (Log, 1.0, 0.0),
        (Log, -1.0, NAN),
        (Log1p, -1.0, -INF),
        (Log1p, -1.5, NAN),
        (Cbrt, -27.0, -3.0),
        (Rsqrt, 4.0, 0.5),
        (Acosh, 1.0, 0.0),
        (Acosh, 0.5, NAN),
        (Acosh, -3.0, NAN),
        (Atanh, 1.0, INF),
        (Atanh, -1.0, -INF),
        (Atanh, 1.5, NAN),
        (Acos, 1.0, 0.0),
        (Acos, -1.0, PI),
        (Asin, 1.0, FRAC_PI_2),
        (Asin, -1.5, NAN),
        (Acos, 1.5, NAN),
        (Atan, 1.0, FRAC_PI_4),
    ];
    for (function, x, expected) in table {
        let got = function.apply_f64(x);
        assert!(same(got, expected), "{function:?}({x}) = {got:?} in f64");
        let got = function.apply_f32(x as f32);
        assert!(same(f64::from(got), f64::from(expected as f32)), "{function:?}({x}) = {got:?} in f32");
    }
}

/// Near 0 these are the identity, down to the smallest denormal.
#[test]
fn powers_of_integers_are_exact() {
    for (base, exponent) in (2..=100u64).flat_map(|base| (0..24u32).map(move |e| (base, e))) {
        let power = base.saturating_pow(exponent);
        if power < 1 << 24 {
            let got = scalar::pow_f32(base as f32, exponent as f32);
            assert_eq!(got, power as f32, "{base} to the power {exponent}");
        }
    }
}

#[test]
fn small_arguments() {
    use Function::*;
    for function in [Expm1, Log1p, Tanh, Sin, Tan, Atan, Asin, Sinh, Asinh, Atanh] {
        for bits in [1u64, 2, 3, 1 << 40, (1 << 52) - 1, 1 << 52, 1 << 53, 0x2000_0000_0000_0001] {
            for x in [f64::from_bits(bits), -f64::from_bits(bits)] {
                assert_eq!(function.apply_f64(x), x, "{function:?} in f64");
            }
        }
        for bits in [1u32, 2, 3, 1 << 20, (1 << 23) - 1, 1 << 23, 1 << 24, 0x2000_0001] {
            for x in [f32::from_bits(bits), -f32::from_bits(bits)] {
                assert_eq!(function.apply_f32(x), x, "{function:?} in f32");
            }
        }
    }
}

#[test]
fn odd_functions_are_odd() {
    use Function::*;
    for function in [Tanh, Sin, Tan, Erf, Cbrt, Atan, Asin, Sinh, Asinh, Atanh] {
        for i in 1..2000 {
            let x = f64::from(i) * 0.0137;
            assert!(same(function.apply_f64(-x), -function.apply_f64(x)), "{function:?}({x}) in f64");
            let (minus, plus) = (function.apply_f32(-x as f32), function.apply_f32(x as f32));
            assert!(same(f64::from(minus), f64::from(-plus)), "{function:?}({x}) in f32");
        }
    }
}

const EDGES: [f64; 22] = [
    -INF, -1e30, -4.0, -3.0, -2.5, -1.0, -0.5, -1e-30, -0.0, 0.0, 1e-30, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 1e30,
    INF, NAN, 5e-324, -5e-324,
];

/// Every pair of edges where the result is exact: zeros, infinities, ones and NaN. Rust's pow follows C's.
#[test]
fn powers() {
    for x in EDGES {
        for y in EDGES {
            let trivial = |e: f64| e.is_nan() || e == 0.0 || e.is_infinite() || e.abs() == 1.0;
            let (got, expected) = (scalar::pow_f64(x, y), x.powf(y));
            if trivial(expected) {
                assert!(same(got, expected), "pow({x:?}, {y:?}) = {got:?}, not {expected:?} in f64");
            } else {
                assert!((got / expected - 1.0).abs() < 1e-15, "pow({x:?}, {y:?}) = {got:?} in f64");
            }
            let (x, y) = (x as f32, y as f32);
            let (got, expected) = (f64::from(scalar::pow_f32(x, y)), f64::from(x.powf(y)));
            if trivial(expected) {
                assert!(same(got, expected), "pow({x:?}, {y:?}) = {got:?}, not {expected:?} in f32");
            } else {
                assert!((got / expected - 1.0).abs() < 3e-7, "pow({x:?}, {y:?}) = {got:?} in f32");
            }
        }
    }
}

/// All quadrants and axes.
#[test]
fn angles() {
    for y in EDGES {
        for x in EDGES {
            let (got, expected) = (scalar::atan2_f64(y, x), y.atan2(x));
            let close = same(got, expected) || (got / expected - 1.0).abs() < 1e-15;
            assert!(close, "atan2({y:?}, {x:?}) = {got:?}, not {expected:?} in f64");
            assert!(got.is_sign_negative() == expected.is_sign_negative() || got.is_nan());
            let (y, x) = (y as f32, x as f32);
            let (got, expected) = (f64::from(scalar::atan2_f32(y, x)), f64::from(y.atan2(x)));
            let close = same(got, expected) || (got / expected - 1.0).abs() < 3e-7;
            assert!(close, "atan2({y:?}, {x:?}) = {got:?}, not {expected:?} in f32");
        }
    }
}
