//! Functions between layers, element by element. They keep the element type of floats.

use crate::error::Error;
use crate::tensor::{Tensor, where_};
use std::f64::consts::{PI, SQRT_2};
use std::panic::Location;

/// max(x, 0), whose derivative at 0 is 0.
#[track_caller]
pub fn relu(x: &Tensor) -> Tensor {
    // NaN is not below 0 and stays.
    where_(x.less_equal(0), 0, x)
}

/// min(max(x, 0), 6), whose derivative is 0 at both bounds.
#[track_caller]
pub fn relu6(x: &Tensor) -> Tensor {
    where_(x.greater_equal(6), 6, relu(x))
}

/// x from 0 upward, else `slope` · x; 0.01 is a common slope.
#[track_caller]
pub fn leaky_relu(x: &Tensor, slope: f64) -> Tensor {
    where_(x.greater_equal(0), x, slope * x)
}

/// x above 0, else `alpha` · (eˣ − 1).
#[track_caller]
pub fn elu(x: &Tensor, alpha: f64) -> Tensor {
    let above = x.greater(0);
    // What is not chosen must not overflow: its derivative would be no number.
    where_(&above, x, alpha * where_(&above, 0, x).expm1())
}

/// max(x, 0) + `alpha` · (e^(min(x, 0) / alpha) − 1).
#[track_caller]
pub fn celu(x: &Tensor, alpha: f64) -> Tensor {
    let above = x.greater(0);
    where_(&above, x, alpha * (where_(&above, 0, x) / alpha).expm1())
}

/// [`elu`] scaled so that layers keep mean 0 and variance 1.
#[track_caller]
pub fn selu(x: &Tensor) -> Tensor {
    1.050_700_987_355_480_5 * elu(x, 1.673_263_242_354_377_2)
}

/// x · Φ(x), with the normal distribution function Φ by the error function.
#[track_caller]
pub fn gelu(x: &Tensor) -> Tensor {
    0.5 * x * (1.0 + (x / SQRT_2).erf())
}

/// x · Φ(x), with Φ approximated by tanh: what JAX's `gelu` is by default.
#[track_caller]
pub fn gelu_tanh(x: &Tensor) -> Tensor {
    let inner = (2.0 / PI).sqrt() * (x + 0.044715 * (x * x * x));
    0.5 * x * (1.0 + inner.tanh())
}

/// 1 / (1 + e⁻ˣ).
#[track_caller]
pub fn sigmoid(x: &Tensor) -> Tensor {
    x.sigmoid()
}

/// x · sigmoid(x), also known as swish.
#[track_caller]
pub fn silu(x: &Tensor) -> Tensor {
    x * x.sigmoid()
}

/// log(1 + eˣ), without overflow.
#[track_caller]
pub fn softplus(x: &Tensor) -> Tensor {
    x.logaddexp(0.0)
}

/// log(sigmoid(x)), without underflow.
#[track_caller]
pub fn log_sigmoid(x: &Tensor) -> Tensor {
    -softplus(&-x)
}

/// x / (1 + |x|).
#[track_caller]
pub fn soft_sign(x: &Tensor) -> Tensor {
    x / (1.0 + x.abs())
}

/// x cut to [−1, 1], whose derivative is 1 at both bounds.
#[track_caller]
pub fn hard_tanh(x: &Tensor) -> Tensor {
    where_(x.greater(1), 1, where_(x.less(-1), -1, x))
}

/// relu6(x + 3) / 6.
#[track_caller]
pub fn hard_sigmoid(x: &Tensor) -> Tensor {
    relu6(&(x + 3.0)) / 6.0
}

/// x · hard_sigmoid(x).
#[track_caller]
pub fn hard_silu(x: &Tensor) -> Tensor {
    x * hard_sigmoid(x)
}

/// x · tanh(softplus(x)).
#[track_caller]
pub fn mish(x: &Tensor) -> Tensor {
    x * softplus(x).tanh()
}

/// The first half along an axis, times the sigmoid of the second.
///
/// Carries an error where there is no such axis, or its extent is odd.
#[track_caller]
pub fn glu(x: &Tensor, axis: i64) -> Tensor {
    let place = Location::caller();
    let found = x.shape().and_then(|shape| {
        let at = crate::tensor::axes::axis("glu", axis, shape).map_err(|e| Error::new(place, e.0))?;
        match shape.dims[at] {
            extent if extent % 2 == 0 => Ok(extent / 2),
            _ => Err(Error::new(place, format!("`glu` of {shape}, whose axis {at} has no halves"))),
        }
    });
    let half = match found {
        Ok(half) => half,
        Err(e) => return Tensor::failed(e),
    };
    x.slice_in_dim(0, half, axis) * x.slice_in_dim(half, 2 * half, axis).sigmoid()
}
