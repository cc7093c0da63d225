//! `cvt`.

use super::builder::Builder;
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::lanes::convert::Conversion;
use crate::program::Op;
use crate::soft::Mode;
use crate::text::Operand;
use crate::types::{F32, Kind, Type};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let from = m.last_type().ok_or(Bad::Unknown)?;
    let to = m.last_type().ok_or(Bad::Unknown)?;
    let integral = m.integral_rounding();
    let rounding = m.rounding();
    let (ftz, sat, relu) = (m.takes("ftz"), m.takes("sat"), m.takes("relu"));
    let exists = match (to.is_integer(), from.is_integer()) {
        (true, true) => integral.is_none() && rounding.is_none() && !relu,
        (true, false) => integral.is_some() && rounding.is_none() && !relu,
        (false, true) => rounding.is_some() && integral.is_none() && !relu,
        (false, false) => between_floats(to, from, integral, rounding),
    };
    let half = to.packed || to.kind == Kind::Bfloat || to.bits == 16 && to.kind == Kind::Float;
    if !exists || relu && !half || ftz && from != F32 && to != F32 {
        return Err(Bad::Unknown);
    }
    let mode = integral.or(rounding).unwrap_or(Mode::Even);
    let conversion = Conversion { to, from, mode, integral: integral.is_some(), ftz, sat, relu };
    if to.packed {
        count(o, 3)?;
        let (f, number) = conversion.lane(32).ok_or(Bad::Unknown)?;
        let (to, a, second) = (b.target(&o[0], to)?, b.source(&o[1], from)?, b.source(&o[2], from)?);
        let c = b.bits(number)?;
        return Ok(Decoded::new(Op::Lanes { f, to, a, b: second, c, d: c }, Class::Convert));
    }
    count(o, 2)?;
    // A float lies in a register of its own size, integers and halves also in wider ones.
    let (row, bits) = if to.kind == Kind::Tf32 {
        (b.target(&o[0], crate::types::B32)?, 32)
    } else {
        b.target_wide(&o[0], to)?
    };
    let (f, number) = conversion.lane(bits).ok_or(Bad::Unknown)?;
    let a = b.source_wide(&o[1], from)?;
    let c = b.bits(number)?;
    Ok(Decoded::new(Op::Lanes { f, to: row, a, b: a, c, d: c }, Class::Convert))
}

/// Narrowing needs a rounding mode, widening has none; `.rni` and its like stay in the format.
fn between_floats(to: Type, from: Type, integral: Option<Mode>, rounding: Option<Mode>) -> bool {
    let size = |t: Type| if t.packed { 16 } else { t.bits };
    if to.kind == Kind::Tf32 || to.packed {
        return from == F32 && rounding.is_some() && integral.is_none();
    }
    if from.packed || from.kind == Kind::Tf32 {
        return false;
    }
    let same = to == from;
    let narrows = size(to) < size(from) || !same && size(to) == size(from);
    match (integral, rounding) {
        (Some(_), None) => same,
        (None, Some(_)) => narrows,
        (None, None) => same || !narrows,
        (Some(_), Some(_)) => false,
    }
}
