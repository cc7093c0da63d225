//! Slices of slices, of concatenations, of pads and of broadcasts.

use super::query::{dims, extents, made_by};
use super::{Rule, exact};
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact("slice-whole", "slice of everything → x", &[Opcode::Slice], slice_whole),
    exact("slice-slice", "slice(slice(x)) → slice(x)", &[Opcode::Slice], slice_slice),
    exact("slice-broadcast", "slice(broadcast(x)) → broadcast(slice(x))", &[Opcode::Slice], slice_broadcast),
    exact(
        "slice-concatenate",
        "slice of concatenate(x, y) that lies in x → slice(x)",
        &[Opcode::Slice],
        slice_concatenate,
    ),
    exact("slice-pad", "slice of pad(x) that lies in x → slice(x)", &[Opcode::Slice], slice_pad),
    exact(
        "slice-reshape",
        "slice(reshape(x)) that adds unit dimensions → reshape(slice(x))",
        &[Opcode::Slice],
        slice_reshape,
    ),
];

fn ranges(instr: &Instruction) -> &[SliceDim] {
    match &instr.attrs {
        Attrs::Slice(ranges) => ranges,
        _ => &[],
    }
}

fn slice(b: &mut Builder<'_>, x: InstrId, ranges: Vec<SliceDim>) -> InstrId {
    b.add(Opcode::Slice, &[x], Attrs::Slice(ranges))
}

fn slice_whole(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let x = instr.operands[0];
    b.shape(x).same(&instr.shape).then_some(x)
}

fn slice_slice(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Slice)?.clone();
    let both = ranges(&inner).iter().zip(ranges(instr)).zip(extents(instr)).map(|((i, o), &n)| {
        let (start, stride) = (i.start + o.start * i.stride, i.stride * o.stride);
        match n {
            // The start of nothing may lie outside.
            0 => SliceDim { start: 0, limit: 0, stride: 1 },
            _ => SliceDim { start, limit: start + (n - 1) * stride + 1, stride },
        }
    });
    let both = both.collect();
    Some(slice(b, inner.operands[0], both))
}

fn slice_broadcast(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Broadcast)?.clone();
    let mapping = dims(&inner);
    let mut x = inner.operands[0];
    let taken: Vec<SliceDim> = mapping.iter().map(|&d| ranges(instr)[d]).collect();
    let whole = mapping.iter().all(|&d| extents(instr)[d] == extents(&inner)[d]);
    if !whole {
        x = slice(b, x, taken);
    }
    Some(b.broadcast(x, extents(instr), mapping))
}

fn slice_concatenate(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Concatenate)?.clone();
    let dim = *dims(&inner).first()?;
    let range = ranges(instr)[dim];
    // Where the last element is, whatever the limit says.
    let last = range.start + (extents(instr)[dim] - 1).max(0) * range.stride;
    let mut start = 0;
    for &piece in &inner.operands {
        let extent = b.array(piece).dims[dim];
        if start <= range.start && last < start + extent {
            let mut taken = ranges(instr).to_vec();
            let limit = (range.limit - start).min(extent);
            taken[dim] = SliceDim { start: range.start - start, limit, stride: range.stride };
            return Some(slice(b, piece, taken));
        }
        start += extent;
    }
    None
}

fn slice_pad(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Pad)?.clone();
    let Attrs::Pad(padding) = &inner.attrs else { return None };
    let x = inner.operands[0];
    let mut taken = Vec::with_capacity(padding.len());
    for ((r, p), &extent) in ranges(instr).iter().zip(padding).zip(&b.array(x).dims) {
        let inside = p.interior == 0 && r.start >= p.low && r.limit - p.low <= extent;
        if !inside {
            return None;
        }
        taken.push(SliceDim { start: r.start - p.low, limit: r.limit - p.low, stride: r.stride });
    }
    Some(slice(b, x, taken))
}

fn slice_reshape(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let inner = made_by(b, instr.operands[0], Opcode::Reshape)?.clone();
    let x = inner.operands[0];
    let long = |extents: &[i64]| (0..extents.len()).filter(|&d| extents[d] != 1).collect::<Vec<_>>();
    let (from, to) = (b.array(x).dims.clone(), extents(&inner));
    let (old, new) = (long(&from), long(to));
    let only_units = old.len() == new.len() && old.iter().zip(&new).all(|(&o, &n)| from[o] == to[n]);
    // A unit dimension sliced to nothing leaves nothing at all.
    if !only_units || extents(instr).contains(&0) {
        return None;
    }
    let mut taken = vec![SliceDim { start: 0, limit: 1, stride: 1 }; from.len()];
    old.iter().zip(&new).for_each(|(&o, &n)| taken[o] = ranges(instr)[n]);
    let x = slice(b, x, taken);
    Some(b.reshape(x, extents(instr)))
}
