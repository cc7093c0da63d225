//! Barriers, fences, and what the lanes of a warp tell each other.

use super::builder::Builder;
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::lanes::integer;
use crate::lex::Number;
use crate::program::{BarrierVote, Op, ShuffleMode, Vote};
use crate::text::Operand;
use crate::types::{B32, B64, Kind, U32};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    match m.name() {
        "bar" | "barrier" => barrier(b, m, o),
        "shfl" => shuffle(b, m, o),
        "vote" => vote(b, m, o),
        "match" => matches(b, m, o),
        "redux" => reduce(b, m, o),
        "activemask" => {
            m.last_type().filter(|&t| t == B32).ok_or(Bad::Unknown)?;
            count(o, 1)?;
            Ok(Decoded::new(Op::ActiveMask { to: b.target(&o[0], B32)? }, Class::Vote))
        }
        _ => fence(m, o),
    }
}

/// `bar.sync`, `barrier.sync.aligned`, `bar.warp.sync`, and `bar.red`.
fn barrier(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let done = |op| Ok(Decoded::new(op, Class::Barrier));
    m.takes("cta");
    m.takes("aligned");
    if m.takes("warp") {
        if !m.takes("sync") {
            return Err(Bad::Unknown);
        }
        count(o, 1)?;
        return done(Op::WarpBarrier { mask: b.source(&o[0], B32)? });
    }
    if m.takes("sync") {
        if o.len() != 2 {
            count(o, 1)?;
        }
        let id = b.source(&o[0], U32)?;
        let threads = match o.get(1) {
            Some(operand) => Some(b.source(operand, U32)?),
            None => None,
        };
        return done(Op::Barrier { id, threads, vote: None });
    }
    if !m.takes("red") {
        return Err(Bad::Unknown);
    }
    let kind = m.one_of(&["popc", "and", "or"]).ok_or(Bad::Unknown)?;
    let t = m.last_type().ok_or(Bad::Unknown)?;
    if o.len() != 4 {
        count(o, 3)?;
    }
    let vote = match (kind, t.kind) {
        ("popc", Kind::Unsigned) if t.bits == 32 => BarrierVote::Count { to: b.target(&o[0], t)? },
        ("and", Kind::Predicate) => BarrierVote::All { to: b.pred_target(&o[0])? },
        ("or", Kind::Predicate) => BarrierVote::Any { to: b.pred_target(&o[0])? },
        _ => return Err(Bad::Unknown),
    };
    let id = b.source(&o[1], U32)?;
    let threads = if o.len() == 4 { Some(b.source(&o[2], U32)?) } else { None };
    let (p, negated) = b.pred_source(&o[o.len() - 1])?;
    done(Op::Barrier { id, threads, vote: Some((vote, p, negated)) })
}

/// `shfl.sync.down.b32 d|p, a, b, c, mask`.
fn shuffle(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    if !m.takes("sync") || m.last_type() != Some(B32) {
        return Err(Bad::Unknown);
    }
    let mode = match m.one_of(&["up", "down", "bfly", "idx"]) {
        Some("up") => ShuffleMode::Up,
        Some("down") => ShuffleMode::Down,
        Some("bfly") => ShuffleMode::Butterfly,
        Some("idx") => ShuffleMode::Index,
        _ => return Err(Bad::Unknown),
    };
    count(o, 5)?;
    let (to, valid) = match &o[0] {
        Operand::Pair(d, p) => {
            let valid = if p == "_" { None } else { Some(b.pred(p)?) };
            (b.target_or_sink(&Operand::Name(d.clone()), B32)?, valid)
        }
        other => (b.target_or_sink(other, B32)?, None),
    };
    let a = b.source(&o[1], B32)?;
    let second = b.source(&o[2], B32)?;
    let c = b.source(&o[3], B32)?;
    let mask = b.source(&o[4], B32)?;
    Ok(Decoded::new(Op::Shuffle { mode, to, valid, a, b: second, c, mask }, Class::Shuffle))
}

/// `vote.sync.ballot.b32 d, p, mask`.
fn vote(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    if !m.takes("sync") {
        return Err(Bad::Unknown);
    }
    let t = m.last_type().ok_or(Bad::Unknown)?;
    let mode = match (m.one_of(&["all", "any", "uni", "ballot"]), t.kind) {
        (Some("all"), Kind::Predicate) => Vote::All,
        (Some("any"), Kind::Predicate) => Vote::Any,
        (Some("uni"), Kind::Predicate) => Vote::Uniform,
        (Some("ballot"), Kind::Bits) if t == B32 => Vote::Ballot,
        _ => return Err(Bad::Unknown),
    };
    count(o, 3)?;
    let (to, to_pred) = match mode {
        Vote::Ballot => (Some(b.target(&o[0], B32)?), None),
        _ => (None, Some(b.pred_target(&o[0])?)),
    };
    let (a, negated) = match &o[1] {
        Operand::Number(Number::Integer(_)) => return Err(Bad::Unknown),
        operand => b.pred_source(operand)?,
    };
    let mask = b.source(&o[2], B32)?;
    Ok(Decoded::new(Op::Vote { mode, to, to_pred, a, negated, mask }, Class::Vote))
}

fn matches(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().filter(|&t| t == B32 || t == B64).ok_or(Bad::Unknown)?;
    let all = m.takes("all");
    if !m.takes("sync") || !all && !m.takes("any") {
        return Err(Bad::Unknown);
    }
    count(o, 3)?;
    let (to, valid) = match &o[0] {
        Operand::Pair(d, p) if all => (b.target(&Operand::Name(d.clone()), B32)?, Some(b.pred(p)?)),
        other => (b.target(other, B32)?, None),
    };
    let (a, mask) = (b.source(&o[1], t)?, b.source(&o[2], B32)?);
    Ok(Decoded::new(Op::Match { all, to, valid, a, mask }, Class::Vote))
}

/// `redux.sync.add.s32 d, a, mask`.
fn reduce(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    let t = m.last_type().filter(|t| t.is_integer() && t.bits == 32).ok_or(Bad::Unknown)?;
    let name = m.one_of(&["add", "min", "max", "and", "or", "xor"]).ok_or(Bad::Unknown)?;
    let bitwise = matches!(name, "and" | "or" | "xor");
    if !m.takes("sync") || bitwise != (t.kind == Kind::Bits) {
        return Err(Bad::Unknown);
    }
    count(o, 3)?;
    let f = integer::lane(name, t).ok_or(Bad::Unknown)?;
    let (to, a, mask) = (b.target(&o[0], t)?, b.source(&o[1], t)?, b.source(&o[2], B32)?);
    Ok(Decoded::new(Op::Reduce { f, to, a, mask }, Class::Shuffle))
}

fn fence(m: &mut Modifiers, o: &[Operand]) -> Found {
    count(o, 0)?;
    m.one_of(&["sc", "acq_rel", "acquire", "release"]);
    let scope = m.one_of(&["cta", "gl", "gpu", "sys", "cluster"]);
    Ok(Decoded::new(Op::Fence { device: !matches!(scope, Some("cta" | "cluster")) }, Class::Barrier))
}
