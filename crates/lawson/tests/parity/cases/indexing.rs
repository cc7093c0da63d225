//! Gathers, orders, slices and windows, with their derivatives.

use super::{cases, indices, pattern, weighted};
use crate::api::tensor::Step;
use crate::api::tensor::convolve::Padding;
use crate::api::tensor::convolve::conv2d;
use crate::api::tensor::gather::segment_sum;
use crate::api::tensor::pool::{avg_pool, max_pool};
use crate::api::{Tensor, concatenate, grad};

fn alternating(x: &Tensor) -> Tensor {
    x.index((1.., (..).step(2))) * x.index((..3, (1..).step(2)))
}

cases! {
    gathers 0.0 (
        pattern(1, &[5, 4]), indices(1, 5, &[3, 2]), indices(2, 4, &[3]), indices(3, 4, &[5, 2])
    ) |x| vec![x[0].take(&x[1], 0), x[0].take(&x[2], 1), x[0].take_along_axis(&x[3], 1)];
    gradients_of_gathers 1e-6 (pattern(1, &[5, 4]), indices(1, 5, &[3, 2]), indices(3, 4, &[5, 2])) |x| vec![
        grad(|p: &Tensor| p.take(&x[1], 0).sin().sum())(&x[0]),
        grad(|p: &Tensor| p.take_along_axis(&x[2], 1).sin().sum())(&x[0]),
    ];
    embedding_gradient 1e-6 (pattern(1, &[6, 3]), indices(1, 6, &[4]), pattern(2, &[4, 3])) |x| {
        let f = weighted(|table| crate::api::nn::embedding(table, &x[1]), &x[2]);
        vec![grad(f)(&x[0])]
    };
    segment_sums 1e-6 (pattern(1, &[8, 2]), indices(1, 3, &[8])) |x| vec![segment_sum(&x[0], &x[1], 3)];
    orders 1e-5 (pattern(1, &[3, 7])) |x| {
        vec![x[0].argmax_axis(1), x[0].argmin_axis(0), x[0].cumsum(1), x[0].cumprod(0)]
    };
    gradient_of_running_sums 1e-5 (pattern(1, &[3, 7]), pattern(2, &[3, 7])) |x| {
        vec![grad(weighted(|p| p.cumsum(1).sin(), &x[1]))(&x[0])]
    };
    slices 1e-6 (pattern(1, &[4, 6])) |x| vec![
        alternating(&x[0]),
        grad(|x: &Tensor| alternating(x).sum())(&x[0]),
        x[0].dynamic_slice(&[&1, &2], [2, 3]),
    ];
    concatenations 1e-6 (pattern(1, &[2, 3]), pattern(2, &[4, 3]), pattern(3, &[8, 3])) |x| {
        let f = |(a, b): &(Tensor, Tensor)| (concatenate(&[a, b, a], 0).sin() * &x[2]).sum();
        let (a, b) = grad(f)(&(x[0].clone(), x[1].clone()));
        vec![a, b]
    };
    convolutions 1e-5 (pattern(1, &[2, 7, 6, 3]), pattern(2, &[3, 2, 3, 4])) |x| vec![
        conv2d(&x[0], &x[1], [1, 1], Padding::Same),
        conv2d(&x[0], &x[1], [2, 1], Padding::Valid),
    ];
    gradients_of_convolutions 1e-5 (pattern(1, &[2, 7, 6, 3]), pattern(2, &[3, 2, 3, 4])) |x| {
        let f = |(x, w): &(Tensor, Tensor)| conv2d(x, w, [2, 1], Padding::Same).tanh().sum();
        let (x, w) = grad(f)(&(0.25 * &x[0], 0.25 * &x[1]));
        vec![x, w]
    };
    pools 1e-6 (pattern(1, &[2, 6, 6, 3])) |x| vec![
        max_pool(&x[0], &[2, 2], &[2, 2], &Padding::Valid),
        avg_pool(&x[0], &[3, 3], &[3, 3], &Padding::Valid, false),
    ];
}
