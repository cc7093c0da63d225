//! The elementary functions in 192 bits.

use astro_float_num::{BigFloat, Consts, Error, RoundingMode, Sign};
use lawson_hlo::math::Function;

const BITS: usize = 192;
const NEAREST: RoundingMode = RoundingMode::ToEven;

/// Computes exact values and keeps what they share.
pub struct Exact(Consts);

impl Exact {
    pub fn new() -> Result<Exact, Error> {
        Ok(Exact(Consts::new()?))
    }

    /// The function of a finite `x` in its domain, where the result neither saturates nor overflows by far.
    pub fn unary(&mut self, function: Function, x: f64) -> BigFloat {
        let x = &big(x);
        let one = &big(1.0);
        let two = &big(2.0);
        let c = &mut self.0;
        match function {
            Function::Exp => x.exp(BITS, NEAREST, c),
            Function::Expm1 => {
                // 2·sinh(x/2)·e^(x/2) does not cancel.
                let half = x.div(two, BITS, NEAREST);
                let sinh = half.sinh(BITS, NEAREST, c);
                let exp = half.exp(BITS, NEAREST, c);
                sinh.mul(&exp, BITS, NEAREST).mul(two, BITS, NEAREST)
            }
            Function::Log => x.ln(BITS, NEAREST, c),
            Function::Log1p if x.exponent() < Some(-1) => {
                let below = x.add(two, BITS, NEAREST);
                x.div(&below, BITS, NEAREST).atanh(BITS, NEAREST, c).mul(two, BITS, NEAREST)
            }
            Function::Log1p => x.add(one, BITS, NEAREST).ln(BITS, NEAREST, c),
            Function::Tanh => x.tanh(BITS, NEAREST, c),
            Function::Logistic => {
                let exp = x.neg().exp(BITS, NEAREST, c);
                exp.add(one, BITS, NEAREST).reciprocal(BITS, NEAREST)
            }
            Function::Sin => x.sin(BITS, NEAREST, c),
            Function::Cos => x.cos(BITS, NEAREST, c),
            Function::Tan => x.tan(BITS, NEAREST, c),
            Function::Erf => erf(x, c),
            Function::Rsqrt => x.sqrt(BITS, NEAREST).reciprocal(BITS, NEAREST),
            Function::Cbrt => x.cbrt(BITS, NEAREST),
            Function::Atan => x.atan(BITS, NEAREST, c),
            Function::Asin => x.asin(BITS, NEAREST, c),
            Function::Acos => x.acos(BITS, NEAREST, c),
            Function::Sinh => x.sinh(BITS, NEAREST, c),
            Function::Cosh => x.cosh(BITS, NEAREST, c),
            Function::Asinh => x.asinh(BITS, NEAREST, c),
            Function::Acosh => x.acosh(BITS, NEAREST, c),
            Function::Atanh => x.atanh(BITS, NEAREST, c),
        }
    }

    /// xʸ for x > 0.
    pub fn pow(&mut self, x: f64, y: f64) -> BigFloat {
        big(x).pow(&big(y), BITS, NEAREST, &mut self.0)
    }

    /// The angle of a point off the axes.
    pub fn atan2(&mut self, y: f64, x: f64) -> BigFloat {
        let right = big(y).div(&big(x), BITS, NEAREST).atan(BITS, NEAREST, &mut self.0);
        let pi = self.0.pi(BITS, NEAREST);
        match (x > 0.0, y > 0.0) {
            (true, _) => right,
            (false, true) => right.add(&pi, BITS, NEAREST),
            (false, false) => right.sub(&pi, BITS, NEAREST),
        }
    }
}

/// 2/√π · Σ (−1)ⁿ x²ⁿ⁺¹ / (n!·(2n + 1)); at |x| = 6 the terms reach 2⁵⁰.
fn erf(x: &BigFloat, c: &mut Consts) -> BigFloat {
    let x2 = x.mul(x, BITS, NEAREST).neg();
    let mut power = x.clone();
    let mut sum = x.clone();
    for n in 1..400 {
        let n = f64::from(n);
        power = power.mul(&x2, BITS, NEAREST).div(&big(n), BITS, NEAREST);
        let term = power.div(&big(2.0 * n + 1.0), BITS, NEAREST);
        sum = sum.add(&term, BITS, NEAREST);
        if term.is_zero() || term.exponent() < sum.exponent().map(|e| e - BITS as i32) {
            break;
        }
    }
    let root = c.pi(BITS, NEAREST).sqrt(BITS, NEAREST);
    sum.mul(&big(2.0), BITS, NEAREST).div(&root, BITS, NEAREST)
}

/// The distance of `got` from `exact` in units in the last place of f64 at `exact`.
pub fn ulps_f64(got: f64, exact: &BigFloat) -> f64 {
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if exact.is_zero() {
        return if got == 0.0 { 0.0 } else { f64::INFINITY };
    }
    // From half a unit above the largest number on, infinity is right.
    let exponent = exact.exponent().unwrap_or(i32::MAX);
    if got.is_infinite() {
        let right = exponent > 1024 && exact.is_positive() == (got > 0.0);
        return if right { 0.0 } else { f64::INFINITY };
    }
    let difference = exact.sub(&big(got), BITS, NEAREST);
    match difference.as_raw_parts() {
        Some((words, _, _, e, _)) if !difference.is_zero() => {
            let top = words.last().map_or(0.0, |word| *word as f64 / 2f64.powi(64));
            top * 2f64.powi(e - (exponent - 1).max(-1022) + 52)
        }
        _ => 0.0,
    }
}

/// The value rounded to f64, for messages.
pub fn shown(exact: &BigFloat) -> f64 {
    match exact.as_raw_parts() {
        Some((words, _, sign, e, _)) => {
            let top = words.last().map_or(0.0, |word| *word as f64 / 2f64.powi(64));
            let size = top * 2f64.powi(e / 2) * 2f64.powi(e - e / 2);
            if sign == Sign::Neg { -size } else { size }
        }
        None => f64::NAN,
    }
}

/// The exact value; denormals are scaled, because the conversion halves them.
fn big(x: f64) -> BigFloat {
    if x == 0.0 || x.abs() >= f64::MIN_POSITIVE {
        return BigFloat::from_f64(x, BITS);
    }
    let mut value = BigFloat::from_f64(x * 2f64.powi(100), BITS);
    if let Some(e) = value.exponent() {
        value.set_exponent(e - 100);
    }
    value
}
