//! Sorts whose result is known: of nothing, or of what is in order already.

use super::query::{dims, extents, made_by};
use super::{Rule, exact};
use crate::make;
use lawson_hlo::attrs::Direction;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Opcode};

pub const RULES: &[Rule] = &[
    exact("sort-unit", "sort along a dimension of one element → its operands", &[Opcode::Sort], sort_unit),
    exact(
        "sort-in-order",
        "sort by a key that is equal everywhere or counts up → its operands",
        &[Opcode::Sort],
        sort_in_order,
    ),
    exact("sort-sorted", "sort(sort(x)) by the same order → sort(x)", &[Opcode::Sort], sort_sorted),
];

fn parts(instr: &Instruction) -> Option<(usize, CompId)> {
    match instr.attrs {
        Attrs::Sort { dim, to_apply, .. } => Some((dim, to_apply)),
        _ => None,
    }
}

/// The operands in place of the sort.
fn operands(b: &mut Builder<'_>, instr: &Instruction) -> InstrId {
    match instr.operands[..] {
        [one] => one,
        _ => make::tuple(b, &instr.operands),
    }
}

fn sort_unit(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (dim, _) = parts(instr)?;
    (b.array(instr.operands[0]).dims[dim] <= 1).then(|| operands(b, instr))
}

/// Which operand a comparator puts in order by `<` or `>` of its two elements, and by which.
fn key(b: &Builder<'_>, comparator: CompId) -> Option<(usize, Direction)> {
    let comp = &b.module[comparator];
    let root = comp.root();
    let Attrs::Compare { direction, .. } = root.attrs else { return None };
    let number = |n: usize| match comp.operand(root, n).attrs {
        Attrs::Parameter(p) => Some(p),
        _ => None,
    };
    let (x, y) = (number(0)?, number(1)?);
    let strict = matches!(direction, Direction::Lt | Direction::Gt);
    match (strict && x / 2 == y / 2, x % 2, y % 2, direction) {
        (true, 0, 1, d) => Some((x / 2, d)),
        (true, 1, 0, Direction::Lt) => Some((x / 2, Direction::Gt)),
        (true, 1, 0, _) => Some((x / 2, Direction::Lt)),
        _ => None,
    }
}

fn sort_in_order(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (dim, comparator) = parts(instr)?;
    let (position, direction) = key(b, comparator)?;
    let key = b.get(instr.operands[position]);
    let in_order = match (key.opcode, &key.attrs) {
        (Opcode::Broadcast, _) => !dims(key).contains(&dim),
        (Opcode::Iota, &Attrs::Iota(counting)) => {
            let shape = key.shape.as_array()?;
            // A counter that wraps around, or a float that rounds, is not in order everywhere.
            let exact =
                shape.dtype.is_integer() && extents(key)[dim] <= 1i64 << (shape.dtype.bits() - 1).min(62);
            counting != dim || (direction == Direction::Lt && exact)
        }
        _ => false,
    };
    in_order.then(|| operands(b, instr))
}

fn sort_sorted(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let (dim, comparator) = parts(instr)?;
    key(b, comparator)?;
    let first = instr.operands[0];
    let inner = match instr.operands.len() {
        1 => first,
        _ => made_by(b, first, Opcode::GetTupleElement)?.operands[0],
    };
    let in_place = |(n, &o): (usize, &InstrId)| {
        made_by(b, o, Opcode::GetTupleElement)
            .is_some_and(|g| g.operands[0] == inner && g.attrs == Attrs::TupleIndex(n))
    };
    let sort = made_by(b, inner, Opcode::Sort)?;
    let same = parts(sort) == Some((dim, comparator)) && sort.operands.len() == instr.operands.len();
    let whole = instr.operands.len() == 1 || instr.operands.iter().enumerate().all(in_place);
    (same && whole).then_some(inner)
}
