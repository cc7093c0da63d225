//! Loops and branches whose course is known.

use super::query::{made_by, splat};
use super::{Rule, exact};
use crate::inline::inline_body;
use crate::loops::short::{MAX_TRIPS, unrolled};
use crate::loops::time_tiling::may_tile;
use crate::loops::{is_invariant, parts, trip_count};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Scalar};

pub const RULES: &[Rule] = &[
    exact(
        "while-unroll",
        "while of few trips and few instructions → its body, several times, but where time tiling may take it",
        &[Opcode::While],
        while_unroll,
    ),
    exact(
        "while-trip-count",
        "while with a plain counter → the same, with its known_trip_count",
        &[Opcode::While],
        while_trip_count,
    ),
    exact(
        "while-invariant-element",
        "element of a while's result that its body passes on → what it was before",
        &[Opcode::GetTupleElement],
        while_invariant_element,
    ),
    exact(
        "conditional-constant",
        "conditional(true, x, y) → the first branch",
        &[Opcode::Conditional],
        conditional_constant,
    ),
];

fn while_unroll(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let trips = trip_count(b, instr).filter(|&n| n <= MAX_TRIPS)?;
    if trips > 1 && may_tile(b.module, instr, trips) { None } else { unrolled(b, instr) }
}

fn while_trip_count(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    if instr.notes.as_ref().is_some_and(|n| n.backend_config.is_some()) {
        return None;
    }
    let trips = trip_count(b, instr)?;
    let id = b.add(Opcode::While, &instr.operands, instr.attrs.clone());
    b.get_mut(id).notes = instr.notes.clone();
    make::set_trip_count(b, id, trips);
    Some(id)
}

fn while_invariant_element(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::TupleIndex(element) = instr.attrs else { return None };
    let result = made_by(b, instr.operands[0], Opcode::While)?;
    let (_, body) = parts(result)?;
    let init = made_by(b, result.operands[0], Opcode::Tuple)?.operands[element];
    is_invariant(b.module, body, element).then_some(init)
}

fn conditional_constant(b: &mut Builder<'_>, instr: &Instruction) -> Option<InstrId> {
    let Attrs::Conditional { branches, .. } = &instr.attrs else { return None };
    let last = branches.len().checked_sub(1)?;
    let branch = match splat(b, instr.operands[0])? {
        Scalar::Pred(true) => 0,
        Scalar::Pred(false) => 1,
        // Out of range takes the last branch.
        index => usize::try_from(index.as_i128()?).map_or(last, |i| i.min(last)),
    };
    let body = &b.module[branches[branch]];
    Some(inline_body(b, body, &[instr.operands[1 + branch]]))
}
