//! The inverse of the error function, by polynomials in w = −log(1 − x²) (Giles, "Approximating the erfinv function").
//!
//! ```text
//! erf_inv(x) = x · p(t), t = w − c near 0, t = √w − c farther out
//! ```
//!
//! f32 has two of them, f64 three; narrower floats are computed in f32. The derivative is (√π / 2) · e^(erf⁻¹(x)²), which is
//! computed of the value: derivatives of the polynomials would be less accurate than they are.

use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::graph::marks;
use crate::tensor::{AsTensor, Tensor};
use lawson_hlo::attrs::{CustomCall, Direction};
use lawson_hlo::math::erf_inv;
use lawson_hlo::{Attrs, InstrId, Opcode};
use std::panic::Location;

/// The number whose error function is `x`, element by element: ±∞ at ±1, NaN outside. Floats, in their own type.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, random};
///
/// let x = Tensor::from([-0.5f32, 0.0, 0.9]);
/// let back = random::erf_inv(&x).erf();
/// assert!((back - x).abs().max().item::<f32>()? < 1e-6);
/// assert_eq!(random::erf_inv(Tensor::from([1f32])).item(), Ok(f32::INFINITY));
/// # Ok::<(), lawson_frontend::Error>(())
/// ```
#[track_caller]
pub fn erf_inv(x: impl AsTensor) -> Tensor {
    let place = Location::caller();
    let x = x.operand().into_tensor(place);
    let made = Tensor::apply(place, &[&x], |e, ids| with_derivative(e, ids[0], 2));
    made.with_weak(x.is_weak())
}

/// erf⁻¹ with a derivative of its own, which can itself be differentiated that many times as well as the first.
pub(super) fn with_derivative(e: &mut Emit<'_>, x: InstrId, times: u32) -> Result<InstrId, Fault> {
    let shape = e.shape(x).clone();
    let value = e.computation("erf_inv", |e| {
        let x = e.parameter(0, shape.clone());
        polynomial(e, x)
    })?;
    let jvp = e.computation("erf_inv_jvp", |e| {
        let (x, tangent) = (e.parameter(0, shape.clone()), e.parameter(1, shape.clone()));
        let y = if times > 1 { with_derivative(e, x, times - 1)? } else { polynomial(e, x)? };
        let square = e.mul(y, y)?;
        let growth = e.unary(Opcode::Exponential, square)?;
        let half = e.splat_like(x, std::f64::consts::PI.sqrt() / 2.0)?;
        let slope = e.mul(half, growth)?;
        let tangent = e.mul(tangent, slope)?;
        e.tuple(&[y, tangent])
    })?;
    let call =
        CustomCall { target: marks::CUSTOM_JVP.into(), called: vec![value, jvp], ..CustomCall::default() };
    e.op_shaped(Opcode::CustomCall, shape, &[x], Attrs::CustomCall(Box::new(call)))
}

fn polynomial(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let dtype = e.dtype(x)?;
    if !dtype.is_float() || dtype.bits() < 16 {
        return fault!("`erf_inv` of {}, which are no floats of 16 bits or more", e.array(x)?);
    }
    let wide = e.convert(x, dtype.accumulator())?;
    let made = if dtype.is_f64() { in_f64(e, wide)? } else { in_f32(e, wide)? };
    let edge = at_edges(e, wide, made)?;
    e.convert(edge, dtype)
}

/// ±∞ at ±1. The sign of x has no derivative, as x · ∞ would.
fn at_edges(e: &mut Emit<'_>, x: InstrId, inside: InstrId) -> Result<InstrId, Fault> {
    let (size, one) = (e.unary(Opcode::Abs, x)?, e.splat_like(x, 1.0)?);
    let is_edge = e.compare(Direction::Eq, size, one)?;
    let (sign, infinity) = (e.unary(Opcode::Sign, x)?, e.splat_like(x, f64::INFINITY)?);
    let edge = e.mul(sign, infinity)?;
    e.select(is_edge, edge, inside)
}

fn in_f32(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let w = distance(e, x)?;
    let is_near = below(e, w, 5.0)?;
    let (near, far) = (shifted(e, w, 2.5)?, root(e, w, 3.0)?);
    let t = e.select(is_near, near, far)?;
    let mut terms = Vec::with_capacity(erf_inv::NEAR.len());
    for (near, far) in erf_inv::NEAR.into_iter().zip(erf_inv::FAR) {
        let (near, far) = (e.splat_like(x, near)?, e.splat_like(x, far)?);
        terms.push(e.select(is_near, near, far)?);
    }
    let sum = horner(e, t, &terms)?;
    e.mul(sum, x)
}

fn in_f64(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let w = distance(e, x)?;
    let (is_near, is_middle) = (below(e, w, 6.25)?, below(e, w, 16.0)?);
    let (near, middle, far) = (shifted(e, w, 3.125)?, root(e, w, 3.25)?, root(e, w, 5.0)?);
    let near = evaluate(e, near, &erf_inv::NEAR_F64)?;
    let middle = evaluate(e, middle, &erf_inv::MIDDLE_F64)?;
    let far = evaluate(e, far, &erf_inv::FAR_F64)?;
    let outer = e.select(is_middle, middle, far)?;
    let sum = e.select(is_near, near, outer)?;
    e.mul(sum, x)
}

/// −log(1 − x²).
fn distance(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    let minus = e.neg(x)?;
    let square = e.mul(x, minus)?;
    let log = e.unary(Opcode::LogPlusOne, square)?;
    e.neg(log)
}

fn below(e: &mut Emit<'_>, w: InstrId, limit: f64) -> Result<InstrId, Fault> {
    let limit = e.splat_like(w, limit)?;
    e.compare(Direction::Lt, w, limit)
}

fn shifted(e: &mut Emit<'_>, w: InstrId, by: f64) -> Result<InstrId, Fault> {
    let by = e.splat_like(w, by)?;
    e.sub(w, by)
}

fn root(e: &mut Emit<'_>, w: InstrId, by: f64) -> Result<InstrId, Fault> {
    let root = e.unary(Opcode::Sqrt, w)?;
    shifted(e, root, by)
}

fn evaluate(e: &mut Emit<'_>, t: InstrId, terms: &[f64]) -> Result<InstrId, Fault> {
    let terms = terms.iter().map(|&term| e.splat_like(t, term)).collect::<Result<Vec<_>, _>>()?;
    horner(e, t, &terms)
}

/// The polynomial with these terms, that of the highest power first.
fn horner(e: &mut Emit<'_>, t: InstrId, terms: &[InstrId]) -> Result<InstrId, Fault> {
    let mut sum = terms[0];
    for &term in &terms[1..] {
        let scaled = e.mul(sum, t)?;
        sum = e.add(term, scaled)?;
    }
    Ok(sum)
}
