//! What the elementary functions are measured against, and how.

use lawson_hlo::math::Function;

/// The function in f64, right to about 1 ulp: far below what f32 can tell.
pub fn reference(function: Function, x: f64) -> f64 {
    match function {
        Function::Exp => x.exp(),
        Function::Expm1 => x.exp_m1(),
        Function::Log => x.ln(),
        Function::Log1p => x.ln_1p(),
        Function::Tanh => x.tanh(),
        Function::Logistic => 1.0 / (1.0 + (-x).exp()),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Tan => x.tan(),
        Function::Erf => libm::erf(x),
        Function::Rsqrt => 1.0 / x.sqrt(),
        Function::Cbrt => x.cbrt(),
        Function::Atan => x.atan(),
        Function::Asin => x.asin(),
        Function::Acos => x.acos(),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Asinh => libm::asinh(x),
        Function::Acosh if x < 1.0 => f64::NAN,
        Function::Acosh => libm::acosh(x),
        Function::Atanh => libm::atanh(x),
    }
}

/// The distance of `got` from `exact` in units in the last place of f32 at `exact`; infinite for a wrong special.
pub fn ulps_f32(got: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if exact.is_nan() || got.is_nan() {
        return if exact.is_nan() && got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == rounded {
        let zero = got == 0.0 && got.is_sign_negative() != rounded.is_sign_negative();
        return if zero {
            f64::INFINITY
        } else if got.is_infinite() {
            0.0
        } else {
            error(got, exact)
        };
    }
    if got.is_infinite() {
        // Beyond the largest number there is half a unit left.
        return error(f32::MAX, exact) + 1.0;
    }
    error(got, exact)
}

fn error(got: f32, exact: f64) -> f64 {
    let exponent = (exact.abs().max(f64::from(f32::MIN_POSITIVE)).to_bits() >> 52) as i32 - 1023;
    (f64::from(got) - exact).abs() * 2f64.powi(23 - exponent.min(127))
}
