//! Loops and branches: values, derivatives, batches.

use super::{cases, indices, pattern};
use crate::api::{
    DType, ScanOptions, Tensor, cond, fori_loop, grad, scan, scan_with, switch, vmap, while_loop,
};

fn cell(w: &Tensor, h: &Tensor, x: &Tensor) -> (Tensor, Tensor) {
    let h = (x + h.dot(w)).tanh();
    (h.clone(), h.sum())
}

fn start() -> Tensor {
    Tensor::zeros([3], DType::F32)
}

cases! {
    scan 1e-5 (pattern(2, &[3, 3]), pattern(1, &[6, 3])) |x| {
        let w = 0.5 * &x[0];
        let (h, ys) = scan(|h: &Tensor, x: &Tensor| cell(&w, h, x), &start(), &x[1]);
        vec![h, ys]
    };
    scan_reverse 1e-5 (pattern(2, &[3, 3]), pattern(1, &[6, 3])) |x| {
        let w = 0.5 * &x[0];
        let options = ScanOptions { reverse: true, ..ScanOptions::default() };
        let (h, ys) = scan_with(options, |h: &Tensor, x: &Tensor| cell(&w, h, x), &start(), &x[1]);
        vec![h, ys]
    };
    scan_gradient 1e-5 (pattern(2, &[3, 3]), pattern(1, &[6, 3])) |x| {
        let f = |(w, xs): &(Tensor, Tensor)| {
            let (h, ys) = scan(|h: &Tensor, x: &Tensor| cell(w, h, x), &start(), xs);
            h.square().sum() + ys.sum()
        };
        let (w, xs) = grad(f)(&(0.5 * &x[0], x[1].clone()));
        vec![w, xs]
    };
    scan_of_a_batch 1e-5 (pattern(2, &[3, 3]), pattern(1, &[4, 6, 3])) |x| {
        let w = 0.5 * &x[0];
        let f = |xs: &Tensor| scan(|h: &Tensor, x: &Tensor| cell(&w, h, x), &start(), xs).1;
        vec![vmap(f)(&x[1])]
    };
    fori_loop_gradient 1e-5 (pattern(1, &[5])) |x| {
        let f = |x: &Tensor| fori_loop(0, 5, |_: &Tensor, x: &Tensor| x.sin() * 1.1, x).sum();
        vec![grad(f)(&x[0])]
    };
    while_loop 1e-6 (Tensor::new(&[1f32, 3.0, 100.0, 7.5], [4])) |x| {
        let halved = |x: &Tensor| {
            let start = (x.clone(), Tensor::zeros([], DType::S32));
            let step = |(x, n): &(Tensor, Tensor)| (x * 0.5, n + 1);
            while_loop(|(x, _): &(Tensor, Tensor)| x.greater(1.0), step, &start)
        };
        let (last, trips) = vmap(halved)(&x[0]);
        vec![last, trips]
    };
    cond_gradient 1e-5 (pattern(1, &[4])) |x| {
        let f = |x: &Tensor| {
            cond(&x.sum().greater(0), |x: &Tensor| x.exp().sum(), |x: &Tensor| x.square().sum(), x)
        };
        vec![grad(f)(&x[0]), grad(f)(&-x[0].abs())]
    };
    switch_of_a_batch 1e-6 (indices(1, 3, &[7]), pattern(1, &[7])) |x| {
        let f = |i: &Tensor, x: &Tensor| {
            switch(i, [&|x: &Tensor| x.sin(), &|x: &Tensor| x * x, &|x: &Tensor| -x], x)
        };
        vec![vmap(f)(&x[0], &x[1])]
    };
}
