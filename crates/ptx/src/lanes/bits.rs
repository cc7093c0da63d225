//! Bit fields, counting, permuting, funnel shifts, dot products of bytes.

use super::integer::signed;
use crate::program::Lane;
use crate::types::{Type, mask};

/// The operation of that name, modifiers of its meaning included, for a type.
pub fn lane(name: &str, t: Type) -> Option<Lane> {
    macro_rules! by_width {
        ($f:ident $(, $p:expr)*) => {
            match t.bits {
                32 => Some($f::<32 $(, $p)*> as Lane),
                64 => Some($f::<64 $(, $p)*> as Lane),
                _ => None,
            }
        };
    }
    match name {
        "popc" => Some(|a, _, _, _| a.count_ones().into()),
        "clz" if t.bits == 32 => Some(|a, _, _, _| (a as u32).leading_zeros().into()),
        "clz" => Some(|a, _, _, _| a.leading_zeros().into()),
        "brev" if t.bits == 32 => Some(|a, _, _, _| (a as u32).reverse_bits().into()),
        "brev" => Some(|a, _, _, _| a.reverse_bits()),
        "bfe" if t.is_signed() => by_width!(extract, true),
        "bfe" => by_width!(extract, false),
        "bfi" => by_width!(insert),
        "bfind" if t.is_signed() => by_width!(find, true, false),
        "bfind" => by_width!(find, false, false),
        "bfind.shiftamt" if t.is_signed() => by_width!(find, true, true),
        "bfind.shiftamt" => by_width!(find, false, true),
        "prmt" => Some(permute),
        "shf.l.wrap" => Some(|a, b, c, _| left(a, b, c as u32 & 31)),
        "shf.l.clamp" => Some(|a, b, c, _| left(a, b, (c as u32).min(32))),
        "shf.r.wrap" => Some(|a, b, c, _| right(a, b, c as u32 & 31)),
        "shf.r.clamp" => Some(|a, b, c, _| right(a, b, (c as u32).min(32))),
        "lop3" => Some(table),
        _ => None,
    }
}

fn extract<const W: u32, const S: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let (start, length) = ((b & 0xff) as u32, (c & 0xff) as u32);
    if length == 0 {
        return 0;
    }
    let last = (start + length - 1).min(W - 1);
    let negative = S && a >> last & 1 == 1;
    let found = if start >= W { 0 } else { a >> start & mask(last - start + 1) };
    let width = if start >= W { 0 } else { last - start + 1 };
    if negative { found | u64::MAX.checked_shl(width).unwrap_or(0) } else { found }
}

fn insert<const W: u32>(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let (start, length) = ((c & 0xff) as u32, (d & 0xff) as u32);
    if start >= W || length == 0 {
        return b;
    }
    let field = mask(length.min(W - start)) << start;
    b & !field | a << start & field
}

/// The highest bit that is not the sign, or how far it is from the top.
fn find<const W: u32, const S: bool, const SHIFT: bool>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    let bits = if S && signed::<W>(a) < 0 { !a & mask(W) } else { a };
    if bits == 0 {
        return u32::MAX.into();
    }
    let highest = 63 - bits.leading_zeros();
    u64::from(if SHIFT { W - 1 - highest } else { highest })
}

/// Four of the eight bytes of `b` and `a`, or their signs repeated.
fn permute(a: u64, b: u64, selector: u64, _: u64) -> u64 {
    let bytes = a & 0xffff_ffff | b << 32;
    (0..4).fold(0, |result, i| {
        let choice = selector >> (4 * i) & 0xf;
        let byte = bytes >> (8 * (choice & 7)) & 0xff;
        let byte = if choice & 8 == 0 { byte } else { (byte >> 7) * 0xff };
        result | byte << (8 * i)
    })
}

/// The upper half of b:a shifted to the left.
fn left(a: u64, b: u64, by: u32) -> u64 {
    ((b << 32 | a) << by) >> 32
}

/// The lower half of b:a shifted to the right.
fn right(a: u64, b: u64, by: u32) -> u64 {
    (b << 32 | a) >> by & 0xffff_ffff
}

/// Any function of three bits, by its table.
fn table(a: u64, b: u64, c: u64, table: u64) -> u64 {
    (0..8).filter(|i| table >> i & 1 == 1).fold(0, |result, i: u32| {
        let pick = |x: u64, bit: u32| if i >> bit & 1 == 1 { x } else { !x };
        result | pick(a, 2) & pick(b, 1) & pick(c, 0)
    })
}

/// `dp4a`: four products of bytes, added to the third operand.
pub fn dot(a: Type, b: Type) -> Lane {
    match (a.is_signed(), b.is_signed()) {
        (false, false) => dot4::<false, false>,
        (false, true) => dot4::<false, true>,
        (true, false) => dot4::<true, false>,
        (true, true) => dot4::<true, true>,
    }
}

fn dot4<const A: bool, const B: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let byte = |x: u64, i: u32, negative: bool| {
        let byte = (x >> (8 * i)) as u8;
        if negative { i64::from(byte as i8) } else { i64::from(byte) }
    };
    (0..4).fold(c, |sum, i| sum.wrapping_add((byte(a, i, A) * byte(b, i, B)) as u64))
}
