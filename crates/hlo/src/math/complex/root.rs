//! Roots: those with a positive real part; the imaginary one has the sign of the operand's.

use super::arithmetic::{Arithmetic, Pair};
use super::modulus::{has_infinity, modulus};
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;

/// With m the greater magnitude, t = √m·√((|z| + |a|) / 2m) is one part and |b|/2t the other: no sum cancels and no square
/// overflows.
pub fn sqrt<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let modulus = modulus(r, [a, b]);
    let size = r.abs(a);
    let share = r.div(&size, &modulus.greater);
    let sum = r.add(&modulus.stretch, &share);
    let half = r.times(&sum, 0.5);
    let (outer, inner) = (r.sqrt(&modulus.greater), r.sqrt(&half));
    let t = r.mul(&outer, &inner);
    let zero = r.is_zero(&modulus.greater);
    let greater = r.number_where(&zero, 0.0, &t);
    let twice = r.times(&t, 2.0);
    let height = r.abs(b);
    let lesser = r.div(&height, &twice);
    let lesser = r.number_where(&zero, 0.0, &lesser);
    // √∞ is infinite, and its other part zero or unknown.
    let infinite = r.is_infinite(a);
    let unknown = r.is_nan(b);
    let at_end = r.number(0.0, a);
    let at_end = r.select(&unknown, b, &at_end);
    let greater = r.number_where(&infinite, f64::INFINITY, &greater);
    let lesser = r.select(&infinite, &at_end, &lesser);

    let left = r.is(a, Direction::Lt, 0.0);
    let (re, im) = (r.select(&left, &lesser, &greater), r.select(&left, &greater, &lesser));
    let upwards = r.is_infinite(b);
    let (re, im) =
        (r.number_where(&upwards, f64::INFINITY, &re), r.number_where(&upwards, f64::INFINITY, &im));
    [re, r.copy_sign(&im, b)]
}

/// The conjugate of √z over |z|; infinite of zero and zero of infinities.
pub fn rsqrt<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let root = sqrt(r, [a, b]);
    let modulus = modulus(r, [a, b]);
    let [re, im] = root.map(|part| {
        let of_greater = r.div(&part, &modulus.greater);
        r.div(&of_greater, &modulus.stretch)
    });
    let im = r.neg(&im);
    let zero = r.is_zero(&modulus.greater);
    let re = r.number_where(&zero, f64::INFINITY, &re);
    let im = r.number_where(&zero, f64::NAN, &im);
    let infinite = has_infinity(r, [a, b]);
    let re = r.number_where(&infinite, 0.0, &re);
    let nothing = r.number(0.0, b);
    let opposite = r.neg(b);
    let nothing = r.copy_sign(&nothing, &opposite);
    [re, r.select(&infinite, &nothing, &im)]
}

/// ∛|z| in a third of the angle.
pub fn cbrt<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let modulus = modulus(r, [a, b]);
    let (outer, inner) = (r.of(Opcode::Cbrt, &modulus.greater), r.of(Opcode::Cbrt, &modulus.stretch));
    let size = r.mul(&outer, &inner);
    let infinite = has_infinity(r, [a, b]);
    let size = r.number_where(&infinite, f64::INFINITY, &size);
    let angle = r.op(Opcode::Atan2, &[b, a]);
    let three = r.number(3.0, a);
    let third = r.div(&angle, &three);
    let [re, im] = [Opcode::Cosine, Opcode::Sine].map(|part| {
        let direction = r.of(part, &third);
        r.mul(&size, &direction)
    });
    // Of an infinite size the sine of no angle.
    let real = r.is_zero(&third);
    [re, r.select(&real, &third, &im)]
}
