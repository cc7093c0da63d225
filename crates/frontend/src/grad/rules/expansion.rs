//! Operations that stand for others: their derivative is that of what they stand for.

use super::super::{Linearizer, Tan};
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::InstrId;

/// What `f` makes of these operands, with its tangents.
pub(super) fn inline(
    cx: &mut Linearizer<'_, '_>,
    name: &str,
    operands: &[InstrId],
    tangents: &[Tan],
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
) -> Result<(InstrId, Tan), Fault> {
    let shapes: Vec<_> = operands.iter().map(|&id| cx.emit.shape(id).clone()).collect();
    let comp = cx.emit.computation(name, |e| {
        let numbered = shapes.into_iter().enumerate();
        let parameters: Vec<InstrId> = numbered.map(|(n, shape)| e.parameter(n, shape)).collect();
        f(e, &parameters)
    })?;
    cx.inline(comp, operands, tangents)
}
