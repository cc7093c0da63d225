//! The modified Bessel function of order 1, times e^−|x|.

use super::formula::compute;
use crate::convert::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{InstrId, Opcode};
use std::f64::consts::PI;

/// Up to here the power series, whose terms all have one sign; beyond it the asymptotic one.
const BORDER: f64 = 20.0;

pub fn bessel_i1e<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    // Σ (x²/4)^k / (k! (k + 1)!)
    let mut series = vec![1.0f64];
    for k in 1..60 {
        series.push(series[k - 1] / (k * (k + 1)) as f64);
    }
    series.reverse();
    // Σ (−1)^k (4 − 1)(4 − 9)…(4 − (2k − 1)²) / (k! (8x)^k)
    let mut asymptotic = vec![1.0f64];
    for k in 1..24 {
        let odd = (2 * k - 1) as f64;
        asymptotic.push(-asymptotic[k - 1] * (4.0 - odd * odd) / (8.0 * k as f64));
    }
    asymptotic.reverse();
    compute(f, op, |m, [x]| {
        let a = m.unary(Opcode::Abs, x);
        let half = m.times(x, 0.5);
        let square = m.mul(half, half);
        let sum = m.polynomial(square, &series);
        let minus = m.unary(Opcode::Negate, a);
        let decay = m.unary(Opcode::Exponential, minus);
        let near = m.mul(sum, half);
        let near = m.mul(near, decay);
        let one = m.number(1.0);
        let inverse = m.div(one, a);
        let sum = m.polynomial(inverse, &asymptotic);
        let share = m.times(inverse, 1.0 / (2.0 * PI));
        let root = m.unary(Opcode::Sqrt, share);
        let far = m.mul(sum, root);
        let sign = m.unary(Opcode::Sign, x);
        let far = m.mul(far, sign);
        let low = m.test(a, Direction::Le, BORDER);
        m.select(low, near, far)
    })
}
