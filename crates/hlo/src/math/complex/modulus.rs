//! Magnitudes: the distance from zero, and the direction.

use super::arithmetic::{Arithmetic, Pair};
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;

/// The magnitude of a complex number in factors that do not overflow: it is `greater · stretch`.
pub struct Modulus<V> {
    /// The greater magnitude of both parts.
    pub greater: V,
    /// The lesser one divided by the greater one; 0 of zero and of infinities.
    pub ratio: V,
    /// √(1 + ratio²), between 1 and √2.
    pub stretch: V,
}

/// m·√(1 + (n/m)²): dividing by the greater part first keeps squares from overflowing. Infinite where a part is.
pub fn abs<B: PartOps>(r: &mut Arithmetic<'_, B>, [re, im]: Pair<&B::Value>) -> B::Value {
    let modulus = modulus(r, [re, im]);
    let length = r.mul(&modulus.greater, &modulus.stretch);
    let infinite = has_infinity(r, [re, im]);
    r.number_where(&infinite, f64::INFINITY, &length)
}

/// z/|z|, and zero of zero.
pub fn sign<B: PartOps>(r: &mut Arithmetic<'_, B>, [re, im]: Pair<&B::Value>) -> Pair<B::Value> {
    let modulus = modulus(r, [re, im]);
    let zero = r.is_zero(&modulus.greater);
    [re, im].map(|part| {
        let of_greater = r.div(part, &modulus.greater);
        let direction = r.div(&of_greater, &modulus.stretch);
        r.number_where(&zero, 0.0, &direction)
    })
}

pub fn modulus<B: PartOps>(r: &mut Arithmetic<'_, B>, [re, im]: Pair<&B::Value>) -> Modulus<B::Value> {
    let (re, im) = (r.abs(re), r.abs(im));
    let greater = r.op(Opcode::Maximum, &[&re, &im]);
    let lesser = r.op(Opcode::Minimum, &[&re, &im]);
    let ratio = r.div(&lesser, &greater);
    // 0/0 and ∞/∞ are no ratios.
    let (zero, infinite) = (r.is_zero(&greater), r.is(&greater, Direction::Eq, f64::INFINITY));
    let none = r.either(&zero, &infinite);
    let ratio = r.number_where(&none, 0.0, &ratio);
    let square = r.square(&ratio);
    let sum = r.plus(&square, 1.0);
    Modulus { greater, ratio, stretch: r.sqrt(&sum) }
}

/// Whether a part is infinite; then the number is, whatever the other part.
pub fn has_infinity<B: PartOps>(r: &mut Arithmetic<'_, B>, [re, im]: Pair<&B::Value>) -> B::Value {
    let (re, im) = (r.is_infinite(re), r.is_infinite(im));
    r.either(&re, &im)
}
