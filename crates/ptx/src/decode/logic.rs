//! Bits, shifts, comparisons and selections.

use super::arithmetic::lanes;
use super::builder::Builder;
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::lanes::{bits, compare, float32, float64, integer};
use crate::program::{Combine, Logic, Op};
use crate::text::Operand;
use crate::types::{B32, F32, Kind, Type, U32};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    match m.name() {
        "setp" | "set" => compares(b, m, o),
        "selp" => select(b, m, o),
        "slct" => select_by_sign(b, m, o),
        "testp" => test_kind(b, m, o),
        _ => {
            let t = m.last_type().ok_or(Bad::Unknown)?;
            if t.kind == Kind::Predicate { predicates(b, m, o) } else { on_bits(b, m, o, t) }
        }
    }
}

fn on_bits(b: &mut Builder, m: &mut Modifiers, o: &[Operand], t: Type) -> Found {
    if !t.is_integer() || t.bits < 16 {
        return Err(Bad::Unknown);
    }
    let done = |op| Ok(Decoded::new(op, Class::Integer));
    let plain = |name| integer::lane(name, t).ok_or(Bad::Unknown);
    let field = |name: &str| bits::lane(name, t).filter(|_| t.bits >= 32).ok_or(Bad::Unknown);
    match m.name() {
        name @ ("and" | "or" | "xor") => done(lanes(b, o, plain(name)?, t, &[t, t])?),
        name @ ("not" | "cnot") => done(lanes(b, o, plain(name)?, t, &[t])?),
        name @ ("shl" | "shr") => done(lanes(b, o, plain(name)?, t, &[t, U32])?),
        "shf" => {
            let direction = m.one_of(&["l", "r"]).ok_or(Bad::Unknown)?;
            let mode = m.one_of(&["wrap", "clamp"]).ok_or(Bad::Unknown)?;
            let f = field(&format!("shf.{direction}.{mode}"))?;
            if t != B32 {
                return Err(Bad::Unknown);
            }
            done(lanes(b, o, f, t, &[t, t, U32])?)
        }
        name @ ("popc" | "clz") => done(lanes(b, o, field(name)?, U32, &[t])?),
        "brev" => done(lanes(b, o, field("brev")?, t, &[t])?),
        "bfe" => done(lanes(b, o, field("bfe")?, t, &[t, U32, U32])?),
        "bfi" => done(lanes(b, o, field("bfi")?, t, &[t, t, U32, U32])?),
        "bfind" => {
            let name = if m.takes("shiftamt") { "bfind.shiftamt" } else { "bfind" };
            done(lanes(b, o, field(name)?, U32, &[t])?)
        }
        name @ ("prmt" | "lop3") if t == B32 => {
            let from = [B32; 4];
            done(lanes(b, o, field(name)?, t, &from[..if name == "prmt" { 3 } else { 4 }])?)
        }
        _ => Err(Bad::Unknown),
    }
}

fn predicates(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let f = match m.name() {
        "and" => Logic::And,
        "or" => Logic::Or,
        "xor" => Logic::Xor,
        "not" => Logic::Not,
        _ => return Err(Bad::Unknown),
    };
    count(o, if f == Logic::Not { 2 } else { 3 })?;
    let to = b.pred_target(&o[0])?;
    let first = b.pred_target(&o[1])?;
    let second = if f == Logic::Not { first } else { b.pred_target(&o[2])? };
    Ok(Decoded::new(Op::Logic { f, to, a: first, b: second }, Class::Compare))
}

