//! Loads, stores, atomics and asynchronous copies.

use super::builder::{Builder, is_sink};
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::lanes::{FloatOp, float32, float64, half, integer};
use crate::lex::Number;
use crate::program::{Atomic, Lane, Load, Op, Space, Store, Strength};
use crate::text::Operand;
use crate::types::{Kind, Type, U32};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    match m.name() {
        "ld" | "ldu" => load(b, m, o),
        "st" => store(b, m, o),
        "atom" => atomic(b, m, o, true),
        "red" => atomic(b, m, o, false),
        "cp" => copy(b, m, o),
        _ => {
            m.drop_prefixed("");
            Ok(Decoded::new(Op::Nothing, Class::Other))
        }
    }
}

fn space(m: &mut Modifiers) -> Space {
    const SPACES: [(&str, Space); 8] = [
        ("global", Space::Global),
        ("shared", Space::Shared),
        ("shared::cta", Space::Shared),
        ("local", Space::Local),
        ("const", Space::Const),
        ("param", Space::Param),
        ("param::entry", Space::Param),
        ("param::func", Space::Param),
    ];
    SPACES.iter().find(|(name, _)| m.takes(name)).map_or(Space::Generic, |(_, space)| *space)
}

fn class(space: Space) -> Class {
    match space {
        Space::Generic => Class::Generic,
        Space::Global => Class::Global,
        Space::Shared => Class::Shared,
        Space::Local => Class::Local,
        Space::Const | Space::Param => Class::Constant,
    }
}

/// The order and the scope, and hints for caches.
fn strength(m: &mut Modifiers) -> Result<Strength, Bad> {
    m.takes("weak");
    let mut s = Strength {
        strong: m.takes("volatile"),
        acquire: m.takes("acquire"),
        release: m.takes("release"),
        constant: m.takes("nc"),
    };
    if m.takes("acq_rel") {
        (s.acquire, s.release) = (true, true);
    }
    s.strong |= m.takes("relaxed") | s.acquire | s.release;
    m.one_of(&["cta", "cluster", "gpu", "sys"]);
    m.one_of(&["ca", "cg", "cs", "lu", "cv", "wb", "wt"]);
    m.drop_prefixed("L1::");
    m.drop_prefixed("L2::");
    if m.takes("mmio") { Err(Bad::Unknown) } else { Ok(s) }
}

/// The elements of an access of at most 32 bytes, the size of a sector.
fn vector(m: &mut Modifiers, t: Type) -> Result<usize, Bad> {
    let n = match m.one_of(&["v2", "v4", "v8"]) {
        Some("v2") => 2,
        Some("v4") => 4,
        Some("v8") => 8,
        _ => 1,
    };
    if n * t.bytes() as usize > 32 { Err(Bad::Unknown) } else { Ok(n) }
}

/// The elements of an operand, of which there have to be so many.
fn elements(operand: &Operand, n: usize) -> Result<&[Operand], String> {
    match operand {
        Operand::Vector(found) if found.len() == n => Ok(found),
        _ if n == 1 => Ok(std::slice::from_ref(operand)),
        _ => Err(format!("a vector of {n} elements expected")),
    }
}

fn load(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().filter(|t| t.kind != Kind::Predicate && !t.packed).ok_or(Bad::Unknown)?;
    let n = vector(m, t)?;
    let space = space(m);
    let strength = strength(m)?;
    count(o, 2)?;
    let from = b.address(&o[1], space)?;
    let mut to = Vec::with_capacity(n);
    let mut widest = 0;
    for element in elements(&o[0], n)? {
        if is_sink(element) {
            to.push(None);
        } else {
            let (row, bits) = b.target_wide(element, t)?;
            widest = widest.max(bits);
            to.push(Some(row));
        }
    }
    let signed = t.is_signed() && widest > t.bits;
    let load = Load { from, size: t.bytes(), signed, to, strength };
    Ok(Decoded::new(Op::Load(Box::new(load)), class(space)))
}

fn store(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().filter(|t| t.kind != Kind::Predicate && !t.packed).ok_or(Bad::Unknown)?;
    let n = vector(m, t)?;
    let space = space(m);
    let strength = strength(m)?;
    count(o, 2)?;
    let to = b.address(&o[0], space)?;
    let from: Result<_, String> = elements(&o[1], n)?.iter().map(|e| b.source_wide(e, t)).collect();
    let store = Store { to, size: t.bytes(), from: from?, strength };
    Ok(Decoded::new(Op::Store(Box::new(store)), class(space)))
}

