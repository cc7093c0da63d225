//! Functions of complex numbers, written once in operations on their parts.
//!
//! Each is a sequence of real operations of this language, so that a program that computes it part by part has the bits of
//! the interpreter. Magnitudes neither overflow nor vanish on the way where the result does not, sums that cancel are
//! written otherwise, and zeros, infinities and NaN are those of Annex G of the C standard; signs of zero choose the side of
//! branch cuts.

mod arithmetic;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod modulus;
mod power;
mod product;
mod root;

use super::composite::PartOps;
use crate::dtype::DType;
use crate::opcode::Opcode;
use arithmetic::{Arithmetic, Pair};

/// The magnitude.
pub fn abs<B: PartOps>(b: &mut B, [re, im]: Pair<&B::Value>, part: DType) -> B::Value {
    modulus::abs(&mut Arithmetic::new(b, part), [re, im])
}

/// The parts of a function of one complex number; `None` of what is none.
pub fn unary<B: PartOps>(
    b: &mut B,
    opcode: Opcode,
    z: Pair<&B::Value>,
    part: DType,
) -> Option<Pair<B::Value>> {
    use Opcode::*;
    let r = &mut Arithmetic::new(b, part);
    Some(match opcode {
        Acos => inverse::acos(r, z),
        Acosh => inverse::acosh(r, z),
        Asin => inverse::asin(r, z),
        Asinh => inverse::asinh(r, z),
        Atanh => inverse::atanh(r, z),
        Cbrt => root::cbrt(r, z),
        Cosine => hyperbolic::cos(r, z),
        Cosh => hyperbolic::cosh(r, z),
        Exponential => exponential::exp(r, z),
        ExponentialMinusOne => exponential::expm1(r, z),
        Log => logarithm::log(r, z),
        LogPlusOne => logarithm::log1p(r, z),
        Logistic => exponential::logistic(r, z),
        Rsqrt => root::rsqrt(r, z),
        Sign => modulus::sign(r, z),
        Sine => hyperbolic::sin(r, z),
        Sinh => hyperbolic::sinh(r, z),
        Sqrt => root::sqrt(r, z),
        Tan => hyperbolic::tan(r, z),
        Tanh => hyperbolic::tanh(r, z),
        _ => return None,
    })
}

/// The parts of a function of two complex numbers; `None` of what is none.
pub fn binary<B: PartOps>(
    b: &mut B,
    opcode: Opcode,
    x: Pair<&B::Value>,
    y: Pair<&B::Value>,
    part: DType,
) -> Option<Pair<B::Value>> {
    let r = &mut Arithmetic::new(b, part);
    Some(match opcode {
        Opcode::Atan2 => power::atan2(r, x, y),
        Opcode::Divide => product::divide(r, x, y),
        Opcode::Multiply => product::multiply(r, x, y),
        Opcode::Power => power::power(r, x, y),
        _ => return None,
    })
}
