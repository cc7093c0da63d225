//! Logarithms: of the magnitude, and the angle.
//!
//! Near |z| = 1 the logarithm of the magnitude is half of log1p(|z|² − 1), where |z|² − 1 is summed with the errors of its
//! products and sums, so that nothing cancels; elsewhere it is log m + log1p((n/m)²)/2 of the greater and the lesser magnitude,
//! which neither overflows nor vanishes.

use super::arithmetic::{Arithmetic, Pair};
use super::modulus::{Modulus, has_infinity, modulus};
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;

/// log |z| + i arg z
pub fn log<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let (p, p_error) = square(r, a);
    let (q, q_error) = square(r, b);
    let square = r.add(&p, &q);
    let minus_one = r.number(-1.0, a);
    let above = r.op(Opcode::Maximum, &[&p, &q]);
    let below = r.op(Opcode::Minimum, &[&p, &q]);
    let (s, first) = sum(r, &minus_one, &above);
    let (t, second) = sum(r, &s, &below);
    let errors = r.add(&p_error, &q_error);
    let errors = r.add(&errors, &first);
    let errors = r.add(&errors, &second);
    let excess = r.add(&t, &errors);
    let re = of_magnitude(r, [a, b], &square, &excess);
    [re, r.op(Opcode::Atan2, &[b, a])]
}

/// log |1 + z| + i arg (1 + z)
pub fn log1p<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let (p, p_error) = square(r, a);
    let (q, q_error) = square(r, b);
    let twice = r.times(a, 2.0);
    let (s, first) = sum(r, &twice, &p);
    let (t, second) = sum(r, &s, &q);
    let errors = r.add(&p_error, &q_error);
    let errors = r.add(&errors, &first);
    let errors = r.add(&errors, &second);
    let excess = r.add(&t, &errors);
    let from_one = r.plus(a, 1.0);
    let squares = [r.square(&from_one), q];
    let square = r.add(&squares[0], &squares[1]);
    let re = of_magnitude(r, [&from_one, b], &square, &excess);
    [re, r.op(Opcode::Atan2, &[b, &from_one])]
}

/// log |z|, given |z|² as rounded and |z|² − 1 nearly exact where that is between −1/2 and 2.
fn of_magnitude<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    z: Pair<&B::Value>,
    square: &B::Value,
    excess: &B::Value,
) -> B::Value {
    let (least, most) = (r.is(square, Direction::Ge, 0.5), r.is(square, Direction::Le, 3.0));
    let near = r.both(&least, &most);
    let Modulus { greater, ratio, .. } = modulus(r, z);
    let of_ratio = r.square(&ratio);
    let rest = r.select(&near, excess, &of_ratio);
    let rest = r.of(Opcode::LogPlusOne, &rest);
    let rest = r.times(&rest, 0.5);
    let scale = r.number_where(&near, 1.0, &greater);
    let scale = r.of(Opcode::Log, &scale);
    let log = r.add(&scale, &rest);
    let infinite = has_infinity(r, z);
    r.number_where(&infinite, f64::INFINITY, &log)
}

/// x², and what rounding left of it (Dekker's product); of numbers whose squares are far from both ends of the range.
fn square<B: PartOps>(r: &mut Arithmetic<'_, B>, x: &B::Value) -> (B::Value, B::Value) {
    let splitter = r.of_type(4097.0, 134_217_729.0);
    let p = r.square(x);
    let c = r.times(x, splitter);
    let above = r.sub(&c, x);
    let high = r.sub(&c, &above);
    let low = r.sub(x, &high);
    let (hh, hl, ll) = (r.square(&high), r.mul(&high, &low), r.square(&low));
    let error = r.sub(&hh, &p);
    let hl = r.times(&hl, 2.0);
    let error = r.add(&error, &hl);
    (p, r.add(&error, &ll))
}

/// x + y, and what rounding left of it (Knuth's sum).
fn sum<B: PartOps>(r: &mut Arithmetic<'_, B>, x: &B::Value, y: &B::Value) -> (B::Value, B::Value) {
    let s = r.add(x, y);
    let of_y = r.sub(&s, x);
    let of_x = r.sub(&s, &of_y);
    let (x, y) = (r.sub(x, &of_x), r.sub(y, &of_y));
    (s, r.add(&x, &y))
}
