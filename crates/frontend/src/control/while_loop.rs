//! `while_loop`: as long as a condition holds.

use super::carry;
use super::traced::{Place, Traced, run, specs, trace};
use crate::error::{Error, Fault};
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::trace::{Function, Spec};
use crate::tree::{self, Tree};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};
use std::panic::Location;

/// `carry = body(carry)` as long as `condition(carry)`, which gives one truth value; the last carry.
///
/// The carry keeps its structure, shapes and types; weak types of `init` give way to those that the body gives. The
/// result carries an error that names the leaf otherwise. A loop whose number of trips nobody knows has derivatives
/// forward, not backward: [`super::scan`] and [`super::fori_loop`] with bounds that are numbers have both.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, while_loop};
///
/// let halved = while_loop(|x: &Tensor| x.greater(1.0), |x: &Tensor| x / 2, &Tensor::from(100f32));
/// assert_eq!(halved.item(), Ok(0.78125f32));
/// ```
#[track_caller]
pub fn while_loop<C: Tree>(condition: impl Fn(&C) -> Tensor, body: impl Fn(&C) -> C, init: &C) -> C {
    while_loop_at(Location::caller(), "while_loop", &condition, &body, init)
}

/// As [`while_loop`], for the sake of that line and by that name.
pub(super) fn while_loop_at<C: Tree>(
    place: Place,
    name: &str,
    condition: &dyn Fn(&C) -> Tensor,
    body: &dyn Fn(&C) -> C,
    init: &C,
) -> C {
    let leaves = tree::leaves(init);
    let record = |leaves| record(place, name, condition, body, init, leaves);
    run(place, &leaves, record, |failed| tree::map(init, |_| failed.clone()))
}

fn record<C: Tree>(
    place: Place,
    name: &str,
    condition: &dyn Fn(&C) -> Tensor,
    body: &dyn Fn(&C) -> C,
    init: &C,
    mut carry: Vec<Tensor>,
) -> Result<(Vec<Tensor>, C), Error> {
    let Traced { function: body, result } = loop {
        let traced =
            trace(place, "while_step", &specs(&carry)?, |leaves| Ok(body(&tree::rebuild(init, leaves))))?;
        if !carry::promote(place, &mut carry, &traced.function.results)? {
            break traced;
        }
    };
    carry::check(place, name, init, &result, &carry, &body.results)?;
    let condition =
        trace(place, "while_test", &specs(&carry)?, |leaves| Ok(condition(&tree::rebuild(init, leaves))))?;
    let condition = condition.function;
    let found = &condition.results[0].shape;
    if !found.dtype.is_pred() || !found.is_scalar() {
        let message = format!("`{name}`: the condition gives {found}, not one truth value");
        return Err(Error::new(place, message));
    }
    let captured = condition.captured.iter().chain(&body.captured);
    let operands: Vec<&Tensor> = carry.iter().chain(captured).collect();
    let made = Tensor::apply_many(place, &operands, carry.len(), |e, ids| {
        emit(e, ids, carry.len(), &condition, &body)
    });
    if let Some(error) = made.iter().find_map(Tensor::error) {
        return Err(error.clone());
    }
    let weak = |(before, after): (&Tensor, &Spec)| before.is_weak() && after.weak;
    let weak = carry.iter().zip(&body.results).map(weak);
    Ok((made.into_iter().zip(weak).map(|(t, weak)| t.with_weak(weak)).collect(), result))
}

/// `ids`: carries, what the condition captured, what the body captured.
fn emit(
    e: &mut Emit<'_>,
    ids: &[InstrId],
    carries: usize,
    condition: &Function,
    body: &Function,
) -> Result<Vec<InstrId>, Fault> {
    let mut state = ids[..carries].to_vec();
    // Where each captured value stands in the state: each once.
    let mut places = Vec::new();
    for &id in &ids[carries..] {
        let found = state[carries..].iter().position(|&known| known == id);
        places.push(found.map_or(state.len(), |n| carries + n));
        if found.is_none() {
            state.push(id);
        }
    }
    let (of_condition, of_body) = places.split_at(condition.captured.len());
    let shape = Shape::Tuple(state.iter().map(|&id| e.shape(id).clone()).collect());
    let test = e.computation("while_condition", |e| {
        let state = e.parameter(0, shape.clone());
        let wanted = (0..carries).chain(of_condition.iter().copied());
        let arguments = wanted.map(|n| e.element(state, n)).collect::<Result<Vec<_>, _>>()?;
        let root = e.inline(condition.comp, &arguments);
        e.element(root, 0)
    })?;
    let step = e.computation("while_body", |e| {
        let state = e.parameter(0, shape.clone());
        let parts = e.elements(state)?;
        let arguments: Vec<InstrId> = (0..carries).chain(of_body.iter().copied()).map(|n| parts[n]).collect();
        let root = e.inline(body.comp, &arguments);
        let mut next = e.elements(root)?;
        next.extend(&parts[carries..]);
        e.tuple(&next)
    })?;
    let state = e.tuple(&state)?;
    let attrs = Attrs::While { condition: test, body: step };
    let done = e.op_shaped(Opcode::While, shape, &[state], attrs)?;
    (0..carries).map(|n| e.element(done, n)).collect()
}
