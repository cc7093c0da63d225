//! Broadcasts in canonical form: of an array without unit dimensions, in order, and one instead of several.

use super::query::{dims, extents, made_by};
use super::{Rule, exact};
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

pub const RULES: &[Rule] = &[
    exact("broadcast-same", "broadcast(x) to its own shape → x", &[Opcode::Broadcast], broadcast_same),
    exact(
        "broadcast-broadcast",
        "broadcast(broadcast(x)) → broadcast(x)",
        &[Opcode::Broadcast],
        broadcast_broadcast,
    ),
    exact(
        "broadcast-sorted",
        "broadcast with dimensions out of order → broadcast(transpose(x))",
        &[Opcode::Broadcast],
        broadcast_sorted,
    ),
    exact(
        "broadcast-unit",
        "broadcast of x[8,1] → broadcast of reshape(x)[8]",
        &[Opcode::Broadcast],
        broadcast_unit,
    ),
    exact(
        "broadcast-reshape",
        "broadcast that only adds unit dimensions → reshape",
        &[Opcode::Broadcast],
        broadcast_reshape,
    ),
    exact("broadcast-iota", "broadcast(iota) → iota", &[Opcode::Broadcast], broadcast_iota),
];

fn broadcast_same(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    (b.shape(x).same(&instr.shape) && dims(instr).is_sorted()).then_some(x)
}

fn broadcast_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Broadcast)?.clone();
    let mapping: Vec<usize> = dims(&inner).iter().map(|&d| dims(instr)[d]).collect();
    Some(b.broadcast(inner.operands[0], extents(instr), &mapping))
}

fn broadcast_sorted(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let mapping = dims(instr);
    if mapping.is_sorted() {
        return None;
    }
    let mut order: Vec<usize> = (0..mapping.len()).collect();
    order.sort_by_key(|&d| mapping[d]);
    let sorted: Vec<usize> = order.iter().map(|&d| mapping[d]).collect();
    let x = b.transpose(instr.operands[0], &order);
    Some(b.broadcast(x, extents(instr), &sorted))
}

fn broadcast_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    let inner = b.array(x).dims.clone();
    if !inner.contains(&1) || broadcasts_nothing(b, instr) {
        return None;
    }
    let kept: Vec<usize> = (0..inner.len()).filter(|&d| inner[d] != 1).collect();
    let squeezed: Vec<i64> = kept.iter().map(|&d| inner[d]).collect();
    let mapping: Vec<usize> = kept.iter().map(|&d| dims(instr)[d]).collect();
    let x = b.reshape(x, &squeezed);
    Some(b.broadcast(x, extents(instr), &mapping))
}

fn broadcast_reshape(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    (broadcasts_nothing(b, instr) && dims(instr).is_sorted())
        .then(|| b.reshape(instr.operands[0], extents(instr)))
}

fn broadcasts_nothing(b: &Builder<'_>, instr: &Instruction) -> bool {
    let (from, to) = (b.array(instr.operands[0]), instr.shape.expect_array());
    let added = (0..to.rank()).filter(|d| !dims(instr).contains(d));
    from.elements() == to.elements() && added.map(|d| to.dims[d]).all(|n| n == 1)
}

fn broadcast_iota(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Iota(dim) = made_by(b, instr.operands[0], Opcode::Iota)?.attrs else { return None };
    let shape = Shape::Array(instr.shape.expect_array().clone());
    Some(b.add_shaped(Opcode::Iota, shape, &[], Attrs::Iota(dims(instr)[dim])))
}
