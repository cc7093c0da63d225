//! The complementary error function and the inverse error function.

use super::formula::{Formula, Of, compute, compute_in_own_type};
use crate::convert::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::Direction;
use lawson_hlo::math::erf_inv;
use lawson_hlo::{InstrId, Opcode};

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

/// The inverse of erf in the type of the operand, of halves in f32: Giles's polynomials in w = −ln(1 − x²), which XLA and JAX
/// have too.
pub fn erf_inv<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute_in_own_type(f, op, |m, [x]| {
        let minus = m.unary(Opcode::Negate, x);
        let minus_square = m.mul(x, minus);
        let log = m.unary(Opcode::LogPlusOne, minus_square);
        let w = m.unary(Opcode::Negate, log);
        let root = m.unary(Opcode::Sqrt, w);
        let double = m.is_double();
        let mut polynomial = |t: Of, shift: f64, coefficients: &[f64]| {
            let shifted = m.plus(t, -shift);
            m.polynomial(shifted, coefficients)
        };
        let factor = match double {
            true => {
                let near = polynomial(w, 3.125, &erf_inv::NEAR_F64);
                let middle = polynomial(root, 3.25, &erf_inv::MIDDLE_F64);
                let far = polynomial(root, 5.0, &erf_inv::FAR_F64);
                let (is_near, is_middle) = (m.test(w, Direction::Lt, 6.25), m.test(w, Direction::Lt, 16.0));
                let outer = m.select(is_middle, middle, far);
                m.select(is_near, near, outer)
            }
            false => {
                let near = polynomial(w, 2.5, &erf_inv::NEAR);
                let far = polynomial(root, 3.0, &erf_inv::FAR);
                let is_near = m.test(w, Direction::Lt, 5.0);
                m.select(is_near, near, far)
            }
        };
        let inside = m.mul(factor, x);
        let size = m.unary(Opcode::Abs, x);
        let at_one = m.test(size, Direction::Eq, 1.0);
        let infinite = m.times(x, f64::INFINITY);
        m.select(at_one, infinite, inside)
    })
}
