//! Sorts: tangents are permuted as the elements are.

use super::super::{Linearizer, Tan};
use super::selection::{position_type, take_along};
use crate::error::Fault;
use crate::fault;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode, Shape};

/// The sort moves the numbers of its elements along, and tangents are taken from where they say.
pub(super) fn sort(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let Attrs::Sort { dim, is_stable, to_apply } = instr.attrs else {
        return fault!("`sort` lacks its computation");
    };
    let e = &mut *cx.emit;
    let n = operands.len();
    let comparator = e.graph.computation(to_apply);
    for (i, t) in tangents.iter().enumerate() {
        // What is not compared is only moved.
        let compared = |id: &InstrId| matches!(comparator[*id].attrs, Attrs::Parameter(p) if p / 2 == i);
        if t.one().is_some() && comparator.instrs.iter().flat_map(|i| &i.operands).any(compared) {
            super::ordered("sort", e.dtype(operands[i])?)?;
        }
    }
    let dims = e.dims(operands[0])?;
    let dtype = position_type(&dims[dim..=dim]);
    let shapes: Vec<Shape> = e.graph.computation(to_apply).parameter_shapes().into_iter().cloned().collect();
    let with_numbers = e.computation("compare", |e| {
        let all = shapes.into_iter().chain([Shape::scalar(dtype), Shape::scalar(dtype)]);
        let parameters: Vec<InstrId> = all.enumerate().map(|(n, shape)| e.parameter(n, shape)).collect();
        Ok(e.inline(to_apply, &parameters[..2 * n]))
    })?;
    let numbers = e.iota(dtype, &dims, dim)?;
    let all = [operands, &[numbers]].concat();
    let sorted = e.op(Opcode::Sort, &all, Attrs::Sort { dim, is_stable, to_apply: with_numbers })?;
    let mut values = e.elements(sorted)?;
    let Some(from) = values.pop() else { return fault!("`sort` gives nothing") };
    let mut found = Vec::new();
    for t in tangents {
        found.push(match t.one() {
            Some(t) => take_along(cx, t, from, dim)?.map_or(Tan::Zero, Tan::One),
            None => Tan::Zero,
        });
    }
    match &instr.shape {
        Shape::Tuple(_) => Ok((cx.emit.tuple(&values)?, Tan::of_parts(found))),
        _ => Ok((values[0], found.swap_remove(0))),
    }
}

/// The indices are a result.
pub(super) fn topk(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    super::ordered("topk", cx.emit.dtype(operands[0])?)?;
    let value = cx.emit.again(instr, operands);
    let from = cx.emit.element(value, 1)?;
    let Some(t) = tangents[0].one() else { return Ok((value, Tan::Zero)) };
    let last = cx.emit.array(from)?.rank() - 1;
    let t = take_along(cx, t, from, last)?.map_or(Tan::Zero, Tan::One);
    Ok((value, Tan::of_parts(vec![t, Tan::Zero])))
}
