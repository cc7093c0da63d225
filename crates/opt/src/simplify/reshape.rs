//! Chains of reshapes, and reshapes of what is broadcast.

use super::query::{dims, extents, made_by, through};
use super::{Rule, exact};
use lawson_hlo::builder::Builder;
use lawson_hlo::index::common_factors;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

pub const RULES: &[Rule] = &[
    exact("reshape-same", "reshape(x) to its own shape → x", &[Opcode::Reshape], reshape_same),
    exact("reshape-reshape", "reshape(reshape(x)) → reshape(x)", &[Opcode::Reshape], reshape_reshape),
    exact(
        "reshape-broadcast",
        "reshape(broadcast(x)) → broadcast(reshape(x)), if no dimension joins x with what is new",
        &[Opcode::Reshape],
        reshape_broadcast,
    ),
    exact("reshape-iota", "reshape(iota) → iota, if its dimension stays", &[Opcode::Reshape], reshape_iota),
];

fn reshape_same(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    b.shape(x).same(&instr.shape).then_some(x)
}

fn reshape_reshape(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = through(b, instr.operands[0], Opcode::Reshape)?;
    Some(b.reshape(x, extents(instr)))
}

fn reshape_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let source = made_by(b, instr.operands[0], Opcode::Broadcast)?.clone();
    let x = source.operands[0];
    let mapping = dims(&source);
    if !mapping.is_sorted() {
        return None;
    }
    let (from, to) = (extents(&source), extents(instr));
    let mut inner: Vec<i64> = Vec::new();
    let mut new_mapping: Vec<usize> = Vec::new();
    for (old, new) in common_factors(from, to)? {
        let ours = old.clone().filter(|d| mapping.contains(d)).count();
        if ours == 0 {
            continue;
        }
        if old.clone().any(|d| !mapping.contains(&d) && from[d] != 1) {
            return None;
        }
        for d in new {
            inner.push(to[d]);
            new_mapping.push(d);
        }
    }
    let x = b.reshape(x, &inner);
    Some(b.broadcast(x, to, &new_mapping))
}

fn reshape_iota(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let iota = made_by(b, instr.operands[0], Opcode::Iota)?.clone();
    let Attrs::Iota(dim) = iota.attrs else { return None };
    let (from, to) = (extents(&iota), extents(instr));
    let groups = common_factors(from, to)?;
    let (old, new) = groups.into_iter().find(|(old, _)| old.contains(&dim))?;
    let alone = old.clone().all(|d| d == dim || from[d] == 1);
    // The counting dimension, or any if it counts to one.
    let place = new.clone().find(|&d| to[d] == from[dim])?;
    let shape = Shape::Array(instr.shape.as_array()?.clone());
    alone.then(|| b.add_shaped(Opcode::Iota, shape, &[], Attrs::Iota(place)))
}
