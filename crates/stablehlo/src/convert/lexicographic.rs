//! The greater and the lesser of complex numbers, which StableHLO orders by their real parts, then by their imaginary ones. In
//! HLO they have no order, so it is spelled out.

use super::elementwise::plain;
use super::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

/// `maximum`, `minimum` and `clamp`.
pub fn extreme<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let operands = f.operands(op)?;
    let complex = |&x: &InstrId| matches!(f.body.shape(x), Shape::Array(a) if a.dtype.is_complex());
    if !operands.iter().all(complex) {
        return plain(f, op, opcode);
    }
    match (opcode, &operands[..]) {
        (Opcode::Maximum, &[x, y]) => chosen(f, op, Direction::Gt, x, y),
        (Opcode::Minimum, &[x, y]) => chosen(f, op, Direction::Lt, x, y),
        (Opcode::Clamp, &[least, x, most]) => {
            let dims = f.array(op, x)?;
            let bound = |f: &mut Frame<'_, 'p>, bound: InstrId| {
                let shape = f.array(op, bound)?;
                if shape.dims == dims.dims {
                    return Ok(bound);
                }
                f.add_shaped(
                    op,
                    Opcode::Broadcast,
                    Shape::Array(dims.clone()),
                    &[bound],
                    Attrs::Dims(Vec::new()),
                )
            };
            let (least, most) = (bound(f, least)?, bound(f, most)?);
            let above = chosen(f, op, Direction::Gt, least, x)?;
            chosen(f, op, Direction::Lt, above, most)
        }
        _ => plain(f, op, opcode),
    }
}

/// `x` where it comes in that direction of `y`, else `y`.
fn chosen<'p>(
    f: &mut Frame<'_, 'p>,
    op: &'p Op,
    direction: Direction,
    x: InstrId,
    y: InstrId,
) -> Result<InstrId> {
    let mut parts = [[x; 2]; 2];
    for (parts, part) in parts.iter_mut().zip([Opcode::Real, Opcode::Imag]) {
        *parts = [f.add(op, part, &[x], Attrs::None)?, f.add(op, part, &[y], Attrs::None)?];
    }
    let mut compare = |operands: &[InstrId], direction| {
        f.add(op, Opcode::Compare, operands, Attrs::Compare { direction, order: CompareOrder::Default })
    };
    let first = compare(&parts[0], direction)?;
    let equal = compare(&parts[0], Direction::Eq)?;
    let second = compare(&parts[1], direction)?;
    let second = f.add(op, Opcode::And, &[equal, second], Attrs::None)?;
    let taken = f.add(op, Opcode::Or, &[first, second], Attrs::None)?;
    f.add(op, Opcode::Select, &[taken, x, y], Attrs::None)
}
