//! What training makes small: one number for each example, except where a function says otherwise.

use super::activation::log_sigmoid;
use super::softmax::log_softmax;
use crate::tensor::{AsTensor, Tensor, where_};
use lawson_hlo::DType;

/// −Σ labels · log(softmax(logits)) over the last dimension: labels are distributions, of the dimensions of `logits`.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let logits = Tensor::from([[0f32, 0.0], [100.0, 0.0]]);
/// let labels = Tensor::from([[0.5f32, 0.5], [1.0, 0.0]]);
/// assert_eq!(nn::softmax_cross_entropy(&logits, &labels).to_vec(), Ok(vec![2f32.ln(), 0.0]));
/// ```
#[track_caller]
pub fn softmax_cross_entropy(logits: &Tensor, labels: &Tensor) -> Tensor {
    -(labels * log_softmax(logits, -1)).sum_axes(-1)
}

/// −log(softmax(logits)) at the class that a label names: `[…, classes]` and integers `[…]` give `[…]`. NaN where a label names
/// no class.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let (logits, labels) = (Tensor::from([[0f32, 0.0], [100.0, 0.0]]), Tensor::from([1i32, 0]));
/// let losses = nn::softmax_cross_entropy_with_integer_labels(&logits, &labels);
/// assert_eq!(losses.to_vec(), Ok(vec![2f32.ln(), 0.0]));
/// ```
#[track_caller]
pub fn softmax_cross_entropy_with_integer_labels(logits: &Tensor, labels: &Tensor) -> Tensor {
    let log = log_softmax(logits, -1);
    let classes = log.dims().last().copied().unwrap_or(0);
    let at = labels.expand_dims(-1).equal(Tensor::arange(0..classes, labels_type(labels)));
    let chosen = where_(&at, &log, 0.0).sum_axes(-1);
    let valid = labels.greater_equal(0).logical_and(labels.less(classes));
    where_(valid, -chosen, f64::NAN)
}

/// −label · log(p) − (1 − label) · log(1 − p) with p = sigmoid(logits), element by element.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let losses = nn::sigmoid_binary_cross_entropy(&Tensor::from([0f32, 1000.0]), &Tensor::from([1f32, 1.0]));
/// assert_eq!(losses.to_vec(), Ok(vec![2f32.ln(), 0.0]));
/// ```
#[track_caller]
pub fn sigmoid_binary_cross_entropy(logits: &Tensor, labels: &Tensor) -> Tensor {
    let labels = labels.astype(logits.dtype());
    -(&labels * log_sigmoid(logits)) - (1.0 - &labels) * log_sigmoid(&-logits)
}

/// (prediction − target)², element by element.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let (x, y) = (Tensor::from([1f32, 5.0]), Tensor::from([2f32, 2.0]));
/// assert_eq!(nn::squared_error(&x, &y).to_vec(), Ok(vec![1f32, 9.0]));
/// assert_eq!(nn::absolute_error(&x, &y).to_vec(), Ok(vec![1f32, 3.0]));
/// assert_eq!(nn::mse(&x, &y).item(), Ok(5f32));
/// assert_eq!(nn::huber(&x, &y, 1.0).to_vec(), Ok(vec![0.5f32, 2.5]));
/// ```
#[track_caller]
pub fn squared_error(prediction: &Tensor, target: impl AsTensor) -> Tensor {
    (prediction - target).square()
}

/// |prediction − target|, element by element.
#[track_caller]
pub fn absolute_error(prediction: &Tensor, target: impl AsTensor) -> Tensor {
    (prediction - target).abs()
}

/// The mean of squared errors over all elements: a scalar.
#[track_caller]
pub fn mse(prediction: &Tensor, target: impl AsTensor) -> Tensor {
    squared_error(prediction, target).mean()
}

/// ½ · error² up to `delta`, and linear beyond, element by element.
///
/// Huber, "Robust Estimation of a Location Parameter" (1964).
#[track_caller]
pub fn huber(prediction: &Tensor, target: impl AsTensor, delta: f64) -> Tensor {
    let error = absolute_error(prediction, target);
    let quadratic = error.minimum(delta);
    let linear = &error - &quadratic;
    0.5 * quadratic.square() + delta * linear
}

/// Integers in which the numbers of classes fit.
fn labels_type(labels: &Tensor) -> DType {
    if labels.dtype().is_long_integer() { labels.dtype() } else { DType::S32 }
}
