//! Sums of exponentials by their logarithms.

use crate::error::Fault;
use crate::graph::{Emit, marks};
use lawson_hlo::attrs::{CustomCall, Direction};
use lawson_hlo::{Attrs, InstrId, Opcode, Shape};

/// log(eᵃ + eᵇ) with its derivative, e^(a − b) / (1 + e^(a − b)) by `a`, where that of [`logaddexp`] is wrong if a = b. It can
/// itself be differentiated that many times as well as the first.
pub(super) fn with_derivative(
    e: &mut Emit<'_>,
    a: InstrId,
    b: InstrId,
    times: u32,
) -> Result<InstrId, Fault> {
    let shape = Shape::Array(e.array(a)?.clone());
    let value = e.computation("logaddexp", |e| {
        let [a, b] = [0, 1].map(|n| e.parameter(n, shape.clone()));
        logaddexp(e, a, b)
    })?;
    let jvp = e.computation("logaddexp_jvp", |e| {
        let [a, b, ta, tb] = [0, 1, 2, 3].map(|n| e.parameter(n, shape.clone()));
        let y = if times > 1 { with_derivative(e, a, b, times - 1)? } else { logaddexp(e, a, b)? };
        let (of_a, of_b) = (part(e, a, b)?, part(e, b, a)?);
        let (ta, tb) = (e.mul(ta, of_a)?, e.mul(tb, of_b)?);
        let tangent = e.add(ta, tb)?;
        e.tuple(&[y, tangent])
    })?;
    let call =
        CustomCall { target: marks::CUSTOM_JVP.into(), called: vec![value, jvp], ..CustomCall::default() };
    e.op_shaped(Opcode::CustomCall, shape, &[a, b], Attrs::CustomCall(Box::new(call)))
}

/// log(eᵃ + eᵇ) = max + log1p(e^−|a − b|); where a − b is NaN, as of two equal infinities, the sum of both.
pub(super) fn logaddexp(e: &mut Emit<'_>, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
    let most = e.binary(Opcode::Maximum, a, b)?;
    let delta = e.sub(a, b)?;
    let undefined = e.compare(Direction::Ne, delta, delta)?;
    let size = e.unary(Opcode::Abs, delta)?;
    let minus = e.neg(size)?;
    let small = e.unary(Opcode::Exponential, minus)?;
    let rest = e.unary(Opcode::LogPlusOne, small)?;
    let sum = e.add(most, rest)?;
    let either = e.add(a, b)?;
    e.select(undefined, either, sum)
}

/// eᵃ / (eᵃ + eᵇ), and 0 where both are the same infinity.
pub(super) fn part(e: &mut Emit<'_>, a: InstrId, b: InstrId) -> Result<InstrId, Fault> {
    let delta = e.sub(a, b)?;
    let undefined = e.compare(Direction::Ne, delta, delta)?;
    let (part, zero) = (e.unary(Opcode::Logistic, delta)?, e.splat_like(a, 0.0)?);
    e.select(undefined, zero, part)
}
