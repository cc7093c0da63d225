//! Choices that are already made, and comparisons whose result is known.

use super::query::{dtype, either, is, is_all_ones, is_exact, through};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, DType, InstrId, Instruction, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact("select-constant", "select(true, a, b) → a", &[Opcode::Select], select_constant),
    exact("select-equal", "select(p, a, a) → a", &[Opcode::Select], select_equal),
    exact("select-not", "select(not(p), a, b) → select(p, b, a)", &[Opcode::Select], select_not),
    exact("select-pred", "select(p, true, false) → p", &[Opcode::Select], select_pred),
    exact("compare-self", "x = x → true, x < x → false, of integers", &[Opcode::Compare], compare_self),
    exact("compare-unsigned", "x < 0 → false, of unsigned", &[Opcode::Compare], compare_unsigned),
    exact("compare-pred", "convert(p) ≠ 0 → p", &[Opcode::Compare], compare_pred),
    exact("compare-truth", "p ≠ false → p, p = false → not(p)", &[Opcode::Compare], compare_truth),
    exact("compare-not", "not(x < y) → x ≥ y, of integers", &[Opcode::Not], compare_not),
];

fn select_constant(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [p, x, y] = instr.operands[..] else { return None };
    if is(b, p, 1) { Some(x) } else { is(b, p, 0).then_some(y) }
}

fn select_equal(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [_, x, y] = instr.operands[..] else { return None };
    (x == y).then_some(x)
}

fn select_not(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [p, x, y] = instr.operands[..] else { return None };
    let p = through(b, p, Opcode::Not)?;
    Some(make::select(b, p, y, x))
}

fn select_pred(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [p, x, y] = instr.operands[..] else { return None };
    if !dtype(b, x)?.is_pred() || !b.shape(p).same(&instr.shape) {
        return None;
    }
    if is_all_ones(b, x) && is(b, y, 0) {
        return Some(p);
    }
    (is(b, x, 0) && is_all_ones(b, y)).then(|| b.unary(Opcode::Not, p))
}

fn pred(b: &mut Builder<'_>, instr: &Instruction, value: bool) -> InstrId {
    let shape = instr.shape.expect_array().clone();
    b.splat(&shape, Scalar::Pred(value))
}

fn compare_self(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Compare { direction, .. } = instr.attrs else { return None };
    let [x, y] = instr.operands[..] else { return None };
    // A NaN is not equal to itself.
    let holds = matches!(direction, Direction::Eq | Direction::Le | Direction::Ge);
    (x == y && is_exact(b, x)).then(|| pred(b, instr, holds))
}

fn compare_unsigned(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Compare { direction, .. } = instr.attrs else { return None };
    let [x, y] = instr.operands[..] else { return None };
    let holds = match direction {
        Direction::Lt if is(b, y, 0) => false,
        Direction::Ge if is(b, y, 0) => true,
        Direction::Gt if is(b, x, 0) => false,
        Direction::Le if is(b, x, 0) => true,
        _ => return None,
    };
    dtype(b, x)?.is_unsigned().then(|| pred(b, instr, holds))
}

fn compare_pred(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Compare { direction, .. } = instr.attrs else { return None };
    let [x, y] = instr.operands[..] else { return None };
    let p = through(b, x, Opcode::Convert).filter(|&p| dtype(b, p).is_some_and(DType::is_pred))?;
    match direction {
        _ if !is(b, y, 0) => None,
        Direction::Ne => Some(p),
        Direction::Eq => Some(b.unary(Opcode::Not, p)),
        _ => None,
    }
}

fn compare_truth(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Compare { direction: direction @ (Direction::Eq | Direction::Ne), .. } = instr.attrs else {
        return None;
    };
    let (p, known) = either(instr, |y| is(b, y, 0) || is_all_ones(b, y))?;
    if !dtype(b, p)?.is_pred() {
        return None;
    }
    let same = is_all_ones(b, known) == (direction == Direction::Eq);
    Some(if same { p } else { b.unary(Opcode::Not, p) })
}

fn compare_not(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let compare = b.get(instr.operands[0]).clone();
    let Attrs::Compare { direction, order } = compare.attrs else { return None };
    // Of floats both may be false.
    let total = order == CompareOrder::TotalOrder || is_exact(b, compare.operands[0]);
    let direction = match direction {
        Direction::Eq => Direction::Ne,
        Direction::Ne => Direction::Eq,
        Direction::Lt => Direction::Ge,
        Direction::Ge => Direction::Lt,
        Direction::Gt => Direction::Le,
        Direction::Le => Direction::Gt,
    };
    total.then(|| b.add(Opcode::Compare, &compare.operands, Attrs::Compare { direction, order }))
}
