//! Products and quotients.

use super::arithmetic::{Arithmetic, Pair};
use super::modulus::has_infinity;
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;

/// (ac − bd, ad + bc), each product and sum rounded.
pub fn multiply<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    [a, b]: Pair<&B::Value>,
    [c, d]: Pair<&B::Value>,
) -> Pair<B::Value> {
    let (ac, bd) = (r.mul(a, c), r.mul(b, d));
    let (ad, bc) = (r.mul(a, d), r.mul(b, c));
    [r.sub(&ac, &bd), r.add(&ad, &bc)]
}

/// (ac + bd, bc − ad) / (c² + d²) of operands that are scaled by powers of two, so that nothing overflows or vanishes on the
/// way. Where both parts are NaN by that, zeros and infinities give what Annex G of C has.
pub fn divide<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    [a, b]: Pair<&B::Value>,
    [c, d]: Pair<&B::Value>,
) -> Pair<B::Value> {
    let (above, above_back) = scale(r, [a, b]);
    let (below, _) = scale(r, [c, d]);
    let (a1, b1) = (r.mul(a, &above), r.mul(b, &above));
    let (c1, d1) = (r.mul(c, &below), r.mul(d, &below));
    let (cc, dd) = (r.square(&c1), r.square(&d1));
    let square = r.add(&cc, &dd);
    let mut parts = over(r, [&a1, &b1], [&c1, &d1]).map(|x| r.div(&x, &square));
    // The factors that bring the quotient back are one where that is a normal number, so that it is rounded once.
    let factor = r.mul(&below, &above_back);
    let least = r.of_type(f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE);
    let (normal, finite) = (r.is(&factor, Direction::Ge, least), r.is(&factor, Direction::Lt, f64::INFINITY));
    let one = r.both(&normal, &finite);
    let (first, second) = (r.select(&one, &factor, &below), r.number_where(&one, 1.0, &above_back));
    parts = parts.map(|x| {
        let scaled = r.mul(&x, &first);
        r.mul(&scaled, &second)
    });

    let (re, im) = (r.is_nan(&parts[0]), r.is_nan(&parts[1]));
    let none = r.both(&re, &im);
    let special = special_quotient(r, [a, b], [c, d]);
    let [re, im] = parts;
    [r.select(&none, &special[0], &re), r.select(&none, &special[1], &im)]
}

/// The numerators of a quotient.
fn over<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    [a, b]: Pair<&B::Value>,
    [c, d]: Pair<&B::Value>,
) -> Pair<B::Value> {
    let (ac, bd) = (r.mul(a, c), r.mul(b, d));
    let (bc, ad) = (r.mul(b, c), r.mul(a, d));
    [r.add(&ac, &bd), r.sub(&bc, &ad)]
}

fn scale<B: PartOps>(r: &mut Arithmetic<'_, B>, [re, im]: Pair<&B::Value>) -> (B::Value, B::Value) {
    let (re, im) = (r.abs(re), r.abs(im));
    let greater = r.op(Opcode::Maximum, &[&re, &im]);
    r.scale(&greater)
}

/// x/0 is x·∞ with the sign of the real part below; ∞/y is infinite and x/∞ zero in the direction of the quotient.
fn special_quotient<B: PartOps>(
    r: &mut Arithmetic<'_, B>,
    [a, b]: Pair<&B::Value>,
    [c, d]: Pair<&B::Value>,
) -> Pair<B::Value> {
    let unit = |r: &mut Arithmetic<'_, B>, x: &B::Value| {
        let (is, one, zero) = (r.is_infinite(x), r.number(1.0, x), r.number(0.0, x));
        let size = r.select(&is, &one, &zero);
        r.copy_sign(&size, x)
    };
    let (above, below) = (has_infinity(r, [a, b]), has_infinity(r, [c, d]));
    // Of an infinite number its direction, any other as it is.
    let direction = |r: &mut Arithmetic<'_, B>, is: &B::Value, x: &B::Value| {
        let unit = unit(r, x);
        r.select(is, &unit, x)
    };
    let (a1, b1) = (direction(r, &above, a), direction(r, &above, b));
    let (c1, d1) = (direction(r, &below, c), direction(r, &below, d));
    let numerators = over(r, [&a1, &b1], [&c1, &d1]);

    let (c0, d0) = (r.is_zero(c), r.is_zero(d));
    let by_zero = r.both(&c0, &d0);
    let infinity = r.number(f64::INFINITY, c);
    let pole = r.copy_sign(&infinity, c);
    let factor = r.number_where(&below, 0.0, &infinity);
    // Both infinite, or both finite, is NaN unless the divisor is zero.
    let same = {
        let both = r.both(&above, &below);
        let any = r.either(&above, &below);
        let none = r.negation(&any);
        r.either(&both, &none)
    };
    let factor = r.number_where(&same, f64::NAN, &factor);
    let [re, im] = numerators.map(|x| r.mul(&x, &factor));
    let (re0, im0) = (r.mul(a, &pole), r.mul(b, &pole));
    [r.select(&by_zero, &re0, &re), r.select(&by_zero, &im0, &im)]
}
