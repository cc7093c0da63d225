//! Elementary functions on numbers.

use crate::opcode::Opcode;

/// The function of an opcode in f32.
pub fn unary_f32(op: Opcode) -> Option<fn(f32) -> f32> {
    use Opcode::*;
    Some(match op {
        Acos => f32::acos,
        Acosh => f32::acosh,
        Asin => f32::asin,
        Asinh => f32::asinh,
        Atanh => f32::atanh,
        Cbrt => f32::cbrt,
        Cosine => f32::cos,
        Cosh => f32::cosh,
        Exponential => f32::exp,
        ExponentialMinusOne => f32::exp_m1,
        Log => f32::ln,
        LogPlusOne => f32::ln_1p,
        Logistic => |x| 1.0 / (1.0 + (-x).exp()),
        Rsqrt => |x| 1.0 / x.sqrt(),
        Sine => f32::sin,
        Sinh => f32::sinh,
        Sqrt => f32::sqrt,
        Tan => f32::tan,
        Tanh => f32::tanh,
        _ => return None,
    })
}

/// The function of an opcode in f64.
pub fn unary_f64(op: Opcode) -> Option<fn(f64) -> f64> {
    use Opcode::*;
    Some(match op {
        Acos => f64::acos,
        Acosh => f64::acosh,
        Asin => f64::asin,
        Asinh => f64::asinh,
        Atanh => f64::atanh,
        Cbrt => f64::cbrt,
        Cosine => f64::cos,
        Cosh => f64::cosh,
        Exponential => f64::exp,
        ExponentialMinusOne => f64::exp_m1,
        Log => f64::ln,
        LogPlusOne => f64::ln_1p,
        Logistic => |x| 1.0 / (1.0 + (-x).exp()),
        Rsqrt => |x| 1.0 / x.sqrt(),
        Sine => f64::sin,
        Sinh => f64::sinh,
        Sqrt => f64::sqrt,
        Tan => f64::tan,
        Tanh => f64::tanh,
        _ => return None,
    })
}

/// power and atan2 in f32.
pub fn binary_f32(op: Opcode) -> Option<fn(f32, f32) -> f32> {
    match op {
        Opcode::Power => Some(f32::powf),
        Opcode::Atan2 => Some(f32::atan2),
        _ => None,
    }
}

/// power and atan2 in f64.
pub fn binary_f64(op: Opcode) -> Option<fn(f64, f64) -> f64> {
    match op {
        Opcode::Power => Some(f64::powf),
        Opcode::Atan2 => Some(f64::atan2),
        _ => None,
    }
}
