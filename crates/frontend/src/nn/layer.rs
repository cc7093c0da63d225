//! Layers that are one product or one lookup.

use crate::tensor::Tensor;

/// x · w + bias: `[…, inputs]` and `[inputs, outputs]` give `[…, outputs]`.
#[track_caller]
pub fn linear(x: &Tensor, w: &Tensor, bias: Option<&Tensor>) -> Tensor {
    let product = x.dot(w);
    match bias {
        Some(bias) => product + bias,
        None => product,
    }
}

/// The rows of a table at these indices: `[rows, features]` and integers `[…]` give `[…, features]`. NaN where there is no such row.
#[track_caller]
pub fn embedding(table: &Tensor, indices: &Tensor) -> Tensor {
    table.take(indices, 0)
}
