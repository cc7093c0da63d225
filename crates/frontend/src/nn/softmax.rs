//! Exponentials that sum to 1.

use crate::tensor::{Axes, Tensor};
use std::panic::Location;

/// eˣ divided by its sum along these axes, without overflow. f16 and bf16 are computed in f32 and rounded once.
///
/// Carries an error where there is no such axis.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let x = Tensor::from([[1000f32, 1000.0], [0.0, f32::NEG_INFINITY]]);
/// assert_eq!(nn::softmax(&x, -1).to_vec(), Ok(vec![0.5f32, 0.5, 1.0, 0.0]));
/// assert_eq!(nn::log_softmax(&x, -1).to_vec::<f32>()?[1], -(2f32.ln()));
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn softmax(x: &Tensor, axes: impl Axes) -> Tensor {
    let axes = axes.axes();
    let parts = shifted(x, &axes).exp();
    (&parts / parts.sum_keepdims(&axes)).astype(rounded(x))
}

/// The logarithm of [`softmax`], accurate where that is small.
#[track_caller]
pub fn log_softmax(x: &Tensor, axes: impl Axes) -> Tensor {
    let axes = axes.axes();
    let shifted = shifted(x, &axes);
    let sum = shifted.exp().sum_keepdims(&axes);
    (shifted - sum.log()).astype(rounded(x))
}

/// Less its maximum, which has no part in the derivative.
#[track_caller]
fn shifted(x: &Tensor, axes: &[i64]) -> Tensor {
    let x = super::wide(x);
    let most = x.max_keepdims(axes);
    &x - Tensor::apply(Location::caller(), &[&most], |e, ids| e.stop_gradient(ids[0]))
}

fn rounded(x: &Tensor) -> lawson_hlo::DType {
    crate::tensor::promote::inexact(x.dtype())
}
