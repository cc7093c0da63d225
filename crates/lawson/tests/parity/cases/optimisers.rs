//! Steps of optimisers down Rosenbrock's valley, and what belongs to them.

use super::{cases, pattern};
use crate::api::optim::{self, Adam, Sgd, apply_updates, schedule};
use crate::api::{DType, Tensor, grad};

type Params = (Tensor, Tensor);

fn rosenbrock((a, b): &Params) -> Tensor {
    (1.0 - a).square().sum() + 2.0 * (b - a.square()).square().sum()
}

/// Four steps.
fn descend<S>(
    x: &[Tensor],
    init: impl Fn(&Params) -> S,
    update: impl Fn(&Params, &S, &Params) -> (Params, S),
) -> Vec<Tensor> {
    let mut params = (x[0].clone(), x[1].clone());
    let mut state = init(&params);
    for _ in 0..4 {
        let (updates, next) = update(&grad(rosenbrock)(&params), &state, &params);
        params = apply_updates(&params, &updates);
        state = next;
    }
    vec![params.0, params.1]
}

fn sgd(x: &[Tensor], sgd: Sgd) -> Vec<Tensor> {
    descend(x, |p| sgd.init(p), |g, s, _| sgd.update(g, s, 0.01))
}

cases! {
    gradient_descent 1e-5 (pattern(1, &[3]), pattern(2, &[3])) |x| sgd(x, Sgd::default());
    gradient_descent_with_momentum 1e-5 (pattern(1, &[3]), pattern(2, &[3])) |x| {
        sgd(x, Sgd { momentum: 0.9, nesterov: false })
    };
    gradient_descent_of_nesterov 1e-5 (pattern(1, &[3]), pattern(2, &[3])) |x| {
        sgd(x, Sgd { momentum: 0.9, nesterov: true })
    };
    adam_steps 1e-5 (pattern(1, &[3]), pattern(2, &[3])) |x| {
        let adam = Adam::default();
        descend(x, |p| adam.init(p), |g, s, _| adam.update(g, s, 0.05))
    };
    adamw_steps 1e-5 (pattern(1, &[3]), pattern(2, &[3])) |x| {
        let adam = Adam::default();
        let rate = Tensor::new(&[0.05f32], []);
        descend(x, |p| adam.init(p), |g, s, p| adam.update_with_decay(g, s, p, &rate, 0.01))
    };
    clipped_gradients 1e-6 (pattern(1, &[3]), pattern(2, &[2, 2])) |x| {
        let tree = (x[0].clone(), x[1].clone());
        let (a, b) = optim::clip_by_global_norm(&tree, 1.5);
        let (c, d) = optim::clip_by_global_norm(&tree, 100.0);
        vec![optim::global_norm(&tree), a, b, c, d]
    };
    schedules 1e-6 (Tensor::arange(0..8, DType::S32)) |x| {
        let step = &x[0] * 3;
        vec![
            schedule::linear(&step, 0.1, 0.02, 12),
            schedule::cosine_decay(&step, 0.1, 16, 0.05),
            schedule::exponential_decay(&step, 0.1, 4, 0.5, false),
            schedule::exponential_decay(&step, 0.1, 4, 0.5, true),
            schedule::piecewise_constant(&step, 0.1, &[(6, 0.5), (15, 0.2)]),
            schedule::warmup_cosine_decay(&step, 0.01, 0.1, 5, 20, 0.01),
        ]
    };
}
