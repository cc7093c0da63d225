//! Operations that compute each element from the elements at the same index.

use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{Attrs, InstrId, Opcode};

/// Operations without attributes.
pub fn plain<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    f.add(op, opcode, &operands, Attrs::None)
}

/// `convert`, which does nothing where the types are the same.
pub fn convert<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let shape = f.result(op)?.clone();
    if f.body.shape(x).same(&shape) {
        return Ok(x);
    }
    let [from, to] = [f.body.shape(x), &shape].map(|s| s.as_array().map(|a| a.dtype));
    // Of a complex number the real part is asked, where HLO asks both.
    let x = match (from, to) {
        (Some(from), Some(to)) if from.is_complex() && to.is_pred() => {
            f.add(op, Opcode::Real, &[x], Attrs::None)?
        }
        _ => x,
    };
    f.add_shaped(op, opcode, shape, &[x], Attrs::None)
}

pub fn compare<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let direction = f.attr(op, "comparison_direction", |a| {
        Some(match a.as_str()? {
            "EQ" => Direction::Eq,
            "NE" => Direction::Ne,
            "GE" => Direction::Ge,
            "GT" => Direction::Gt,
            "LE" => Direction::Le,
            "LT" => Direction::Lt,
            _ => return None,
        })
    })?;
    // The element type says the rest.
    let order = match op.attr("compare_type").and_then(Attr::as_str) {
        Some("TOTALORDER") => CompareOrder::TotalOrder,
        _ => CompareOrder::Default,
    };
    f.add(op, opcode, &operands, Attrs::Compare { direction, order })
}

pub fn reduce_precision<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let bits = |name| f.attr(op, name, |a| u32::try_from(a.int()?).ok());
    let attrs = Attrs::ReducePrecision {
        exponent_bits: bits("exponent_bits")?,
        mantissa_bits: bits("mantissa_bits")?,
    };
    f.add(op, opcode, &operands, attrs)
}

/// `map`: a region over the elements at each index.
pub fn map<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let dims = f.dims(op, "dimensions")?;
    let to_apply = f.applied(op, 0)?;
    f.add(op, opcode, &operands, Attrs::Map { dims, to_apply })
}
