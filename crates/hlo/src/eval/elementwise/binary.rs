//! Operations of two operands of one type with a result of that type.

use super::super::word::{Class, Wide, Word, low_bits};
use super::Fun;
use super::field;
use super::real::{Real, maximum, minimum};
use crate::dtype::DType;
use crate::opcode::Opcode;

/// The meaning of a binary opcode on words of a type; `None` if it has none there.
pub fn binary(op: Opcode, dtype: DType) -> Option<Fun> {
    match Class::of(dtype)? {
        Class::Float32 => float::<f32>(op),
        Class::Float64 => float::<f64>(op),
        Class::Signed => signed(op, dtype.bits()),
        Class::Unsigned => unsigned(op, dtype.bits()),
        Class::Pred => pred(op),
        Class::Field(field) => field::binary(op, field),
    }
}

fn float<F: Real>(op: Opcode) -> Option<Fun> {
    let f: fn(F, F) -> F = match op {
        Opcode::Add => |a, b| a + b,
        Opcode::Subtract => |a, b| a - b,
        Opcode::Multiply => |a, b| a * b,
        Opcode::Divide => |a, b| a / b,
        // Exact, with the sign of the dividend.
        Opcode::Remainder => |a, b| a % b,
        Opcode::Maximum => maximum::<F>,
        Opcode::Minimum => minimum::<F>,
        Opcode::Power => F::power,
        Opcode::Atan2 => F::atan2,
        _ => return None,
    };
    Some(Fun::two(move |a, b| f(F::of(a), F::of(b)).word()))
}

/// Sums and products of words wrap in 64 bits and are cut to the width afterwards.
fn signed(op: Opcode, bits: u32) -> Option<Fun> {
    fn of(f: impl Fn(i64, i64) -> i64 + 'static) -> Option<Fun> {
        Some(Fun::two(move |a, b| f(i64::of(a), i64::of(b)).word()))
    }
    match op {
        // x / 0 has all bits set; the quotient of the least value and −1 wraps to the least value.
        Opcode::Divide => of(|a, b| if b == 0 { -1 } else { a.wrapping_div(b) }),
        Opcode::Remainder => of(|a, b| if b == 0 { a } else { a.wrapping_rem(b) }),
        Opcode::Maximum => of(i64::max),
        Opcode::Minimum => of(i64::min),
        Opcode::MulHi => of(move |a, b| ((a as i128 * b as i128) >> bits) as i64),
        Opcode::Power => of(|a, b| match (a, b < 0) {
            (1, _) => 1,
            (-1, _) => 1 - 2 * (b & 1),
            (_, true) => 0,
            (_, false) => wrapping_power(a as u64, b as u64) as i64,
        }),
        _ => bitwise(op, bits, true),
    }
}

fn unsigned(op: Opcode, bits: u32) -> Option<Fun> {
    match op {
        Opcode::Divide => Some(Fun::two(|a, b| a.checked_div(b).unwrap_or(u64::MAX))),
        Opcode::Remainder => Some(Fun::two(|a, b| a.checked_rem(b).unwrap_or(a))),
        Opcode::Maximum => Some(Fun::two(u64::max)),
        Opcode::Minimum => Some(Fun::two(u64::min)),
        Opcode::MulHi => Some(Fun::two(move |a, b| ((a as u128 * b as u128) >> bits) as u64)),
        Opcode::Power => Some(Fun::two(wrapping_power)),
        _ => bitwise(op, bits, false),
    }
}

/// What does not depend on the sign, and shifts: by the width or more gives 0, or the sign where it is kept.
fn bitwise(op: Opcode, bits: u32, signed: bool) -> Option<Fun> {
    let shift = move |amount: Word| {
        let amount = low_bits(amount, bits);
        (amount < bits as Word).then_some(amount as u32)
    };
    Some(match op {
        Opcode::Add => Fun::two(u64::wrapping_add),
        Opcode::Subtract => Fun::two(u64::wrapping_sub),
        Opcode::Multiply => Fun::two(u64::wrapping_mul),
        Opcode::And => Fun::two(|a, b| a & b),
        Opcode::Or => Fun::two(|a, b| a | b),
        Opcode::Xor => Fun::two(|a, b| a ^ b),
        Opcode::ShiftLeft => Fun::two(move |a, b| shift(b).map_or(0, |s| a << s)),
        Opcode::ShiftRightLogical => Fun::two(move |a, b| shift(b).map_or(0, |s| low_bits(a, bits) >> s)),
        Opcode::ShiftRightArithmetic if signed => {
            Fun::two(move |a, b| (a as i64 >> shift(b).unwrap_or(63)) as Word)
        }
        // The top bit of an unsigned integer counts as its sign here.
        Opcode::ShiftRightArithmetic => Fun::two(move |a, b| {
            let extended = ((a << (64 - bits)) as i64) >> (64 - bits);
            (extended >> shift(b).unwrap_or(63)) as Word
        }),
        _ => return None,
    })
}

/// Addition is or, multiplication is and.
fn pred(op: Opcode) -> Option<Fun> {
    match op {
        Opcode::And | Opcode::Multiply | Opcode::Minimum => Some(Fun::two(|a, b| a & b)),
        Opcode::Or | Opcode::Add | Opcode::Maximum => Some(Fun::two(|a, b| a | b)),
        Opcode::Xor => Some(Fun::two(|a, b| a ^ b)),
        _ => None,
    }
}

/// base^exponent modulo 2^64.
fn wrapping_power(mut base: u64, mut exponent: u64) -> u64 {
    let mut power = 1u64;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    power
}
