//! Integers that are known to be small: counters of random number generators are made in 64 bits and taken apart
//! again, which half as wide arithmetic does as well.

use super::query::{dtype, splat};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::TypeKind;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

pub const RULES: &[Rule] = &[
    exact("shift-range", "x >> n → 0, if x is below 2^n", &[Opcode::ShiftRightLogical], shift_range),
    exact("convert-iota", "convert(iota) → iota, of integers", &[Opcode::Convert], convert_iota),
    exact(
        "convert-counter",
        "convert(x + y) → convert(x) + convert(y), of counters that get narrower; likewise -, ·, and, or, xor",
        &[Opcode::Convert],
        convert_counter,
    ),
];

/// How far up an expression is looked at.
const MAX_DEPTH: u32 = 8;

/// A number no element exceeds, of an unsigned array.
fn upper_bound(b: &Builder<'_>, id: InstrId, depth: u32) -> Option<u128> {
    let instr = b.get(id);
    let own: u128 = match dtype(b, id)?.kind() {
        TypeKind::Pred => 1,
        TypeKind::Unsigned(width) => width.greatest_unsigned().into(),
        TypeKind::Signed(_) | TypeKind::Float(_) | TypeKind::Field(_) | TypeKind::Composite(_) => {
            return None;
        }
    };
    if depth == 0 {
        return Some(own);
    }
    let operand = |n: usize| upper_bound(b, *instr.operands.get(n)?, depth - 1);
    let constant = |n: usize| u128::try_from(splat(b, instr.operands[n])?.as_i128()?).ok();
    let bound: Option<u128> = match instr.opcode {
        Opcode::Constant => splat(b, id).and_then(|s| u128::try_from(s.as_i128()?).ok()),
        Opcode::Iota => match instr.attrs {
            Attrs::Iota(dim) => Some(instr.shape.as_array()?.dims[dim].max(1) as u128 - 1),
            _ => None,
        },
        Opcode::Broadcast | Opcode::Reshape | Opcode::Transpose | Opcode::Slice | Opcode::Convert => {
            operand(0)
        }
        Opcode::Add => operand(0).zip(operand(1)).and_then(|(x, y)| x.checked_add(y)),
        Opcode::Multiply => operand(0).zip(operand(1)).and_then(|(x, y)| x.checked_mul(y)),
        Opcode::And => Some(operand(0).unwrap_or(own).min(operand(1).unwrap_or(own))),
        Opcode::ShiftRightLogical => {
            operand(0).zip(constant(1)).map(|(x, n)| if n < 128 { x >> n } else { 0 })
        }
        _ => None,
    };
    // What may wrap around may be anything.
    Some(bound.filter(|&n| n <= own).unwrap_or(own))
}

fn shift_range(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let [x, by] = instr.operands[..] else { return None };
    let by = splat(b, by)?.as_i128().and_then(|n| u32::try_from(n).ok()).filter(|&n| n < 128)?;
    let shape = instr.shape.as_array()?.clone();
    (upper_bound(b, x, MAX_DEPTH)? >> by == 0).then(|| make::splat(b, &shape, 0))
}

fn convert_iota(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let iota = b.get(instr.operands[0]).clone();
    let to = instr.shape.as_array()?.clone();
    let from = dtype(b, instr.operands[0])?;
    // Both count modulo their width; a wider one would show where the narrower wraps.
    let modular =
        from.is_integer() && to.dtype.is_integer() && to.dtype.bits() <= from.bits() && to.dtype.bits() >= 8;
    (iota.opcode == Opcode::Iota && modular)
        .then(|| b.add_shaped(Opcode::Iota, Shape::Array(to), &[], iota.attrs.clone()))
}

fn convert_counter(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    let op = b.get(x).clone();
    let (from, to) = (dtype(b, x)?, instr.shape.as_array()?.dtype);
    let narrower = from.is_integer() && to.is_integer() && to.bits() < from.bits() && to.bits() >= 8;
    if !narrower || !is_ring_operation(op.opcode) || !is_counter(b, x, MAX_DEPTH) {
        return None;
    }
    let operands: Vec<InstrId> = op.operands.iter().map(|&o| b.convert(o, to)).collect();
    Some(b.binary(op.opcode, operands[0], operands[1]))
}

/// The low bits of the result depend on the low bits of the operands only.
fn is_ring_operation(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, Add | Subtract | Multiply | And | Or | Xor)
}

/// Made of iotas and constants alone, so that making it twice costs little.
fn is_counter(b: &Builder<'_>, id: InstrId, depth: u32) -> bool {
    let instr = b.get(id);
    let leaf = instr.opcode == Opcode::Iota || splat(b, id).is_some();
    let operation = is_ring_operation(instr.opcode) || instr.opcode == Opcode::Broadcast;
    leaf || (depth > 0 && operation && instr.operands.iter().all(|&o| is_counter(b, o, depth - 1)))
}
