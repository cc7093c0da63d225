//! Layers that are one product or one lookup.

use crate::tensor::Tensor;

/// x · w + bias: `[…, inputs]` and `[inputs, outputs]` give `[…, outputs]`.
///
/// Carries an error that shows both shapes where they do not fit.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let (x, w) = (Tensor::from([[1f32, 2.0]]), Tensor::from([[1f32, 0.0, 1.0], [0.0, 1.0, 1.0]]));
/// let bias = Tensor::from([0f32, 0.0, 10.0]);
/// assert_eq!(nn::linear(&x, &w, Some(&bias)).to_vec(), Ok(vec![1f32, 2.0, 13.0]));
/// ```
#[track_caller]
pub fn linear(x: &Tensor, w: &Tensor, bias: Option<&Tensor>) -> Tensor {
    let product = x.dot(w);
    match bias {
        Some(bias) => product + bias,
        None => product,
    }
}

/// The rows of a table at these indices: `[rows, features]` and integers `[…]` give `[…, features]`. NaN where there is no such row.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, nn};
///
/// let table = Tensor::from([[1f32, 2.0], [3.0, 4.0]]);
/// assert_eq!(nn::embedding(&table, &Tensor::from([1i32, 0])).to_vec(), Ok(vec![3f32, 4.0, 1.0, 2.0]));
/// ```
#[track_caller]
pub fn embedding(table: &Tensor, indices: &Tensor) -> Tensor {
    table.take(indices, 0)
}
