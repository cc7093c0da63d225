//! Functions between layers, element by element. They keep the element type of floats.
//!
//! Each gives the dimensions of `x`.
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::{Tensor, nn};
//!
//! let x = Tensor::from([-2f32, 0.0, 3.0, 8.0]);
//! assert_eq!(nn::relu(&x).to_vec(), Ok(vec![0f32, 0.0, 3.0, 8.0]));
//! assert_eq!(nn::relu6(&x).to_vec(), Ok(vec![0f32, 0.0, 3.0, 6.0]));
//! assert_eq!(nn::leaky_relu(&x, 0.5).to_vec(), Ok(vec![-1f32, 0.0, 3.0, 8.0]));
//! assert_eq!(nn::hard_tanh(&x).to_vec(), Ok(vec![-1f32, 0.0, 1.0, 1.0]));
//! assert_eq!(nn::sigmoid(&x).to_vec::<f32>()?[1], 0.5);
//! # Ok::<(), lawson_frontend::Error>(())
//! ```

use crate::error::Error;
use crate::tensor::{Tensor, where_};
use std::f64::consts::{PI, SQRT_2};
use std::panic::Location;

/// max(x, 0), whose derivative at 0 is 0.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, grad, nn};
///
/// let x = Tensor::from([-2f32, 0.0, 3.0]);
/// assert_eq!(nn::relu(&x).to_vec(), Ok(vec![0f32, 0.0, 3.0]));
/// assert_eq!(grad(|x: &Tensor| nn::relu(x).sum())(&x).to_vec(), Ok(vec![0f32, 0.0, 1.0]));
/// ```
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
///
/// Clevert et al., "Fast and Accurate Deep Network Learning by Exponential Linear Units" (arXiv:1511.07289).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let y = nn::elu(&Tensor::from([f32::NEG_INFINITY, 2.0]), 1.5);
/// assert_eq!(y.to_vec(), Ok(vec![-1.5f32, 2.0]));
/// ```
#[track_caller]
pub fn elu(x: &Tensor, alpha: f64) -> Tensor {
    let above = x.greater(0);
    // What is not chosen must not overflow: its derivative would be no number.
    where_(&above, x, alpha * where_(&above, 0, x).expm1())
}

/// max(x, 0) + `alpha` · (e^(min(x, 0) / alpha) − 1).
///
/// Barron, "Continuously Differentiable Exponential Linear Units" (arXiv:1704.07483).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let y = nn::celu(&Tensor::from([f32::NEG_INFINITY, 2.0]), 1.5);
/// assert_eq!(y.to_vec(), Ok(vec![-1.5f32, 2.0]));
/// ```
#[track_caller]
pub fn celu(x: &Tensor, alpha: f64) -> Tensor {
    let above = x.greater(0);
    where_(&above, x, alpha * (where_(&above, 0, x) / alpha).expm1())
}

/// [`elu`] scaled so that layers keep mean 0 and variance 1.
///
/// Klambauer et al., "Self-Normalizing Neural Networks" (arXiv:1706.02515).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// assert_eq!(nn::selu(&Tensor::from([1f32])).item(), Ok(1.050_701f32));
/// ```
#[track_caller]
pub fn selu(x: &Tensor) -> Tensor {
    1.050_700_987_355_480_5 * elu(x, 1.673_263_242_354_377_2)
}

/// x · Φ(x), with the normal distribution function Φ by the error function.
///
/// Hendrycks and Gimpel, "Gaussian Error Linear Units" (arXiv:1606.08415).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let x = Tensor::from([1f32]);
/// assert!((nn::gelu(&x).item::<f32>()? - 0.841345).abs() < 1e-5);
/// assert!((nn::gelu_tanh(&x).item::<f32>()? - 0.841192).abs() < 1e-5);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
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
///
/// Ramachandran et al., "Searching for Activation Functions" (arXiv:1710.05941).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// assert_eq!(nn::silu(&Tensor::from([0f32])).item(), Ok(0f32));
/// assert_eq!(nn::silu(&Tensor::from([100f32])).item(), Ok(100f32));
/// ```
#[track_caller]
pub fn silu(x: &Tensor) -> Tensor {
    x * x.sigmoid()
}

/// log(1 + eˣ), without overflow.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let x = Tensor::from([-1000f32, 1000.0]);
/// assert_eq!(nn::softplus(&x).to_vec(), Ok(vec![0f32, 1000.0]));
/// assert_eq!(nn::log_sigmoid(&x).to_vec(), Ok(vec![-1000f32, 0.0]));
/// assert_eq!(nn::soft_sign(&Tensor::from([-1f32, 3.0])).to_vec(), Ok(vec![-0.5f32, 0.75]));
/// ```
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
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let x = Tensor::from([-4f32, 0.0, 4.0]);
/// assert_eq!(nn::hard_sigmoid(&x).to_vec(), Ok(vec![0f32, 0.5, 1.0]));
/// assert_eq!(nn::hard_silu(&x).to_vec(), Ok(vec![0f32, 0.0, 4.0]));
/// ```
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
///
/// Misra, "Mish: A Self Regularized Non-Monotonic Activation Function" (arXiv:1908.08681).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// assert_eq!(nn::mish(&Tensor::from([0f32, 100.0])).to_vec(), Ok(vec![0f32, 100.0]));
/// ```
#[track_caller]
pub fn mish(x: &Tensor) -> Tensor {
    x * softplus(x).tanh()
}

/// The first half along an axis, times the sigmoid of the second.
///
/// Carries an error where there is no such axis, or its extent is odd.
///
/// Dauphin et al., "Language Modeling with Gated Convolutional Networks" (arXiv:1612.08083).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// assert_eq!(nn::glu(&Tensor::from([6f32, 0.0]), 0).to_vec(), Ok(vec![3f32]));
/// ```
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
