//! f64 against 192 bits.

use lawson_hlo::math::{Function, scalar};

use crate::bound;
use crate::exact::{Exact, shown, ulps_f64};
use crate::samples::{Bits, thresholds};

fn check(exact: &mut Exact, function: Function, x: f64) {
    let got = function.apply_f64(x);
    if let Some(limit) = saturated(function, x) {
        assert!(got == limit || got.is_nan() && limit.is_nan(), "{function:?}({x:e}) = {got:e}, not {limit}");
        return;
    }
    let value = exact.unary(function, x);
    let ulps = ulps_f64(got, &value);
    assert!(ulps <= bound(function), "{function:?}({x:e}) = {got:e}, not {:e}: {ulps} ulp", shown(&value));
    let zero = x == 0.0 && got == 0.0;
    assert!(!zero || got.is_sign_negative() == x.is_sign_negative(), "{function:?}({x}) = {got}");
}

/// The result where it is trivial or undefined and the reference would be slow or refuse.
fn saturated(function: Function, x: f64) -> Option<f64> {
    let beyond = |limit: f64, above: f64, below: f64| match x {
        x if x > limit => Some(above),
        x if x < -limit => Some(below),
        _ => None,
    };
    match function {
        Function::Exp => beyond(760.0, f64::INFINITY, 0.0),
        Function::Expm1 if x < -40.0 => Some(-1.0),
        Function::Expm1 => beyond(760.0, f64::INFINITY, -1.0),
        Function::Logistic if x > 40.0 => Some(1.0),
        Function::Logistic => beyond(760.0, 1.0, 0.0),
        Function::Tanh => beyond(20.0, 1.0, -1.0),
        Function::Erf => beyond(6.1, 1.0, -1.0),
        Function::Sinh => beyond(720.0, f64::INFINITY, f64::NEG_INFINITY),
        Function::Cosh => beyond(720.0, f64::INFINITY, f64::INFINITY),
        Function::Log | Function::Rsqrt if x < 0.0 => Some(f64::NAN),
        Function::Log if x == 0.0 => Some(f64::NEG_INFINITY),
        Function::Rsqrt if x == 0.0 => Some(1.0 / x),
        Function::Log1p if x < -1.0 => Some(f64::NAN),
        Function::Log1p if x == -1.0 => Some(f64::NEG_INFINITY),
        Function::Asin | Function::Acos => beyond(1.0, f64::NAN, f64::NAN),
        Function::Atanh if x.abs() == 1.0 => Some(x / 0.0),
        Function::Atanh => beyond(1.0, f64::NAN, f64::NAN),
        Function::Acosh if x < 1.0 => Some(f64::NAN),
        _ => None,
    }
}

#[test]
fn random_arguments() {
    let mut exact = Exact::new().expect("constants");
    for function in Function::ALL {
        let mut bits = Bits::new(11);
        for i in 0..1500 {
            let unit = bits.sign() * bits.unit();
            let x = match i % 8 {
                0 => loop {
                    let x = f64::from_bits(bits.next());
                    if x.is_finite() {
                        break x;
                    }
                },
                1 | 2 => unit,
                3 => unit * 10.0,
                4 => unit * 740.0,
                5 => unit * 2f64.powi((bits.next() % 60) as i32 - 30),
                6 => 1.0 + unit.powi(7),
                // Close to a multiple of π/2.
                _ => {
                    let turn = std::f64::consts::FRAC_PI_2 * (bits.next() % 100_000) as f64;
                    turn + unit * 2f64.powi(-((bits.next() % 50) as i32))
                }
            };
            check(&mut exact, function, x);
        }
    }
}

#[test]
fn thresholds_and_their_neighbours() {
    let mut exact = Exact::new().expect("constants");
    for function in Function::ALL {
        for (i, x) in thresholds().enumerate() {
            let next = x.to_bits().wrapping_add_signed(if i % 2 == 0 { 1 } else { -1 });
            check(&mut exact, function, x);
            if f64::from_bits(next).is_finite() {
                check(&mut exact, function, f64::from_bits(next));
            }
        }
    }
}

#[test]
fn powers() {
    let mut exact = Exact::new().expect("constants");
    let mut bits = Bits::new(12);
    for i in 0..4000 {
        let (x, y) = match i % 3 {
            // A result of any magnitude from a base of any magnitude.
            0 => {
                let x = f64::from_bits(bits.next() % f64::INFINITY.to_bits());
                (x, bits.sign() * bits.unit() * 1070.0 / x.log2())
            }
            1 => {
                let x = 1.0 + bits.sign() * 2f64.powi(-((bits.next() % 50) as i32) - 1);
                (x, bits.sign() * bits.unit() * 700.0 / x.ln())
            }
            _ => (bits.unit() * 4.0, bits.sign() * bits.unit() * 100.0),
        };
        let (got, value) = (scalar::pow_f64(x, y), exact.pow(x, y));
        let ulps = ulps_f64(got, &value);
        assert!(ulps <= 4.0, "pow({x:e}, {y:e}) = {got:e}, not {:e}: {ulps} ulp", shown(&value));
    }
}

#[test]
fn angles() {
    let mut exact = Exact::new().expect("constants");
    let mut bits = Bits::new(13);
    for i in 0..3000 {
        let any = f64::from_bits(bits.next());
        let (y, x) = match i % 4 {
            0 => (any, f64::from_bits(bits.next())),
            1 => (bits.unit() - 0.5, bits.unit() - 0.5),
            2 => (any, any * (bits.unit() * 4.0 - 2.0)),
            // Denormals and huge numbers.
            _ => {
                let top = if bits.sign() > 0.0 { 0 } else { 0x7fe << 52 };
                (f64::from_bits(top | (bits.next() >> 12)), f64::from_bits(top | (bits.next() >> 12)))
            }
        };
        if !x.is_finite() || !y.is_finite() || x == 0.0 || y == 0.0 {
            continue;
        }
        let (got, value) = (scalar::atan2_f64(y, x), exact.atan2(y, x));
        let ulps = ulps_f64(got, &value);
        assert!(ulps <= 4.0, "atan2({y:e}, {x:e}) = {got:e}, not {:e}: {ulps} ulp", shown(&value));
    }
}

/// Near the peak one argument in 10⁹ needs the limit; this is one.
#[test]
fn sine_stays_within_one() {
    let x = 1.5707963265455447;
    assert!(Function::Sin.apply_f64(x) <= 1.0);
    let mut bits = Bits::new(14);
    for _ in 0..200_000 {
        let x = std::f64::consts::FRAC_PI_2 + bits.sign() * bits.unit().powi(3) * 0.3;
        assert!(Function::Sin.apply_f64(x) <= 1.0, "{x:e}");
    }
}
