//! Normally distributed floats: √2 · erf⁻¹ of uniform ones.

use super::erf_inv::with_derivative;
use super::uniform::{between, bitcast, float_shape};
use super::{bits, parameter};
use crate::error::Fault;
use crate::graph::Emit;
use crate::tensor::{AsTensor, Tensor};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{DType, InstrId, Opcode};
use std::f64::consts::SQRT_2;
use std::panic::Location;

/// Floats of mean 0 and variance 1, of these dimensions: f16, bf16, f32 or f64.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::normal(&random::key(0), [1000], DType::F32);
/// assert!(x.mean().item::<f32>()?.abs() < 0.1 && (x.std().item::<f32>()? - 1.0).abs() < 0.1);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn normal(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| {
        let shape = float_shape("normal", dims.as_ref(), dtype)?;
        // The least number above −1: erf⁻¹ is finite from there up to the last number below 1.
        let least = -1.0 + 0.5 * spacing(dtype);
        let (low, high) = (e.splat(&shape, least)?, e.splat(&shape, 1.0)?);
        let uniform = between(e, "normal", ids[0], &shape, low, high)?;
        quantile(e, uniform)
    })
}

/// Floats of a normal distribution of mean 0 and variance 1 cut to the open interval (lower, upper), whose bounds are numbers
/// or tensors that broadcast to these dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::truncated_normal(&random::key(0), [100], DType::F32, 0, 2);
/// assert!(x.min().item::<f32>()? > 0.0 && x.max().item::<f32>()? < 2.0);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn truncated_normal(
    key: &Tensor,
    dims: impl AsRef<[i64]>,
    dtype: DType,
    lower: impl AsTensor,
    upper: impl AsTensor,
) -> Tensor {
    let place = Location::caller();
    let bounds = [lower.operand(), upper.operand()].map(|b| b.tensor_of(place, dtype));
    let [lower, upper] = bounds.map(|b| b.unwrap_or_else(Tensor::failed));
    Tensor::apply(place, &[key, &lower, &upper], |e, ids| {
        let name = "truncated_normal";
        let shape = float_shape(name, dims.as_ref(), dtype)?;
        let (lower, upper) = (parameter(e, name, ids[1], &shape)?, parameter(e, name, ids[2], &shape)?);
        let (low, high) = (error_function(e, lower)?, error_function(e, upper)?);
        let uniform = between(e, name, ids[0], &shape, low, high)?;
        let sample = quantile(e, uniform)?;
        let (least, most) = (neighbour(e, lower, true)?, neighbour(e, upper, false)?);
        let raised = e.binary(Opcode::Maximum, least, sample)?;
        e.binary(Opcode::Minimum, raised, most)
    })
}

/// √2 · erf⁻¹(u).
fn quantile(e: &mut Emit<'_>, uniform: InstrId) -> Result<InstrId, Fault> {
    let scale = e.splat_like(uniform, SQRT_2)?;
    let sample = with_derivative(e, uniform, 2)?;
    e.mul(scale, sample)
}

/// erf(x / √2).
fn error_function(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let scale = e.splat_like(x, SQRT_2)?;
    let scaled = e.div(x, scale)?;
    e.unary(Opcode::Erf, scaled)
}

/// The next float above each element, or below. It has no derivative.
fn neighbour(e: &mut Emit<'_>, x: InstrId, above: bool) -> Result<InstrId, Fault> {
    let shape = e.array(x)?.clone();
    let x = e.stop_gradient(x)?;
    let unsigned = bits::unsigned_of(shape.dtype.bits())?;
    let whole = bitcast(e, x, unsigned)?;
    let one = e.splat_like(whole, 1.0)?;
    let (farther, nearer) = (e.add(whole, one)?, e.sub(whole, one)?);
    let zero = e.splat(&shape, 0.0)?;
    let positive = e.compare(Direction::Gt, x, zero)?;
    let (of_positive, of_negative) = if above { (farther, nearer) } else { (nearer, farther) };
    let moved = e.select(positive, of_positive, of_negative)?;
    let moved = bitcast(e, moved, shape.dtype)?;
    let tiniest = bitcast(e, one, shape.dtype)?;
    let tiniest = if above { tiniest } else { e.neg(tiniest)? };
    let is_zero = e.compare(Direction::Eq, x, zero)?;
    let moved = e.select(is_zero, tiniest, moved)?;
    let end = e.splat(&shape, if above { f64::INFINITY } else { f64::NEG_INFINITY })?;
    let stays = {
        let (at_end, nan) = (e.compare(Direction::Eq, x, end)?, e.compare(Direction::Ne, x, x)?);
        e.binary(Opcode::Or, at_end, nan)?
    };
    e.select(stays, x, moved)
}

/// The distance of 1 to the next float.
fn spacing(dtype: DType) -> f64 {
    dtype.float().map_or(0.0, |float| 0.5f64.powi(float.format().mantissa as i32))
}
