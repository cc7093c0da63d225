//! Sums of exponentials by their logarithms.

use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{InstrId, Opcode};

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
