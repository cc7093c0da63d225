//! First values of weights: samples whose variance is the inverse of a number of inputs, of outputs, or of both.
//!
//! Of a shape `[…, inputs, outputs]` the dimensions before are those of a window: each is part of both numbers. Constants are
//! [`Tensor::zeros`], [`Tensor::ones`] and [`Tensor::full`].
//!
//! Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks" (AISTATS 2010); He et al.,
//! "Delving Deep into Rectifiers" (arXiv:1502.01852); LeCun et al., "Efficient BackProp" (1998). Samples carry an error where
//! the shape has fewer than two dimensions, those of [`normal`] apart.
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::{DType, nn, random};
//!
//! let w = nn::init::he_normal(&random::key(0), [400, 100], DType::F32);
//! assert!((w.var().item::<f32>()? - 2.0 / 400.0).abs() < 1e-3);
//! let kernel = nn::init::glorot_uniform(&random::key(1), [3, 3, 16, 32], DType::F32);
//! let bound = (6.0 / (9.0 * (16.0 + 32.0)) as f32).sqrt();
//! assert!(kernel.abs().max().item::<f32>()? <= bound);
//! # Ok::<(), lawson_frontend::Error>(())
//! ```
//!
//! The other initialisers are used alike:
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::nn::init::{glorot_normal, he_uniform, lecun_normal, lecun_uniform};
//! use lawson::{DType, random};
//!
//! let (key, dims) = (random::key(0), [30, 60]);
//! // Variances: 1 / 45, 2 / 30, 1 / 30 and 1 / 30.
//! for (w, variance) in [
//!     (glorot_normal(&key, dims, DType::F32), 1.0 / 45.0),
//!     (he_uniform(&key, dims, DType::F32), 2.0 / 30.0),
//!     (lecun_uniform(&key, dims, DType::F32), 1.0 / 30.0),
//!     (lecun_normal(&key, dims, DType::F32), 1.0 / 30.0),
//! ] {
//!     assert!((w.var().item::<f32>()? / variance - 1.0).abs() < 0.1);
//! }
//! # Ok::<(), lawson_frontend::Error>(())
//! ```

use crate::error::Error;
use crate::random;
use crate::tensor::Tensor;
use lawson_hlo::DType;
use std::panic::Location;

/// What the variance is the inverse of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fan {
    /// The number of inputs.
    In,
    /// The number of outputs.
    Out,
    /// The mean of both.
    Average,
}

/// Which samples have the variance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Samples {
    /// Of a normal distribution.
    Normal,
    /// Normal within two standard deviations of what was cut.
    TruncatedNormal,
    /// Uniform between two bounds.
    Uniform,
}

/// Samples of variance `scale` / fan.
///
/// Carries an error where there are fewer than two dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::nn::init::{Fan, Samples, variance_scaling};
/// use lawson::{DType, random};
///
/// let w = variance_scaling(&random::key(0), [200, 300], DType::F32, 1.0, Fan::Out, Samples::Normal);
/// assert!((w.var().item::<f32>()? - 1.0 / 300.0).abs() < 1e-3);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn variance_scaling(
    key: &Tensor,
    dims: impl AsRef<[i64]>,
    dtype: DType,
    scale: f64,
    fan: Fan,
    samples: Samples,
) -> Tensor {
    let dims = dims.as_ref();
    let [window @ .., inputs, outputs] = dims else {
        return too_few("variance_scaling", dims);
    };
    let window: f64 = window.iter().map(|&d| d as f64).product();
    let (inputs, outputs) = (window * *inputs as f64, window * *outputs as f64);
    let count = match fan {
        Fan::In => inputs,
        Fan::Out => outputs,
        Fan::Average => (inputs + outputs) / 2.0,
    };
    let variance = scale / count.max(1.0);
    match samples {
        Samples::Normal => random::normal(key, dims, dtype) * variance.sqrt(),
        Samples::TruncatedNormal => {
            // The standard deviation of what is left when a normal distribution is cut at −2 and 2.
            let deviation = variance.sqrt() / 0.879_625_661_034_239_8;
            random::truncated_normal(key, dims, dtype, -2, 2) * deviation
        }
        Samples::Uniform => random::uniform_between(key, dims, dtype, -1, 1) * (3.0 * variance).sqrt(),
    }
}

macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $scale:literal $fan:ident $samples:ident;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
            variance_scaling(key, dims, dtype, $scale, Fan::$fan, Samples::$samples)
        }
    )*};
}

named! {
    /// Glorot's (Xavier's): variance 1 over the mean of inputs and outputs, uniform.
    glorot_uniform 1.0 Average Uniform;
    /// Glorot's (Xavier's): variance 1 over the mean of inputs and outputs, from a normal distribution cut at two deviations.
    glorot_normal 1.0 Average TruncatedNormal;
    /// He's (Kaiming's): variance 2 over the inputs, uniform; for [`super::relu`].
    he_uniform 2.0 In Uniform;
    /// He's (Kaiming's): variance 2 over the inputs, from a normal distribution cut at two deviations.
    he_normal 2.0 In TruncatedNormal;
    /// LeCun's: variance 1 over the inputs, uniform; for [`super::selu`].
    lecun_uniform 1.0 In Uniform;
    /// LeCun's: variance 1 over the inputs, from a normal distribution cut at two deviations.
    lecun_normal 1.0 In TruncatedNormal;
}

/// `scale` times a matrix with orthonormal columns, or rows where there are more columns ([`random::orthogonal`]), of
/// `[…, columns]`: all dimensions but the last are those of its rows. Saxe et al., "Exact solutions to the nonlinear dynamics
/// of learning in deep linear neural networks" (arXiv:1312.6120).
///
/// Carries an error where there are fewer than two dimensions.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, nn, random};
///
/// let w = nn::init::orthogonal(&random::key(0), [3, 3, 4, 8], DType::F32, 2.0);
/// let column = w.reshape([36, 8]).index((.., 0));
/// assert!((column.norm().item::<f32>()? - 2.0).abs() < 1e-5);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn orthogonal(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType, scale: f64) -> Tensor {
    let dims = dims.as_ref();
    let [rows @ .., columns] = dims else { return too_few("orthogonal", dims) };
    if rows.is_empty() {
        return too_few("orthogonal", dims);
    }
    let rows = rows.iter().fold(1i64, |all, &d| all.saturating_mul(d));
    random::orthogonal(key, rows, *columns, dtype).reshape(dims) * scale
}

/// Normal samples of this standard deviation.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, nn, random};
///
/// let w = nn::init::normal(&random::key(0), [1000], DType::F32, 0.02);
/// assert!((w.std().item::<f32>()? - 0.02).abs() < 2e-3);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn normal(key: &Tensor, dims: impl AsRef<[i64]>, dtype: DType, deviation: f64) -> Tensor {
    random::normal(key, dims, dtype) * deviation
}

#[track_caller]
fn too_few(name: &str, dims: &[i64]) -> Tensor {
    let message = format!("`{name}` of dimensions {dims:?}: inputs and outputs are two");
    Tensor::failed(Error::new(Location::caller(), message))
}
