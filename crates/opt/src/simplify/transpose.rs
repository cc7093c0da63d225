//! Transposes and reversals that move nothing, or whose operand can be moved instead.

use super::query::{dims, extents, made_by, through};
use super::{Rule, exact};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

pub const RULES: &[Rule] = &[
    exact("transpose-identity", "transpose(x) in order → x", &[Opcode::Transpose], transpose_identity),
    exact(
        "transpose-transpose",
        "transpose(transpose(x)) → transpose(x)",
        &[Opcode::Transpose],
        transpose_transpose,
    ),
    exact(
        "transpose-unit",
        "transpose that moves only unit dimensions → reshape",
        &[Opcode::Transpose],
        transpose_unit,
    ),
    exact(
        "transpose-broadcast",
        "transpose(broadcast(x)) → broadcast(x)",
        &[Opcode::Transpose],
        transpose_broadcast,
    ),
    exact("transpose-iota", "transpose(iota) → iota", &[Opcode::Transpose], transpose_iota),
    exact("reverse-unit", "reverse of unit dimensions → x", &[Opcode::Reverse], reverse_unit),
    exact("reverse-reverse", "reverse(reverse(x)) → x", &[Opcode::Reverse], reverse_reverse),
    exact("reverse-broadcast", "reverse of broadcast dimensions → x", &[Opcode::Reverse], reverse_broadcast),
];

fn transpose_identity(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    dims(instr).is_sorted().then_some(instr.operands[0])
}

fn transpose_transpose(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Transpose)?.clone();
    let both: Vec<usize> = dims(instr).iter().map(|&d| dims(&inner)[d]).collect();
    Some(b.transpose(inner.operands[0], &both))
}

fn transpose_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    let moved = dims(instr).iter().copied().filter(|&d| b.array(x).dims[d] != 1);
    moved.is_sorted().then(|| b.reshape(x, extents(instr)))
}

fn transpose_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Broadcast)?.clone();
    let place = |d: usize| dims(instr).iter().position(|&p| p == d);
    let mapping: Vec<usize> = dims(&inner).iter().map(|&d| place(d)).collect::<Option<_>>()?;
    Some(b.broadcast(inner.operands[0], extents(instr), &mapping))
}

fn transpose_iota(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Iota(dim) = made_by(b, instr.operands[0], Opcode::Iota)?.attrs else { return None };
    let dim = dims(instr).iter().position(|&p| p == dim)?;
    let shape = Shape::Array(instr.shape.expect_array().clone());
    Some(b.add_shaped(Opcode::Iota, shape, &[], Attrs::Iota(dim)))
}

fn reverse_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let moved: Vec<usize> = dims(instr).iter().copied().filter(|&d| extents(instr)[d] > 1).collect();
    if moved.is_empty() {
        return Some(instr.operands[0]);
    }
    (moved.len() < dims(instr).len()).then(|| reverse(b, instr.operands[0], moved))
}

fn reverse_reverse(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = through(b, instr.operands[0], Opcode::Reverse)?;
    let inner = dims(b.get(instr.operands[0])).to_vec();
    let once = |these: &[usize], those: &[usize]| {
        these.iter().copied().filter(|d| !those.contains(d)).collect::<Vec<_>>()
    };
    let mut left = once(&inner, dims(instr));
    left.extend(once(dims(instr), &inner));
    left.sort_unstable();
    Some(if left.is_empty() { x } else { reverse(b, x, left) })
}

fn reverse_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Broadcast)?;
    let none = dims(instr).iter().all(|d| !dims(inner).contains(d));
    none.then_some(instr.operands[0])
}

fn reverse(b: &mut Builder<'_>, x: InstrId, dims: Vec<usize>) -> InstrId {
    b.add(Opcode::Reverse, &[x], Attrs::Dims(dims))
}
