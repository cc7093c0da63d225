//! Powers, and the angle of two complex numbers.

use super::arithmetic::{Arithmetic, Pair};
use super::exponential;
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
    let [log_size, angle] = log(r, [a, b]);
    let (real_exponent, left, b0) = (r.is_zero(d), r.is(a, Direction::Lt, 0.0), r.is_zero(b));
    let right = r.negation(&left);
    let real = r.both(&b0, &real_exponent);
    let real = r.both(&real, &right);
    let turn = r.mul(d, &angle);
    let turn = r.neg(&turn);
    let Size { first, second } = size(r, [a, b], (c, &log_size), (&turn, &real));
    // A real exponent does not ask for the logarithm, which of zero and infinities is none.
    let along = r.mul(d, &log_size);
    let along = r.number_where(&real_exponent, 0.0, &along);
    let around = r.mul(c, &angle);
    let direction = r.add(&around, &along);
    let [re, im] = [Opcode::Cosine, Opcode::Sine].map(|part| {
        let of_direction = r.of(part, &direction);
        let product = r.mul(&first, &of_direction);
        r.mul(&product, &second)
    });
    // Of real numbers that are not negative it is the real power, infinities included.
    let (re, im) = (r.select(&real, &first, &re), r.number_where(&real, 0.0, &im));
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

/// A magnitude as a product.
struct Size<V> {
    first: V,
    second: V,
}

/// |x|^c·e^turn. Where one of the factors is no normal number but the product may be one, both have half of their exponents,
/// and their product is multiplied twice; where halves are not enough, the exponents are added first.
fn size<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    x: Pair<&B::Value>,
    (c, log_size): (&B::Value, &B::Value),
    (turn, real): (&B::Value, &B::Value),
) -> Size<B::Value> {
    let growth = r.mul(c, log_size);
    let limit = exponential::limit(r);
    let beyond = |r: &mut Arithmetic<'_, B>, limit: f64| {
        let [growth, turn] = [&growth, turn].map(|exponent| {
            let size = r.abs(exponent);
            r.is(&size, Direction::Gt, limit)
        });
        let complex = r.negation(real);
        let any = r.either(&growth, &turn);
        r.both(&any, &complex)
    };
    let (far, farther) = (beyond(r, limit), beyond(r, 2.0 * limit));
    let one = r.number(1.0, c);
    let share = r.number_where(&far, 0.5, &one);
    // |x| where that is a normal number, else its factors.
    let Modulus { greater, stretch, .. } = modulus(r, x);
    let length = r.mul(&greater, &stretch);
    let least = r.of_type(f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE);
    let (normal, finite) =
        (r.is(&greater, Direction::Ge, least), r.is(&length, Direction::Lt, f64::INFINITY));
    let whole = r.both(&normal, &finite);
    let (base, rest) = (r.select(&whole, &length, &greater), r.number_where(&whole, 1.0, &stretch));
    let part = r.mul(c, &share);
    let [outer, inner] = [base, rest].map(|base| r.op(Opcode::Power, &[&base, &part]));
    let power = r.mul(&outer, &inner);
    let power = r.number_where(&farther, 1.0, &power);
    let together = r.add(turn, &growth);
    let exponent = r.select(&farther, &together, turn);
    let exponent = r.mul(&exponent, &share);
    let decay = r.of(Opcode::Exponential, &exponent);
    let first = r.mul(&power, &decay);
    let second = r.select(&far, &first, &one);
    Size { first, second }
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
    // √(1 − iw)·√(1 + iw) has the cuts of √(1 + w²), and squares nothing; of a large w it is w or −w.
    let minus = [r.plus(&w[1], 1.0), r.neg(&w[0])];
    let below = r.neg(&w[1]);
    let plus = [r.plus(&below, 1.0), w[0].clone()];
    let [minus, plus] = [minus, plus].map(|z| sqrt(r, [&z[0], &z[1]]));
    let root = multiply(r, [&minus[0], &minus[1]], [&plus[0], &plus[1]]);
    // With both numbers near 1, their squares are numbers too.
    let sizes = [x[0], x[1], y[0], y[1]].map(|part| r.abs(part));
    let [first, second] = [[0, 1], [2, 3]].map(|[i, j]| r.op(Opcode::Maximum, &[&sizes[i], &sizes[j]]));
    let greatest = r.op(Opcode::Maximum, &[&first, &second]);
    let (near_one, _) = r.scale(&greatest);
    let [x1, y1] = [x, y].map(|z| z.map(|part| r.mul(part, &near_one)));
    let (x1, y1) = ([&x1[0], &x1[1]], [&y1[0], &y1[1]]);
    let own = multiply(r, x1, [&root[0], &root[1]]);
    let [re_size, im_size] = [&w[0], &w[1]].map(|part| r.abs(part));
    let size = r.op(Opcode::Maximum, &[&re_size, &im_size]);
    let far = r.is(&size, Direction::Gt, r.of_type(2f64.powi(30), 2f64.powi(60)));
    let side = r.number(1.0, &size);
    let side = r.copy_sign(&side, &w[0]);
    let own = [0, 1].map(|part| {
        let along = r.mul(y1[part], &side);
        r.select(&far, &along, &own[part])
    });
    let (xx, yy) = (multiply(r, x1, x1), multiply(r, y1, y1));
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
