//! Reductions that combine nothing with nothing.

use super::query::{dims, extents, made_by};
use super::{Rule, exact, in_mode};
use crate::options::Numerics;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Opcode, Shape};

pub const RULES: &[Rule] = &[
    exact(
        "reduce-unit",
        "reduce over unit dimensions only → op(reshape(x), init)",
        &[Opcode::Reduce],
        reduce_unit,
    ),
    exact("reduce-empty", "reduce of an empty array → broadcast(init)", &[Opcode::Reduce], reduce_empty),
    in_mode(
        Numerics::Standard,
        exact(
            "reduce-some-unit",
            "reduce over unit and other dimensions, or beside a minor one → reshape(reduce(reshape(x)))",
            &[Opcode::Reduce],
            reduce_some_unit,
        ),
    ),
    exact(
        "reduce-extremum",
        "max over a broadcast dimension → max over the others",
        &[Opcode::Reduce],
        reduce_extremum,
    ),
];

/// The reduced dimensions and the reducer of a reduction of one array.
fn parts(instr: &Instruction) -> Option<(&[usize], CompId)> {
    match &instr.attrs {
        Attrs::Reduce { dims, to_apply } if instr.operands.len() == 2 => Some((dims, *to_apply)),
        _ => None,
    }
}

fn reduce_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (reduced, to_apply) = parts(instr)?;
    let [x, init] = instr.operands[..] else { return None };
    let op = b.module[to_apply].as_simple_binary()?;
    // An accumulator of another type rounds where this would not.
    let same_type =
        b.array(x).dtype == b.array(init).dtype && b.array(x).dtype == instr.shape.as_array()?.dtype;
    if !same_type || reduced.iter().any(|&d| b.array(x).dims[d] != 1) {
        return None;
    }
    let x = b.reshape(x, extents(instr));
    let init = if extents(instr).is_empty() { init } else { b.broadcast(init, extents(instr), &[]) };
    Some(b.binary(op, x, init))
}

fn reduce_empty(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    parts(instr)?;
    let [x, init] = instr.operands[..] else { return None };
    let empty = b.array(x).dims.contains(&0) && b.array(init).dtype == instr.shape.as_array()?.dtype;
    empty.then(|| b.broadcast(init, extents(instr), &[]))
}

fn reduce_some_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (reduced, to_apply) = parts(instr)?;
    let [x, init] = instr.operands[..] else { return None };
    let from = b.array(x).dims.clone();
    // A minor dimension that is kept decides how lanes are used; of extent 1 it would leave all but one idle.
    let minor = from.len().checked_sub(1).is_some_and(|d| from[d] == 1 && !reduced.contains(&d));
    let dropped = |d: usize| from[d] == 1 && (minor || reduced.contains(&d));
    let kept: Vec<usize> = (0..from.len()).filter(|&d| !dropped(d)).collect();
    let left: Vec<usize> = (0..kept.len()).filter(|&i| reduced.contains(&kept[i])).collect();
    if kept.len() == from.len() || left.is_empty() {
        return None;
    }
    let smaller: Vec<i64> = kept.iter().map(|&d| from[d]).collect();
    let x = b.reshape(x, &smaller);
    let result: Vec<i64> = kept.iter().filter(|&d| !reduced.contains(d)).map(|&d| from[d]).collect();
    let shape = Shape::array(instr.shape.as_array()?.dtype, result);
    let sum = b.add_shaped(Opcode::Reduce, shape, &[x, init], Attrs::Reduce { dims: left, to_apply });
    Some(b.reshape(sum, extents(instr)))
}

/// Combining a value with itself gives it back, so copies may be left out.
fn reduce_extremum(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (reduced, to_apply) = parts(instr)?;
    let [x, init] = instr.operands[..] else { return None };
    let op = b.module[to_apply].as_simple_binary()?;
    let idempotent = matches!(op, Opcode::Maximum | Opcode::Minimum | Opcode::And | Opcode::Or);
    let inner = made_by(b, x, Opcode::Broadcast)?.clone();
    let from = extents(&inner);
    let copies = |d: usize| reduced.contains(&d) && !dims(&inner).contains(&d) && from[d] > 0;
    let kept: Vec<usize> = (0..from.len()).filter(|&d| !copies(d)).collect();
    if !idempotent || kept.len() == from.len() || b.array(init).dtype != b.array(x).dtype {
        return None;
    }
    let place = |d: usize| kept.iter().position(|&k| k == d);
    let mapping: Vec<usize> = dims(&inner).iter().map(|&d| place(d)).collect::<Option<_>>()?;
    let left: Vec<usize> = reduced.iter().filter_map(|&d| place(d)).collect();
    let smaller: Vec<i64> = kept.iter().map(|&d| from[d]).collect();
    let x = b.broadcast(inner.operands[0], &smaller, &mapping);
    Some(reduce(b, instr, x, init, left, to_apply))
}

fn reduce(
    b: &mut Builder<'_>,
    instr: &Instruction,
    x: InstrId,
    init: InstrId,
    dims: Vec<usize>,
    to_apply: CompId,
) -> InstrId {
    let attrs = Attrs::Reduce { dims, to_apply };
    b.add_shaped(Opcode::Reduce, instr.shape.clone(), &[x, init], attrs)
}
