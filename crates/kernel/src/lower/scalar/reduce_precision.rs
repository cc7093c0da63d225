//! Rounding to a format of fewer bits that keeps its type.

use super::*;
use crate::refusal::Refusal;
use lawson_hlo::Opcode;

/// Rounds to so many exponent and mantissa bits, ties to even; beyond the range is infinity, below it is zero.
///
/// # Errors
/// The type is no float.
pub fn reduce_precision(
    b: &mut CodeBuilder,
    dtype: DType,
    exponent_bits: u32,
    mantissa_bits: u32,
    x: V,
) -> Result<V, Refusal> {
    // A bf16 in an f32 has the same exponents, so it rounds there, and so do narrower floats; the denormals of f16 only
    // round as f16.
    let computed = match dtype.float() {
        Some(Float::Bf16 | Float::F32 | Float::Small(_)) => Float::F32.format(),
        Some(Float::F16) => Float::F16.format(),
        Some(Float::F64) => Float::F64.format(),
        None => {
            return Err(Refusal::UnsupportedType { opcode: Opcode::ReducePrecision, dtype });
        }
    };
    let (own_exponent, own_mantissa) = (computed.exponent, computed.mantissa);
    let bits = if dtype.is_f16() { b.cast(Cast::FloatToHalf, x, Elem::I16) } else { to_bits(b, x) };
    let mut v = bits;
    if mantissa_bits < own_mantissa {
        v = drop_bits(b, v, own_mantissa - mantissa_bits);
    }
    if exponent_bits < own_exponent {
        v = narrow_range(b, v, own_exponent, own_mantissa, exponent_bits);
    }
    let value = if dtype.is_f16() { b.cast(Cast::HalfToFloat, v, Elem::F32) } else { from_bits(b, v) };
    let nan = b.cmp(Cmp::FNe, x, x);
    let value = b.select(nan, x, value);
    Ok(rounded(b, value, dtype))
}

/// Clears the lowest bits, rounding to nearest even; a carry goes into the exponent, where it belongs.
fn drop_bits(b: &mut CodeBuilder, bits: V, dropped: u32) -> V {
    let (by, one) = (int_like(b, bits, dropped as i64), int_like(b, bits, 1));
    let odd = b.bin(Bin::LShr, bits, by);
    let odd = b.bin(Bin::And, odd, one);
    let half = int_like(b, bits, (1i64 << (dropped - 1)) - 1);
    let up = b.bin(Bin::Add, half, odd);
    let sum = b.bin(Bin::Add, bits, up);
    let keep = int_like(b, bits, -1i64 << dropped);
    b.bin(Bin::And, sum, keep)
}

/// Exponents beyond those of the reduced format become infinity or zero, with the sign.
fn narrow_range(b: &mut CodeBuilder, bits: V, own: u32, mantissa: u32, reduced: u32) -> V {
    let bias = (1i64 << (own - 1)) - 1;
    let reach = (1i64 << reduced.max(1) >> 1) - 1;
    let field = int_like(b, bits, ((1i64 << own) - 1) << mantissa);
    let exponent = b.bin(Bin::And, bits, field);
    let greatest = int_like(b, bits, (bias + reach) << mantissa);
    let least = int_like(b, bits, (bias - reach) << mantissa);
    let sign = int_like(b, bits, 1i64 << (own + mantissa));
    let sign = b.bin(Bin::And, bits, sign);
    let infinite = b.bin(Bin::Or, sign, field);
    let above = b.cmp(Cmp::Ult, greatest, exponent);
    let below = b.cmp(Cmp::Ule, exponent, least);
    let v = b.select(above, infinite, bits);
    b.select(below, sign, v)
}
