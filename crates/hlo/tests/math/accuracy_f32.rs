//! f32 against f64.

use lawson_hlo::math::{Function, scalar};

use crate::bound;
use crate::reference::{reference, ulps_f32};
use crate::samples::{Bits, thresholds};

fn check(function: Function, x: f32) {
    let got = function.apply_f32(x);
    let exact = reference(function, f64::from(x));
    let ulps = ulps_f32(got, exact);
    assert!(ulps <= bound(function), "{function:?}({x:e}) = {got:e}, not {exact:e}: {ulps} ulp");
}

/// The number `by` places after `x` in the order of f32.
fn neighbour(x: f32, by: i32) -> f32 {
    f32::from_bits(x.to_bits().wrapping_add_signed(by))
}

#[test]
fn every_exponent() {
    for function in Function::ALL {
        let mut bits = Bits::new(7);
        for top in 0..512u32 {
            for _ in 0..256 {
                check(function, f32::from_bits((top << 23) | (bits.next() >> 41) as u32));
            }
        }
    }
}

#[test]
fn common_arguments() {
    for function in Function::ALL {
        let mut bits = Bits::new(8);
        for scale in [1.0, 1.0, 4.0, 20.0, 100.0, 1000.0] {
            for _ in 0..10_000 {
                check(function, (bits.sign() * bits.unit() * scale) as f32);
                check(function, (1.0 + bits.sign() * bits.unit().powi(8)) as f32);
            }
        }
    }
}

#[test]
fn thresholds_and_their_neighbours() {
    for function in Function::ALL {
        for x in thresholds() {
            for by in -4..=4 {
                check(function, neighbour(x as f32, by));
            }
        }
    }
}

#[test]
fn powers() {
    let mut bits = Bits::new(9);
    for i in 0..300_000 {
        let any = f32::from_bits((bits.next() >> 33) as u32);
        let (x, y) = match i % 4 {
            // A result of any magnitude.
            0 => (any, (bits.sign() * bits.unit() * 160.0 / f64::from(any).log2()) as f32),
            1 => ((1.0 + bits.sign() * bits.unit().powi(6)) as f32, (bits.sign() * bits.unit() * 1e3) as f32),
            2 => {
                ((bits.sign() * bits.unit() * 4.0) as f32, (bits.sign() * bits.unit() * 40.0).round() as f32)
            }
            _ => (f32::from_bits(bits.next() as u32), f32::from_bits(bits.next() as u32)),
        };
        let (got, exact) = (scalar::pow_f32(x, y), f64::from(x).powf(f64::from(y)));
        assert!(ulps_f32(got, exact) <= 4.0, "pow({x:e}, {y:e}) = {got:e}, not {exact:e}");
    }
}

#[test]
fn angles() {
    let mut bits = Bits::new(10);
    for i in 0..200_000 {
        let (y, x) = match i % 3 {
            0 => (f32::from_bits(bits.next() as u32), f32::from_bits(bits.next() as u32)),
            1 => ((bits.unit() - 0.5) as f32, (bits.unit() - 0.5) as f32),
            _ => {
                let any = f32::from_bits(bits.next() as u32);
                (any, any * (bits.unit() * 4.0 - 2.0) as f32)
            }
        };
        let (got, exact) = (scalar::atan2_f32(y, x), f64::from(y).atan2(f64::from(x)));
        assert!(ulps_f32(got, exact) <= 4.0, "atan2({y:e}, {x:e}) = {got:e}, not {exact:e}");
    }
}

/// No float gives more than 1: √(1 − sin²) must not be NaN.
#[test]
fn sine_and_cosine_stay_within_one() {
    for bits in (0.9f32.to_bits()..2.2f32.to_bits()).step_by(3) {
        let x = f32::from_bits(bits);
        assert!(Function::Sin.apply_f32(x) <= 1.0, "{x:e}");
        assert!(Function::Cos.apply_f32(x - 1.57) <= 1.0, "{x:e}");
    }
}
