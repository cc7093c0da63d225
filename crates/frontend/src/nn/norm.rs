//! Normalisation: mean 0 and variance 1 over some dimensions, then scale and bias.
//!
//! ```text
//! y = (x − mean(x)) / √(var(x) + ε) · scale + bias
//! ```

use super::wide;
use crate::error::Error;
use crate::tensor::{Axes, Tensor};
use crate::tree::Tree;
use std::hash::Hasher;
use std::panic::Location;

/// Normalises over these axes. Scale and bias broadcast to `x`: for the last axis they are `[features]`.
///
/// Ba et al., "Layer Normalization" (arXiv:1607.06450). Carries an error where there is no such axis, or scale and bias do not
/// broadcast.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let x = Tensor::from([[1f32, 3.0], [10.0, 30.0]]);
/// assert_eq!(nn::layer_norm(&x, None, None, -1, 0.0).to_vec(), Ok(vec![-1f32, 1.0, -1.0, 1.0]));
/// ```
#[track_caller]
pub fn layer_norm(
    x: &Tensor,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
    axes: impl Axes,
    epsilon: f64,
) -> Tensor {
    let axes = axes.axes();
    let wide = wide(x);
    let (mean, variance) = (wide.mean_keepdims(&axes), wide.var_keepdims(&axes));
    finished(&wide, &mean, &variance, scale, bias, epsilon).astype(x.dtype())
}

/// x / √(mean(x²) + ε) · scale over these axes: without mean and bias.
///
/// Zhang and Sennrich, "Root Mean Square Layer Normalization" (arXiv:1910.07467).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let y = nn::rms_norm(&Tensor::from([[1f32, 7.0]]), None, -1, 0.0);
/// assert_eq!(y.to_vec(), Ok(vec![0.2f32, 1.4]));
/// ```
#[track_caller]
pub fn rms_norm(x: &Tensor, scale: Option<&Tensor>, axes: impl Axes, epsilon: f64) -> Tensor {
    let wide = wide(x);
    let size = (wide.square().mean_keepdims(axes.axes()) + epsilon).rsqrt();
    let normal = wide * size;
    let scaled = match scale {
        Some(scale) => normal * scale,
        None => normal,
    };
    scaled.astype(x.dtype())
}

/// Normalises over each group of features and all dimensions between the first, of examples, and the last, of features:
/// `[examples, …, features]`, scale and bias `[features]`.
///
/// Carries an error where the features do not divide into that many groups.
///
/// Wu and He, "Group Normalization" (arXiv:1803.08494).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let x = Tensor::from([[[1f32, 3.0, 10.0, 30.0]]]); // 1 example, 1 place, 4 features
/// assert_eq!(nn::group_norm(&x, 2, None, None, 0.0).to_vec(), Ok(vec![-1f32, 1.0, -1.0, 1.0]));
/// ```
#[track_caller]
pub fn group_norm(
    x: &Tensor,
    groups: i64,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
    epsilon: f64,
) -> Tensor {
    let dims = x.dims().to_vec();
    let features = dims.last().copied().unwrap_or(0);
    if x.error().is_none() && (dims.len() < 2 || groups < 1 || features % groups != 0) {
        let message = format!("`group_norm` of {x:?} in {groups} groups of features");
        return Tensor::failed(Error::new(Location::caller(), message));
    }
    let mut grouped = dims.clone();
    grouped.pop();
    grouped.extend([groups, features / groups.max(1)]);
    let rank = grouped.len() as i64;
    let axes: Vec<i64> = (1..rank).filter(|&a| a != rank - 2).collect();
    let wide = wide(x).reshape(&grouped);
    let (mean, variance) = (wide.mean_keepdims(&axes), wide.var_keepdims(&axes));
    let normal = finished(&wide, &mean, &variance, None, None, epsilon).reshape(&dims);
    affine(normal, scale, bias).astype(x.dtype())
}

