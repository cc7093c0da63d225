//! Logic on bits and on pred.

use super::query::{either, is, is_all_ones, is_exact, through};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact("not-not", "not(not(x)) → x", &[Opcode::Not], not_not),
    exact("and-ones", "x and ones → x", &[Opcode::And], and_ones),
    exact("and-zero", "x and 0 → 0", &[Opcode::And], and_zero),
    exact("or-zero", "x or 0 → x", &[Opcode::Or], or_zero),
    exact("or-ones", "x or ones → ones", &[Opcode::Or], or_ones),
    exact("xor-zero", "x xor 0 → x", &[Opcode::Xor], or_zero),
    exact("xor-ones", "x xor ones → not(x)", &[Opcode::Xor], xor_ones),
    exact("xor-self", "x xor x → 0", &[Opcode::Xor], xor_self),
    exact("and-or-self", "x and x → x, x or x → x", &[Opcode::And, Opcode::Or], and_or_self),
    exact("and-implied", "x < y and x ≠ y → x < y", &[Opcode::And], and_implied),
    exact(
        "shift-zero",
        "shift by 0 → x",
        &[Opcode::ShiftLeft, Opcode::ShiftRightLogical, Opcode::ShiftRightArithmetic],
        shift_zero,
    ),
];

fn not_not(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    through(b, instr.operands[0], Opcode::Not)
}

fn and_ones(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    either(instr, |y| is_all_ones(b, y)).map(|(x, _)| x)
}

fn and_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    either(instr, |y| is(b, y, 0)).map(|(_, zero)| zero)
}

fn or_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    either(instr, |y| is(b, y, 0)).map(|(x, _)| x)
}

fn or_ones(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    either(instr, |y| is_all_ones(b, y)).map(|(_, ones)| ones)
}

fn xor_ones(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (x, _) = either(instr, |y| is_all_ones(b, y))?;
    Some(b.unary(Opcode::Not, x))
}

fn xor_self(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, y] = instr.operands[..] else { return None };
    let shape = b.array(x).clone();
    (x == y && is_exact(b, x)).then(|| make::splat(b, &shape, 0))
}

fn and_or_self(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    (instr.operands[0] == instr.operands[1]).then_some(instr.operands[0])
}

fn and_implied(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let compared = |id: InstrId| match b.get(id).attrs {
        Attrs::Compare { direction, order } => Some((direction, order)),
        _ => None,
    };
    let (less, differs) = either(instr, |y| compared(y).is_some_and(|(d, _)| d == Direction::Ne))?;
    let (direction, order) = compared(less)?;
    // In a total order −0 is less than 0, and in the usual one equal to it.
    let alike = compared(differs)?.1 == order && b.get(less).operands == b.get(differs).operands;
    (alike && matches!(direction, Direction::Lt | Direction::Gt)).then_some(less)
}

fn shift_zero(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    is(b, instr.operands[1], 0).then_some(instr.operands[0])
}
