//! Loops that carry elements of fields.

use super::exact::{Modulo, Random};
use super::{extensions, fields, modulus, random, same, values};
use lawson_frontend::Tensor;
use lawson_frontend::control::{cond, fori_loop, scan, while_loop};

#[test]
fn loops_and_branches() {
    let mut rng = Random(21);
    for dtype in fields().chain(extensions()) {
        let (x, c) = (random(dtype, &[], &mut rng), random(dtype, &[5], &mut rng));
        // Horner's rule, with what it has so far.
        let step = |y: &Tensor, c: &Tensor| {
            let next = y * &x + c;
            (next.clone(), next)
        };
        let (last, all) = scan(step, &Tensor::zeros([], dtype), &c);
        let by_powers = (0..5).fold(Tensor::zeros([], dtype), |sum, i| sum + c.index(i) * x.pow(4 - i));
        same(&last, &by_powers);
        same(&all.index(4), &last);
        same(&fori_loop(0, 7, |_, y: &Tensor| y * &x, &Tensor::ones([], dtype)), &x.pow(7));
        same(&cond(&c.index(0).equal(c.index(0)), |x: &Tensor| x + 1, |x: &Tensor| x - 1, &x), &(&x + 1));
    }
}

#[test]
fn a_loop_that_ends_by_a_value() {
    for dtype in fields() {
        let m = Modulo(modulus(dtype));
        let doubled = while_loop(|x: &Tensor| x.less(1000), |x: &Tensor| x * 2, &Tensor::full([], 3, dtype));
        assert_eq!(values(&doubled), [m.multiply(3, 512)]);
    }
}
