//! Operations of CHLO, which the text of programs has and artifacts have as composites.

mod bessel;
mod error_functions;
mod formula;
mod gamma;
mod next_after;

pub use bessel::bessel_i1e;
pub use error_functions::{erf_inv, erfc};
pub use gamma::{digamma, lgamma, polygamma, zeta};
pub use next_after::next_after;

use super::control::composite_attr;
use super::elementwise::plain;
use super::frame::Frame;
use crate::error::Result;
use crate::ir::{Attr, Op};
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::{Attrs, InstrId, Opcode, Scalar, Shape};

/// The operation that a composite of this name stands for, where Lawson has it for these types.
pub fn whole<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, name: &str) -> Result<Option<InstrId>> {
    let opcode = match name {
        "chlo.acos" => Opcode::Acos,
        "chlo.acosh" => Opcode::Acosh,
        "chlo.asin" => Opcode::Asin,
        "chlo.asinh" => Opcode::Asinh,
        "chlo.atanh" => Opcode::Atanh,
        "chlo.cosh" => Opcode::Cosh,
        "chlo.erf" => Opcode::Erf,
        "chlo.sinh" => Opcode::Sinh,
        "chlo.tan" => Opcode::Tan,
        "chlo.top_k" => return top_k(f, op, Opcode::TopK).map(Some),
        _ => return Ok(None),
    };
    let [x] = f.exactly(op)?;
    if !f.array(op, x)?.dtype.is_continuous() {
        return Ok(None);
    }
    plain(f, op, opcode).map(Some)
}

/// The greatest k along the last dimension, and where they are.
pub fn top_k<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let Some(k) = composite_attr(op, "k").and_then(Attr::int) else {
        return Err(f.wrong(op, "has no `k`"));
    };
    let largest = composite_attr(op, "largest").and_then(Attr::bool).unwrap_or(true);
    f.add(op, opcode, &[x], Attrs::TopK { k, largest })
}

pub fn square<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    f.add(op, opcode, &[x, x], Attrs::None)
}

/// The angle of (1, x); of complex numbers −i·atanh(ix).
pub fn atan<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    let shape = f.array(op, x)?;
    if shape.dtype.is_complex() {
        let turned = by_i(f, op, x, false)?;
        let angle = f.add(op, Opcode::Atanh, &[turned], Attrs::None)?;
        return by_i(f, op, angle, true);
    }
    let one = f.filled(shape.dtype, &shape.dims, Scalar::Float(1.0));
    f.add(op, opcode, &[x, one], Attrs::None)
}

/// i·x = −im + re·i, or −i·x = im − re·i.
fn by_i<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, x: InstrId, back: bool) -> Result<InstrId> {
    let (mut re, mut im) =
        (f.add(op, Opcode::Real, &[x], Attrs::None)?, f.add(op, Opcode::Imag, &[x], Attrs::None)?);
    let negative = if back { &mut re } else { &mut im };
    *negative = f.add(op, Opcode::Negate, &[*negative], Attrs::None)?;
    f.add(op, Opcode::Complex, &[im, re], Attrs::None)
}

pub fn conj<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [x] = f.exactly(op)?;
    if !matches!(f.body.shape(x), Shape::Array(a) if a.dtype.is_complex()) {
        return Ok(x);
    }
    let re = f.add(op, Opcode::Real, &[x], Attrs::None)?;
    let im = f.add(op, Opcode::Imag, &[x], Attrs::None)?;
    let im = f.add(op, Opcode::Negate, &[im], Attrs::None)?;
    f.add(op, opcode, &[re, im], Attrs::None)
}

/// Whether elements are infinite: of either sign, or of one.
pub fn is_infinite<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, opcode: Opcode) -> Result<InstrId> {
    let [mut x] = f.exactly(op)?;
    let shape = f.array(op, x)?;
    let value = if op.short_name() == "chlo.is_neg_inf" { f64::NEG_INFINITY } else { f64::INFINITY };
    if op.short_name() == "chlo.is_inf" {
        x = f.add(op, Opcode::Abs, &[x], Attrs::None)?;
    }
    let infinity = f.filled(shape.dtype, &shape.dims, Scalar::Float(value));
    let attrs = Attrs::Compare { direction: Direction::Eq, order: CompareOrder::Default };
    f.add(op, opcode, &[x, infinity], attrs)
}
