//! Dynamic slices whose position is known, or is of no consequence.

use super::query::{dtype, made_by, splat};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact(
        "dynamic-slice-constant",
        "dynamic-slice at constants → slice",
        &[Opcode::DynamicSlice],
        slice_constant,
    ),
    exact(
        "dynamic-slice-scalar",
        "dynamic-slice(broadcast(scalar)) → broadcast(scalar)",
        &[Opcode::DynamicSlice],
        slice_scalar,
    ),
    exact(
        "dynamic-update-whole",
        "dynamic-update-slice of everything → the update",
        &[Opcode::DynamicUpdateSlice],
        update_whole,
    ),
    exact(
        "dynamic-update-empty",
        "dynamic-update-slice of nothing → x",
        &[Opcode::DynamicUpdateSlice],
        update_empty,
    ),
    exact(
        "dynamic-index-fixed",
        "start index that clamps to 0 whatever it is → 0",
        &[Opcode::DynamicSlice, Opcode::DynamicUpdateSlice],
        index_fixed,
    ),
];

/// The scalar start indices; none in the old form with one vector.
fn starts<'i>(b: &Builder<'_>, instr: &'i Instruction) -> Option<&'i [InstrId]> {
    let first = if instr.opcode == Opcode::DynamicSlice { 1 } else { 2 };
    let starts = &instr.operands[first..];
    starts.iter().all(|&s| b.array(s).is_scalar()).then_some(starts)
}

fn slice_constant(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    let sizes = &instr.shape.expect_array().dims;
    let mut ranges = Vec::with_capacity(sizes.len());
    let starts = starts(b, instr)?;
    for ((&s, &size), &extent) in starts.iter().zip(sizes).zip(&b.array(x).dims) {
        let start = splat(b, s)?.as_i128()?.clamp(0, (extent - size) as i128) as i64;
        ranges.push(SliceDim { start, limit: start + size, stride: 1 });
    }
    Some(b.add(Opcode::Slice, &[x], lawson_hlo::Attrs::Slice(ranges)))
}

fn slice_scalar(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let scalar = made_by(b, instr.operands[0], Opcode::Broadcast)?.operands[0];
    b.array(scalar).is_scalar().then(|| b.broadcast(scalar, &instr.shape.expect_array().dims, &[]))
}

fn update_whole(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let update = instr.operands[1];
    b.shape(update).same(&instr.shape).then_some(update)
}

fn update_empty(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    b.array(instr.operands[1]).dims.contains(&0).then_some(instr.operands[0])
}

fn index_fixed(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let window = if instr.opcode == Opcode::DynamicSlice { &instr.shape } else { b.shape(instr.operands[1]) };
    let window = window.expect_array().dims.clone();
    let whole = b.array(instr.operands[0]).dims.clone();
    let starts = starts(b, instr)?;
    let first = instr.operands.len() - starts.len();
    let fixed: Vec<usize> =
        (0..starts.len()).filter(|&d| window[d] == whole[d] && splat(b, starts[d]).is_none()).collect();
    if fixed.is_empty() {
        return None;
    }
    let mut operands = instr.operands.clone();
    for d in fixed {
        operands[first + d] = make::scalar(b, dtype(b, starts[d])?, 0);
    }
    Some(b.add(instr.opcode, &operands, instr.attrs.clone()))
}
