//! Random numbers: pure functions of a key, with JAX's algorithms and, wherever nothing is rounded, JAX's bits.
//!
//! A key is a `u32[2]` tensor. The same key gives the same numbers on every machine, in every program, alone or as an example
//! of a batch; [`split`] makes keys for different uses of it. Numbers are those of JAX with
//! `jax_threefry_partitionable` on, 64-bit types off where a seed is given as a number.
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::{DType, random};
//!
//! let key = random::key(42);
//! let (key, now) = random::split_pair(&key);
//! let w = random::normal(&now, [784, 128], DType::F32);
//! # assert_eq!((key.dims(), w.dims()), (&[2][..], &[784, 128][..]));
//! ```
//!
//! In reading order: `threefry` is the hash, `keys` and `bits` what it is applied to, `uniform` and `integers` make numbers of
//! bits, the others samples of distributions.

mod bits;
mod discrete;
mod erf_inv;
mod field;
mod integers;
mod keys;
mod normal;
mod orthogonal;
mod shuffle;
mod threefry;
mod uniform;
mod weighted;

pub use bits::bits;
pub use discrete::{bernoulli, categorical, categorical_shaped, exponential, gumbel};
pub use erf_inv::erf_inv;
pub use field::field;
pub use integers::randint;
pub use keys::{fold_in, key, split, split_array, split_pair};
pub use normal::{normal, truncated_normal};
pub use orthogonal::orthogonal;
pub use shuffle::{choice, choice_without_replacement, permutation, shuffle};
pub use uniform::{uniform, uniform_between};
pub use weighted::{choice_weighted, choice_weighted_without_replacement};

use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, DType, InstrId, Literal, Scalar};
use std::panic::Location;

type Place = &'static Location<'static>;

/// An unsigned scalar.
fn unsigned(e: &mut Emit<'_>, dtype: DType, value: u64) -> InstrId {
    e.constant(Literal::scalar(dtype, Scalar::Unsigned(value)))
}

/// An array of equal unsigned elements.
fn splat_unsigned(e: &mut Emit<'_>, dtype: DType, dims: &[i64], value: u64) -> Result<InstrId, Fault> {
    let scalar = unsigned(e, dtype, value);
    spread(e, scalar, dims)
}

/// A scalar in every element of an array.
fn spread(e: &mut Emit<'_>, scalar: InstrId, dims: &[i64]) -> Result<InstrId, Fault> {
    if dims.is_empty() { Ok(scalar) } else { e.broadcast(scalar, dims, &[]) }
}

/// The shape of samples, which is to be one of an array.
fn sample_shape(name: &str, dims: &[i64], dtype: DType) -> Result<ArrayShape, Fault> {
    let shape = ArrayShape::new(dtype, dims);
    if dims.iter().any(|&d| d < 0) || shape.checked_elements().is_none() {
        return fault!("`{name}` of dimensions {dims:?}");
    }
    Ok(shape)
}

/// A parameter of a distribution as an array of the samples' type and dimensions.
fn parameter(e: &mut Emit<'_>, name: &str, x: InstrId, shape: &ArrayShape) -> Result<InstrId, Fault> {
    let x = e.convert(x, shape.dtype)?;
    stretched(e, name, x, &shape.dims)
}

/// An array stretched to the dimensions of samples.
fn stretched(e: &mut Emit<'_>, name: &str, x: InstrId, dims: &[i64]) -> Result<InstrId, Fault> {
    let found = e.array(x)?.clone();
    match crate::tensor::broadcast_dims(&found.dims, dims) {
        Some(both) if both == dims => crate::tensor::stretch(e, x, dims),
        _ => fault!("`{name}`: a parameter is {found}, which does not broadcast to the dimensions {dims:?}"),
    }
}
