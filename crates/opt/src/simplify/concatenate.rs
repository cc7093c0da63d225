//! Concatenations with fewer pieces.

use super::query::{dims, extents, made_by};
use super::{Rule, exact};
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact("concatenate-one", "concatenate(x) → x", &[Opcode::Concatenate], concatenate_one),
    exact(
        "concatenate-empty",
        "concatenate(x, empty) → concatenate(x)",
        &[Opcode::Concatenate],
        concatenate_empty,
    ),
    exact(
        "concatenate-concatenate",
        "concatenate(concatenate(x, y), z) → concatenate(x, y, z)",
        &[Opcode::Concatenate],
        flatten,
    ),
    exact(
        "concatenate-slices",
        "concatenate of neighbouring slices of x → slice(x)",
        &[Opcode::Concatenate],
        join_slices,
    ),
    exact(
        "concatenate-broadcast",
        "concatenate of equal broadcast scalars → one broadcast",
        &[Opcode::Concatenate],
        join_broadcasts,
    ),
];

fn concatenate(b: &mut Builder<'_>, instr: &Instruction, pieces: &[InstrId]) -> InstrId {
    match pieces {
        [one] => *one,
        _ => b.add(Opcode::Concatenate, pieces, instr.attrs.clone()),
    }
}

fn concatenate_one(_: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    (instr.operands.len() == 1).then_some(instr.operands[0])
}

fn concatenate_empty(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let dim = *dims(instr).first()?;
    let full: Vec<InstrId> = instr.operands.iter().copied().filter(|&o| b.array(o).dims[dim] != 0).collect();
    (!full.is_empty() && full.len() < instr.operands.len()).then(|| concatenate(b, instr, &full))
}

fn flatten(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let mut pieces = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        match made_by(b, o, Opcode::Concatenate) {
            Some(inner) if inner.attrs == instr.attrs => pieces.extend(&inner.operands),
            _ => pieces.push(o),
        }
    }
    (pieces.len() > instr.operands.len()).then(|| concatenate(b, instr, &pieces))
}

fn join_slices(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let dim = *dims(instr).first()?;
    let mut pieces: Vec<InstrId> = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        match pieces.last().and_then(|&before| joined(b, before, o, dim)) {
            Some((x, ranges)) => {
                let slice = b.add(Opcode::Slice, &[x], Attrs::Slice(ranges));
                *pieces.last_mut().expect("there is one before") = slice;
            }
            None => pieces.push(o),
        }
    }
    (pieces.len() < instr.operands.len()).then(|| concatenate(b, instr, &pieces))
}

/// The array and the ranges that two slices cover together, if the second goes on where the first ends.
fn joined(b: &Builder<'_>, first: InstrId, second: InstrId, dim: usize) -> Option<(InstrId, Vec<SliceDim>)> {
    let (first, second) = (made_by(b, first, Opcode::Slice)?, made_by(b, second, Opcode::Slice)?);
    let (Attrs::Slice(one), Attrs::Slice(two)) = (&first.attrs, &second.attrs) else { return None };
    let (u, v) = (one[dim], two[dim]);
    let next = u.start + extents(first)[dim] * u.stride;
    let rest = (0..one.len()).all(|d| d == dim || one[d] == two[d]);
    let adjacent = u.stride == v.stride && next == v.start;
    let mut both = one.clone();
    both[dim].limit = v.limit;
    (first.operands == second.operands && rest && adjacent).then(|| (first.operands[0], both))
}

fn join_broadcasts(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let scalar = |b: &Builder<'_>, o: InstrId| {
        let x = made_by(b, o, Opcode::Broadcast)?.operands[0];
        b.array(x).is_scalar().then_some(x)
    };
    let first = scalar(b, instr.operands[0])?;
    let same = instr.operands.iter().all(|&o| scalar(b, o) == Some(first));
    same.then(|| b.broadcast(first, extents(instr), &[]))
}
