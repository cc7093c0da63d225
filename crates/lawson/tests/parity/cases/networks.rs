//! Parts of networks: activations, losses, norms, attention.

use super::{cases, indices, pattern, weighted};
use crate::api::nn::{self, AttentionOptions, BatchNormState, MultiHead};
use crate::api::{DType, Tensor, grad, random, vmap};

const ACTIVATIONS: &[fn(&Tensor) -> Tensor] = &[
    |x| nn::relu(x),
    |x| nn::leaky_relu(x, 0.01),
    |x| nn::elu(x, 1.0),
    |x| nn::celu(x, 1.0),
    |x| nn::selu(x),
    |x| nn::gelu(x),
    |x| nn::gelu_tanh(x),
    |x| nn::sigmoid(x),
    |x| nn::silu(x),
    |x| nn::softplus(x),
    |x| nn::log_sigmoid(x),
    |x| nn::soft_sign(x),
    |x| nn::hard_tanh(x),
    |x| nn::mish(x),
];

fn heads() -> Vec<Tensor> {
    (1..4).map(|seed| pattern(seed, &[2, 5, 2, 4])).collect()
}

cases! {
    activations 2e-6 (pattern(1, &[33])) |x| ACTIVATIONS.iter().map(|f| f(&x[0])).collect();
    gradients_of_activations 5e-6 (pattern(1, &[33])) |x| {
        ACTIVATIONS.iter().map(|f| vmap(grad(|x: &Tensor| f(x)))(&x[0])).collect()
    };
    relu_at_bounds 0.0 (Tensor::new(&[-1f32, -0.0, 0.0, 1.0, 6.0, 7.0], [6])) |x| {
        vec![vmap(grad(nn::relu))(&x[0]), vmap(grad(nn::relu6))(&x[0])]
    };
    softmaxes 2e-6 (pattern(1, &[3, 5]), pattern(2, &[3, 5])) |x| vec![
        nn::softmax(&x[0], 1),
        nn::log_softmax(&x[0], 0),
        grad(weighted(|x| nn::softmax(x, 1), &x[1]))(&x[0]),
        grad(weighted(|x| nn::log_softmax(x, 0), &x[1]))(&x[0]),
    ];
    losses 1e-5 (pattern(1, &[4, 5]), pattern(2, &[4, 5]), indices(1, 5, &[4]), pattern(3, &[4, 5])) |x| {
        let y = nn::softmax(&x[1], -1);
        vec![
            nn::softmax_cross_entropy(&x[0], &y),
            nn::softmax_cross_entropy_with_integer_labels(&x[0], &x[2]),
            nn::sigmoid_binary_cross_entropy(&x[0], &x[3].greater(0)),
            nn::mse(&x[0], &y),
            nn::huber(&x[0], &y, 0.5),
        ]
    };
    gradients_of_losses 1e-5 (pattern(1, &[4, 5]), indices(1, 5, &[4]), pattern(3, &[4, 5])) |x| {
        let truth = x[2].greater(0);
        vec![
            grad(|p: &Tensor| nn::softmax_cross_entropy_with_integer_labels(p, &x[1]).mean())(&x[0]),
            grad(|p: &Tensor| nn::sigmoid_binary_cross_entropy(p, &truth).mean())(&x[0]),
        ]
    };
    norms 1e-5 (pattern(1, &[3, 2, 8]), pattern(2, &[8]), pattern(3, &[8])) |x| {
        let (scale, bias) = (Some(&x[1]), Some(&x[2]));
        let state = BatchNormState::new(8, DType::F32);
        let (batch, state) = nn::batch_norm(&x[0], scale, bias, &state, 0.9, 1e-5);
        vec![
            nn::layer_norm(&x[0], scale, bias, -1, 1e-5),
            nn::rms_norm(&x[0], scale, -1, 1e-6),
            batch,
            state.mean,
            state.variance,
            nn::group_norm(&x[0], 4, scale, bias, 1e-5),
        ]
    };
    gradients_of_norms 1e-4 (pattern(1, &[4, 8]), pattern(2, &[8]), pattern(3, &[8]), pattern(4, &[4, 8])) |x| {
        let layer = |(x, scale, bias): &(Tensor, Tensor, Tensor)| {
            nn::layer_norm(x, Some(scale), Some(bias), -1, 1e-5).pow(3).sum()
        };
        let (a, b, c) = grad(layer)(&(x[0].clone(), x[1].clone(), x[2].clone()));
        let rms = weighted(|p| nn::rms_norm(p, Some(&x[1]), -1, 1e-6).square(), &x[3]);
        vec![a, b, c, grad(rms)(&x[0])]
    };
    attention 1e-5 (
        pattern(1, &[2, 5, 2, 4]), pattern(2, &[2, 5, 2, 4]), pattern(3, &[2, 5, 2, 4]), pattern(4, &[2, 1, 5, 5]),
        pattern(5, &[1, 2, 5, 5])
    ) |x| {
        let plain = AttentionOptions::default;
        let masked = AttentionOptions { mask: Some(x[3].greater(-1.0)), ..plain() };
        let biased = AttentionOptions { bias: Some(0.5 * &x[4]), scale: Some(0.3), ..plain() };
        let causal = AttentionOptions { causal: true, ..plain() };
        let attend = |options: &AttentionOptions| nn::dot_product_attention(&x[0], &x[1], &x[2], options);
        vec![attend(&plain()), attend(&causal), attend(&masked), attend(&biased)]
    };
    gradients_of_attention 1e-5 (heads()[0].clone(), heads()[1].clone(), heads()[2].clone()) |x| {
        let f = |(q, k, v): &(Tensor, Tensor, Tensor)| {
            let causal = AttentionOptions { causal: true, ..AttentionOptions::default() };
            nn::dot_product_attention(q, k, v, &causal).sin().sum()
        };
        let (q, k, v) = grad(f)(&(x[0].clone(), x[1].clone(), x[2].clone()));
        vec![q, k, v]
    };
    multi_head_attention 1e-5 (
        pattern(1, &[2, 5, 6]), pattern(2, &[6, 2, 3]), pattern(3, &[6, 2, 3]), pattern(4, &[6, 2, 3]),
        pattern(5, &[2, 3, 6])
    ) |x| {
        let [query, key, value, out] = [1, 2, 3, 4].map(|i| 0.25 * &x[i]);
        let weights = MultiHead { query, key, value, out };
        vec![nn::multi_head_attention(&weights, &x[0], &x[0], &AttentionOptions::default())]
    };
    dropouts 1e-6 (random::key(5), pattern(1, &[6, 4])) |x| {
        let f = |p: &Tensor| nn::dropout(&x[0], 0.25, p);
        vec![f(&x[1]), grad(|p: &Tensor| f(p).square().sum())(&x[1])]
    };
}
