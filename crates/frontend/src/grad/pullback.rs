//! Derivatives of whole computations: forward at once, or backward as a computation that takes cotangents.

use super::constants::Constant;
use super::linearize::{Linearizer, Mode, Tan};
use super::replay::replay;
use super::tape::{Definition, Tangent, Tape};
use super::transpose::transpose;
use crate::error::Fault;
use crate::graph::Emit;
use crate::graph::marks;
use lawson_hlo::instruction::Notes;
use lawson_hlo::{CompId, InstrId, Shape};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The results of a computation and their tangents, leaf by leaf; `None` where a leaf does not vary.
///
/// # Errors
/// An operation without a derivative, through which a tangent goes.
pub fn jvp(
    emit: &mut Emit<'_>,
    comp: CompId,
    arguments: &[InstrId],
    tangents: &[Option<InstrId>],
) -> Result<(Vec<InstrId>, Vec<Option<InstrId>>), Fault> {
    let of = |t: &Option<InstrId>| t.map_or(Tan::Zero, |id| Tan::One(Tangent(id.0)));
    let tangents: Vec<Tan> = tangents.iter().map(of).collect();
    let mut cx = Linearizer { emit, mode: Mode::Forward };
    let (root, tan) = cx.inline(comp, arguments, &tangents)?;
    let shape = emit.shape(root).clone();
    let tangents = tan.leaves(&shape).into_iter().map(|t| t.map(|t| InstrId(t.0))).collect();
    Ok((emit.leaves(root)?, tangents))
}

/// A computation that was made with what its derivative needs.
pub struct Vjp {
    /// The results, leaf by leaf.
    pub results: Vec<InstrId>,
    /// Of each result, whether it varies.
    pub varies: Vec<bool>,
    /// What the backward half reads.
    pub residuals: Vec<InstrId>,
    /// Takes the residuals, then the cotangents of the results that vary; gives the tuple of those of the arguments asked for.
    pub pullback: CompId,
}

/// Makes a computation on these array arguments, and the computation of its derivative with regard to those numbered in
/// `wrt`. An argument on which nothing depends gets zeros.
///
/// # Errors
/// An operation without a derivative, through which a tangent goes.
pub fn vjp(emit: &mut Emit<'_>, comp: CompId, arguments: &[InstrId], wrt: &[usize]) -> Result<Vjp, Fault> {
    let Taped { tape, inputs, root, found } = taped(emit, comp, arguments, wrt)?;
    let varying: Vec<Tangent> = found.iter().copied().flatten().collect();
    let mut constants = Vec::new();
    let mut residuals = tape.residuals(&varying);
    residuals.retain(|&id| match Constant::of(emit, id) {
        Some(constant) => {
            constants.push((id, constant));
            false
        }
        None => true,
    });
    let shapes: Vec<Shape> = residuals.iter().map(|&id| emit.shape(id).clone()).collect();
    let outer = emit.body.notes.replace(Arc::new(backward()));
    let pullback = emit.computation("pullback", |e| {
        let mut here = FxHashMap::default();
        for (n, (&id, shape)) in residuals.iter().zip(shapes).enumerate() {
            here.insert(id, e.parameter(n, shape));
        }
        for (id, constant) in &constants {
            here.insert(*id, constant.emit(e));
        }
        let mut seeds = Vec::new();
        for (n, &t) in varying.iter().enumerate() {
            let shape = Shape::Array(tape.entries[t.index()].shape.clone());
            seeds.push((t, e.parameter(residuals.len() + n, shape)));
        }
        let found = transpose(e, &tape, &here, &seeds, &inputs)?;
        let mut gradients = Vec::new();
        for (ct, input) in found.into_iter().zip(&inputs) {
            gradients.push(match ct {
                Some(ct) => ct,
                None => e.zeros(&tape.entries[input.index()].shape)?,
            });
        }
        e.tuple(&gradients)
    });
    emit.body.notes = outer;
    let varies = found.iter().map(Option::is_some).collect();
    Ok(Vjp { results: emit.leaves(root)?, varies, residuals, pullback: pullback? })
}

/// A computation whose tangents are on a tape.
struct Taped {
    tape: Tape,
    inputs: Vec<Tangent>,
    root: InstrId,
    /// The tangents of the leaves of the result.
    found: Vec<Option<Tangent>>,
}

fn taped(emit: &mut Emit<'_>, comp: CompId, arguments: &[InstrId], wrt: &[usize]) -> Result<Taped, Fault> {
    let mut tape = Tape::default();
    let mut tangents = vec![Tan::Zero; arguments.len()];
    let mut inputs = Vec::new();
    for &n in wrt {
        let shape = emit.array(arguments[n])?.clone();
        let input = tape.push(Definition::Input, shape, emit.body.origin.clone());
        tangents[n] = Tan::One(input);
        inputs.push(input);
    }
    let mut cx = Linearizer { emit, mode: Mode::Reverse(tape) };
    let (root, tan) = cx.inline(comp, arguments, &tangents)?;
    let Mode::Reverse(tape) = cx.mode else { unreachable!("the mode stays") };
    let found = tan.leaves(emit.shape(root));
    Ok(Taped { tape, inputs, root, found })
}

/// A computation that was made with what its derivative needs, forward.
pub struct Linearized {
    /// The results, leaf by leaf.
    pub results: Vec<InstrId>,
    /// Of each result, whether it varies.
    pub varies: Vec<bool>,
    /// What the derivative reads.
    pub residuals: Vec<InstrId>,
    /// Takes the residuals, then the tangents of the arguments asked for; gives the tuple of those of the results that vary.
    pub pushforward: CompId,
}

/// Makes a computation on these array arguments, and the computation that is its derivative there: linear in the tangents of
/// the arguments numbered in `wrt`.
///
/// # Errors
/// An operation without a derivative, through which a tangent goes, or with one that goes backward only.
pub fn linearize(
    emit: &mut Emit<'_>,
    comp: CompId,
    arguments: &[InstrId],
    wrt: &[usize],
) -> Result<Linearized, Fault> {
    let Taped { tape, inputs, root, found } = taped(emit, comp, arguments, wrt)?;
    let varying: Vec<Tangent> = found.iter().copied().flatten().collect();
    let residuals = tape.residuals(&varying);
    let shapes: Vec<Shape> = residuals.iter().map(|&id| emit.shape(id).clone()).collect();
    let pushforward = emit.computation("pushforward", |e| {
        let mut here = FxHashMap::default();
        for (n, (&id, shape)) in residuals.iter().zip(shapes).enumerate() {
            here.insert(id, e.parameter(n, shape));
        }
        let mut given = Vec::new();
        for (n, &input) in inputs.iter().enumerate() {
            let shape = Shape::Array(tape.entries[input.index()].shape.clone());
            given.push((input, e.parameter(residuals.len() + n, shape)));
        }
        let results = replay(e, &tape, &here, &given, &varying)?;
        e.tuple(&results)
    })?;
    let varies = found.iter().map(Option::is_some).collect();
    Ok(Linearized { results: emit.leaves(root)?, varies, residuals, pushforward })
}

/// The notes of what transposition makes.
fn backward() -> Notes {
    let mark = (marks::PHASE.to_string(), marks::BACKWARD.to_string());
    Notes { frontend_attributes: vec![mark], ..Notes::default() }
}
