//! Parts of neural networks, as plain functions of tensors: nothing here has state of its own.
//!
//! Parameters are arguments; what holds them is the caller's, a tuple or a struct with `#[derive(Tree)]`. Formulas and defaults are
//! those of `jax.nn` and optax. Functions of narrow floats that take sums compute in f32 and round once at the end.

mod activation;
mod attention;
mod dropout;
pub mod init;
mod layer;
mod loss;
mod norm;
mod softmax;

pub use crate::tensor::gather::one_hot;
pub use activation::{
    celu, elu, gelu, gelu_tanh, glu, hard_sigmoid, hard_silu, hard_tanh, leaky_relu, log_sigmoid, mish, relu,
    relu6, selu, sigmoid, silu, soft_sign, softplus,
};
pub use attention::{AttentionOptions, MultiHead, causal_mask, dot_product_attention, multi_head_attention};
pub use dropout::dropout;
pub use layer::{embedding, linear};
pub use loss::{
    absolute_error, huber, mse, sigmoid_binary_cross_entropy, softmax_cross_entropy,
    softmax_cross_entropy_with_integer_labels, squared_error,
};
pub use norm::{BatchNormState, batch_norm, batch_norm_inference, group_norm, layer_norm, rms_norm};
pub use softmax::{log_softmax, softmax};

use crate::tensor::Tensor;

/// In the floating-point type that sums are taken in: f32 of f16 and bf16.
#[track_caller]
fn wide(x: &Tensor) -> Tensor {
    x.astype(crate::tensor::promote::inexact(x.dtype()).accumulator())
}
