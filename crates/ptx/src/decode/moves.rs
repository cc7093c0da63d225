//! `mov` in all its forms, and addresses between their spaces and the generic one.

use super::builder::{Builder, Symbol, is_sink};
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::program::{Logic, Op, Row, Space, Special};
use crate::text::Operand;
use crate::types::{Kind, Type};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    match m.name() {
        "mov" => moves(b, m, o),
        "cvta" => convert_address(b, m, o),
        _ => is_space(b, m, o),
    }
}

fn moves(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().ok_or(Bad::Unknown)?;
    count(o, 2)?;
    if t.kind == Kind::Predicate {
        return move_predicate(b, o);
    }
    let done = |op| Ok(Decoded::new(op, Class::Move));
    match (&o[0], &o[1]) {
        (Operand::Vector(to), from) => {
            let part = part_type(t, to.len())?;
            let from = b.source(from, t)?;
            let to: Result<Vec<Option<Row>>, String> = to.iter().map(|r| b.target_or_sink(r, part)).collect();
            done(Op::Unpack { to: to?, from, bits: part.bits })
        }
        (to, Operand::Vector(from)) => {
            let part = part_type(t, from.len())?;
            let to = b.target(to, t)?;
            let from: Result<Vec<Row>, String> = from.iter().map(|r| b.source(r, part)).collect();
            done(Op::Pack { to, from: from?, bits: part.bits })
        }
        (to, Operand::Name(name)) => {
            if let Some(what) = special(name) {
                let (to, _) = b.target_wide(to, Type::new(Kind::Unsigned, 32))?;
                return done(Op::Special { to, what });
            }
            if name.starts_with('%') && b.lookup(name).is_none() {
                return Err(if name.contains('.') || !name.ends_with(|c: char| c.is_ascii_digit()) {
                    Bad::Unknown
                } else {
                    Bad::Wrong(format!("`{name}` is not declared"))
                });
            }
            if matches!(b.lookup(name), Some(Symbol::Register(..)) | None) {
                let (to, from) = (b.target(to, t)?, b.source(&o[1], t)?);
                return done(copy(to, from));
            }
            let (constant, _) = b.symbol_address(name, 0)?;
            let (to, from) = (b.target(to, t)?, b.constant(constant)?);
            done(copy(to, from))
        }
        (to, Operand::Sum(name, offset)) => {
            let (constant, _) = b.symbol_address(name, *offset)?;
            let (to, from) = (b.target(to, t)?, b.constant(constant)?);
            done(copy(to, from))
        }
        (to, from) => {
            let (to, from) = (b.target(to, t)?, b.source(from, t)?);
            done(copy(to, from))
        }
    }
}

fn copy(to: Row, from: Row) -> Op {
    Op::Lanes { f: |a, _, _, _| a, to, a: from, b: from, c: from, d: from }
}

fn part_type(whole: Type, parts: usize) -> Result<Type, String> {
    let bits = match parts {
        2 | 4 => whole.bits / parts as u32,
        _ => 0,
    };
    if bits < 8 {
        return Err(format!("{} bits in {parts} parts", whole.bits));
    }
    Ok(Type::new(Kind::Bits, bits))
}

fn move_predicate(b: &mut Builder, o: &[Operand]) -> Found {
    let to = b.pred_target(&o[0])?;
    if let Operand::Number(number) = o[1] {
        let value = matches!(number, crate::lex::Number::Integer(x) if x != 0);
        return Ok(Decoded::new(Op::PredConst { to, value }, Class::Move));
    }
    let from = b.pred_target(&o[1])?;
    Ok(Decoded::new(Op::Logic { f: Logic::Copy, to, a: from, b: from }, Class::Move))
}

fn special(name: &str) -> Option<Special> {
    let (group, axis) = name.strip_prefix('%')?.split_once('.').unwrap_or((&name[1..], ""));
    let axis = match axis {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        "" => None,
        _ => return None,
    };
    Some(match (group, axis) {
        ("tid", Some(i)) => Special::Thread(i),
        ("ntid", Some(i)) => Special::Threads(i),
        ("ctaid", Some(i)) => Special::Block(i),
        ("nctaid", Some(i)) => Special::Blocks(i),
        ("laneid", None) => Special::Lane,
        ("warpid", None) => Special::Warp,
        ("nwarpid", None) => Special::Warps,
        ("lanemask_eq", None) => Special::LanesEqual,
        ("lanemask_lt", None) => Special::LanesBelow,
        ("lanemask_le", None) => Special::LanesUpTo,
        ("lanemask_gt", None) => Special::LanesAbove,
        ("lanemask_ge", None) => Special::LanesFrom,
        ("dynamic_smem_size", None) => Special::DynamicShared,
        _ => return None,
    })
}

fn space(m: &mut Modifiers) -> Option<Space> {
    const SPACES: [(&str, Space); 5] = [
        ("global", Space::Global),
        ("shared", Space::Shared),
        ("shared::cta", Space::Shared),
        ("local", Space::Local),
        ("const", Space::Const),
    ];
    SPACES.iter().find(|(name, _)| m.takes(name)).map(|(_, space)| *space)
}

/// `cvta.shared.u64 generic, shared` and `cvta.to.shared.u64 shared, generic`.
fn convert_address(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().filter(|t| t.is_integer() && t.bits == 64).ok_or(Bad::Unknown)?;
    let to_generic = !m.takes("to");
    let space = space(m).ok_or(Bad::Unknown)?;
    count(o, 2)?;
    let to = b.target(&o[0], t)?;
    let from = match &o[1] {
        Operand::Name(name) if matches!(b.lookup(name), Some(Symbol::Register(..)) | None) => {
            b.source(&o[1], t)?
        }
        Operand::Name(name) => {
            let (constant, _) = b.symbol_address(name, 0)?;
            b.constant(constant)?
        }
        Operand::Sum(name, offset) => {
            let (constant, _) = b.symbol_address(name, *offset)?;
            b.constant(constant)?
        }
        other => b.source(other, t)?,
    };
    Ok(Decoded::new(Op::Convert { to, from, space, to_generic }, Class::Move))
}

fn is_space(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let space = space(m).ok_or(Bad::Unknown)?;
    count(o, 2)?;
    if is_sink(&o[0]) {
        return Err(Bad::Wrong("a result expected".into()));
    }
    let (to, from) = (b.pred_target(&o[0])?, b.source(&o[1], Type::new(Kind::Bits, 64))?);
    Ok(Decoded::new(Op::IsSpace { to, from, space }, Class::Compare))
}