/// Running mean and variance of [`batch_norm`], each `[features]`.
#[derive(Clone, Debug)]
pub struct BatchNormState {
    /// The running mean.
    pub mean: Tensor,
    /// The running variance.
    pub variance: Tensor,
}

impl BatchNormState {
    /// Mean 0 and variance 1 of that many features.
    #[track_caller]
    pub fn new(features: i64, dtype: lawson_hlo::DType) -> BatchNormState {
        BatchNormState { mean: Tensor::zeros([features], dtype), variance: Tensor::ones([features], dtype) }
    }
}

impl Tree for BatchNormState {
    fn leaves(&self, out: &mut Vec<Tensor>) {
        (self.mean.clone(), self.variance.clone()).leaves(out);
    }

    fn rebuild(&self, leaves: &mut dyn Iterator<Item = Tensor>) -> BatchNormState {
        BatchNormState { mean: self.mean.rebuild(leaves), variance: self.variance.rebuild(leaves) }
    }

    fn structure(&self, state: &mut dyn Hasher) {
        (self.mean.clone(), self.variance.clone()).structure(state);
    }
}

/// Normalises over all dimensions but the last, of features, and moves the running values: of those `momentum` stays. For
/// training; [`batch_norm_inference`] takes the running values instead. The running variance is that of the batch, not an estimate from it.
///
/// Ioffe and Szegedy, "Batch Normalization" (arXiv:1502.03167). `x` is `[examples, …, features]`, scale, bias and running
/// values are `[features]`.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::nn::{BatchNormState, batch_norm, batch_norm_inference};
/// use lawson::{DType, Tensor};
///
/// let x = Tensor::from([[1f32, 10.0], [3.0, 30.0]]);
/// let state = BatchNormState::new(2, DType::F32);
/// let (y, state) = batch_norm(&x, None, None, &state, 0.5, 0.0);
/// assert_eq!(y.to_vec(), Ok(vec![-1f32, -1.0, 1.0, 1.0]));
/// assert_eq!(state.mean.to_vec(), Ok(vec![1f32, 10.0])); // half of 0, half of the mean
/// assert_eq!(batch_norm_inference(&x, None, None, &state, 0.0).dims(), [2, 2]);
/// ```
#[track_caller]
pub fn batch_norm(
    x: &Tensor,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
    state: &BatchNormState,
    momentum: f64,
    epsilon: f64,
) -> (Tensor, BatchNormState) {
    let axes = 0..x.rank().max(1) as i64 - 1;
    let wide = wide(x);
    let (mean, variance) = (wide.mean_axes(axes.clone()), wide.var_axes(axes));
    let y = finished(&wide, &mean, &variance, scale, bias, epsilon).astype(x.dtype());
    let next = BatchNormState {
        mean: running(&state.mean, &mean, momentum),
        variance: running(&state.variance, &variance, momentum),
    };
    (y, next)
}

/// [`batch_norm`] with running values, which stay.
#[track_caller]
pub fn batch_norm_inference(
    x: &Tensor,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
    state: &BatchNormState,
    epsilon: f64,
) -> Tensor {
    finished(&wide(x), &state.mean, &state.variance, scale, bias, epsilon).astype(x.dtype())
}

#[track_caller]
fn running(old: &Tensor, now: &Tensor, momentum: f64) -> Tensor {
    momentum * old + (1.0 - momentum) * now.astype(old.dtype())
}

#[track_caller]
fn finished(
    x: &Tensor,
    mean: &Tensor,
    variance: &Tensor,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
    epsilon: f64,
) -> Tensor {
    affine((x - mean) * (variance + epsilon).rsqrt(), scale, bias)
}

#[track_caller]
fn affine(x: Tensor, scale: Option<&Tensor>, bias: Option<&Tensor>) -> Tensor {
    let scaled = match scale {
        Some(scale) => x * scale,
        None => x,
    };
    match bias {
        Some(bias) => scaled + bias,
        None => scaled,
    }
}
