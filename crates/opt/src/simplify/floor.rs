//! Division of signed integers rounded down, as Python's `//` and `%` are written with HLO's, which is rounded towards zero: by
//! powers of two it is a shift, and the remainder the low bits.

use super::query::{dtype, either, is, made_by, splat};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact(
        "floor-remainder",
        "select(r < 0, r + d, r) → x and d − 1, with r = x rem d and d a power of two",
        &[Opcode::Select],
        floor_remainder,
    ),
    exact(
        "floor-quotient",
        "select(sign(x) ≠ 1 and x rem d ≠ 0, q − 1, q) → x >> n, with q = x / d and d = 2^n",
        &[Opcode::Select],
        floor_quotient,
    ),
];

fn floor_remainder(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [negative, raised, remainder] = instr.operands[..] else { return None };
    let (x, exponent) = by_power_of_two(b, remainder, Opcode::Remainder)?;
    let below_zero = compares(b, negative, Direction::Lt, |b, l, r| l == remainder && is(b, r, 0));
    let sum = made_by(b, raised, Opcode::Add)?;
    let (base, _) = either(sum, |y| power_of_two(b, y) == Some(exponent))?;
    if !below_zero || base != remainder {
        return None;
    }
    let shape = b.array(x).clone();
    let low_bits = make::splat(b, &shape, (1i64 << exponent) - 1);
    Some(b.binary(Opcode::And, x, low_bits))
}

fn floor_quotient(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [inexact, lowered, quotient] = instr.operands[..] else { return None };
    let (x, exponent) = by_power_of_two(b, quotient, Opcode::Divide)?;
    let less = b.get(lowered);
    let one_less = match less.opcode {
        Opcode::Subtract => less.operands[0] == quotient && is(b, less.operands[1], 1),
        Opcode::Add => either(less, |y| is(b, y, -1)).is_some_and(|(q, _)| q == quotient),
        _ => false,
    };
    let other_sign = |id: InstrId| {
        compares(b, id, Direction::Ne, |b, l, r| {
            made_by(b, l, Opcode::Sign).is_some_and(|s| s.operands[0] == x) && is(b, r, 1)
        })
    };
    let remains = |id: InstrId| {
        compares(b, id, Direction::Ne, |b, l, r| {
            by_power_of_two(b, l, Opcode::Remainder) == Some((x, exponent)) && is(b, r, 0)
        })
    };
    let (sign, _) = either(made_by(b, inexact, Opcode::And)?, remains)?;
    if !one_less || !other_sign(sign) {
        return None;
    }
    let shape = b.array(x).clone();
    let by = make::splat(b, &shape, exponent as i64);
    Some(b.binary(Opcode::ShiftRightArithmetic, x, by))
}

/// The dividend and the binary logarithm of the divisor, where it is a power of two, of signed integers.
fn by_power_of_two(b: &Builder<'_>, id: InstrId, opcode: Opcode) -> Option<(InstrId, u32)> {
    let instr = made_by(b, id, opcode)?;
    Some((instr.operands[0], power_of_two(b, instr.operands[1])?))
}

/// The binary logarithm of the value of all elements, signed integers.
fn power_of_two(b: &Builder<'_>, id: InstrId) -> Option<u32> {
    match splat(b, id)? {
        Scalar::Signed(value) if dtype(b, id)?.is_signed() && value > 0 => {
            (value.count_ones() == 1).then(|| value.trailing_zeros())
        }
        _ => None,
    }
}

/// Whether it is this comparison, of operands that fulfil the condition.
fn compares(
    b: &Builder<'_>,
    id: InstrId,
    wanted: Direction,
    condition: impl Fn(&Builder<'_>, InstrId, InstrId) -> bool,
) -> bool {
    let instr = b.get(id);
    matches!(instr.attrs, Attrs::Compare { direction, .. } if direction == wanted)
        && condition(b, instr.operands[0], instr.operands[1])
}
