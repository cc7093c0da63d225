//! Operations that combine many elements by a region.

use super::contraction::window;
use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::{Attrs, InstrId, Opcode};

pub fn reduce<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let dims = f.dims(op, "dimensions")?;
    let to_apply = f.applied(op, 0)?;
    f.add(op, opcode, &operands, Attrs::Reduce { dims, to_apply })
}

pub fn reduce_window<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let sizes = f.ints(op, "window_dimensions")?;
    let window = window(f, op, &sizes, "window_strides", "base_dilations", "window_dilations")?;
    let to_apply = f.applied(op, 0)?;
    f.add(op, opcode, &operands, Attrs::ReduceWindow { window, to_apply })
}

pub fn select_and_scatter<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let sizes = match f.optional(op, "window_dimensions", Attr::ints)? {
        Some(sizes) => sizes,
        None => vec![1; f.first(op, &operands)?.rank()],
    };
    let window = window(f, op, &sizes, "window_strides", "", "")?;
    let (select, scatter) = (f.applied(op, 0)?, f.applied(op, 1)?);
    f.add(op, opcode, &operands, Attrs::SelectAndScatter { window, select, scatter })
}

pub fn sort<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let first = f.first(op, &operands)?;
    // A negative number counts from the end.
    let dim = f.optional(op, "dimension", Attr::int)?.unwrap_or(-1);
    let dim = if dim < 0 { dim + first.rank() as i64 } else { dim };
    let Ok(dim) = usize::try_from(dim) else {
        return Err(f.wrong(op, format!("sorts dimension {dim} of {first}")));
    };
    let is_stable = f.flag(op, "is_stable")?;
    let to_apply = f.applied(op, 0)?;
    f.add(op, opcode, &operands, Attrs::Sort { dim, is_stable, to_apply })
}

/// `chlo.scan`: the region takes slices of the inputs, then the carries, and returns slices of the outputs, then the carries.
pub fn scan<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let sizes = f.ints(op, "operandSegmentSizes")?;
    let carries = sizes.get(1).and_then(|&n| usize::try_from(n).ok());
    let Some(num_carries) = carries.filter(|&n| sizes.len() == 2 && n <= operands.len()) else {
        return Err(f.wrong(op, format!("has operands in parts of {sizes:?}, not inputs and carries")));
    };
    let dim = f.dim(op, "dimension")?;
    let is_reverse = f.flag(op, "is_reverse")?;
    let is_associative = f.optional(op, "is_associative", Attr::bool)?;
    let to_apply = f.applied(op, 0)?;
    // Without inputs its length does not follow from them.
    let shape = f.results(op)?;
    f.add_shaped(
        op,
        opcode,
        shape,
        &operands,
        Attrs::Scan { dim, to_apply, num_carries, is_reverse, is_associative },
    )
}

/// Normalises over a batch.
pub fn batch_norm<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let epsilon = f.attr(op, "epsilon", |a| match a {
        Attr::Float(x) => Some(*x as f32),
        _ => None,
    })?;
    let feature_index = f.dim(op, "feature_index")?;
    f.add(op, opcode, &operands, Attrs::BatchNorm { epsilon_bits: epsilon.to_bits(), feature_index })
}