/// `setp.lt.f32 p|q, a, b`, with `.and` and a third predicate; `set.lt.u32.f32 d, a, b`.
fn compares(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let ftz = m.takes("ftz");
    let t = m.last_type().ok_or(Bad::Unknown)?;
    let comparison = m.first().ok_or(Bad::Unknown)?;
    let f = compare::test(comparison, t, ftz).ok_or(Bad::Unknown)?;
    if m.name() == "set" {
        let to = m.last_type().ok_or(Bad::Unknown)?;
        let one = match (to.kind, to.bits) {
            (Kind::Float, 32) => 1f32.to_bits().into(),
            (Kind::Unsigned | Kind::Signed, 32) => u32::MAX.into(),
            _ => return Err(Bad::Unknown),
        };
        count(o, 3)?;
        let (to, a, second) = (b.target(&o[0], to)?, b.source(&o[1], t)?, b.source(&o[2], t)?);
        return Ok(Decoded::new(Op::Set { f, to, one, a, b: second }, Class::Compare));
    }
    let combine = [("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Xor)];
    let combine = combine.iter().find(|(name, _)| m.takes(name)).map(|(_, c)| *c);
    count(o, if combine.is_some() { 4 } else { 3 })?;
    let (to, inverse) = match &o[0] {
        Operand::Pair(p, q) => {
            let target = |name: &str| if name == "_" { Ok(None) } else { b.pred(name).map(Some) };
            (target(p)?, target(q)?)
        }
        other => (Some(b.pred_target(other)?), None),
    };
    let (a, second) = (b.source(&o[1], t)?, b.source(&o[2], t)?);
    let with = match combine {
        Some(c) => {
            let (p, negated) = b.pred_source(&o[3])?;
            Some((c, p, negated))
        }
        None => None,
    };
    Ok(Decoded::new(Op::Test { f, to, inverse, a, b: second, with }, Class::Compare))
}

fn select(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().filter(|t| t.bits >= 16 || t.kind == Kind::Predicate).ok_or(Bad::Unknown)?;
    count(o, 4)?;
    let by = b.pred_target(&o[3])?;
    if t.kind == Kind::Predicate {
        let (to, a, second) = (b.pred_target(&o[0])?, b.pred_target(&o[1])?, b.pred_target(&o[2])?);
        return Ok(Decoded::new(Op::SelectPred { to, a, b: second, by }, Class::Move));
    }
    let (to, a, second) = (b.target(&o[0], t)?, b.source(&o[1], t)?, b.source(&o[2], t)?);
    Ok(Decoded::new(Op::Select { to, a, b: second, by }, Class::Move))
}

/// `slct.f32.s32 d, a, b, c`: a where c is not negative; NaN takes b.
fn select_by_sign(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let by = m.last_type().ok_or(Bad::Unknown)?;
    let t = m.last_type().filter(|t| t.bits >= 16).ok_or(Bad::Unknown)?;
    let ftz = m.takes("ftz");
    let f = match (by.kind, by.bits, ftz) {
        (Kind::Signed, 32, false) => |a, b, c, _| if (c as i32) >= 0 { a } else { b },
        (Kind::Float, 32, false) => |a, b, c, _| if f32::from_bits(c as u32) >= 0.0 { a } else { b },
        (Kind::Float, 32, true) => |a, b, c, _| {
            let x = f32::from_bits(crate::soft::F32.flush(c) as u32);
            if x >= 0.0 { a } else { b }
        },
        _ => return Err(Bad::Unknown),
    };
    Ok(Decoded::new(lanes(b, o, f, t, &[t, t, by])?, Class::Move))
}

fn test_kind(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().ok_or(Bad::Unknown)?;
    let kind = m.first().ok_or(Bad::Unknown)?;
    let f = match t {
        F32 => float32::is_kind(kind),
        Type { kind: Kind::Float, bits: 64, .. } => float64::is_kind(kind),
        _ => None,
    };
    let f = f.ok_or(Bad::Unknown)?;
    count(o, 2)?;
    let (to, a) = (b.pred_target(&o[0])?, b.source(&o[1], t)?);
    let op = Op::Test { f, to: Some(to), inverse: None, a, b: a, with: None };
    Ok(Decoded::new(op, Class::Compare))
}
