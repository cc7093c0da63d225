//! The complementary error function and the inverse error function.

use super::formula::{Formula, Of, compute};
use crate::convert::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::Direction;
use lawson_hlo::math::erf_inv;
use lawson_hlo::{InstrId, Opcode};
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2};

pub fn erfc<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute(f, op, |m, [x]| complement(m, x))
}

/// 1 − erf x. Beyond 1 it is e^(−x²) times a quotient of polynomials: Cody's method with the coefficients of Cephes
/// (`ndtr.c`).
fn complement(m: &mut Formula, x: Of) -> Of {
    const P: [f64; 9] = [
        2.461969814735305e-10,
        0.5641895648310689,
        7.463210564422699,
        48.63719709856814,
        196.5208329560771,
        526.4451949954773,
        934.5285271719576,
        1027.5518868951572,
        557.5353353693994,
    ];
    const Q: [f64; 9] = [
        1.0,
        13.228195115474499,
        86.70721408859897,
        354.9377788878199,
        975.7085017432055,
        1823.9091668790973,
        2246.3376081871097,
        1656.6630919416134,
        557.5353408177277,
    ];
    const R: [f64; 6] = [
        0.5641895835477551,
        1.275366707599781,
        5.019050422511805,
        6.160210979930536,
        7.4097426995044895,
        2.9788666537210022,
    ];
    const S: [f64; 7] = [
        1.0,
        2.2605286322011726,
        9.396035249380015,
        12.048953980809666,
        17.08144507475659,
        9.608968090632859,
        3.369076451000815,
    ];
    let erf = m.unary(Opcode::Erf, x);
    let one = m.number(1.0);
    let near = m.sub(one, erf);
    let a = m.unary(Opcode::Abs, x);
    let (p, q) = (m.polynomial(a, &P), m.polynomial(a, &Q));
    let (r, s) = (m.polynomial(a, &R), m.polynomial(a, &S));
    let (middle, far) = (m.div(p, q), m.div(r, s));
    let below_8 = m.test(a, Direction::Lt, 8.0);
    let quotient = m.select(below_8, middle, far);
    let square = m.mul(x, x);
    let minus = m.unary(Opcode::Negate, square);
    let exponential = m.unary(Opcode::Exponential, minus);
    let tail = m.mul(exponential, quotient);
    // The polynomials overflow where the exponential has long been zero.
    let vanished = m.test(a, Direction::Gt, 28.0);
    let tail = m.unless(vanished, 0.0, tail);
    let two = m.number(2.0);
    let mirrored = m.sub(two, tail);
    let negative = m.test(x, Direction::Lt, 0.0);
    let outer = m.select(negative, mirrored, tail);
    let inner = m.test(a, Direction::Lt, 1.0);
    let is_nan = m.compare(Direction::Ne, x, x);
    let value = m.select(inner, near, outer);
    m.select(is_nan, x, value)
}

/// The inverse of erf: Giles's approximation for single precision, then steps of Halley's method, which triple the number
/// of right digits each.
pub fn erf_inv<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute(f, op, |m, [y]| {
        let a = m.unary(Opcode::Abs, y);
        let one = m.number(1.0);
        // Exact where it matters: near 1.
        let complement_of_a = m.sub(one, a);
        let (log, sum) = (m.unary(Opcode::Log, complement_of_a), m.plus(a, 1.0));
        let log_sum = m.unary(Opcode::Log, sum);
        let both = m.add(log, log_sum);
        let w = m.unary(Opcode::Negate, both);
        let shifted = m.plus(w, -2.5);
        let near = m.polynomial(shifted, &erf_inv::NEAR);
        let root = m.unary(Opcode::Sqrt, w);
        let shifted = m.plus(root, -3.0);
        let far = m.polynomial(shifted, &erf_inv::FAR);
        let below_5 = m.test(w, Direction::Lt, 5.0);
        let factor = m.select(below_5, near, far);
        let mut x = m.mul(factor, a);
        let below_half = m.test(a, Direction::Lt, 0.5);
        for _ in 0..3 {
            let erf = m.unary(Opcode::Erf, x);
            let small = m.sub(erf, a);
            let erfc = complement(m, x);
            let large = m.sub(complement_of_a, erfc);
            let residual = m.select(below_half, small, large);
            let square = m.mul(x, x);
            let minus = m.unary(Opcode::Negate, square);
            let exponential = m.unary(Opcode::Exponential, minus);
            let slope = m.times(exponential, FRAC_2_SQRT_PI);
            let step = m.div(residual, slope);
            // x − s / (1 + s·x), since the second derivative is −2x times the first.
            let product = m.mul(step, x);
            let denominator = m.plus(product, 1.0);
            let step = m.div(step, denominator);
            x = m.sub(x, step);
        }
        let at_one = m.test(a, Direction::Eq, 1.0);
        let x = m.unless(at_one, f64::INFINITY, x);
        let negated = m.unary(Opcode::Negate, x);
        let negative = m.test(y, Direction::Lt, 0.0);
        let x = m.select(negative, negated, x);
        // Where y is so small that its square vanishes it is y·√π/2.
        let tiny = m.test(a, Direction::Lt, 1e-100 * LN_2);
        let linear = m.times(y, 1.0 / FRAC_2_SQRT_PI);
        let x = m.select(tiny, linear, x);
        let outside = m.test(a, Direction::Gt, 1.0);
        m.unless(outside, f64::NAN, x)
    })
}
