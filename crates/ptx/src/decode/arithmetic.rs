//! Arithmetic of integers and floats.

use super::builder::Builder;
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::lanes::{FloatOp, bits, float32, float64, half, integer};
use crate::program::{Lane, Op};
use crate::soft::Mode;
use crate::text::Operand;
use crate::types::{B32, Kind, Type, U32};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    if m.name() == "dp4a" {
        return dot(b, m, o);
    }
    let t = m.last_type().ok_or(Bad::Unknown)?;
    match t.kind {
        Kind::Float | Kind::Bfloat => float(b, m, o, t),
        Kind::Unsigned | Kind::Signed => integers(b, m, o, t),
        _ => Err(Bad::Unknown),
    }
}

/// An operation on as many sources as given, each of its type.
pub fn lanes(b: &mut Builder, o: &[Operand], f: Lane, to: Type, from: &[Type]) -> Result<Op, String> {
    count(o, from.len() + 1)?;
    let to = b.target(&o[0], to)?;
    let mut rows = [b.bits(0)?; 4];
    for (row, (operand, t)) in rows.iter_mut().zip(o[1..].iter().zip(from)) {
        *row = b.source(operand, *t)?;
    }
    let [a, second, c, d] = rows;
    Ok(Op::Lanes { f, to, a, b: second, c, d })
}

fn integers(b: &mut Builder, m: &mut Modifiers, o: &[Operand], t: Type) -> Found {
    let part = m.one_of(&["lo", "hi", "wide"]);
    let name = part.map_or(m.name().to_string(), |part| format!("{}.{part}", m.name()));
    let operands = match m.name() {
        "mad" | "madc" | "mad24" | "sad" => 3,
        "abs" | "neg" => 1,
        _ => 2,
    };
    let writes_carry = m.takes("cc");
    if writes_carry || matches!(m.name(), "addc" | "subc" | "madc") {
        let f = integer::carry(&name, t).ok_or(Bad::Unknown)?;
        count(o, operands + 1)?;
        let to = b.target(&o[0], t)?;
        let a = b.source(&o[1], t)?;
        let second = b.source(&o[2], t)?;
        let c = if operands == 3 { b.source(&o[3], t)? } else { b.bits(0)? };
        let op = Op::Carried { f, to, a, b: second, c, writes: writes_carry };
        return Ok(Decoded::new(op, Class::Integer));
    }
    let f = if m.takes("sat") {
        if t.kind != Kind::Signed || t.bits != 32 {
            return Err(Bad::Unknown);
        }
        integer::saturating(&name)
    } else {
        integer::lane(&name, t)
    };
    let f = f.filter(|_| t.bits >= 16).ok_or(Bad::Unknown)?;
    let is_wide = part == Some("wide");
    if is_wide && t.bits > 32 || m.name().ends_with("24") && t.bits != 32 {
        return Err(Bad::Unknown);
    }
    let result = if is_wide { Type::new(t.kind, 2 * t.bits) } else { t };
    let mut from = vec![t; operands];
    if operands == 3 && m.name() != "sad" {
        from[2] = result;
    }
    Ok(Decoded::new(lanes(b, o, f, result, &from)?, Class::Integer))
}

/// The operation of a name, and how many operands it takes.
fn float_op(name: &str, nan: bool) -> Option<(FloatOp, usize)> {
    Some(match name {
        "add" => (FloatOp::Add, 2),
        "sub" => (FloatOp::Sub, 2),
        "mul" => (FloatOp::Mul, 2),
        "div" => (FloatOp::Div, 2),
        "fma" | "mad" => (FloatOp::Fma, 3),
        "min" => (if nan { FloatOp::MinNan } else { FloatOp::Min }, 2),
        "max" => (if nan { FloatOp::MaxNan } else { FloatOp::Max }, 2),
        "abs" => (FloatOp::Abs, 1),
        "neg" => (FloatOp::Neg, 1),
        "sqrt" => (FloatOp::Sqrt, 1),
        "rcp" => (FloatOp::Rcp, 1),
        "rsqrt" => (FloatOp::Rsqrt, 1),
        "ex2" => (FloatOp::Ex2, 1),
        "lg2" => (FloatOp::Lg2, 1),
        "sin" => (FloatOp::Sin, 1),
        "cos" => (FloatOp::Cos, 1),
        "tanh" => (FloatOp::Tanh, 1),
        "copysign" => (FloatOp::CopySign, 2),
        _ => return None,
    })
}

