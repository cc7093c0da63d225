//! Uniform integers: random bits of twice the width, by their remainder.

use super::{bits, keys, sample_shape, stretched};
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use crate::tensor::{AsTensor, Operand, Tensor};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Literal, Opcode, Scalar};
use std::panic::Location;

/// Integers from `min` up to `max`, without it, of these dimensions and of any integer type of 8 bits or more. Bounds are
/// integers, or tensors of integers that broadcast to these dimensions; they are cut to the range of the type, where a `max`
/// beyond it stands for all of it. Where `max` is not above `min`, samples are `min`.
///
/// They are remainders of twice as many random bits, which favours some of 32 bits by at most one part in 2³², as in JAX.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::randint(&random::key(0), [100], DType::S32, -2, 3);
/// assert_eq!((x.min().item(), x.max().item()), (Ok(-2i32), Ok(2i32)));
/// ```
#[track_caller]
pub fn randint(
    key: &Tensor,
    dims: impl AsRef<[i64]>,
    dtype: DType,
    min: impl AsTensor,
    max: impl AsTensor,
) -> Tensor {
    let place = Location::caller();
    let bound = |b: Operand<'_>| match b {
        Operand::Tensor(t) => t.clone(),
        Operand::Scalar(n @ Scalar::Signed(_)) => Tensor::from_literal(Literal::scalar(DType::S64, n)),
        Operand::Scalar(n @ Scalar::Unsigned(_)) => Tensor::from_literal(Literal::scalar(DType::U64, n)),
        Operand::Scalar(_) => Tensor::failed(Error::new(place, "`randint` takes integers for bounds")),
    };
    let (min, max) = (bound(min.operand()), bound(max.operand()));
    Tensor::apply(place, &[key, &min, &max], |e, ids| {
        if !dtype.is_integer() || dtype.bits() < 8 {
            return fault!("`randint` gives integers of 8 bits or more, not {dtype}");
        }
        let shape = sample_shape("randint", dims.as_ref(), dtype)?;
        if dtype.bits() >= 32 {
            return between(e, ids, &shape);
        }
        // Narrow integers are drawn as s32: the remainder of more bits favours fewer of them.
        let above = range(dtype).map(|(least, most)| (least, most + 1));
        let (min, _) = cut(e, ids[1], range(dtype), DType::S32)?;
        let (max, _) = cut(e, ids[2], above, DType::S32)?;
        let wide = between(e, &[ids[0], min, max], &shape.with_dtype(DType::S32))?;
        e.convert(wide, dtype)
    })
}

fn between(e: &mut Emit<'_>, ids: &[InstrId], shape: &ArrayShape) -> Result<InstrId, Fault> {
    let unsigned = bits::unsigned_of(shape.dtype.bits())?;
    let dims = &shape.dims;
    let both = keys::keys(e, ids[0], 2)?;
    let (first, second) = (keys::row(e, both, 0)?, keys::row(e, both, 1)?);
    let higher = bits::of_key(e, "randint", first, dims, unsigned)?;
    let lower = bits::of_key(e, "randint", second, dims, unsigned)?;
    let (min, _) = bound(e, ids[1], shape)?;
    let (max, beyond) = bound(e, ids[2], shape)?;
    let span = e.sub(max, min)?;
    let span = e.convert(span, unsigned)?;
    let one = e.splat_like(span, 1.0)?;
    let empty = e.compare(Direction::Le, max, min)?;
    let span = e.select(empty, one, span)?;
    // The whole range of the type is 0 here, and a remainder by 0 changes nothing.
    let next = e.add(span, one)?;
    let filled = e.compare(Direction::Gt, max, min)?;
    let all = e.binary(Opcode::And, beyond, filled)?;
    let span = e.select(all, next, span)?;
    let half = e.splat_like(span, 2f64.powi(shape.dtype.bits() as i32 / 2))?;
    let half = e.binary(Opcode::Remainder, half, span)?;
    let square = e.mul(half, half)?;
    let carry = e.binary(Opcode::Remainder, square, span)?;
    let higher = e.binary(Opcode::Remainder, higher, span)?;
    let higher = e.mul(higher, carry)?;
    let lower = e.binary(Opcode::Remainder, lower, span)?;
    let sum = e.add(higher, lower)?;
    let offset = e.binary(Opcode::Remainder, sum, span)?;
    let offset = e.convert(offset, shape.dtype)?;
    e.add(min, offset)
}

/// A bound cut to the range of a type, as an array of samples, and whether it was above that.
fn bound(e: &mut Emit<'_>, x: InstrId, shape: &ArrayShape) -> Result<(InstrId, InstrId), Fault> {
    let (inside, most) = cut(e, x, range(shape.dtype), shape.dtype)?;
    let inside = stretched(e, "randint", inside, &shape.dims)?;
    let x = stretched(e, "randint", x, &shape.dims)?;
    let most = super::spread(e, most, &shape.dims)?;
    Ok((inside, e.compare(Direction::Gt, x, most)?))
}

/// Integers cut to a range, in another type, and the end of the range in their own.
fn cut(
    e: &mut Emit<'_>,
    x: InstrId,
    to: Option<(i128, i128)>,
    dtype: DType,
) -> Result<(InstrId, InstrId), Fault> {
    let own = e.dtype(x)?;
    let (Some((low, high)), Some((least, most))) = (range(own), to) else {
        return fault!("`randint` takes integers for bounds, not {}", e.array(x)?);
    };
    let number = |n: i128| {
        let scalar = if n < 0 { Scalar::Signed(n as i64) } else { Scalar::Unsigned(n as u64) };
        Literal::scalar(own, scalar)
    };
    let (least, most) = (e.constant(number(low.max(least))), e.constant(number(high.min(most))));
    let inside = e.op(Opcode::Clamp, &[least, x, most], Attrs::None)?;
    Ok((e.convert(inside, dtype)?, most))
}

/// The least and the greatest integer of a type.
fn range(dtype: DType) -> Option<(i128, i128)> {
    let width = dtype.integer_width()?;
    Some(match dtype.is_signed() {
        true => (width.signed_range().0.into(), width.signed_range().1.into()),
        false => (0, width.greatest_unsigned().into()),
    })
}
