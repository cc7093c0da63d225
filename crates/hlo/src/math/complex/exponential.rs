//! eᶻ and what is made of it.

use super::arithmetic::{Arithmetic, Pair};
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;

/// Up to this magnitude eᵃ is a normal number.
pub fn limit<B: PartOps>(r: &Arithmetic<'_, B>) -> f64 {
    r.of_type(87.0, 708.0)
}

/// eᵃ·(cos b + i sin b). Where eᵃ is none but the product may be one, e^(a/2) is multiplied twice.
pub fn exp<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let size = r.abs(a);
    let limit = limit(r);
    let far = r.is(&size, Direction::Gt, limit);
    let half = r.times(a, 0.5);
    let exponent = r.select(&far, &half, a);
    let first = r.of(Opcode::Exponential, &exponent);
    let second = {
        let one = r.number(1.0, a);
        r.select(&far, &first, &one)
    };
    let [re, im] = [Opcode::Cosine, Opcode::Sine].map(|part| {
        let of_angle = r.of(part, b);
        let product = r.mul(&first, &of_angle);
        r.mul(&product, &second)
    });
    // e^±∞ in no direction is infinite or zero all the same.
    let (infinite, nowhere) = (r.is_infinite(a), r.is_unbounded(b));
    let infinite = r.both(&infinite, &nowhere);
    let re = r.select(&infinite, &first, &re);
    let nothing = r.is_zero(&first);
    let vanishes = r.both(&infinite, &nothing);
    let im = r.number_where(&vanishes, 0.0, &im);
    // A real number has a real power, be it infinite or NaN.
    let real = r.is_zero(b);
    [re, r.select(&real, b, &im)]
}

/// (eᵃ − 1)·cos b − 2 sin²(b/2), and the imaginary part of eᶻ.
pub fn expm1<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let [power, im] = exp(r, [a, b]);
    let (less, cosine) = (r.of(Opcode::ExponentialMinusOne, a), r.of(Opcode::Cosine, b));
    let product = r.mul(&less, &cosine);
    let half = r.times(b, 0.5);
    let sine = r.of(Opcode::Sine, &half);
    let square = r.square(&sine);
    let rest = r.times(&square, 2.0);
    let re = r.sub(&product, &rest);
    // Where eᵃ is beyond all digits of 1 it is left, and where it is nothing −1.
    let limit = limit(r);
    let large = r.is(a, Direction::Gt, limit);
    let re = r.select(&large, &power, &re);
    let none = r.is(a, Direction::Eq, f64::NEG_INFINITY);
    let re = r.number_where(&none, -1.0, &re);
    [re, im]
}

/// 1/(1 + e⁻ᶻ). With w = e^(−|a|), c = cos(b/2) and s = sin(b/2) it is (1 − w + 2wc², 2wsc) over |1 + e^(−|a| + ib)|², and of a
/// negative a the first part is w·(2c² − (1 − w)): sums without cancellation but where the result itself is small.
pub fn logistic<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let size = r.abs(a);
    let down = r.neg(&size);
    let w = r.of(Opcode::Exponential, &down);
    let less = r.of(Opcode::ExponentialMinusOne, &down);
    let rest = r.neg(&less);
    let half = r.times(b, 0.5);
    let (c, s) = (r.of(Opcode::Cosine, &half), r.of(Opcode::Sine, &half));
    let cc = r.square(&c);
    let twice = r.times(&cc, 2.0);
    let more = r.mul(&w, &twice);
    let p = r.add(&more, &rest);
    let sc = r.mul(&s, &c);
    let sc = r.times(&sc, 2.0);
    let q = r.mul(&w, &sc);
    let (pp, qq) = (r.square(&p), r.square(&q));
    let square = r.add(&pp, &qq);
    let opposite = r.sub(&twice, &rest);
    let opposite = r.mul(&w, &opposite);
    let left = r.is(a, Direction::Lt, 0.0);
    let above = r.select(&left, &opposite, &p);
    let parts = [r.div(&above, &square), r.div(&q, &square)];
    // At ±∞ the direction does not matter.
    let (infinite, nowhere) = (r.is_infinite(a), r.is_unbounded(b));
    let settled = r.both(&infinite, &nowhere);
    let zero = r.number(0.0, a);
    let end = r.number(1.0, a);
    let end = r.select(&left, &zero, &end);
    [r.select(&settled, &end, &parts[0]), r.select(&settled, &zero, &parts[1])]
}
