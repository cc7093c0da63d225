//! Conversions between types.

use super::resize::resize;
use super::small_float::{bf16_to_float, exact_bf16, narrow_to_odd};
use super::*;
use crate::loop_ir::Un;
use crate::refusal::Refusal;
use lawson_hlo::Opcode;

/// Appends a conversion: floats to integers truncate and saturate (NaN is 0), integers wrap, anything to pred
/// asks whether it is not zero.
///
/// # Errors
/// A type that is no number here.
pub fn convert(b: &mut CodeBuilder, from: DType, to: DType, x: V) -> Result<V, Refusal> {
    if let Some(&dtype) = [from, to].iter().find(|d| d.is_split()) {
        return Err(Refusal::UnsupportedType { opcode: Opcode::Convert, dtype });
    }
    if from == to {
        return Ok(x);
    }
    if let Some(into) = to.field() {
        return field::from(b, from, into, x);
    }
    if let Some(into) = to.wide_field() {
        return wide::from(b, from, into, x);
    }
    if let Some(own) = from.wide_field() {
        if to.is_pred() {
            return Ok(wide::is_nonzero(b, x));
        }
        let word = wide::low_word(b, own, x);
        return convert(b, DType::U64, to, word);
    }
    if let Some(own) = from.field() {
        if to.is_pred() {
            let zero = int_like(b, x, 0);
            return Ok(b.cmp(Cmp::Ne, x, zero));
        }
        let value = field::value(b, own, x);
        let integer = own.prime.parameters().word.unsigned();
        return convert(b, integer, to, value);
    }
    if from.is_pred() {
        let byte = b.cast(Cast::Zext, x, Elem::I8);
        return convert(b, DType::U8, to, byte);
    }
    Ok(match (from.float(), to.float()) {
        (Some(_), None) if to.is_pred() => {
            let zero = float_like(b, x, 0.0);
            b.cmp(Cmp::FNe, x, zero)
        }
        (None, None) if to.is_pred() => {
            let zero = int_like(b, x, 0);
            b.cmp(Cmp::Ne, x, zero)
        }
        (Some(_), Some(_)) => float_to_float(b, from, to, x),
        (Some(_), None) => float_to_integer(b, to, x),
        (None, Some(_)) => integer_to_float(b, from, to, x),
        (None, None) => {
            let v = resize(b, from, x, reg_elem(to));
            rounded(b, v, to)
        }
    })
}

fn float_to_float(b: &mut CodeBuilder, from: DType, to: DType, x: V) -> V {
    match (from.is_f64(), to.is_f64()) {
        (true, false) if to.is_f32() => b.cast(Cast::Narrow, x, Elem::F32),
        (true, false) => {
            let odd = narrow_to_odd(b, x);
            rounded(b, odd, to)
        }
        (false, true) => b.cast(Cast::Widen, x, Elem::F64),
        (false, false) | (true, true) => rounded(b, x, to),
    }
}

fn float_to_integer(b: &mut CodeBuilder, to: DType, x: V) -> V {
    let bits = to.bits() as i32;
    let elem = reg_elem(to);
    // Machines convert to 32 or 64 bits; narrower types come from there.
    let wide = if elem.bits() < 32 { Elem::I32 } else { elem };
    let (least, beyond) = match to.is_signed() {
        true => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1)),
        false => (0.0, 2f64.powi(bits)),
    };
    let (lo, hi) = (float_like(b, x, least), float_like(b, x, beyond));
    let zero = float_like(b, x, 0.0);
    // An unsigned type narrower than the conversion fits in the signed one, which is one instruction.
    let signed = to.is_signed() || bits < wide.bits() as i32;
    let op = if signed { Cast::FloatToSigned } else { Cast::FloatToUnsigned };
    let digits = if b.ty_of(x).elem == Elem::F64 { f64::MANTISSA_DIGITS } else { f32::MANTISSA_DIGITS };
    if bits <= digits as i32 {
        // Both bounds are numbers of the float's type: what is beyond them is one of them, and of no number the lower one, or zero.
        let greatest = float_like(b, x, beyond - 1.0);
        let number = match to.is_signed() {
            true => {
                let is_number = b.cmp(Cmp::FEq, x, x);
                b.select(is_number, x, zero)
            }
            false => x,
        };
        let above = b.cmp(Cmp::FLt, lo, number);
        let number = b.select(above, number, lo);
        let below = b.cmp(Cmp::FLt, number, greatest);
        let number = b.select(below, number, greatest);
        let v = b.cast(op, number, wide);
        return if wide == elem { v } else { b.cast(Cast::Trunc, v, elem) };
    }
    let whole = b.un(Un::FTrunc, x);
    let inside_low = b.cmp(Cmp::FLe, lo, whole);
    let inside_high = b.cmp(Cmp::FLt, whole, hi);
    let inside = b.bin(Bin::And, inside_low, inside_high);
    let safe = b.select(inside, whole, zero);
    let v = b.cast(op, safe, wide);
    let v = if wide == elem { v } else { b.cast(Cast::Trunc, v, elem) };
    let (min, max) = match to.is_signed() {
        true => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        false => (0, (u64::MAX >> (64 - bits)) as i64),
    };
    let (min, max) = (int_like(b, v, min), int_like(b, v, max));
    let above = b.cmp(Cmp::FLe, hi, whole);
    let below = b.cmp(Cmp::FLt, whole, lo);
    let v = b.select(above, max, v);
    b.select(below, min, v)
}

