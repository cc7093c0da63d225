//! Hyperbolic functions, and the trigonometric ones, which are those of i·z.

use super::arithmetic::{Arithmetic, Pair};
use crate::attrs::Direction;
use crate::math::composite::PartOps;
use crate::opcode::Opcode;

/// sinh a · cos b + i cosh a · sin b.
pub fn sinh<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let [_, re, im, _] = products(r, [a, b]);
    // Zero and infinity times the cosine of no angle.
    let (zero, infinite, nowhere) = (r.is_zero(a), r.is_infinite(a), r.is_unbounded(b));
    let special = r.either(&zero, &infinite);
    let special = r.both(&special, &nowhere);
    let real = r.is_zero(b);
    [r.select(&special, a, &re), r.select(&real, b, &im)]
}

/// cosh a · cos b + i sinh a · sin b.
pub fn cosh<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let [re, _, _, im] = products(r, [a, b]);
    let (zero, infinite, nowhere) = (r.is_zero(a), r.is_infinite(a), r.is_unbounded(b));
    let unbounded = r.both(&infinite, &nowhere);
    let re = r.number_where(&unbounded, f64::INFINITY, &re);
    let real = r.is_zero(b);
    let one = r.number(1.0, a);
    let sign = r.copy_sign(&one, a);
    let of_real = r.mul(&sign, b);
    let im = r.select(&real, &of_real, &im);
    let imaginary = r.both(&zero, &nowhere);
    [re, r.number_where(&imaginary, 0.0, &im)]
}

/// [cosh a · cos b, sinh a · cos b, cosh a · sin b, sinh a · sin b]. Where cosh a may be too large, sinh a is 2 sinh(a/2) cosh(a/2)
/// and cosh a, which is as large then, 2 cosh²(a/2), multiplied one after the other.
fn products<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> [B::Value; 4] {
    let size = r.abs(a);
    let limit = r.of_type(87.0, 708.0);
    let far = r.is(&size, Direction::Gt, limit);
    let half = r.times(a, 0.5);
    let argument = r.select(&far, &half, a);
    let (cosh, sinh) = (r.of(Opcode::Cosh, &argument), r.of(Opcode::Sinh, &argument));
    let twice = r.times(&cosh, 2.0);
    let one = r.number(1.0, a);
    let rest = r.select(&far, &twice, &one);
    let (cosine, sine) = (r.of(Opcode::Cosine, b), r.of(Opcode::Sine, b));
    [(&cosh, &cosine), (&sinh, &cosine), (&cosh, &sine), (&sinh, &sine)].map(|(x, y)| {
        let product = r.mul(x, y);
        r.mul(&product, &rest)
    })
}

/// Kahan's: with t = tan b, β = 1 + t², s = sinh a and ρ = √(1 + s²) it is (βρs + it) / (1 + βs²). Where |a| is so large that the
/// real part rounds to ±1, the imaginary one is 4 sin b cos b e^(−2|a|).
pub fn tanh<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let (t, s) = (r.of(Opcode::Tan, b), r.of(Opcode::Sinh, a));
    let tt = r.square(&t);
    let beta = r.plus(&tt, 1.0);
    let ss = r.square(&s);
    let rho = r.plus(&ss, 1.0);
    let rho = r.sqrt(&rho);
    let below = r.mul(&beta, &ss);
    let below = r.plus(&below, 1.0);
    let above = r.mul(&beta, &rho);
    let above = r.mul(&above, &s);
    let (re, im) = (r.div(&above, &below), r.div(&t, &below));

    let size = r.abs(a);
    let limit = r.of_type(11.0, 22.0);
    let large = r.is(&size, Direction::Gt, limit);
    let (infinite, nowhere) = (r.is_infinite(a), r.is_unbounded(b));
    let one = r.number(1.0, a);
    let sign = r.copy_sign(&one, a);
    let no_angle = r.number_where(&nowhere, f64::NAN, &sign);
    let end = r.select(&infinite, &sign, &no_angle);
    let re = r.select(&large, &end, &re);
    let exponent = r.times(&size, -2.0);
    let decay = r.of(Opcode::Exponential, &exponent);
    let of_angle = r.div(&t, &beta);
    let tail = r.times(&of_angle, 4.0);
    let tail = r.mul(&tail, &decay);
    let settled = r.both(&infinite, &nowhere);
    let tail = r.number_where(&settled, 0.0, &tail);
    let im = r.select(&large, &tail, &im);
    // Parts that are zero stay so.
    let (imaginary, real) = (r.is_zero(a), r.is_zero(b));
    [r.select(&imaginary, a, &re), r.select(&real, b, &im)]
}

/// sin z = −i sinh(iz)
pub fn sin<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let [re, im] = sinh(r, [b, a]);
    [im, re]
}

/// cos z = cosh(iz)
pub fn cos<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let [re, im] = cosh(r, [b, a]);
    [re, r.neg(&im)]
}

/// tan z = −i tanh(iz)
pub fn tan<B: PartOps>(r: &mut Arithmetic<'_, B>, [a, b]: Pair<&B::Value>) -> Pair<B::Value> {
    let [re, im] = tanh(r, [b, a]);
    [im, re]
}
