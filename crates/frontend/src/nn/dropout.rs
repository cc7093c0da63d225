//! Dropout: elements that are left out at random, while the others make up for them.

use crate::error::Error;
use crate::random;
use crate::tensor::{Tensor, where_};
use std::panic::Location;

/// Each element is 0 with probability `rate`, else divided by 1 − `rate`. For training alone.
///
/// Carries an error where `rate` is not from 0 up to 1.
///
/// Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting" (JMLR 2014).
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, Tensor, nn, random};
///
/// let y = nn::dropout(&random::key(0), 0.5, &Tensor::ones([1000], DType::F32));
/// assert_eq!((y.min().item(), y.max().item()), (Ok(0f32), Ok(2f32)));
/// assert!((y.mean().item::<f32>()? - 1.0).abs() < 0.1);
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn dropout(key: &Tensor, rate: f64, x: &Tensor) -> Tensor {
    if !(0.0..=1.0).contains(&rate) {
        let message = format!("`dropout` of rate {rate}, which is no probability");
        return Tensor::failed(Error::new(Location::caller(), message));
    }
    if rate == 1.0 {
        return x.zeros_like();
    }
    let kept = random::bernoulli(key, x.dims(), 1.0 - rate);
    where_(kept, x / (1.0 - rate), 0)
}
