//! The walk back over a tape: from cotangents of results to cotangents of inputs.

use super::tape::{Arg, Definition, Linear, Tangent, Tape};
use super::transposes;
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, InstrId};
use rustc_hash::FxHashMap;

/// Makes cotangents.
pub struct Transposer<'a, 'g> {
    /// Where cotangents are made.
    pub emit: &'a mut Emit<'g>,
    tape: &'a Tape,
    /// Where the values that the tape reads are now.
    residuals: &'a FxHashMap<InstrId, InstrId>,
    /// Of each entry, the sum of what was contributed so far.
    cotangents: Vec<Option<InstrId>>,
}

/// The cotangents of the inputs of a tape by those of its results; `None` where nothing depends on an input.
///
/// # Errors
/// Something recorded has no transpose.
pub fn transpose(
    emit: &mut Emit<'_>,
    tape: &Tape,
    residuals: &FxHashMap<InstrId, InstrId>,
    seeds: &[(Tangent, InstrId)],
    inputs: &[Tangent],
) -> Result<Vec<Option<InstrId>>, Fault> {
    transpose_onto(emit, tape, residuals, seeds, inputs, &[])
}

/// As [`transpose`], where some entries start with a cotangent that is not zero: what is added to it may be added in place.
pub fn transpose_onto(
    emit: &mut Emit<'_>,
    tape: &Tape,
    residuals: &FxHashMap<InstrId, InstrId>,
    seeds: &[(Tangent, InstrId)],
    inputs: &[Tangent],
    onto: &[(Tangent, InstrId)],
) -> Result<Vec<Option<InstrId>>, Fault> {
    let cotangents = vec![None; tape.entries.len()];
    let mut cx = Transposer { emit, tape, residuals, cotangents };
    onto.iter().for_each(|&(t, ct)| cx.cotangents[t.index()] = Some(ct));
    for &(t, ct) in seeds {
        cx.contribute(t, ct)?;
    }
    let outer = cx.emit.body.origin.clone();
    let mut results: FxHashMap<usize, Vec<Option<InstrId>>> = FxHashMap::default();
    for i in (0..tape.entries.len()).rev() {
        let entry = &tape.entries[i];
        cx.emit.body.origin = entry.origin.clone();
        match &entry.definition {
            Definition::Input => {}
            Definition::Linear(op) => {
                if let Some(ct) = cx.cotangents[i].take() {
                    transposes::transpose(&mut cx, op, &entry.shape, ct)?;
                }
            }
            Definition::Result { structured, number } => {
                let of = results.entry(*structured).or_default();
                if of.len() <= *number {
                    of.resize(number + 1, None);
                }
                of[*number] = cx.cotangents[i].take();
                if *number == 0 {
                    let of = results.remove(structured).unwrap_or_default();
                    if of.iter().any(Option::is_some) {
                        tape.structured[*structured].transpose(&mut cx, &of)?;
                    }
                }
            }
        }
    }
    cx.emit.body.origin = outer;
    Ok(inputs.iter().map(|t| cx.cotangents[t.index()]).collect())
}

impl<'a> Transposer<'a, '_> {
    /// Where a value that the tape reads is now.
    pub fn residual(&self, id: InstrId) -> InstrId {
        self.residuals[&id]
    }

    /// Where all of them are.
    pub fn residuals(&self) -> &'a FxHashMap<InstrId, InstrId> {
        self.residuals
    }

    /// Where the value of an operand that is no tangent is now.
    pub fn primal(&self, op: &Linear, operand: usize) -> Option<InstrId> {
        match op.operands[operand] {
            Arg::Primal(id) => Some(self.residual(id)),
            Arg::Tangent(_) => None,
        }
    }

    /// The shape of a tangent, and of its cotangent.
    pub fn shape(&self, t: Tangent) -> &ArrayShape {
        &self.tape.entries[t.index()].shape
    }

    /// Adds to the cotangent of an entry.
    pub fn contribute(&mut self, t: Tangent, ct: InstrId) -> Result<(), Fault> {
        self.update(t, |emit, sum| match sum {
            None => Ok(ct),
            Some(sum) => emit.add(sum, ct),
        })
    }

    /// Changes the cotangent of an entry: `f` gets the sum so far, `None` for zero, and gives the new one.
    pub fn update(
        &mut self,
        t: Tangent,
        f: impl FnOnce(&mut Emit<'_>, Option<InstrId>) -> Result<InstrId, Fault>,
    ) -> Result<(), Fault> {
        let sum = self.cotangents[t.index()];
        self.cotangents[t.index()] = Some(f(self.emit, sum)?);
        Ok(())
    }
}
