//! Learning rates by the number of the step: f32 scalars of integer scalars.
//!
//! Each is a function of a step, a tensor so that it can be part of a compiled step of training. Numbers of steps are at least 1 where they
//! divide; smaller ones count as 1.

use crate::tensor::{Tensor, where_};
use lawson_hlo::DType;
use std::f64::consts::PI;

/// The same rate for every step.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::optim::schedule::{constant, linear};
///
/// let step = Tensor::from([0i32, 5, 20]);
/// assert_eq!(constant(&step, 0.5).to_vec::<f32>()?[0], 0.5);
/// assert_eq!(linear(&step, 1.0, 0.0, 10).to_vec(), Ok(vec![1f32, 0.5, 0.0]));
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn constant(step: &Tensor, value: f64) -> Tensor {
    Tensor::full(step.dims(), value, DType::F32)
}

/// In a straight line from `start` to `end` in `steps` steps, then `end`.
#[track_caller]
pub fn linear(step: &Tensor, start: f64, end: f64, steps: i64) -> Tensor {
    let left = 1.0 - part(step, steps);
    (start - end) * left + end
}

/// Half a wave of the cosine from `start` down to `alpha` · `start` in `steps` steps, then that.
///
/// Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (arXiv:1608.03983).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::optim::schedule::{cosine_decay, warmup_cosine_decay};
///
/// let step = Tensor::from([0i32, 10, 20]);
/// let rate = cosine_decay(&step, 1.0, 10, 0.25).to_vec::<f32>()?;
/// assert_eq!((rate[0], rate[2]), (1.0, 0.25));
/// let rate = warmup_cosine_decay(&step, 0.0, 1.0, 10, 20, 0.5).to_vec::<f32>()?;
/// assert_eq!(rate, [0.0, 1.0, 0.5]);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn cosine_decay(step: &Tensor, start: f64, steps: i64, alpha: f64) -> Tensor {
    let wave = 0.5 * (1.0 + (PI * part(step, steps)).cos());
    start * ((1.0 - alpha) * wave + alpha)
}

/// `start` · `rate`^(step / `steps`); with `staircase` the quotient is cut to a whole number.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::optim::schedule::exponential_decay;
///
/// let step = Tensor::from([0i32, 10, 15]);
/// assert_eq!(exponential_decay(&step, 1.0, 10, 0.5, true).to_vec(), Ok(vec![1f32, 0.5, 0.5]));
/// ```
#[track_caller]
pub fn exponential_decay(step: &Tensor, start: f64, steps: i64, rate: f64, staircase: bool) -> Tensor {
    let exact = step.astype(DType::F32) / steps.max(1) as f64;
    let exponent = if staircase { exact.floor() } else { exact };
    start * Tensor::full([], rate, DType::F32).pow(exponent)
}

/// `start`, multiplied by each factor from the step on that stands before it.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::Tensor;
/// use lawson::optim::schedule::piecewise_constant;
///
/// let rate = piecewise_constant(&Tensor::from([0i32, 10, 20]), 1.0, &[(10, 0.5), (20, 0.5)]);
/// assert_eq!(rate.to_vec(), Ok(vec![1f32, 0.5, 0.25]));
/// ```
#[track_caller]
pub fn piecewise_constant(step: &Tensor, start: f64, factors: &[(i64, f64)]) -> Tensor {
    let mut rate = constant(step, start);
    for &(from, factor) in factors {
        rate = where_(step.greater_equal(from), &rate * factor, &rate);
    }
    rate
}

/// In a straight line from `start` to `peak` in `warmup` steps, then [`cosine_decay`] to `end` until step `steps`.
#[track_caller]
pub fn warmup_cosine_decay(
    step: &Tensor,
    start: f64,
    peak: f64,
    warmup: i64,
    steps: i64,
    end: f64,
) -> Tensor {
    let alpha = if peak == 0.0 { 0.0 } else { end / peak };
    let decay = cosine_decay(&(step - warmup), peak, steps - warmup, alpha);
    where_(step.less(warmup), linear(step, start, peak, warmup), decay)
}

/// How much of `steps` is over, from 0 to 1.
#[track_caller]
fn part(step: &Tensor, steps: i64) -> Tensor {
    let steps = steps.max(1);
    step.clip(0, steps).astype(DType::F32) / steps as f64
}
