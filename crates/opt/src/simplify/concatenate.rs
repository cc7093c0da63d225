//! Concatenations with fewer pieces.

use super::query::{dims, extents, made_by};
use super::{Rule, exact};
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};
use rustc_hash::FxHashSet;

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
        "concatenate-repeated",
        "concatenate(x, x, x, x) → reshape(broadcast(x))",
        &[Opcode::Concatenate],
        repeat,
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

/// Most pieces of a concatenation that is made of others, where all pieces are distinct. A chain that adds one piece
/// after the other would otherwise hold lists of pieces whose lengths grow with its square.
const MAX_FLAT: usize = 1024;
/// The same where pieces repeat, so that their number grows exponentially.
const MAX_REPEATED: usize = 64;

fn flatten(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let mut pieces = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        match made_by(b, o, Opcode::Concatenate) {
            Some(inner) if inner.attrs == instr.attrs => pieces.extend(&inner.operands),
            _ => pieces.push(o),
        }
    }
    let fits = pieces.len() <= MAX_REPEATED
        || pieces.len() <= MAX_FLAT && {
            let mut seen = FxHashSet::default();
            pieces.iter().all(|p| seen.insert(*p))
        };
    (fits && pieces.len() > instr.operands.len()).then(|| concatenate(b, instr, &pieces))
}

/// Fewer copies than this are loops of their own, one for each, that read their operand in order.
const MIN_COPIES: i64 = 4;

/// Copies of one array, counting those that the array is made of: as many doublings as there are remain one broadcast.
fn repeat(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (&x, dim) = (instr.operands.first()?, *dims(instr).first()?);
    if instr.operands.iter().any(|&o| o != x) {
        return None;
    }
    let (x, within) = copies(b, x, dim).unwrap_or((x, 1));
    let all = within * instr.operands.len() as i64;
    let mut extents = b.array(x).dims.clone();
    extents.insert(dim, all);
    let kept: Vec<usize> = (0..extents.len()).filter(|&d| d != dim).collect();
    (all >= MIN_COPIES).then(|| {
        let copies = b.broadcast(x, &extents, &kept);
        b.reshape(copies, self::extents(instr))
    })
}

/// The array that `repeat` made this of, and how many copies of it there are along the dimension.
fn copies(b: &Builder<'_>, x: InstrId, dim: usize) -> Option<(InstrId, i64)> {
    let reshape = made_by(b, x, Opcode::Reshape)?;
    let broadcast = made_by(b, reshape.operands[0], Opcode::Broadcast)?;
    let (one, many, all) = (b.array(broadcast.operands[0]), extents(broadcast), extents(reshape));
    let kept = (0..many.len()).filter(|&d| d != dim);
    let n = *many.get(dim)?;
    let mut repeated = one.dims.clone();
    *repeated.get_mut(dim)? *= n;
    (dims(broadcast).iter().copied().eq(kept) && repeated == all).then_some((broadcast.operands[0], n))
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
