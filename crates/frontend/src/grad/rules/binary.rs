//! Functions of two operands: arithmetic, and what is linear in each of them.

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use super::{arg, unary};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};

/// The operation with one operand as it is and the tangent of the other.
pub(super) fn bilinear(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let y = cx.emit.again(instr, operands);
    let shape = cx.emit.array(y)?.clone();
    let mut terms = Vec::new();
    for (n, t) in tangents.iter().enumerate() {
        let Some(t) = t.one() else { continue };
        let mut args = [Arg::Primal(operands[0]), Arg::Primal(operands[1])];
        args[n] = Arg::Tangent(t);
        terms.push(Some(cx.linear_shaped(instr.opcode, &shape, &args, instr.attrs.clone())?));
    }
    Ok((y, cx.sum(terms)?))
}

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let &[a, b] = operands else { return fault!("`{}` takes two operands", instr.opcode) };
    let (ta, tb) = (tangents[0].one(), tangents[1].one());
    if instr.opcode == Opcode::Divide && cx.emit.dtype(b)?.is_field() {
        return quotient(cx, a, b, ta, tb);
    }
    let y = cx.emit.again(instr, operands);
    let tangent = match instr.opcode {
        Opcode::Add => cx.sum([ta, tb])?,
        Opcode::Subtract => match (ta, tb) {
            (Some(ta), Some(tb)) => {
                Tan::One(cx.linear(Opcode::Subtract, &[Arg::Tangent(ta), Arg::Tangent(tb)], Attrs::None)?)
            }
            (ta, None) => cx.sum([ta])?,
            (None, Some(tb)) => Tan::One(cx.negate(tb)?),
        },
        Opcode::Complex => {
            let parts = [arg(cx, a, &tangents[0])?, arg(cx, b, &tangents[1])?];
            Tan::One(cx.linear(Opcode::Complex, &parts, Attrs::None)?)
        }
        Opcode::Divide => {
            let of_a = ta.map(|t| unary::divide(cx, t, b)).transpose()?;
            let of_b = scaled(cx, tb, |e| {
                let quotient = e.div(y, b)?;
                e.neg(quotient)
            })?;
            cx.sum([of_a, of_b])?
        }
        Opcode::Power if cx.emit.dtype(a)?.is_field() => {
            let of_a = scaled(cx, ta, |e| slope_by_integer(e, a, b))?;
            cx.sum([of_a])?
        }
        Opcode::Power => {
            let of_a = scaled(cx, ta, |e| slope_of_base(e, a, b))?;
            let of_b = scaled(cx, tb, |e| slope_of_exponent(e, a, y))?;
            cx.sum([of_a, of_b])?
        }
        Opcode::Atan2 => {
            let e = &mut *cx.emit;
            let (aa, bb) = (e.mul(a, a)?, e.mul(b, b)?);
            let square = e.add(aa, bb)?;
            let of_a = scaled(cx, ta, |e| e.div(b, square))?;
            let of_b = scaled(cx, tb, |e| {
                let quotient = e.div(a, square)?;
                e.neg(quotient)
            })?;
            cx.sum([of_a, of_b])?
        }
        Opcode::Remainder => {
            // y = a − n·b, where n is a whole number.
            let of_b = scaled(cx, tb, |e| {
                let difference = e.sub(y, a)?;
                let whole = e.div(difference, b)?;
                e.unary(Opcode::RoundNearestEven, whole)
            })?;
            cx.sum([ta, of_b])?
        }
        other => return fault!("`{other}` is no function of two elements with a derivative"),
    };
    Ok((y, tangent))
}

/// In a prime field a quotient is a product with one inverse, which its derivative takes too. The results are the same, since
/// they are exact.
fn quotient(
    cx: &mut Linearizer<'_, '_>,
    a: InstrId,
    b: InstrId,
    ta: Option<Tangent>,
    tb: Option<Tangent>,
) -> Result<(InstrId, Tan), Fault> {
    let inverse = cx.emit.unary(Opcode::Inverse, b)?;
    let y = cx.emit.mul(a, inverse)?;
    let of_a = scaled(cx, ta, |_| Ok(inverse))?;
    let of_b = scaled(cx, tb, |e| {
        let quotient = e.mul(y, inverse)?;
        e.neg(quotient)
    })?;
    Ok((y, cx.sum([of_a, of_b])?))
}

/// A tangent, if there is one, times what `slope` makes.
fn scaled(
    cx: &mut Linearizer<'_, '_>,
    t: Option<Tangent>,
    slope: impl FnOnce(&mut Emit<'_>) -> Result<InstrId, Fault>,
) -> Result<Option<Tangent>, Fault> {
    let Some(t) = t else { return Ok(None) };
    let by = slope(cx.emit)?;
    Ok(Some(cx.scale(t, by)?))
}

/// b·a^(b−1); 0 where b is 0, also of a base of 0.
fn slope_of_base(e: &mut Emit<'_>, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
    let (zero, one) = (e.splat_like(b, 0.0)?, e.splat_like(b, 1.0)?);
    let less = e.sub(b, one)?;
    let power = e.binary(Opcode::Power, a, less)?;
    let slope = e.mul(b, power)?;
    let constant = e.compare(Direction::Eq, b, zero)?;
    e.select(constant, zero, slope)
}

/// n·x^(n−1) in a prime field; where n is 0 its element is 0, whatever the power is.
fn slope_by_integer(e: &mut Emit<'_>, x: InstrId, n: InstrId) -> Result<InstrId, Fault> {
    let one = e.splat_like(n, 1.0)?;
    let less = e.sub(n, one)?;
    let (power, dtype) = (e.binary(Opcode::Power, x, less)?, e.dtype(x)?);
    let factor = e.convert(n, dtype)?;
    e.mul(factor, power)
}

/// log(a)·a^b; 0 where a is 0.
fn slope_of_exponent(e: &mut Emit<'_>, a: InstrId, y: InstrId) -> Result<InstrId, Fault> {
    let (zero, one) = (e.splat_like(a, 0.0)?, e.splat_like(a, 1.0)?);
    let nothing = e.compare(Direction::Eq, a, zero)?;
    let base = e.select(nothing, one, a)?;
    let log = e.unary(Opcode::Log, base)?;
    e.mul(log, y)
}
