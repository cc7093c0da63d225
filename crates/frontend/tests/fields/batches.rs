//! `vmap` over operations of fields gives what a loop over the examples gives.

use super::exact::Random;
use super::{extensions, fields, random, same};
use lawson_frontend::Tensor;
use lawson_frontend::control::fori_loop;
use lawson_frontend::grad::grad;
use lawson_frontend::tensor::stack;
use lawson_frontend::vmap::{vmap, vmap_axes};

const EXAMPLES: i64 = 3;

/// Batched in both arguments, and in each of them alone.
#[track_caller]
fn check(f: impl Fn(&Tensor, &Tensor) -> Tensor + Copy, x: &Tensor, y: &Tensor) {
    let each = |of_x: bool, of_y: bool| {
        let of = |t: &Tensor, i: i64, own: bool| t.index(if own { i } else { 0 });
        let made: Vec<Tensor> = (0..EXAMPLES).map(|i| f(&of(x, i, of_x), &of(y, i, of_y))).collect();
        stack(&made, 0)
    };
    same(&vmap(f)(x, y), &each(true, true));
    same(&vmap_axes(f, [Some(0), None])(x, &y.index(0)), &each(true, false));
    same(&vmap_axes(f, [None, Some(0)])(&x.index(0), y), &each(false, true));
}

#[test]
fn batches_are_what_loops_give() {
    let mut rng = Random(31);
    for dtype in fields().chain(extensions()) {
        let (x, y) = (random(dtype, &[EXAMPLES, 4], &mut rng), random(dtype, &[EXAMPLES, 4], &mut rng));
        check(|x, y| x * y + x.reciprocal() - y / 3, &x, &y);
        check(|x, y| x.dot(y), &x, &y);
        check(|x, y| x.outer(y).matmul(x), &x, &y);
        check(|x, y| (x + y).sum() * x.prod(), &x, &y);
        check(|x, y| x.cumsum(0) + y.cumprod(0), &x, &y);
        check(|x, y| x.pow(5) + y.pow(-1), &x, &y);
        check(|x, y| fori_loop(0, 3, |_, z: &Tensor| z * x + y, x), &x, &y);
        check(|x, y| grad(|x: &Tensor, y: &Tensor| (x * x / y).sum())(x, y), &x, &y);
    }
    for dtype in fields() {
        let (x, y) = (random(dtype, &[EXAMPLES, 4], &mut rng), random(dtype, &[EXAMPLES, 4], &mut rng));
        check(|x, n| x.pow(n), &x, &Tensor::iota([EXAMPLES, 4], 0, lawson_frontend::DType::U32));
        check(|x, y| x.maximum(y).sort(0) - x.min(), &x, &y);
    }
    for dtype in extensions() {
        let (z, x) =
            (random(dtype, &[EXAMPLES, 4], &mut rng), random(dtype.part(), &[EXAMPLES, 4], &mut rng));
        check(|z, x| z * x - z / x, &z, &x);
        check(|z, x| z.dot(x), &z, &x);
        check(|z, x| x.outer(z), &z, &x);
        check(|z, x| z.coefficients() * x.reshape([4, 1]), &z, &x);
    }
}
