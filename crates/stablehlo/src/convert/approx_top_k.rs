//! `custom_call @ApproxTopK` and `@PartialReduce`, computed exactly: sorted by their comparator, and as many as the type says,
//! which is more than asked for where the results are not aggregated.
//!
//! Comparisons of floats are of the total order: kernels select by it, and where NaN come and which of two zeros is open here.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

pub fn approx_top_k<'p>(f: &mut Frame<'_, 'p>, op: &'p Op) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let config = op.attr("mhlo.backend_config").or_else(|| op.attr("backend_config"));
    let Some(dim) = config.and_then(reduction_dim).and_then(|d| usize::try_from(d).ok()) else {
        return Err(f.wrong(op, "has no `reduction_dim`"));
    };
    let comparator = match op.attr("called_computations") {
        Some(Attr::Array(list)) => list.first().and_then(Attr::as_str),
        _ => None,
    };
    let Some(comparator) = comparator else { return Err(f.wrong(op, "names no comparator")) };
    let to_apply = f.cx.callee(comparator, op.place)?;
    let to_apply = f.cx.in_total_order(to_apply);
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

/// From a dictionary, or JSON in a string.
fn reduction_dim(config: &Attr) -> Option<i64> {
    const KEY: &str = "reduction_dim";
    match config {
        Attr::String(text) => {
            let after = text.split_once(KEY)?.1.trim_start_matches(['"', ':', '=', ' ']);
            after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        }
        other => other.get(KEY).and_then(Attr::int),
    }
}

fn leaves(shape: &Shape) -> Vec<&Shape> {
    match shape {
        Shape::Tuple(parts) => parts.iter().collect(),
        one => vec![one],
    }
}
