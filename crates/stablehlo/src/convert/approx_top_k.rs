//! `custom_call @ApproxTopK`, computed exactly: sorted by its comparator, and as many as its type says.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

pub fn approx_top_k<'p>(f: &mut Frame<'_, 'p>, op: &'p Op) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let config = op.attr("mhlo.backend_config").and_then(|c| c.get("reduction_dim"));
    let Some(dim) = config.and_then(Attr::int).and_then(|d| usize::try_from(d).ok()) else {
        return Err(f.wrong(op, "has no `reduction_dim`"));
    };
    let comparator = match op.attr("called_computations") {
        Some(Attr::Array(list)) => list.first().and_then(Attr::as_str),
        _ => None,
    };
    let Some(comparator) = comparator else { return Err(f.wrong(op, "names no comparator")) };
    let to_apply = f.cx.callee(comparator, op.place)?;
    // Then the initial values follow, which nothing is compared with here.
    let inputs = &operands[..operands.len() / 2];
    let sorted = f.add(op, Opcode::Sort, inputs, Attrs::Sort { dim, is_stable: true, to_apply })?;
    let sorted = f.unpack(op, sorted, inputs.len())?;
    let wanted = f.results(op)?;
    let mut parts = Vec::with_capacity(sorted.len());
    for (array, shape) in sorted.into_iter().zip(leaves(&wanted)) {
        let limits = shape.as_array().map_or(&[][..], |a| &a.dims);
        let ranges = limits.iter().map(|&limit| SliceDim { start: 0, limit, stride: 1 }).collect();
        parts.push(f.add(op, Opcode::Slice, &[array], Attrs::Slice(ranges))?);
    }
    Ok(f.pack(&parts))
}

fn leaves(shape: &Shape) -> Vec<&Shape> {
    match shape {
        Shape::Tuple(parts) => parts.iter().collect(),
        one => vec![one],
    }
}
