//! Functions of one element.

use super::super::linearize::Arg;
use super::super::{Linearizer, Tan, Tangent};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{Attrs, InstrId, Instruction, Opcode};
use std::f64::consts::FRAC_2_SQRT_PI;

pub(super) fn rule(
    cx: &mut Linearizer<'_, '_>,
    instr: &Instruction,
    operands: &[InstrId],
    tangents: &[Tan],
) -> Result<(InstrId, Tan), Fault> {
    let y = cx.emit.again(instr, operands);
    let (&[x], Some(t)) = (operands, tangents[0].one()) else {
        return fault!("`{}` takes one array", instr.opcode);
    };
    let complex = cx.emit.dtype(x)?.is_complex();
    let t = match instr.opcode {
        Opcode::Abs if complex => magnitude(cx, x, y, t)?,
        Opcode::Abs => {
            let zero = cx.emit.splat_like(x, 0.0)?;
            let positive = cx.emit.compare(Direction::Ge, x, zero)?;
            let negative = cx.negate(t)?;
            let args = [Arg::Primal(positive), Arg::Tangent(t), Arg::Tangent(negative)];
            cx.linear(Opcode::Select, &args, Attrs::None)?
        }
        Opcode::Sign if complex => direction(cx, x, y, t)?,
        Opcode::Sign => return Ok((y, Tan::Zero)),
        _ => match slope(cx.emit, instr.opcode, x, y)? {
            Slope::Factor(by) => cx.scale(t, by)?,
            Slope::Divisor(by) => divide(cx, t, by)?,
        },
    };
    Ok((y, Tan::One(t)))
}

/// What a tangent is multiplied or divided by.
enum Slope {
    Factor(InstrId),
    Divisor(InstrId),
}

fn slope(e: &mut Emit<'_>, opcode: Opcode, x: InstrId, y: InstrId) -> Result<Slope, Fault> {
    use Opcode::*;
    let one = |e: &mut Emit<'_>| e.splat_like(x, 1.0);
    Ok(Slope::Factor(match opcode {
        Exponential => y,
        Inverse => {
            let square = e.mul(y, y)?;
            e.neg(square)?
        }
        ExponentialMinusOne => {
            let one = one(e)?;
            e.add(y, one)?
        }
        Log => return Ok(Slope::Divisor(x)),
        LogPlusOne => {
            let one = one(e)?;
            return Ok(Slope::Divisor(e.add(x, one)?));
        }
        Sqrt => return Ok(Slope::Divisor(e.add(y, y)?)),
        Rsqrt => {
            let half = e.splat_like(x, -0.5)?;
            let scaled = e.mul(half, y)?;
            e.div(scaled, x)?
        }
        Cbrt => {
            let three = e.splat_like(x, 3.0)?;
            let tripled = e.mul(three, x)?;
            e.div(y, tripled)?
        }
        Sine => e.unary(Cosine, x)?,
        Cosine => {
            let sine = e.unary(Sine, x)?;
            e.neg(sine)?
        }
        Tan => {
            let (one, square) = (one(e)?, e.mul(y, y)?);
            e.add(one, square)?
        }
        Sinh => e.unary(Cosh, x)?,
        Cosh => e.unary(Sinh, x)?,
        Tanh => product_around_one(e, y)?,
        Logistic => {
            let one = one(e)?;
            let rest = e.sub(one, y)?;
            e.mul(y, rest)?
        }
        Asin => {
            let product = product_around_one(e, x)?;
            e.unary(Rsqrt, product)?
        }
        Acos => {
            let product = product_around_one(e, x)?;
            let root = e.unary(Rsqrt, product)?;
            e.neg(root)?
        }
        // 1 + x² = (1 − ix)·(1 + ix)
        Asinh if e.dtype(x)?.is_complex() => {
            let (re, im) = (e.unary(Real, x)?, e.unary(Imag, x)?);
            let across = e.neg(im)?;
            let turned = e.binary(Complex, across, re)?;
            let product = product_around_one(e, turned)?;
            e.unary(Rsqrt, product)?
        }
        Asinh => {
            let (one, square) = (one(e)?, e.mul(x, x)?);
            let sum = e.add(square, one)?;
            e.unary(Rsqrt, sum)?
        }
        // √(x² − 1) has another cut than √(x − 1)·√(x + 1).
        Acosh if e.dtype(x)?.is_complex() => {
            let one = one(e)?;
            let less = e.sub(x, one)?;
            let (_, more) = around_one(e, x)?;
            let (less, more) = (e.unary(Rsqrt, less)?, e.unary(Rsqrt, more)?);
            e.mul(less, more)?
        }
        Acosh => {
            let product = product_around_one(e, x)?;
            let product = e.neg(product)?;
            e.unary(Rsqrt, product)?
        }
        Atanh => return Ok(Slope::Divisor(product_around_one(e, x)?)),
        Erf => {
            let square = e.mul(x, x)?;
            let square = e.neg(square)?;
            let bell = e.unary(Exponential, square)?;
            let height = e.splat_like(x, FRAC_2_SQRT_PI)?;
            e.mul(height, bell)?
        }
        other => return fault!("`{other}` is no function of one element with a derivative"),
    }))
}

