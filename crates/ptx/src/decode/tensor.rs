//! `mma.sync` and `ldmatrix`.

use super::builder::Builder;
use super::modifiers::Modifiers;
use super::{Bad, Decoded, Found, count};
use crate::counters::Class;
use crate::matrix::{Element, Matrix};
use crate::program::{Op, Row, Space};
use crate::text::Operand;
use crate::types::{B32, F32, Kind, Type};

pub fn decode(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Found {
    if !m.takes("sync") || !m.takes("aligned") {
        return Err(Bad::Unknown);
    }
    let op = if m.name() == "mma" { product(b, m, o)? } else { load(b, m, o)? };
    Ok(Decoded::new(op, Class::Matrix))
}

fn registers(b: &mut Builder, o: &Operand, n: usize, t: Type, target: bool) -> Result<Vec<Row>, String> {
    let all = match o {
        Operand::Vector(found) if found.len() == n => found.as_slice(),
        single if n == 1 => std::slice::from_ref(single),
        _ => return Err(format!("a vector of {n} registers expected")),
    };
    all.iter().map(|r| if target { b.target(r, t) } else { b.source(r, t) }).collect()
}

/// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c`.
fn product(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Result<Op, Bad> {
    let mut t = || m.last_type().ok_or(Bad::Unknown);
    let (added, right, left, sums) = (t()?, t()?, t()?, t()?);
    if !m.takes("row") || !m.takes("col") || added != sums {
        return Err(Bad::Unknown);
    }
    let k: usize = match m.one_of(&["m16n8k8", "m16n8k16", "m16n8k32", "m16n8k4"]) {
        Some("m16n8k4") => 4,
        Some("m16n8k8") => 8,
        Some("m16n8k16") => 16,
        Some("m16n8k32") => 32,
        _ => return Err(Bad::Unknown),
    };
    let (left, right) = (element(left)?, element(right)?);
    let integers = |e: Element| matches!(e, Element::Byte { .. });
    let exists = match (left, k) {
        (Element::F16 | Element::Bf16, 8 | 16) | (Element::Tf32, 4 | 8) => left == right,
        (Element::Byte { .. }, 16 | 32) => integers(right),
        _ => false,
    };
    let sum_type = match (integers(left), sums.kind, sums.bits) {
        (true, Kind::Signed, 32) => B32,
        (false, Kind::Float, 32) => F32,
        (false, Kind::Float, 16) if left == Element::F16 => B32,
        _ => return Err(Bad::Unknown),
    };
    if !exists {
        return Err(Bad::Unknown);
    }
    count(o, 4)?;
    let half_sums = sums.bits == 16;
    let each = 4 * (32 / left.bits());
    let (n_sums, n_right) = (if half_sums { 2 } else { 4 }, k / each);
    let to = registers(b, &o[0], n_sums, sum_type, true)?;
    let a = registers(b, &o[1], 2 * n_right, B32, false)?;
    let second = registers(b, &o[2], n_right, B32, false)?;
    let c = registers(b, &o[3], n_sums, sum_type, false)?;
    Ok(Op::Matrix(Box::new(Matrix { k, left, right, half_sums, to, a, b: second, c })))
}

fn element(t: Type) -> Result<Element, Bad> {
    match (t.kind, t.bits) {
        (Kind::Float, 16) => Ok(Element::F16),
        (Kind::Bfloat, 16) => Ok(Element::Bf16),
        (Kind::Tf32, 32) => Ok(Element::Tf32),
        (Kind::Signed, 8) => Ok(Element::Byte { signed: true }),
        (Kind::Unsigned, 8) => Ok(Element::Byte { signed: false }),
        _ => Err(Bad::Unknown),
    }
}

/// `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {..}, [address]`.
fn load(b: &mut Builder, m: &mut Modifiers, o: &[Operand]) -> Result<Op, Bad> {
    m.last_type().filter(|t| t.kind == Kind::Bits && t.bits == 16).ok_or(Bad::Unknown)?;
    let shared = m.takes("shared") || m.takes("shared::cta");
    if !m.takes("m8n8") || !shared {
        return Err(Bad::Unknown);
    }
    let n = match m.one_of(&["x1", "x2", "x4"]) {
        Some("x1") => 1,
        Some("x2") => 2,
        Some("x4") => 4,
        _ => return Err(Bad::Unknown),
    };
    let transposed = m.takes("trans");
    count(o, 2)?;
    let to = registers(b, &o[0], n, B32, true)?;
    let from = b.address(&o[1], Space::Shared)?;
    Ok(Op::LoadMatrix { from, to, transposed })
}
