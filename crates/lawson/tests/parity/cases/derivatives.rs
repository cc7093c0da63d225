//! Gradients, Hessians and derivatives of examples.

use super::{cases, indices, pattern, weighted};
use crate::api::{Tensor, einsum, grad, hessian, nn, random, value_and_grad, vmap, vmap_axes, where_};

type Params = (Tensor, Tensor, Tensor, Tensor);

fn params(x: &[Tensor]) -> Params {
    (0.5 * &x[0], 0.25 * &x[1], 0.5 * &x[2], 0.25 * &x[3])
}

fn list((a, b, c, d): Params) -> Vec<Tensor> {
    vec![a, b, c, d]
}

fn cross_entropy((w1, b1, w2, b2): &Params, x: &Tensor, labels: &Tensor) -> Tensor {
    let hidden = (x.dot(w1) + b1).tanh();
    let logits = nn::linear(&hidden, w2, Some(b2));
    nn::softmax_cross_entropy_with_integer_labels(&logits, labels).mean()
}

fn logsumexp_of_product(x: &Tensor) -> Tensor {
    x.dot(pattern(2, &[4, 5])).logsumexp()
}

/// Of x, and of x + 2 where the function needs positive numbers.
const ELEMENTARY: &[fn(&Tensor) -> Tensor] = &[
    |x| x.exp(),
    |x| x.expm1(),
    |x| x.log1p(),
    |x| x.sin(),
    |x| x.cos(),
    |x| x.tan(),
    |x| x.asin(),
    |x| x.atan(),
    |x| x.sinh(),
    |x| x.cosh(),
    |x| x.tanh(),
    |x| x.asinh(),
    |x| x.atanh(),
    |x| x.sigmoid(),
    |x| x.erf(),
    |x| x.cbrt(),
    |x| (x + 2.0).log(),
    |x| (x + 2.0).sqrt(),
    |x| (x + 2.0).rsqrt(),
    |x| (x + 2.0).pow(1.5),
    |x| x.pow(3),
    |x| x.atan2(x + 2.0),
    |x| 1.0 / (x + 2.0),
    |x| x.abs(),
];

const REDUCTIONS: &[fn(&Tensor) -> Tensor] = &[
    |x| x.sum_axes(1),
    |x| x.mean_axes(1),
    |x| x.max_axes(1),
    |x| x.min_axes(1),
    |x| x.prod_axes(1),
    |x| x.var_axes(1),
    |x| x.logsumexp_axes(1),
];

cases! {
    regression_gradient 1e-5 (pattern(1, &[5, 3]), pattern(2, &[3]), pattern(3, &[5])) |x| {
        let loss = |w: &Tensor| nn::mse(&x[0].dot(w).tanh(), &x[2]);
        vec![grad(loss)(&x[1])]
    };
    network_value_and_gradients 1e-5 (
        pattern(1, &[4, 6]), pattern(2, &[6]), pattern(3, &[6, 3]), pattern(4, &[3]), pattern(5, &[7, 4]),
        indices(1, 3, &[7])
    ) |x| {
        let (value, gradients) = value_and_grad(|p: &Params| cross_entropy(p, &x[4], &x[5]))(&params(x));
        std::iter::once(value).chain(list(gradients)).collect()
    };
    per_example_gradients 1e-5 (
        pattern(1, &[4, 6]), pattern(2, &[6]), pattern(3, &[6, 3]), pattern(4, &[3]), pattern(5, &[7, 4]),
        indices(1, 3, &[7])
    ) |x| {
        let one = |p: &Params, x: &Tensor, label: &Tensor| cross_entropy(p, &x.expand_dims(0), &label.expand_dims(0));
        list(vmap_axes(grad(one), [None, Some(0), Some(0)])(&params(x), &x[4], &x[5]))
    };
    hessian 1e-4 (pattern(6, &[4])) |x| {
        let f = |x: &Tensor| (x.tanh() * x.square()).sum() + x.index(..2).prod();
        vec![hessian(f)(&x[0])]
    };
    hessian_vector_product 1e-5 (pattern(1, &[4]), pattern(3, &[4])) |x| {
        let directional = |p: &Tensor| (grad(logsumexp_of_product)(p) * &x[1]).sum();
        vec![grad(directional)(&x[0])]
    };
    third_derivative 1e-5 (pattern(1, &[6])) |x| {
        vec![vmap(grad(grad(grad(|x: &Tensor| x.sin() * (0.5 * x).exp()))))(&x[0])]
    };
    gradients_of_elementary_functions 1e-5 (pattern(1, &[8])) |x| {
        let x = 0.2 * &x[0] + 0.01;
        ELEMENTARY.iter().map(|f| vmap(grad(|x: &Tensor| f(x)))(&x)).collect()
    };
    gradients_of_reductions 1e-4 (pattern(1, &[3, 4]), pattern(2, &[3])) |x| {
        REDUCTIONS.iter().map(|f| grad(weighted(f, &x[1]))(&x[0])).collect()
    };
    gradient_of_products_of_arrays 1e-5 (pattern(1, &[2, 3, 4]), pattern(2, &[2, 4, 5])) |x| {
        let f = |(a, b): &(Tensor, Tensor)| einsum("bij,bjk->bki", &[a, b]).sin().sum();
        let (a, b) = grad(f)(&(x[0].clone(), x[1].clone()));
        vec![a, b]
    };
    gradient_of_a_safe_root 1e-5 (pattern(1, &[9])) |x| {
        let f = |x: &Tensor| {
            let positive = x.greater(0);
            where_(&positive, where_(&positive, x, 1).sqrt(), 0).sum()
        };
        vec![grad(f)(&x[0])]
    };
    gradient_of_the_inverse_error_function 1e-5 (pattern(1, &[8])) |x| {
        vec![vmap(grad(|x: &Tensor| random::erf_inv(x)))(&(0.45 * &x[0]))]
    };
}
