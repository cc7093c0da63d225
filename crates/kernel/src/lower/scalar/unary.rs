//! Operations of one operand.

use super::integer::count;
use super::*;
use crate::loop_ir::Un;
use crate::lower::math;
use crate::refusal::Refusal;
use lawson_hlo::Opcode;
use lawson_hlo::math::Function;

/// Appends a unary operation on an operand of type `dtype`.
///
/// # Errors
/// The operation has no meaning for the type.
pub fn unary(b: &mut CodeBuilder, opcode: Opcode, dtype: DType, x: V) -> Result<V, Refusal> {
    if let Some(f) = elementary(opcode) {
        return match dtype.is_float() {
            true => {
                let v = math::function(b, f, x);
                Ok(rounded(b, v, dtype))
            }
            false => Err(Refusal::UnsupportedType { opcode, dtype }),
        };
    }
    if let (Some(field), true) = (dtype.field(), opcode != Opcode::Copy) {
        return field::unary(b, opcode, field, x).ok_or(Refusal::UnsupportedType { opcode, dtype });
    }
    if let (Some(field), true) = (dtype.wide_field(), opcode != Opcode::Copy) {
        return wide::unary(b, opcode, field, x).ok_or(Refusal::UnsupportedType { opcode, dtype });
    }
    let v = match (opcode, dtype) {
        (Opcode::Copy | Opcode::Real, _) => return Ok(x),
        (Opcode::Not, d) if d.has_bitwise() => b.un(Un::Not, x),
        (Opcode::PopulationCount, d) if d.is_integer() => count(b, d, Un::Popcnt, x),
        (Opcode::CountLeadingZeros, d) if d.is_integer() => count(b, d, Un::Clz, x),
        (Opcode::Abs, d) if d.is_signed() => {
            let (zero, negated) = negated(b, x);
            let negative = b.cmp(Cmp::Slt, x, zero);
            b.select(negative, negated, x)
        }
        (Opcode::Abs, d) if d.is_unsigned() => x,
        (Opcode::Negate, d) if d.is_integer() => negated(b, x).1,
        (Opcode::Sign, d) if d.is_integer() => {
            let (zero, one, minus) = (int_like(b, x, 0), int_like(b, x, 1), int_like(b, x, -1));
            let is_zero = b.cmp(Cmp::Eq, x, zero);
            let positive = b.select(is_zero, zero, one);
            let negative = b.cmp(Cmp::Slt, x, zero);
            if d.is_signed() { b.select(negative, minus, positive) } else { positive }
        }
        (Opcode::Imag, d) if d.is_float() => float_like(b, x, 0.0),
        (Opcode::Abs, d) if d.is_float() => b.un(Un::FAbs, x),
        (Opcode::Negate, d) if d.is_float() => b.un(Un::FNeg, x),
        (Opcode::Sqrt, d) if d.is_float() => b.un(Un::Sqrt, x),
        (Opcode::Floor, d) if d.is_float() => b.un(Un::Floor, x),
        (Opcode::Ceil, d) if d.is_float() => b.un(Un::Ceil, x),
        (Opcode::RoundNearestEven, d) if d.is_float() => b.un(Un::Rint, x),
        (Opcode::RoundNearestAfz, d) if d.is_float() => round_away(b, x),
        (Opcode::IsFinite, d) if d.is_float() => {
            let size = b.un(Un::FAbs, x);
            let infinity = float_like(b, x, f64::INFINITY);
            return Ok(b.cmp(Cmp::FLt, size, infinity));
        }
        (Opcode::Sign, d) if d.is_float() => {
            let zero = float_like(b, x, 0.0);
            let (one, minus) = (float_like(b, x, 1.0), float_like(b, x, -1.0));
            let (above, below) = (b.cmp(Cmp::FLt, zero, x), b.cmp(Cmp::FLt, x, zero));
            // What is neither, ±0 and NaN, stays as it is.
            let v = b.select(below, minus, x);
            b.select(above, one, v)
        }
        _ => return Err(Refusal::UnsupportedType { opcode, dtype }),
    };
    Ok(rounded(b, v, dtype))
}

fn elementary(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Exponential => Function::Exp,
        Opcode::ExponentialMinusOne => Function::Expm1,
        Opcode::Log => Function::Log,
        Opcode::LogPlusOne => Function::Log1p,
        Opcode::Tanh => Function::Tanh,
        Opcode::Logistic => Function::Logistic,
        Opcode::Sine => Function::Sin,
        Opcode::Cosine => Function::Cos,
        Opcode::Tan => Function::Tan,
        Opcode::Erf => Function::Erf,
        Opcode::Rsqrt => Function::Rsqrt,
        Opcode::Cbrt => Function::Cbrt,
        Opcode::Asin => Function::Asin,
        Opcode::Acos => Function::Acos,
        Opcode::Sinh => Function::Sinh,
        Opcode::Cosh => Function::Cosh,
        Opcode::Asinh => Function::Asinh,
        Opcode::Acosh => Function::Acosh,
        Opcode::Atanh => Function::Atanh,
        _ => return None,
    })
}

fn negated(b: &mut CodeBuilder, x: V) -> (V, V) {
    let zero = int_like(b, x, 0);
    (zero, b.bin(Bin::Sub, zero, x))
}

/// Half away from zero. The fraction is exact, so 0.49999997 does not become 1.
fn round_away(b: &mut CodeBuilder, x: V) -> V {
    let whole = b.un(Un::FTrunc, x);
    let fraction = b.bin(Bin::FSub, x, whole);
    let fraction = b.un(Un::FAbs, fraction);
    let (half, one) = (float_like(b, x, 0.5), float_like(b, x, 1.0));
    let up = b.cmp(Cmp::FLe, half, fraction);
    let size = b.un(Un::FAbs, whole);
    let next = b.bin(Bin::FAdd, size, one);
    let size = b.select(up, next, size);
    copy_sign(b, size, x)
}

/// A non-negative magnitude with the sign of another value.
pub fn copy_sign(b: &mut CodeBuilder, size: V, sign: V) -> V {
    let (bits, of) = (to_bits(b, size), to_bits(b, sign));
    let top = b.ty_of(of).elem.bits() - 1;
    let mask = int_like(b, of, (1u64 << top) as i64);
    let sign = b.bin(Bin::And, of, mask);
    let both = b.bin(Bin::Or, bits, sign);
    from_bits(b, both)
}
