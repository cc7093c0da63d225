//! `map`, and computations on scalars taken element by element.

use super::super::{Linearizer, Tan};
use super::expansion;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{Attrs, CompId, InstrId, Instruction, Opcode, Shape};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Map { to_apply, .. } = instr.attrs else { return fault!("`map` lacks its computation") };
    let dims = instr.shape.expect_array().dims.clone();
    expansion::inline(cx, "map", operands, tangents, |e, operands| lift(e, to_apply, operands, &dims))
}

/// A computation on scalars, for each element of arrays of these dimensions; gives its root.
///
/// # Errors
/// The computation does something that is not done element by element.
pub(super) fn lift(
    e: &mut Emit<'_>,
    comp: CompId,
    arguments: &[InstrId],
    dims: &[i64],
) -> Result<InstrId, Fault> {
    let comp = e.graph.computation(comp).clone();
    let mut values: Vec<InstrId> = Vec::with_capacity(comp.instrs.len());
    for instr in &comp.instrs {
        let operands: Vec<InstrId> = instr.operands.iter().map(|o| values[o.index()]).collect();
        let value = match (instr.opcode, &instr.attrs) {
            (_, Attrs::Parameter(n)) => arguments[*n],
            (Opcode::Constant, _) => {
                let scalar = e.again(instr, &[]);
                if dims.is_empty() { scalar } else { e.broadcast(scalar, dims, &[])? }
            }
            (Opcode::Tuple, _) => e.tuple(&operands)?,
            (Opcode::GetTupleElement, Attrs::TupleIndex(i)) => e.element(operands[0], *i)?,
            (Opcode::Broadcast | Opcode::Reshape, _) if e.dims(operands[0])? == dims => operands[0],
            (
                _,
                Attrs::Call { to_apply: callee, .. }
                | Attrs::Fusion { calls: callee, .. }
                | Attrs::Map { to_apply: callee, .. },
            ) => lift(e, *callee, &operands, dims)?,
            (opcode, _) if opcode.is_elementwise() && instr.shape.as_array().is_some() => {
                let dtype = instr.shape.expect_array().dtype;
                e.op_shaped(opcode, Shape::array(dtype, dims), &operands, instr.attrs.clone())?
            }
            (opcode, _) => {
                return fault!(
                    "`{opcode}` in {}, which is called for each element, has no derivative",
                    comp.name
                );
            }
        };
        values.push(value);
    }
    Ok(values[comp.root.index()])
}
