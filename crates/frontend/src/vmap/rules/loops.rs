//! `while`: the part of the state that depends on the example is batched, as far as the body spreads it.
//!
//! If the condition does not depend on the example, the trips are those of one example. If it does, the loop goes on while
//! any example does, and a `select` leaves those alone that are done:
//!
//! ```text
//! cond(s)                →  or(cond(s)[0], cond(s)[1], …)
//! body(s)                →  select(cond(s), body(s), s)      for each leaf of the state that changes
//! ```
//! Such a loop is marked ([`marks::LANES`]). When it is batched in turn, its condition asks all lanes of all examples, and
//! its body is already one that leaves lanes alone.

use super::super::flags::{Carries, lanes, unchanged};
use super::super::{Batched, Batcher};
use super::Made;
use crate::error::Fault;
use crate::fault;
use crate::graph::marks;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Opcode, Shape};

pub(super) fn rule(
    cx: &mut Batcher<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    batched: &[Batched],
) -> Made {
    let Attrs::While { condition, body } = instr.attrs else { return fault!("`while` has no body") };
    let Carries { state, ends_apart } = cx.carries(instr, &batched[0]);
    let start = cx.fit(operands[0], &batched[0], &state)?;
    let of = std::slice::from_ref(&state);
    let lanes = lanes(cx.emit.graph.module(), instr);
    let attrs = match (ends_apart, lanes) {
        (false, _) => Attrs::While {
            condition: cx.computation(condition, of, &Batched::No)?,
            body: cx.computation(body, of, &state)?,
        },
        (true, Some(lanes)) => Attrs::While {
            condition: any_lane(cx, condition, lanes, &state)?,
            body: cx.computation(body, of, &state)?,
        },
        (true, None) => Attrs::While {
            condition: any_example(cx, condition, &state)?,
            body: each_alone(cx, (condition, body), &instr.shape, &state)?,
        },
    };
    let made = cx.emit.op(Opcode::While, &[start], attrs)?;
    if ends_apart || lanes.is_some() {
        let notes = cx.emit.body.get_mut(made).notes_mut();
        notes.frontend_attributes.push((marks::LANES.into(), "\"true\"".into()));
    }
    Ok((made, state))
}

/// Whether any example goes on.
fn any_example(cx: &mut Batcher<'_, '_>, condition: CompId, state: &Batched) -> Result<CompId, Fault> {
    let of = std::slice::from_ref(state);
    cx.made(condition, of, |cx, ids| {
        let (goes_on, _) = cx.inline(condition, ids, of)?;
        cx.emit.reduce(Opcode::Or, goes_on, 0.0, &[0])
    })
}

/// Whether any lane of any example goes on.
fn any_lane(
    cx: &mut Batcher<'_, '_>,
    condition: CompId,
    lanes: InstrId,
    state: &Batched,
) -> Result<CompId, Fault> {
    let of = std::slice::from_ref(state);
    cx.made(condition, of, |cx, ids| {
        let comp = cx.emit.graph.computation(condition).clone();
        let (goes_on, _) = cx.walk(&comp, lanes.index() + 1, lanes, ids, of)?;
        let all: Vec<usize> = (0..cx.emit.array(goes_on)?.rank()).collect();
        cx.emit.reduce(Opcode::Or, goes_on, 0.0, &all)
    })
}

/// The body for the examples that go on; the others keep what they have.
fn each_alone(
    cx: &mut Batcher<'_, '_>,
    (condition, body): (CompId, CompId),
    shape: &Shape,
    state: &Batched,
) -> Result<CompId, Fault> {
    let of = std::slice::from_ref(state);
    let alike = unchanged(cx.emit.graph.computation(body), shape);
    cx.made(body, of, |cx, ids| {
        let (goes_on, _) = cx.inline(condition, ids, of)?;
        let (after, flag) = cx.inline(body, ids, of)?;
        let after = cx.fit(after, &flag, state)?;
        let before = cx.emit.leaves(ids[0])?;
        let after = cx.emit.leaves(after)?;
        let mut kept = Vec::with_capacity(after.len());
        for ((old, new), alike) in before.into_iter().zip(after).zip(alike) {
            let array = matches!(cx.emit.shape(new), Shape::Array(_));
            kept.push(if array && !alike { select(cx, goes_on, new, old)? } else { new });
        }
        let shape = cx.batched_shape(shape, state);
        cx.emit.of_leaves(&shape, &mut kept.into_iter())
    })
}

/// For each example one of two values, by truth values `[batch]`.
pub(super) fn select(
    cx: &mut Batcher<'_, '_>,
    which: InstrId,
    yes: InstrId,
    no: InstrId,
) -> Result<InstrId, Fault> {
    let dims = cx.emit.dims(yes)?;
    let which = if dims.len() == 1 { which } else { cx.emit.broadcast(which, &dims, &[0])? };
    cx.emit.select(which, yes, no)
}
