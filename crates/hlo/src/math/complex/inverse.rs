//! Inverses of the trigonometric and hyperbolic functions.
//!
//! asin and acos are those of T. E. Hull, T. F. Fairgrieve and P. T. P. Tang, "Implementing the complex arcsine and arccosine
//! functions using exception handling", ACM TOMS 23 (1997): with r = |z + 1|, s = |z − 1| and a = (r + s)/2, the imaginary part is
//! log(a + √(a² − 1)) and the real one an angle of x and √(a² − x²), where a − 1 and a − x are made of sums of positive numbers.

use super::arithmetic::{Arithmetic, Pair};
use super::modulus::{Modulus, abs, has_infinity, modulus};
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;
use std::f64::consts::{FRAC_PI_2, LN_2};

/// What asin and acos are made of, for the magnitudes of both parts.
struct Angles<V> {
    /// |re z|, and √(a² − x²): the legs of the angle whose sine is re z / a.
    across: V,
    along: V,
    /// |im asin z|
    height: V,
}

pub fn asin<B: PartOps>(r: &mut Arithmetic<'_, B>, [x, y]: Pair<&B::Value>) -> Pair<B::Value> {
    let Angles { across, along, height } = angles(r, [x, y]);
    let angle = r.op(Opcode::Atan2, &[&across, &along]);
    // An imaginary number has an imaginary angle, be the other part NaN.
    let imaginary = r.is_zero(x);
    let angle = r.number_where(&imaginary, 0.0, &angle);
    [r.copy_sign(&angle, x), r.copy_sign(&height, y)]
}

pub fn acos<B: PartOps>(r: &mut Arithmetic<'_, B>, [x, y]: Pair<&B::Value>) -> Pair<B::Value> {
    let Angles { across, along, height } = angles(r, [x, y]);
    let across = r.copy_sign(&across, x);
    let angle = r.op(Opcode::Atan2, &[&along, &across]);
    let imaginary = r.is_zero(x);
    let angle = r.number_where(&imaginary, FRAC_PI_2, &angle);
    let opposite = r.neg(y);
    [angle, r.copy_sign(&height, &opposite)]
}

/// asinh z = −i asin(iz)
pub fn asinh<B: PartOps>(r: &mut Arithmetic<'_, B>, [x, y]: Pair<&B::Value>) -> Pair<B::Value> {
    let [re, im] = asin(r, [y, x]);
    [im, re]
}

/// ±i acos z, the sign that makes the real part positive.
pub fn acosh<B: PartOps>(r: &mut Arithmetic<'_, B>, [x, y]: Pair<&B::Value>) -> Pair<B::Value> {
    let [re, im] = acos(r, [x, y]);
    [r.abs(&im), r.copy_sign(&re, y)]
}

