//! Powers with a constant exponent.

use super::query::{is, is_minus_zero, splat};
use super::{Rule, exact, in_mode};
use crate::make;
use crate::options::Numerics;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact("power-zero", "x ^ 0 → 1", &[Opcode::Power], power_zero),
    exact("power-one", "x ^ 1 → x", &[Opcode::Power], power_one),
    in_mode(Numerics::Standard, exact("power-two", "x ^ 2 → x · x", &[Opcode::Power], power_two)),
    in_mode(
        Numerics::Standard,
        exact("power-three", "x ^ 3 → x · x · x, of floats", &[Opcode::Power], power_three),
    ),
    in_mode(
        Numerics::Standard,
        exact("power-minus-one", "x ^ -1 → 1 / x", &[Opcode::Power], power_minus_one),
    ),
    in_mode(
        Numerics::Standard,
        exact(
            "power-halves",
            "x ^ -1/2, 1/2, 3/2, 5/2 → rsqrt(x), √x, x · √x, x · x · √x, but ∞ or 0 at -∞",
            &[Opcode::Power],
            power_halves,
        ),
    ),
];

fn power_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    // Of NaN too. Either sign of zero will do.
    let shape = b.array(x).clone();
    (shape.dtype.is_float() && (is(b, y, 0) || is_minus_zero(b, y))).then(|| make::splat(b, &shape, 1))
}

fn power_one(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    is(b, instr.operands[1], 1).then_some(instr.operands[0])
}

fn power_two(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    is(b, y, 2).then(|| b.binary(Opcode::Multiply, x, x))
}

fn power_three(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    (b.array(x).dtype.is_float() && is(b, y, 3)).then(|| {
        let square = b.binary(Opcode::Multiply, x, x);
        b.binary(Opcode::Multiply, square, x)
    })
}

fn power_minus_one(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    let shape = b.array(x).clone();
    (shape.dtype.is_float() && is(b, y, -1)).then(|| {
        let one = make::splat(b, &shape, 1);
        b.binary(Opcode::Divide, one, x)
    })
}

fn power_halves(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    let shape = b.array(x).clone();
    let Some(Scalar::Float(exponent)) = splat(b, y).filter(|_| shape.dtype.is_float()) else { return None };
    let (opcode, times) = match exponent {
        -0.5 => (Opcode::Rsqrt, 0),
        0.5 => (Opcode::Sqrt, 0),
        1.5 => (Opcode::Sqrt, 1),
        2.5 => (Opcode::Sqrt, 2),
        _ => return None,
    };
    // A power of -0 is one of +0, which the sum makes of it.
    let zero = make::splat(b, &shape, 0);
    let base = b.binary(Opcode::Add, x, zero);
    let mut power = b.add(opcode, &[base], Attrs::None);
    for _ in 0..times {
        power = b.binary(Opcode::Multiply, power, base);
    }
    // Powers of -∞ that are not whole are those of +∞, where its root is NaN.
    let [lowest, at_lowest] = [f64::NEG_INFINITY, if exponent < 0.0 { 0.0 } else { f64::INFINITY }]
        .map(|value| b.splat(&shape, Scalar::Float(value)));
    let is_lowest = make::compare(b, Direction::Eq, x, lowest);
    Some(make::select(b, is_lowest, at_lowest, power))
}
