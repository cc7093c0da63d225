//! The logarithm of the gamma function, its derivatives, and the zeta function.

use super::formula::{Formula, Of, compute};
use crate::convert::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{InstrId, Opcode};
use std::f64::consts::PI;

/// Lanczos's approximation with g = 7 and nine coefficients (Godfrey's): about 15 digits.
const G: f64 = 7.0;
const FIRST: f64 = 0.9999999999998099;
const LANCZOS: [f64; 8] = [
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-06,
    1.5056327351493116e-07,
];

pub fn lgamma<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute(f, op, |m, [x]| log_gamma(m, x))
}

pub fn digamma<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute(f, op, |m, [x]| psi(m, x))
}

pub fn zeta<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute(f, op, |m, [x, q]| hurwitz(m, x, q))
}

/// The n-th derivative of digamma: ±n! ζ(n + 1, x).
pub fn polygamma<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    compute(f, op, |m, [n, x]| {
        let next = m.plus(n, 1.0);
        let log = log_gamma(m, next);
        let factorial = m.unary(Opcode::Exponential, log);
        let zeta = hurwitz(m, next, x);
        let value = m.mul(factorial, zeta);
        let half = m.times(n, 0.5);
        let floor = m.unary(Opcode::Floor, half);
        let even = m.compare(Direction::Eq, half, floor);
        let negated = m.unary(Opcode::Negate, value);
        let value = m.select(even, negated, value);
        let psi = psi(m, x);
        let zero = m.test(n, Direction::Eq, 0.0);
        let value = m.select(zero, psi, value);
        let floor = m.unary(Opcode::Floor, n);
        let fraction = m.compare(Direction::Ne, n, floor);
        let value = m.unless(fraction, f64::NAN, value);
        let negative = m.test(n, Direction::Lt, 0.0);
        m.unless(negative, f64::NAN, value)
    })
}

/// Below 1/2 the reflection 1 − x is computed: z + 1 is it or x itself.
fn reflected(m: &mut Formula, x: Of) -> (Of, Of) {
    let low = m.test(x, Direction::Lt, 0.5);
    let (minus, less) = (m.unary(Opcode::Negate, x), m.plus(x, -1.0));
    (low, m.select(low, minus, less))
}

/// ln(z + g + 1/2)
fn log_t(m: &mut Formula, z: Of) -> (Of, Of) {
    let t = m.plus(z, G + 0.5);
    let share = m.times(z, 1.0 / (G + 0.5));
    let log = m.unary(Opcode::LogPlusOne, share);
    (t, m.plus(log, (G + 0.5).ln()))
}

fn log_gamma(m: &mut Formula, x: Of) -> Of {
    let (low, z) = reflected(m, x);
    let mut sum = m.number(FIRST);
    for (i, &coefficient) in LANCZOS.iter().enumerate() {
        let (above, below) = (m.number(coefficient), m.plus(z, i as f64 + 1.0));
        let term = m.div(above, below);
        sum = m.add(sum, term);
    }
    let (t, log_t) = log_t(m, z);
    // (z + 1/2) ln t − t, with less cancellation.
    let (share, half) = (m.div(t, log_t), m.plus(z, 0.5));
    let difference = m.sub(half, share);
    let product = m.mul(difference, log_t);
    let log_sum = m.unary(Opcode::Log, sum);
    let y = m.add(product, log_sum);
    let y = m.plus(y, (2.0 * PI).ln() / 2.0);
    // ln Γ(x) = ln π − ln |sin πx| − ln Γ(1 − x)
    let a = m.unary(Opcode::Abs, x);
    let floor = m.unary(Opcode::Floor, a);
    let fraction = m.sub(a, floor);
    let one = m.number(1.0);
    let other = m.sub(one, fraction);
    let above = m.test(fraction, Direction::Gt, 0.5);
    let fraction = m.select(above, other, fraction);
    let angle = m.times(fraction, PI);
    let sine = m.unary(Opcode::Sine, angle);
    let log_sine = m.unary(Opcode::Log, sine);
    let minus = m.unary(Opcode::Negate, log_sine);
    let rest = m.sub(minus, y);
    let rest = m.plus(rest, PI.ln());
    let pole = m.test(log_sine, Direction::Eq, f64::NEG_INFINITY);
    let reflection = m.select(pole, minus, rest);
    let y = m.select(low, reflection, y);
    let infinite = m.test(a, Direction::Eq, f64::INFINITY);
    m.unless(infinite, f64::INFINITY, y)
}

