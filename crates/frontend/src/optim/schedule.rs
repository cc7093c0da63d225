//! Learning rates by the number of the step: f32 scalars of integer scalars.
//!
//! Each is a function of a step, a tensor so that it can be part of a compiled step of training. Numbers of steps are at least 1 where they
//! divide; smaller ones count as 1.

use crate::tensor::{Tensor, where_};
use lawson_hlo::DType;
use std::f64::consts::PI;

/// The same rate for every step.
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
#[track_caller]
pub fn cosine_decay(step: &Tensor, start: f64, steps: i64, alpha: f64) -> Tensor {
    let wave = 0.5 * (1.0 + (PI * part(step, steps)).cos());
    start * ((1.0 - alpha) * wave + alpha)
}

/// `start` · `rate`^(step / `steps`); with `staircase` the quotient is cut to a whole number.
#[track_caller]
pub fn exponential_decay(step: &Tensor, start: f64, steps: i64, rate: f64, staircase: bool) -> Tensor {
    let exact = step.astype(DType::F32) / steps.max(1) as f64;
    let exponent = if staircase { exact.floor() } else { exact };
    start * Tensor::full([], rate, DType::F32).pow(exponent)
}

/// `start`, multiplied by each factor from the step on that stands before it.
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