fn float(b: &mut Builder, m: &mut Modifiers, o: &[Operand], t: Type) -> Found {
    let nan = m.takes("NaN");
    let (op, operands) = float_op(m.name(), nan).ok_or(Bad::Unknown)?;
    if nan && !matches!(op, FloatOp::MinNan | FloatOp::MaxNan) {
        return Err(Bad::Unknown);
    }
    let approximate = m.takes("approx") || m.takes("full");
    let rounding = m.rounding();
    // Other modes exist, but no code that is made here has them.
    if rounding.is_some_and(|mode| mode != Mode::Even) {
        return Err(Bad::Unknown);
    }
    let (ftz, sat, relu) = (m.takes("ftz"), m.takes("sat"), m.takes("relu"));
    let half_type = t.bits == 16 || t.packed;
    m.takes("noftz");
    let only_approximate = matches!(
        op,
        FloatOp::Rsqrt | FloatOp::Ex2 | FloatOp::Lg2 | FloatOp::Sin | FloatOp::Cos | FloatOp::Tanh
    );
    let either = matches!(op, FloatOp::Div | FloatOp::Sqrt | FloatOp::Rcp);
    let well_formed = match op {
        _ if only_approximate => approximate && rounding.is_none(),
        _ if either => !half_type && approximate != rounding.is_some() && (t.bits == 32 || !approximate),
        FloatOp::Fma => !approximate && rounding.is_some(),
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul => !approximate,
        _ => !approximate && rounding.is_none(),
    };
    // What exists in halves and in doubles of the approximate functions.
    let exists = match (half_type, t.bits) {
        (true, _) => !only_approximate || matches!(op, FloatOp::Ex2 | FloatOp::Tanh),
        (false, 64) => !only_approximate || op == FloatOp::Rsqrt,
        _ => true,
    };
    if !well_formed || !exists || op == FloatOp::CopySign && half_type {
        return Err(Bad::Unknown);
    }
    let f = if half_type {
        let bfloat = t.kind == Kind::Bfloat;
        half::lane(op, half::Modifiers { bfloat, packed: t.packed, ftz, sat, relu }).ok_or(Bad::Unknown)?
    } else if relu || ftz && t.bits == 64 {
        return Err(Bad::Unknown);
    } else if t.bits == 32 {
        float32::lane(op, ftz, sat)
    } else {
        float64::lane(op, sat)
    };
    let class = match (approximate, half_type, t.bits) {
        (true, ..) => Class::Approximate,
        (_, true, _) => Class::Float16,
        (_, _, 32) => Class::Float32,
        _ => Class::Float64,
    };
    let contractible = matches!(op, FloatOp::Add | FloatOp::Sub | FloatOp::Mul) && rounding.is_none();
    let op = lanes(b, o, f, t, &[t; 3][..operands])?;
    Ok(Decoded { op, class, contractible })
}

fn dot(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let second = m.last_type().ok_or(Bad::Unknown)?;
    let first = m.last_type().ok_or(Bad::Unknown)?;
    let known = |t: Type| t.bits == 32 && matches!(t.kind, Kind::Unsigned | Kind::Signed);
    if !known(first) || !known(second) {
        return Err(Bad::Unknown);
    }
    let op = lanes(b, o, bits::dot(first, second), U32, &[B32, B32, U32])?;
    Ok(Decoded::new(op, Class::Integer))
}