fn psi(m: &mut Formula, x: Of) -> Of {
    let (low, z) = reflected(m, x);
    let (mut above, mut below) = (m.number(0.0), m.number(FIRST));
    for (i, &coefficient) in LANCZOS.iter().enumerate() {
        let (c, d) = (m.number(coefficient), m.plus(z, i as f64 + 1.0));
        let term = m.div(c, d);
        let slope = m.div(term, d);
        above = m.sub(above, slope);
        below = m.add(below, term);
    }
    let (t, log_t) = log_t(m, z);
    let share = m.div(above, below);
    let g = m.number(G);
    let correction = m.div(g, t);
    let y = m.add(log_t, share);
    let y = m.sub(y, correction);
    // ψ(x) = ψ(1 − x) − π cot πx, with x moved by an integer to between −1/2 and 1/2.
    let shifted = m.plus(x, 0.5);
    let floor = m.unary(Opcode::Floor, shifted);
    let fraction = m.sub(x, floor);
    let angle = m.times(fraction, PI);
    let (cosine, sine) = (m.unary(Opcode::Cosine, angle), m.unary(Opcode::Sine, angle));
    let cotangent = m.div(cosine, sine);
    let cotangent = m.times(cotangent, PI);
    let reflection = m.sub(y, cotangent);
    let y = m.select(low, reflection, y);
    let floor = m.unary(Opcode::Floor, x);
    let integer = m.compare(Direction::Eq, x, floor);
    let not_positive = m.test(x, Direction::Le, 0.0);
    let pole = m.both(integer, not_positive);
    m.unless(pole, f64::NAN, y)
}

/// ζ(x, q) = Σ (q + n)^−x: ten terms, then the formula of Euler and Maclaurin.
fn hurwitz(m: &mut Formula, x: Of, q: Of) -> Of {
    const TERMS: usize = 9;
    // (2k)! / B_2k
    const BERNOULLI: [f64; 12] = [
        12.0,
        -720.0,
        30240.0,
        -1209600.0,
        47900160.0,
        -1892437580.3183792,
        7.47242496e10,
        -2950130727918.164,
        116467828143500.67,
        -4597978722407473.0,
        1.8152105401943546e+17,
        -7.166165256175667e+18,
    ];
    let minus = m.unary(Opcode::Negate, x);
    let mut sum = m.power(q, minus);
    let mut power = sum;
    let mut a = q;
    for _ in 0..TERMS {
        a = m.plus(a, 1.0);
        power = m.power(a, minus);
        sum = m.add(sum, power);
    }
    let (product, less) = (m.mul(power, a), m.plus(x, -1.0));
    let integral = m.div(product, less);
    let half = m.times(power, -0.5);
    sum = m.add(sum, integral);
    sum = m.add(sum, half);
    let mut rising = m.number(1.0);
    let mut k = 0.0;
    for coefficient in BERNOULLI {
        let factor = m.plus(x, k);
        rising = m.mul(rising, factor);
        power = m.div(power, a);
        let term = m.mul(rising, power);
        let term = m.times(term, 1.0 / coefficient);
        sum = m.add(sum, term);
        let factor = m.plus(x, k + 1.0);
        rising = m.mul(rising, factor);
        power = m.div(power, a);
        k += 2.0;
    }
    let floor = m.unary(Opcode::Floor, q);
    let (integer, fraction) = (m.compare(Direction::Eq, q, floor), m.compare(Direction::Ne, q, floor));
    let not_positive = m.test(q, Direction::Le, 0.0);
    let pole = m.both(not_positive, integer);
    sum = m.unless(pole, f64::INFINITY, sum);
    let floor = m.unary(Opcode::Floor, x);
    let no_integer = m.compare(Direction::Ne, x, floor);
    let undefined = m.both(not_positive, fraction);
    let undefined = m.both(undefined, no_integer);
    sum = m.unless(undefined, f64::NAN, sum);
    let below = m.test(x, Direction::Lt, 1.0);
    sum = m.unless(below, f64::NAN, sum);
    let at_one = m.test(x, Direction::Eq, 1.0);
    m.unless(at_one, f64::INFINITY, sum)
}
