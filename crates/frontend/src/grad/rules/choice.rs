//! What takes one operand or another, element by element. The residuals are truth values.

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use super::arg;
use crate::error::Fault;
use crate::fault;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, InstrId, Instruction, Opcode};

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    if instr.opcode != Opcode::Select {
        super::ordered(instr.opcode.name(), instr.shape.expect_array().dtype)?;
    }
    let y = cx.emit.again(instr, operands);
    let tangent = match (instr.opcode, operands) {
        (Opcode::Select, &[p, a, b]) => {
            let (a, b) = (arg(cx, a, &tangents[1])?, arg(cx, b, &tangents[2])?);
            Tan::One(cx.linear(Opcode::Select, &[Arg::Primal(p), a, b], Attrs::None)?)
        }
        (Opcode::Clamp, &[low, x, high]) => clamp(cx, [low, x, high], tangents)?,
        (Opcode::Maximum, &[a, b]) => extremum(cx, Direction::Gt, [a, b], tangents)?,
        (Opcode::Minimum, &[a, b]) => extremum(cx, Direction::Lt, [a, b], tangents)?,
        _ => return fault!("`{}` has the wrong operands", instr.opcode),
    };
    Ok((y, tangent))
}

/// `select(p, t, 0)`.
pub(super) fn where_true(cx: &mut Linearizer<'_, '_>, p: InstrId, t: Tangent) -> Result<Tangent, Fault> {
    let shape = cx.shape_of(Arg::Tangent(t))?;
    let zeros = cx.emit.zeros(&shape)?;
    cx.linear(Opcode::Select, &[Arg::Primal(p), Arg::Tangent(t), Arg::Primal(zeros)], Attrs::None)
}

/// The tangent of the operand that is taken; of equal ones half of each.
fn extremum(
    cx: &mut Linearizer<'_, '_>,
    better: Direction,
    [a, b]: [InstrId; 2],
    tangents: &[Tan],
) -> Result<Tan, Fault> {
    let first = cx.emit.compare(better, a, b)?;
    let equal = cx.emit.compare(Direction::Eq, a, b)?;
    let (ta, tb) = (arg(cx, a, &tangents[0])?, arg(cx, b, &tangents[1])?);
    let taken = cx.linear(Opcode::Select, &[Arg::Primal(first), ta, tb], Attrs::None)?;
    let Tan::One(sum) = cx.sum([tangents[0].one(), tangents[1].one()])? else { return Ok(Tan::Zero) };
    let half = cx.emit.splat_like(a, 0.5)?;
    let mean = cx.scale(sum, half)?;
    let args = [Arg::Primal(equal), Arg::Tangent(mean), Arg::Tangent(taken)];
    Ok(Tan::One(cx.linear(Opcode::Select, &args, Attrs::None)?))
}

/// Of x strictly between the bounds; of a bound where it is taken.
fn clamp(cx: &mut Linearizer<'_, '_>, [low, x, high]: [InstrId; 3], tangents: &[Tan]) -> Result<Tan, Fault> {
    let shape = cx.emit.array(x)?.clone();
    let (low, high) = (spread(cx, low, &shape)?, spread(cx, high, &shape)?);
    let e = &mut *cx.emit;
    let (above, below) = (e.compare(Direction::Gt, x, low)?, e.compare(Direction::Lt, x, high)?);
    let mut terms = Vec::new();
    if let Some(t) = tangents[1].one() {
        let between = cx.emit.binary(Opcode::And, above, below)?;
        terms.push(Some(where_true(cx, between, t)?));
    }
    if let Some(t) = tangents[0].one() {
        let lower = cx.emit.compare(Direction::Lt, x, low)?;
        let ordered = cx.emit.compare(Direction::Lt, low, high)?;
        let taken = cx.emit.binary(Opcode::And, lower, ordered)?;
        let t = spread_tangent(cx, t, &shape)?;
        terms.push(Some(where_true(cx, taken, t)?));
    }
    if let Some(t) = tangents[2].one() {
        let taken = cx.emit.compare(Direction::Gt, x, high)?;
        let t = spread_tangent(cx, t, &shape)?;
        terms.push(Some(where_true(cx, taken, t)?));
    }
    cx.sum(terms)
}

fn spread(cx: &mut Linearizer<'_, '_>, bound: InstrId, shape: &ArrayShape) -> Result<InstrId, Fault> {
    match cx.emit.array(bound)?.is_scalar() && !shape.is_scalar() {
        true => cx.emit.broadcast(bound, &shape.dims, &[]),
        false => Ok(bound),
    }
}

/// The tangent of a scalar for each element; of an array as it is.
pub(super) fn spread_tangent(
    cx: &mut Linearizer<'_, '_>,
    t: Tangent,
    shape: &ArrayShape,
) -> Result<Tangent, Fault> {
    let own = cx.shape_of(Arg::Tangent(t))?;
    if !own.is_scalar() || shape.is_scalar() {
        return Ok(t);
    }
    let shape = shape.with_dtype(own.dtype);
    cx.linear_shaped(Opcode::Broadcast, &shape, &[Arg::Tangent(t)], Attrs::Dims(Vec::new()))
}
