//! Uniform floats: random bits are the fraction of a number from 1 to 2, less 1.

use super::{bits, parameter, sample_shape, splat_unsigned};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::tensor::{AsTensor, Tensor};
use lawson_hlo::dtype::Float;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Opcode, Shape};
use std::panic::Location;

/// Floats in [0, 1), of these dimensions: f16, bf16, f32 or f64. Each is a multiple of the distance of 1 to the next float.
///
/// Carries an error where the type is another, or `key` is no key; so it is with the other samples.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::uniform(&random::key(0), [1000], DType::F32);
/// assert!(x.min().item::<f32>()? >= 0.0 && x.max().item::<f32>()? < 1.0);
/// assert!((x.mean().item::<f32>()? - 0.5).abs() < 0.05);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn uniform(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| {
        let shape = float_shape("uniform", dims.as_ref(), dtype)?;
        unit(e, "uniform", ids[0], &shape)
    })
}

/// Floats in [min, max), where bounds are numbers or tensors that broadcast to these dimensions. Rounding can give `max` too.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::uniform_between(&random::key(0), [100], DType::F32, -1, 3);
/// assert!(x.min().item::<f32>()? >= -1.0 && x.max().item::<f32>()? <= 3.0);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn uniform_between(
    key: &Tensor,
    dims: impl AsRef<[i64]>,
    dtype: DType,
    min: impl AsTensor,
    max: impl AsTensor,
) -> Tensor {
    let place = Location::caller();
    let bounds = [min.operand(), max.operand()].map(|b| b.tensor_of(place, dtype));
    let [min, max] = bounds.map(|b| b.unwrap_or_else(Tensor::failed));
    Tensor::apply(place, &[key, &min, &max], |e, ids| {
        let shape = float_shape("uniform", dims.as_ref(), dtype)?;
        let (min, max) = (parameter(e, "uniform", ids[1], &shape)?, parameter(e, "uniform", ids[2], &shape)?);
        between(e, "uniform", ids[0], &shape, min, max)
    })
}

/// The shape of samples of a type that has them.
pub(super) fn float_shape(name: &str, dims: &[i64], dtype: DType) -> Result<ArrayShape, Fault> {
    match dtype.float() {
        Some(Float::F16 | Float::Bf16 | Float::F32 | Float::F64) => sample_shape(name, dims, dtype),
        Some(Float::Small(_)) | None => fault!("`{name}` gives f16, bf16, f32 or f64, not {dtype}"),
    }
}

/// Floats in [0, 1).
pub(super) fn unit(e: &mut Emit<'_>, name: &str, key: InstrId, shape: &ArrayShape) -> Result<InstrId, Fault> {
    let Some(float) = shape.dtype.float() else { return fault!("`{name}` gives floats") };
    let (width, mantissa) = (float.format().bits(), float.format().mantissa);
    let random = if mantissa < 8 { 8 } else { width };
    let unsigned = bits::unsigned_of(width)?;
    let drawn = bits::of_key(e, name, key, &shape.dims, bits::unsigned_of(random)?)?;
    let drawn = e.convert(drawn, unsigned)?;
    let by = splat_unsigned(e, unsigned, &shape.dims, u64::from(random - mantissa))?;
    let fraction = e.binary(Opcode::ShiftRightLogical, drawn, by)?;
    let one = e.splat(shape, 1.0)?;
    let one_bits = bitcast(e, one, unsigned)?;
    let whole = e.binary(Opcode::Or, fraction, one_bits)?;
    let whole = bitcast(e, whole, shape.dtype)?;
    e.sub(whole, one)
}

/// Floats in [min, max).
pub(super) fn between(
    e: &mut Emit<'_>,
    name: &str,
    key: InstrId,
    shape: &ArrayShape,
    min: InstrId,
    max: InstrId,
) -> Result<InstrId, Fault> {
    let unit = unit(e, name, key, shape)?;
    let span = e.sub(max, min)?;
    let scaled = e.mul(unit, span)?;
    let shifted = e.add(scaled, min)?;
    e.binary(Opcode::Maximum, min, shifted)
}

/// The same bits as elements of another type of the same width.
pub(super) fn bitcast(e: &mut Emit<'_>, x: InstrId, dtype: DType) -> Result<InstrId, Fault> {
    let shape = Shape::array(dtype, e.dims(x)?);
    e.op_shaped(Opcode::BitcastConvert, shape, &[x], Attrs::None)
}
