//! The walk forward over a tape: from tangents of inputs to tangents of results.

use super::tape::{Arg, Definition, Tangent, Tape};
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::{InstrId, Shape};
use rustc_hash::FxHashMap;

/// The tangents of results by those of inputs; inputs that are not given are zero.
///
/// # Errors
/// Something recorded cannot go forward.
pub fn replay(
    emit: &mut Emit<'_>,
    tape: &Tape,
    residuals: &FxHashMap<InstrId, InstrId>,
    inputs: &[(Tangent, InstrId)],
    results: &[Tangent],
) -> Result<Vec<InstrId>, Fault> {
    let mut at: FxHashMap<Tangent, InstrId> = inputs.iter().copied().collect();
    let needed = tape.needed(results);
    let outer = emit.body.origin.clone();
    for (i, entry) in tape.entries.iter().enumerate().filter(|(i, _)| needed[*i]) {
        let this = Tangent(i as u32);
        if at.contains_key(&this) {
            continue;
        }
        emit.body.origin = entry.origin.clone();
        match &entry.definition {
            Definition::Input => {
                let zeros = emit.zeros(&entry.shape)?;
                at.insert(this, zeros);
            }
            Definition::Linear(op) => {
                let operand = |arg: &Arg| match arg {
                    Arg::Primal(id) => residuals[id],
                    Arg::Tangent(t) => at[t],
                };
                let operands: Vec<InstrId> = op.operands.iter().map(operand).collect();
                let shape = Shape::Array(entry.shape.clone());
                at.insert(this, emit.op_shaped(op.opcode, shape, &operands, op.attrs.clone())?);
            }
            Definition::Result { structured, number } => {
                let it = &tape.structured[*structured];
                let operands: Vec<InstrId> = it.operands().iter().map(|t| at[t]).collect();
                let found = it.apply(emit, residuals, &operands)?;
                let first = i - number;
                let of = found.into_iter().enumerate();
                at.extend(of.map(|(n, id)| (Tangent((first + n) as u32), id)));
            }
        }
    }
    emit.body.origin = outer;
    Ok(results.iter().map(|t| at[t]).collect())
}
