//! Samples of distributions that one logarithm or one comparison makes of uniform floats.

use super::uniform::{between, float_shape, unit};
use super::{Place, stretched};
use crate::error::{Error, Fault};
use crate::graph::Emit;
use crate::tensor::{AsTensor, Tensor};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, DType, InstrId, Opcode};
use std::panic::Location;

/// `true` with probability `p`, a number or a tensor of floats that broadcasts to these dimensions: pred.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::bernoulli(&random::key(0), [1000], 0.25).astype(DType::F32);
/// assert!((x.mean().item::<f32>()? - 0.25).abs() < 0.05);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn bernoulli(key: &Tensor, dims: impl AsRef<[i64]>, p: impl AsTensor) -> Tensor {
    let place = Location::caller();
    let p = p.operand().into_tensor(place);
    Tensor::apply(place, &[key, &p], |e, ids| {
        let dtype = e.dtype(ids[1])?;
        let shape = float_shape("bernoulli", dims.as_ref(), dtype)?;
        let p = stretched(e, "bernoulli", ids[1], &shape.dims)?;
        let uniform = unit(e, "bernoulli", ids[0], &shape)?;
        e.compare(Direction::Lt, uniform, p)
    })
}

/// Floats of the exponential distribution of rate 1, −log(1 − u), of these dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::exponential(&random::key(0), [1000], DType::F32);
/// assert!(x.min().item::<f32>()? >= 0.0 && (x.mean().item::<f32>()? - 1.0).abs() < 0.1);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn exponential(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
    Tensor::apply(Location::caller(), &[key], |e, ids| {
        let shape = float_shape("exponential", dims.as_ref(), dtype)?;
        let uniform = unit(e, "exponential", ids[0], &shape)?;
        let minus = e.neg(uniform)?;
        let log = e.unary(Opcode::LogPlusOne, minus)?;
        e.neg(log)
    })
}

/// Floats of the standard Gumbel distribution, −log(−log(u)), of these dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, random};
///
/// let x = random::gumbel(&random::key(0), [1000], DType::F32);
/// assert!((x.mean().item::<f32>()? - 0.5772).abs() < 0.15); // Euler's constant
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn gumbel(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
    gumbel_at(Location::caller(), key, dims.as_ref(), dtype)
}

fn gumbel_at(place: Place, key: &Tensor, dims: &[i64], dtype: DType) -> Tensor {
    Tensor::apply(place, &[key], |e, ids| {
        let shape = float_shape("gumbel", dims, dtype)?;
        gumbel_of(e, ids[0], &shape)
    })
}

fn gumbel_of(e: &mut Emit<'_>, key: InstrId, shape: &ArrayShape) -> Result<InstrId, Fault> {
    // The least normal float: the logarithm of 0 has no finite one.
    let least = shape.dtype.float().map_or(0.0, |float| 2f64.powi(1 - float.format().bias));
    let (low, high) = (e.splat(shape, least)?, e.splat(shape, 1.0)?);
    let uniform = between(e, "gumbel", key, shape, low, high)?;
    let log = e.unary(Opcode::Log, uniform)?;
    let minus = e.neg(log)?;
    let log = e.unary(Opcode::Log, minus)?;
    e.neg(log)
}

/// The number of a class for each of several distributions, as s32: along `axis` of `logits` stand the logarithms of their
/// probabilities, up to a constant. The dimensions are those of `logits` without `axis`.
///
/// The class of the greatest sum of logarithm and Gumbel noise (Gumbel, "Statistical Theory of Extreme Values", 1954). Carries an
/// error where there is no such axis, or logits are no floats.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, random};
///
/// let logits = Tensor::from([[0.0, f32::NEG_INFINITY], [f32::NEG_INFINITY, 0.0]]);
/// let key = random::key(0);
/// assert_eq!(random::categorical(&key, &logits, 1).to_vec(), Ok(vec![0i32, 1]));
/// assert_eq!(random::categorical_shaped(&key, &logits, 1, [5, 2]).dims(), [5, 2]);
/// ```
#[track_caller]
pub fn categorical(key: &Tensor, logits: &Tensor, axis: i64) -> Tensor {
    let dims = match without(Location::caller(), logits, axis) {
        Ok(dims) => dims,
        Err(e) => return Tensor::failed(e),
    };
    categorical_shaped(key, logits, axis, dims)
}

/// As [`categorical`], with several samples of each distribution: `dims` end with the dimensions of `logits` without `axis`.
#[track_caller]
pub fn categorical_shaped(key: &Tensor, logits: &Tensor, axis: i64, dims: impl AsRef<[i64]>) -> Tensor {
    let (place, dims) = (Location::caller(), dims.as_ref());
    let batch = match without(place, logits, axis) {
        Ok(batch) => batch,
        Err(e) => return Tensor::failed(e),
    };
    let Some(prefix) = dims.strip_suffix(&*batch) else {
        let message = format!("`categorical` of dimensions {dims:?}, which do not end with {batch:?}");
        return Tensor::failed(Error::new(place, message));
    };
    let all = [prefix, logits.dims()].concat();
    let from_last = if axis < 0 { axis } else { axis - logits.rank() as i64 };
    let noise = gumbel_at(place, key, &all, logits.dtype());
    (noise + logits).argmax_axis(from_last)
}

/// The dimensions without an axis.
fn without(place: Place, logits: &Tensor, axis: i64) -> Result<Vec<i64>, Error> {
    let shape = logits.shape()?;
    let axis = crate::tensor::axes::axis("categorical", axis, shape).map_err(|e| Error::new(place, e.0))?;
    let mut dims = shape.dims.clone();
    dims.remove(axis);
    Ok(dims)
}