fn integer_to_float(b: &mut CodeBuilder, from: DType, to: DType, x: V) -> V {
    let bits = b.ty_of(x).elem.bits();
    let x = if bits < 32 { resize(b, from, x, Elem::I32) } else { x };
    // A narrow unsigned value is a non-negative signed one.
    let signed = from.is_signed() || bits < 32;
    let op = if signed { Cast::SignedToFloat } else { Cast::UnsignedToFloat };
    if to.is_f32() || to.is_f64() {
        return b.cast(op, x, reg_elem(to));
    }
    if bits <= 16 {
        // Exact in f32.
        let exact = b.cast(op, x, Elem::F32);
        return rounded(b, exact, to);
    }
    // Through f64 and an odd f32, so that f16 and bf16 round once.
    let exact = if bits == 64 { sticky_f64(b, op, x) } else { b.cast(op, x, Elem::F64) };
    let odd = narrow_to_odd(b, exact);
    rounded(b, odd, to)
}

/// A 64-bit integer as an f64 that rounds to f16 and bf16 alike: beyond 2^52, bit 12 stands for all below it.
fn sticky_f64(b: &mut CodeBuilder, op: Cast, x: V) -> V {
    let (low, keep) = (int_like(b, x, 0xfff), int_like(b, x, !0xfff));
    let (zero, mark) = (int_like(b, x, 0), int_like(b, x, 0x1000));
    let rest = b.bin(Bin::And, x, low);
    let cut = b.bin(Bin::And, x, keep);
    let marked = b.bin(Bin::Or, cut, mark);
    let inexact = b.cmp(Cmp::Ne, rest, zero);
    let sticky = b.select(inexact, marked, cut);
    let bound = int_like(b, x, 1 << 52);
    let offset = b.bin(Bin::Add, x, bound);
    let twice = int_like(b, x, 1 << 53);
    let small = b.cmp(Cmp::Ult, offset, twice);
    let chosen = b.select(small, x, sticky);
    b.cast(op, chosen, Elem::F64)
}

/// The same bits as another type of the same width.
///
/// # Errors
/// Widths that differ.
pub fn bits(b: &mut CodeBuilder, from: DType, to: DType, x: V) -> Result<V, Refusal> {
    if from == to {
        return Ok(x);
    }
    let refused = Refusal::UnsupportedType { opcode: Opcode::BitcastConvert, dtype: from };
    if from.bits() != to.bits() {
        return Err(refused);
    }
    let raw = match from.kind() {
        TypeKind::Signed(_) | TypeKind::Unsigned(_) | TypeKind::Field(_) => x,
        TypeKind::Float(Float::F16) => b.cast(Cast::FloatToHalf, x, Elem::I16),
        TypeKind::Float(Float::Bf16) => exact_bf16(b, x),
        TypeKind::Float(Float::Small(format)) => super::float8::exact(b, x, format),
        TypeKind::Float(Float::F32 | Float::F64) => to_bits(b, x),
        TypeKind::Pred | TypeKind::Composite(_) => return Err(refused),
    };
    Ok(match to.kind() {
        // Narrow integers are kept extended by their own sign.
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => rounded(b, raw, to),
        TypeKind::Field(field) => field::reduced(b, field, raw),
        TypeKind::Float(Float::F16) => b.cast(Cast::HalfToFloat, raw, Elem::F32),
        TypeKind::Float(Float::Bf16) => bf16_to_float(b, raw),
        TypeKind::Float(Float::F32) => b.cast(Cast::Bits, raw, Elem::F32),
        TypeKind::Float(Float::F64) => b.cast(Cast::Bits, raw, Elem::F64),
        TypeKind::Float(Float::Small(format)) => super::float8::decode(b, raw, format),
        TypeKind::Pred | TypeKind::Composite(_) => return Err(refused),
    })
}
