//! Powers, and the angle of two complex numbers.

use super::arithmetic::{Arithmetic, Pair};
use super::inverse::atanh;
use super::logarithm::log;
use super::modulus::{Modulus, has_infinity, modulus};
use super::product::{divide, multiply};
use super::root::sqrt;
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;
use std::f64::consts::{FRAC_PI_2, PI};

/// |x|^c·e^(−dθ) in the direction cθ + d·log |x|, where θ is the angle of x and c + di the exponent.
pub fn power<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    [a, b]: Pair<&B::Value>,
    [c, d]: Pair<&B::Value>,
) -> Pair<B::Value> {
    let Modulus { greater, stretch, .. } = modulus(r, [a, b]);
    let [log_size, angle] = log(r, [a, b]);
    let (outer, inner) = (r.op(Opcode::Power, &[&greater, c]), r.op(Opcode::Power, &[&stretch, c]));
    let turn = r.mul(d, &angle);
    let turn = r.neg(&turn);
    let decay = r.of(Opcode::Exponential, &turn);
    let size = r.mul(&outer, &inner);
    let size = r.mul(&size, &decay);
    // A real exponent does not ask for the logarithm, which of zero and infinities is none.
    let real_exponent = r.is_zero(d);
    let along = r.mul(d, &log_size);
    let along = r.number_where(&real_exponent, 0.0, &along);
    let around = r.mul(c, &angle);
    let direction = r.add(&around, &along);
    let [re, im] = [Opcode::Cosine, Opcode::Sine].map(|part| {
        let of_direction = r.of(part, &direction);
        r.mul(&size, &of_direction)
    });
    // Of real numbers that are not negative it is the real power, infinities included.
    let (left, b0) = (r.is(a, Direction::Lt, 0.0), r.is_zero(b));
    let right = r.negation(&left);
    let real = r.both(&b0, &real_exponent);
    let real = r.both(&real, &right);
    let (re, im) = (r.select(&real, &size, &re), r.number_where(&real, 0.0, &im));
    // Elsewhere infinities have none.
    let infinite = has_infinity(r, [a, b]);
    let finite = r.negation(&infinite);
    let defined = r.either(&finite, &real);
    // Zero has the powers whose exponents are real and positive.
    let a0 = r.is_zero(a);
    let zero = r.both(&a0, &b0);
    let (c0, positive) = (r.is_zero(c), r.is(c, Direction::Gt, 0.0));
    let positive = r.both(&positive, &real_exponent);
    let no_zero = r.negation(&zero);
    let other = r.either(&no_zero, &positive);
    let defined = r.both(&defined, &other);
    let undefined = r.negation(&defined);
    let (re, im) = (r.number_where(&undefined, f64::NAN, &re), r.number_where(&undefined, f64::NAN, &im));
    // 1 has the powers 1, and all numbers have the power 1 of exponent zero.
    let a1 = r.is(a, Direction::Eq, 1.0);
    let (unit, nothing) = (r.both(&a1, &b0), r.both(&c0, &real_exponent));
    let one = r.either(&unit, &nothing);
    [r.number_where(&one, 1.0, &re), r.number_where(&one, 0.0, &im)]
}

/// −i·log((x + iy)/√(x² + y²)): the angle of the quotient w = y/x, and half a turn further where the root is −x·√(1 + w²).
pub fn atan2<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    y: Pair<&B::Value>,
    x: Pair<&B::Value>,
) -> Pair<B::Value> {
    let w = divide(r, y, x);
    // atan w = −i atanh(iw)
    let turned = r.neg(&w[1]);
    let [im, re] = atanh(r, [&turned, &w[0]]);
    let im = r.neg(&im);
    let ww = multiply(r, [&w[0], &w[1]], [&w[0], &w[1]]);
    let root = r.plus(&ww[0], 1.0);
    let root = sqrt(r, [&root, &ww[1]]);
    let own = multiply(r, x, [&root[0], &root[1]]);
    let (xx, yy) = (multiply(r, x, x), multiply(r, y, y));
    let square = [r.add(&xx[0], &yy[0]), r.add(&xx[1], &yy[1])];
    let principal = sqrt(r, [&square[0], &square[1]]);
    let (across, up) = (r.mul(&own[0], &principal[0]), r.mul(&own[1], &principal[1]));
    let along = r.add(&across, &up);
    let behind = r.is(&along, Direction::Lt, 0.0);
    let ahead = r.is(&re, Direction::Gt, 0.0);
    let pi = r.number(PI, &re);
    let half_turn = r.number_where(&ahead, -PI, &pi);
    let further = r.add(&re, &half_turn);
    let re = r.select(&behind, &further, &re);
    // Of zero below there is no quotient, but an angle.
    let (x0, x1) = (r.is_zero(x[0]), r.is_zero(x[1]));
    let none = r.both(&x0, &x1);
    let upwards = r.number(FRAC_PI_2, &re);
    let upwards = r.copy_sign(&upwards, y[0]);
    [r.select(&none, &upwards, &re), r.number_where(&none, 0.0, &im)]
}
