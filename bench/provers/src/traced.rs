//! The same work as [`crate::packed`], as traced functions.

use lawson::Tensor;
use lawson::tensor::stack;
use lawson_examples::provers::multilinear::{fix, halves};

pub fn square_less(x: &Tensor) -> Tensor {
    x * x - x
}

pub fn constraint(columns: &Tensor, alpha: &Tensor) -> Tensor {
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| columns.index(n));
    let (first, second, third) = (&a * &b * &c - &d, &a * &a - &a, b * (c - d));
    (first * alpha + second) * alpha + third
}

pub fn fold_and_sums(table: &Tensor, r: &Tensor) -> (Tensor, Tensor) {
    let fixed = fix(table, r);
    let sums = halves(&fixed).map(|h| h.sum());
    (fixed, stack(&sums, 0))
}

pub fn product_round(p: &Tensor, q: &Tensor, r: &Tensor) -> (Tensor, Tensor, Tensor) {
    let (p, q) = (fix(p, r), fix(q, r));
    let ([p0, p1], [q0, q1]) = (halves(&p), halves(&q));
    let at_two = ((&p1 + &p1 - &p0) * (&q1 + &q1 - &q0)).sum();
    let sums = stack(&[(p0 * q0).sum(), (p1 * q1).sum(), at_two], 0);
    (p, q, sums)
}
