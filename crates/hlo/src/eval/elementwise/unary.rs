//! Operations of one operand, except conversions.

use super::super::word::{Class, Wide, Word, low_bits};
use super::Fun;
use super::field;
use super::real::{Real, sign};
use crate::dtype::DType;
use crate::math::Function;
use crate::opcode::Opcode;

/// The meaning of a unary opcode on words of a type; `None` if it has none there.
pub fn unary(op: Opcode, dtype: DType) -> Option<Fun> {
    if op == Opcode::Copy || op == Opcode::Real && !dtype.is_field() {
        return Class::of(dtype).map(|_| Fun::one(|w| w));
    }
    match Class::of(dtype)? {
        Class::Float32 => float::<f32>(op),
        Class::Float64 => float::<f64>(op),
        Class::Signed => signed(op, dtype.bits()),
        Class::Unsigned => unsigned(op, dtype.bits()),
        Class::Field(field) => field::unary(op, field),
        Class::Pred => (op == Opcode::Not).then(|| Fun::one(|w| w ^ 1)),
    }
}

fn float<F: Real>(op: Opcode) -> Option<Fun> {
    fn of<F: Real>(f: fn(F) -> F) -> Option<Fun> {
        Some(Fun::one(move |w| f(F::of(w)).word()))
    }
    match op {
        Opcode::Abs => of(F::abs),
        Opcode::Ceil => of(F::ceil),
        Opcode::Floor => of(F::floor),
        Opcode::Imag => of(|_: F| F::default()),
        Opcode::IsFinite => Some(Fun::one(|w| F::of(w).is_finite().word())),
        Opcode::Negate => of(|x: F| -x),
        Opcode::RoundNearestAfz => of(F::round),
        Opcode::RoundNearestEven => of(F::round_ties_even),
        Opcode::Sign => of(sign::<F>),
        Opcode::Sqrt => of(F::sqrt),
        _ => {
            let function = elementary(op)?;
            Some(Fun::one(move |w| F::of(w).elementary(function).word()))
        }
    }
}

/// The elementary function of an opcode.
fn elementary(op: Opcode) -> Option<Function> {
    Some(match op {
        Opcode::Acos => Function::Acos,
        Opcode::Acosh => Function::Acosh,
        Opcode::Asin => Function::Asin,
        Opcode::Asinh => Function::Asinh,
        Opcode::Atanh => Function::Atanh,
        Opcode::Cbrt => Function::Cbrt,
        Opcode::Cosine => Function::Cos,
        Opcode::Cosh => Function::Cosh,
        Opcode::Erf => Function::Erf,
        Opcode::Exponential => Function::Exp,
        Opcode::ExponentialMinusOne => Function::Expm1,
        Opcode::Log => Function::Log,
        Opcode::LogPlusOne => Function::Log1p,
        Opcode::Logistic => Function::Logistic,
        Opcode::Rsqrt => Function::Rsqrt,
        Opcode::Sine => Function::Sin,
        Opcode::Sinh => Function::Sinh,
        Opcode::Tan => Function::Tan,
        Opcode::Tanh => Function::Tanh,
        _ => return None,
    })
}

fn signed(op: Opcode, bits: u32) -> Option<Fun> {
    fn of(f: fn(i64) -> i64) -> Option<Fun> {
        Some(Fun::one(move |w| f(i64::of(w)).word()))
    }
    match op {
        Opcode::Abs => of(i64::wrapping_abs),
        Opcode::Negate => of(i64::wrapping_neg),
        Opcode::Sign => of(i64::signum),
        _ => bitwise(op, bits),
    }
}

fn unsigned(op: Opcode, bits: u32) -> Option<Fun> {
    match op {
        Opcode::Abs => Some(Fun::one(|w| w)),
        Opcode::Negate => Some(Fun::one(u64::wrapping_neg)),
        Opcode::Sign => Some(Fun::one(|w| (w != 0).word())),
        _ => bitwise(op, bits),
    }
}

/// What looks at the bits of an integer of this width only.
fn bitwise(op: Opcode, bits: u32) -> Option<Fun> {
    match op {
        Opcode::Not => Some(Fun::one(|w| !w)),
        Opcode::PopulationCount => Some(Fun::one(move |w| low_bits(w, bits).count_ones() as Word)),
        Opcode::CountLeadingZeros => {
            Some(Fun::one(move |w| (low_bits(w, bits).leading_zeros() - (64 - bits)) as Word))
        }
        _ => None,
    }
}
