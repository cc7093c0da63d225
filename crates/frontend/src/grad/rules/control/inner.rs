//! Computations inside of others, branches and functions with a mark, with their tangents: forward those are instructions,
//! in reverse mode entries of a tape of their own.

use crate::error::Fault;
use crate::grad::linearize::Mode;
use crate::grad::tape::{Definition, Tangent, Tape};
use crate::grad::{Linearizer, Tan};
use crate::graph::Emit;
use lawson_hlo::{Computation, InstrId};

/// Appends a computation on these values with its tangents forward. Where `outer` has a tangent, that of the value is the
/// next of `ids`. Gives the root, and the tangents of its leaves.
pub(super) fn forward(
    e: &mut Emit<'_>,
    comp: &Computation,
    values: &[InstrId],
    outer: impl Iterator<Item = Option<Tangent>>,
    ids: &[InstrId],
) -> Result<(InstrId, Vec<Option<InstrId>>), Fault> {
    let mut ids = ids.iter();
    let tangents: Vec<Tan> =
        outer.map(|t| t.and_then(|_| ids.next()).map_or(Tan::Zero, |id| Tan::One(Tangent(id.0)))).collect();
    let mut inner = Linearizer { emit: &mut *e, mode: Mode::Forward };
    let (root, tan) = inner.inline_computation(comp, values, &tangents)?;
    Ok((root, tan.leaves(e.shape(root)).into_iter().map(|t| t.map(|t| InstrId(t.0))).collect()))
}

/// A computation whose tangents are on a tape of its own.
pub(super) struct Taped {
    pub root: InstrId,
    pub tape: Tape,
    /// Tangents that it reads: outside, and on its tape.
    pub inputs: Vec<(Tangent, Tangent)>,
    /// Those of the leaves of the root.
    pub results: Vec<Option<Tangent>>,
}

/// Appends a computation on these values, whose tangents outside are `outer`.
pub(super) fn on_tape(
    e: &mut Emit<'_>,
    comp: &Computation,
    values: &[InstrId],
    outer: impl Iterator<Item = Option<Tangent>>,
) -> Result<Taped, Fault> {
    let (mut tape, mut inputs, mut tangents) = (Tape::default(), Vec::new(), Vec::new());
    for (&value, outer) in values.iter().zip(outer) {
        tangents.push(match outer {
            None => Tan::Zero,
            Some(outer) => {
                let shape = e.array(value)?.clone();
                let input = tape.push(Definition::Input, shape, e.body.origin.clone());
                inputs.push((outer, input));
                Tan::One(input)
            }
        });
    }
    let mut inner = Linearizer { emit: &mut *e, mode: Mode::Reverse(tape) };
    let (root, tan) = inner.inline_computation(comp, values, &tangents)?;
    let Mode::Reverse(tape) = inner.mode else { unreachable!("the mode stays") };
    Ok(Taped { root, tape, inputs, results: tan.leaves(e.shape(root)) })
}

/// What a tape is transposed from: its results with their cotangents. Where `outer` has a cotangent, that inside is the
/// next of `ids`.
pub(super) fn seeds(
    results: impl Iterator<Item = Option<Tangent>>,
    outer: &[Option<InstrId>],
    ids: &[InstrId],
) -> Vec<(Tangent, InstrId)> {
    let mut ids = ids.iter().copied();
    let inside = outer.iter().map(|ct| ct.and_then(|_| ids.next()));
    results.zip(inside).filter_map(|(result, ct)| result.zip(ct)).collect()
}