fn angles<B: PartOps>(r: &mut Arithmetic<'_, B>, z: Pair<&B::Value>) -> Angles<B::Value> {
    let [x, y] = z.map(|part| r.abs(part));
    // Large numbers are divided by 8: 1 is nothing beside them.
    let greater = r.op(Opcode::Maximum, &[&x, &y]);
    let beyond = r.of_type(1e12, 1e24);
    let large = r.is(&greater, Direction::Gt, beyond);
    let one = r.number(1.0, &x);
    let scale = r.number_where(&large, 0.125, &one);
    let (x, y) = (r.mul(&x, &scale), r.mul(&y, &scale));

    let more = r.plus(&x, 1.0);
    let less = r.plus(&x, -1.0);
    let (far, near) = (abs(r, [&more, &y]), abs(r, [&less, &y]));
    let sum = r.add(&far, &near);
    let a = r.times(&sum, 0.5);
    let a_plus_x = r.add(&a, &x);
    let inside = r.is(&x, Direction::Lt, 1.0);
    // far − (x + 1) and near − (x − 1) are y² over the sums of both.
    let rest = r.sub(&one, &x);
    let far_sum = r.add(&far, &more);
    let near_rest = r.add(&near, &rest);
    let near_less = r.add(&near, &less);
    let of_far = r.div(&y, &far_sum);

    // Within |x| < 1: a − 1 = y·k and a − x = (y·y/(r + x + 1) + s + 1 − x)/2; beyond: a − 1 = (y·y/(r + x + 1) + s + x − 1)/2 and
    // a − x = y·k, each k a half of the sum of two reciprocals times y.
    let reciprocal = {
        let below = r.select(&inside, &near_rest, &near_less);
        let quotient = r.div(&y, &below);
        // 0/0 at the branch points ±1.
        let none = r.is_zero(&y);
        r.number_where(&none, 0.0, &quotient)
    };
    let k = r.add(&of_far, &reciprocal);
    let k = r.times(&k, 0.5);
    let product = r.mul(&y, &of_far);
    let whole = {
        let other = r.select(&inside, &near_rest, &near_less);
        let sum = r.add(&product, &other);
        r.times(&sum, 0.5)
    };
    // √y·√k rather than √(y·k), which may vanish.
    let (root_y, root_k, root_whole) = (r.sqrt(&y), r.sqrt(&k), r.sqrt(&whole));
    let of_k = r.mul(&root_y, &root_k);
    let y_times_k = r.mul(&y, &k);
    let a_less_one = r.select(&inside, &y_times_k, &whole);
    let root_less_one = r.select(&inside, &of_k, &root_whole);
    let root_less_x = r.select(&inside, &root_whole, &of_k);

    let a_plus_one = r.plus(&a, 1.0);
    let root = r.sqrt(&a_plus_one);
    let root = r.mul(&root_less_one, &root);
    let argument = r.add(&a_less_one, &root);
    let height = r.of(Opcode::LogPlusOne, &argument);
    let tripled = r.plus(&height, 3.0 * LN_2);
    let height = r.select(&large, &tripled, &height);
    let root = r.sqrt(&a_plus_x);
    let along = r.mul(&root, &root_less_x);

    let infinite = has_infinity(r, z);
    let height = r.number_where(&infinite, f64::INFINITY, &height);
    let along = r.select(&infinite, &y, &along);
    Angles { across: x, along, height }
}

/// log1p(4x / |1 − z|²)/4 for the magnitude x of the real part, and half of the angle of 1 − |z|² + 2iy.
pub fn atanh<B: PartOps>(r: &mut Arithmetic<'_, B>, z: Pair<&B::Value>) -> Pair<B::Value> {
    let [x, y] = z.map(|part| r.abs(part));
    let from_one = r.plus(&x, -1.0);
    let Modulus { greater, ratio, stretch } = modulus(r, [&from_one, &y]);
    // At a distance from 1 that is nothing beside 1 the logarithm is that of 2 over the distance.
    let least = r.of_type(1e-12, 1e-24);
    let close = r.is(&greater, Direction::Lt, least);
    let share = r.div(&x, &greater);
    let share = r.div(&share, &greater);
    let share = r.div(&share, &stretch);
    let share = r.div(&share, &stretch);
    let share = r.times(&share, 4.0);
    let of_ratio = r.square(&ratio);
    let argument = r.select(&close, &of_ratio, &share);
    let log = r.of(Opcode::LogPlusOne, &argument);
    let log = r.times(&log, 0.25);
    let distance = r.of(Opcode::Log, &greater);
    let distance = r.times(&distance, -0.5);
    let distance = r.plus(&distance, 0.5 * LN_2);
    let distance = r.sub(&distance, &log);
    let re = r.select(&close, &distance, &log);
    let infinite = has_infinity(r, z);
    let re = r.number_where(&infinite, 0.0, &re);

    let one = r.number(1.0, &x);
    let (less, more) = (r.sub(&one, &x), r.plus(&x, 1.0));
    let product = r.mul(&less, &more);
    let square = r.square(&y);
    let along = r.sub(&product, &square);
    let twice = r.times(&y, 2.0);
    let angle = r.op(Opcode::Atan2, &[&twice, &along]);
    let angle = r.times(&angle, 0.5);
    let beyond = r.of_type(1e12, 1e24);
    let large = r.is(&greater, Direction::Gt, beyond);
    let large = r.either(&large, &infinite);
    let im = r.number_where(&large, FRAC_PI_2, &angle);
    let unknown = r.is_nan(&y);
    let im = r.select(&unknown, &y, &im);
    // An imaginary number stays one.
    let imaginary = r.is_zero(&x);
    let re = r.number_where(&imaginary, 0.0, &re);
    [r.copy_sign(&re, z[0]), r.copy_sign(&im, z[1])]
}