fn atomic(b: &mut Builder, m: &mut Modifiers, o: &[Operand], returns: bool) -> Found {
    let t = m.last_type().ok_or(Bad::Unknown)?;
    m.takes("noftz");
    let space = space(m);
    let s = strength(m)?;
    let name = m.first().ok_or(Bad::Unknown)?;
    let update = update(name, t, space).ok_or(Bad::Unknown)?;
    let results = usize::from(returns);
    count(o, results + if name == "cas" { 3 } else { 2 })?;
    let o = if returns { o } else { &[&[Operand::Name("_".into())], o].concat() };
    let to = b.target_or_sink(&o[0], t)?;
    let at = b.address(&o[1], space)?;
    let second = b.source(&o[2], t)?;
    let c = if name == "cas" { b.source(&o[3], t)? } else { second };
    let (acquire, release) = (s.acquire, s.release);
    let atomic = Atomic { at, size: t.bytes(), update, to, b: second, c, acquire, release };
    Ok(Decoded::new(Op::Atomic(Box::new(atomic)), Class::Atomic))
}

/// The new value of the old one and the operands.
fn update(name: &str, t: Type, space: Space) -> Option<Lane> {
    let integer_type = matches!(t.kind, Kind::Unsigned | Kind::Signed) && t.bits >= 32;
    let bits = t.kind == Kind::Bits && t.bits >= 32;
    match name {
        "add" if t.is_float() => Some(match (t.bits, t.packed) {
            // In global memory denormal numbers are flushed.
            (32, false) => float32::lane(FloatOp::Add, space == Space::Global, false),
            (64, _) => float64::lane(FloatOp::Add, false),
            (_, packed) => {
                let bfloat = t.kind == Kind::Bfloat;
                let m = half::Modifiers { bfloat, packed, ftz: false, sat: false, relu: false };
                half::lane(FloatOp::Add, m)?
            }
        }),
        "add" | "min" | "max" if integer_type => integer::lane(name, t),
        "and" | "or" | "xor" if bits => integer::lane(name, t),
        "exch" if bits => Some(|_, b, _, _| b),
        "cas" if bits || t.kind == Kind::Bits && t.bits == 16 => {
            Some(|old, b, c, _| if old == b { c } else { old })
        }
        "inc" if t == U32 => Some(|old, b, _, _| if old >= b { 0 } else { old + 1 }),
        "dec" if t == U32 => Some(|old, b, _, _| if old == 0 || old > b { b } else { old - 1 }),
        _ => None,
    }
}

/// `cp.async`: copies of 4, 8 or 16 bytes from global to shared memory that a later instruction waits for.
fn copy(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    if !m.takes("async") {
        return Err(Bad::Unknown);
    }
    let done = |op| Ok(Decoded::new(op, Class::Global));
    if m.takes("commit_group") {
        count(o, 0)?;
        return done(Op::CopyCommit);
    }
    if m.takes("wait_all") {
        count(o, 0)?;
        return done(Op::CopyWait { pending: None });
    }
    if m.takes("wait_group") {
        count(o, 1)?;
        let Operand::Number(Number::Integer(n)) = o[0] else {
            return Err(Bad::Wrong("a number expected".into()));
        };
        return done(Op::CopyWait { pending: Some(n as u32) });
    }
    m.one_of(&["ca", "cg"]).ok_or(Bad::Unknown)?;
    m.drop_prefixed("L2::");
    if !(m.takes("shared") || m.takes("shared::cta")) || !m.takes("global") {
        return Err(Bad::Unknown);
    }
    if o.len() != 3 {
        count(o, 4)?;
    }
    let (to, from) = (b.address(&o[0], Space::Shared)?, b.address(&o[1], Space::Global)?);
    let size = match o[2] {
        Operand::Number(Number::Integer(n @ (4 | 8 | 16))) => n as u32,
        _ => return Err(Bad::Wrong("copies have 4, 8 or 16 bytes".into())),
    };
    let source = match o.get(3) {
        Some(operand) => Some(b.source(operand, U32)?),
        None => None,
    };
    done(Op::CopyAsync { to, from, size, source })
}
