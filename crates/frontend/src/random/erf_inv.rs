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
    let near = evaluate(e, near, &NEAR_F64)?;
    let middle = evaluate(e, middle, &MIDDLE_F64)?;
    let far = evaluate(e, far, &FAR_F64)?;
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

const NEAR_F64: [f64; 23] = [
    -3.64441206401782e-21,
    -1.6850591381820166e-19,
    1.28584807152564e-18,
    1.1157877678025181e-17,
    -1.333171662854621e-16,
    2.0972767875968562e-17,
    6.637638134358324e-15,
    -4.054566272975207e-14,
    -8.151934197605472e-14,
    2.6335093153082323e-12,
    -1.2975133253453532e-11,
    -5.415412054294628e-11,
    1.0512122733215323e-09,
    -4.112633980346984e-09,
    -2.9070369957882005e-08,
    4.2347877827932404e-07,
    -1.3654692000834679e-06,
    -1.3882523362786469e-05,
    0.00018673420803405714,
    -0.000740702534166267,
    -0.006033670871430149,
    0.24015818242558962,
    1.6536545626831027,
];
const MIDDLE_F64: [f64; 19] = [
    2.2137376921775787e-09,
    9.075656193888539e-08,
    -2.7517406297064545e-07,
    1.8239629214389228e-08,
    1.5027403968909828e-06,
    -4.013867526981546e-06,
    2.9234449089955446e-06,
    1.2475304481671779e-05,
    -4.7318229009055734e-05,
    6.828485145957318e-05,
    2.4031110387097894e-05,
    -0.0003550375203628475,
    0.0009532893797373805,
    -0.0016882755560235047,
    0.002491442096107851,
    -0.003751208507569241,
    0.005370914553590064,
    1.0052589676941592,
    3.0838856104922208,
];
const FAR_F64: [f64; 17] = [
    -2.7109920616438573e-11,
    -2.555641816996525e-10,
    1.5076572693500548e-09,
    -3.789465440126737e-09,
    7.61570120807834e-09,
    -1.496002662714924e-08,
    2.914795345090108e-08,
    -6.771199775845234e-08,
    2.2900482228026655e-07,
    -9.9298272942317e-07,
    4.526062597223154e-06,
    -1.968177810553167e-05,
    7.599527703001776e-05,
    -0.00021503011930044477,
    -0.00013871931833623122,
    1.0103004648645344,
    4.849906401408584,
];
