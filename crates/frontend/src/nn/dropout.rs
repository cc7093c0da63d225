//! Dropout: elements that are left out at random, while the others make up for them.

use crate::error::Error;
use crate::random;
use crate::tensor::{Tensor, where_};
use std::panic::Location;

/// Each element is 0 with probability `rate`, else divided by 1 − `rate`. For training alone.
///
/// Carries an error where `rate` is not from 0 up to 1.
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
