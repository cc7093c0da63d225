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