/// (1 − x)·(1 + x), which near ±1 is more accurate than 1 − x².
fn product_around_one(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let (less, more) = around_one(e, x)?;
    e.mul(less, more)
}

/// 1 − x and 1 + x. Of complex numbers the imaginary parts are those of x, so that a zero keeps its sign, which says on which side
/// of a branch cut x lies.
fn around_one(e: &mut Emit<'_>, x: InstrId) -> Result<(InstrId, InstrId), Fault> {
    if !e.dtype(x)?.is_complex() {
        let one = e.splat_like(x, 1.0)?;
        return Ok((e.sub(one, x)?, e.add(one, x)?));
    }
    let (re, im) = (e.unary(Opcode::Real, x)?, e.unary(Opcode::Imag, x)?);
    let one = e.splat_like(re, 1.0)?;
    let (less, more, across) = (e.sub(one, re)?, e.add(one, re)?, e.neg(im)?);
    Ok((e.binary(Opcode::Complex, less, across)?, e.binary(Opcode::Complex, more, im)?))
}

/// A tangent divided by a value.
pub(super) fn divide(cx: &mut Linearizer<'_, '_>, t: Tangent, by: InstrId) -> Result<Tangent, Fault> {
    cx.linear(Opcode::Divide, &[Arg::Tangent(t), Arg::Primal(by)], Attrs::None)
}

/// Of |x|: (re(t)·re(x) + im(t)·im(x)) / |x|, 0 where |x| is 0.
fn magnitude(cx: &mut Linearizer<'_, '_>, x: InstrId, y: InstrId, t: Tangent) -> Result<Tangent, Fault> {
    let e = &mut *cx.emit;
    let (one, zero) = (e.splat_like(y, 1.0)?, e.splat_like(y, 0.0)?);
    let nothing = e.compare(Direction::Eq, y, zero)?;
    let length = e.select(nothing, one, y)?;
    let mut terms = Vec::new();
    for part in [Opcode::Real, Opcode::Imag] {
        let of_x = cx.emit.unary(part, x)?;
        let direction = cx.emit.div(of_x, length)?;
        let of_t = cx.linear(part, &[Arg::Tangent(t)], Attrs::None)?;
        terms.push(cx.scale(of_t, direction)?);
    }
    cx.linear(Opcode::Add, &[Arg::Tangent(terms[0]), Arg::Tangent(terms[1])], Attrs::None)
}

/// Of x/|x|: (t − x/|x|·|x|')/|x|, 0 where |x| is 0.
fn direction(cx: &mut Linearizer<'_, '_>, x: InstrId, y: InstrId, t: Tangent) -> Result<Tangent, Fault> {
    let e = &mut *cx.emit;
    let length = e.unary(Opcode::Abs, x)?;
    let (one, zero) = (e.splat_like(length, 1.0)?, e.splat_like(length, 0.0)?);
    let nothing = e.compare(Direction::Eq, length, zero)?;
    let divisor = e.select(nothing, one, length)?;
    let inverse = e.div(one, divisor)?;
    let inverse = e.select(nothing, zero, inverse)?;
    let dtype = e.dtype(x)?;
    let inverse = e.convert(inverse, dtype)?;
    let along = magnitude(cx, x, length, t)?;
    let along =
        cx.linear_shaped(Opcode::Convert, &cx.emit.array(x)?.clone(), &[Arg::Tangent(along)], Attrs::None)?;
    let along = cx.scale(along, y)?;
    let across = cx.linear(Opcode::Subtract, &[Arg::Tangent(t), Arg::Tangent(along)], Attrs::None)?;
    cx.scale(across, inverse)
}
