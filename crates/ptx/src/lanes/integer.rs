//! Integers of 16, 32 and 64 bits: arithmetic, shifts, carries.

use crate::program::{Carry, Lane};
use crate::types::{Type, mask};

/// The value of a signed integer of `W` bits.
#[inline(always)]
pub fn signed<const W: u32>(x: u64) -> i64 {
    ((x << (64 - W)) as i64) >> (64 - W)
}

/// Picks the instance of a function for the width and signedness of a type.
macro_rules! by_type {
    ($f:ident, $t:expr) => {
        match ($t.bits, $t.is_signed()) {
            (16, false) => Some($f::<16, false> as Lane),
            (16, true) => Some($f::<16, true> as Lane),
            (32, false) => Some($f::<32, false> as Lane),
            (32, true) => Some($f::<32, true> as Lane),
            (64, false) => Some($f::<64, false> as Lane),
            (64, true) => Some($f::<64, true> as Lane),
            _ => None,
        }
    };
}

/// The operation of that name without modifiers, for a type.
pub fn lane(name: &str, t: Type) -> Option<Lane> {
    match name {
        "add" => Some(|a, b, _, _| a.wrapping_add(b)),
        "sub" => Some(|a, b, _, _| a.wrapping_sub(b)),
        "and" => Some(|a, b, _, _| a & b),
        "or" => Some(|a, b, _, _| a | b),
        "xor" => Some(|a, b, _, _| a ^ b),
        "not" => Some(|a, _, _, _| !a),
        "cnot" => Some(|a, _, _, _| u64::from(a == 0)),
        "neg" => Some(|a, _, _, _| a.wrapping_neg()),
        "mul.lo" => Some(|a, b, _, _| a.wrapping_mul(b)),
        "mad.lo" => Some(|a, b, c, _| a.wrapping_mul(b).wrapping_add(c)),
        "mul.hi" => by_type!(mul_hi, t),
        "mad.hi" => by_type!(mad_hi, t),
        "mul.wide" => by_type!(mul_wide, t),
        "mad.wide" => by_type!(mad_wide, t),
        "mul24.lo" => by_type!(mul24, t),
        "mad24.lo" => by_type!(mad24, t),
        "sad" => by_type!(sad, t),
        "div" => by_type!(div, t),
        "rem" => by_type!(rem, t),
        "abs" => by_type!(abs, t),
        "min" => by_type!(min, t),
        "max" => by_type!(max, t),
        "shl" => by_type!(shl, t),
        "shr" => by_type!(shr, t),
        _ => None,
    }
}

#[inline(always)]
fn value<const W: u32, const S: bool>(x: u64) -> i128 {
    if S { signed::<W>(x).into() } else { x.into() }
}

fn mul_hi<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if S {
        ((value::<W, S>(a) * value::<W, S>(b)) >> W) as u64
    } else {
        ((u128::from(a) * u128::from(b)) >> W) as u64
    }
}

fn mad_hi<const W: u32, const S: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    mul_hi::<W, S>(a, b, 0, 0).wrapping_add(c)
}

fn mul_wide<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if S { signed::<W>(a).wrapping_mul(signed::<W>(b)) as u64 } else { a.wrapping_mul(b) }
}

fn mad_wide<const W: u32, const S: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    mul_wide::<W, S>(a, b, 0, 0).wrapping_add(c)
}

/// Products of the lowest 24 bits.
fn mul24<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    mul_wide::<24, S>(a & mask(24), b & mask(24), 0, 0)
}

fn mad24<const W: u32, const S: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    mul24::<W, S>(a, b, 0, 0).wrapping_add(c)
}

fn sad<const W: u32, const S: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let (x, y) = (value::<W, S>(a), value::<W, S>(b));
    ((x - y).unsigned_abs() as u64).wrapping_add(c)
}

/// The ISA leaves division by zero open; here the quotient is all ones and the remainder the dividend.
fn div<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if b == 0 {
        u64::MAX
    } else if S {
        signed::<W>(a).wrapping_div(signed::<W>(b)) as u64
    } else {
        a / b
    }
}

fn rem<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if b == 0 {
        a
    } else if S {
        signed::<W>(a).wrapping_rem(signed::<W>(b)) as u64
    } else {
        a % b
    }
}

fn abs<const W: u32, const S: bool>(a: u64, _: u64, _: u64, _: u64) -> u64 {
    signed::<W>(a).wrapping_abs() as u64
}

fn min<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if S { signed::<W>(a).min(signed::<W>(b)) as u64 } else { a.min(b) }
}

fn max<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if S { signed::<W>(a).max(signed::<W>(b)) as u64 } else { a.max(b) }
}

/// Shifts by the width or more give what shifting bit by bit gives.
fn shl<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if b >= W.into() { 0 } else { a << b }
}

fn shr<const W: u32, const S: bool>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    if S {
        (signed::<W>(a) >> b.min(u64::from(W) - 1)) as u64
    } else if b >= W.into() {
        0
    } else {
        a >> b
    }
}

/// `add.sat` and `sub.sat` of `s32`.
pub fn saturating(name: &str) -> Option<Lane> {
    match name {
        "add" => Some(|a, b, _, _| (a as i32).saturating_add(b as i32) as u32 as u64),
        "sub" => Some(|a, b, _, _| (a as i32).saturating_sub(b as i32) as u32 as u64),
        "mad.hi" => Some(|a, b, c, _| {
            let high = mul_hi::<32, true>(a, b, 0, 0) as i32;
            high.saturating_add(c as i32) as u32 as u64
        }),
        _ => None,
    }
}

/// Arithmetic with the carry flag, which subtractions use as their borrow.
pub fn carry(name: &str, t: Type) -> Option<Carry> {
    macro_rules! by_width {
        ($f:ident) => {
            match t.bits {
                32 => Some($f::<32> as Carry),
                64 => Some($f::<64> as Carry),
                _ => None,
            }
        };
    }
    match (name, t.is_signed()) {
        ("add", _) => by_width!(add_out),
        ("addc", _) => by_width!(add_in),
        ("sub", _) => by_width!(sub_out),
        ("subc", _) => by_width!(sub_in),
        ("mad.lo", _) => by_width!(mad_lo_out),
        ("madc.lo", _) => by_width!(mad_lo_in),
        ("mad.hi", false) => by_width!(mad_hi_out),
        ("madc.hi", false) => by_width!(mad_hi_in),
        ("mad.hi", true) => by_width!(mad_hi_signed_out),
        ("madc.hi", true) => by_width!(mad_hi_signed_in),
        _ => None,
    }
}

#[inline(always)]
fn sum<const W: u32>(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let total = u128::from(a & mask(W)) + u128::from(b & mask(W)) + u128::from(carry);
    (total as u64 & mask(W), total >> W != 0)
}

fn add_out<const W: u32>(a: u64, b: u64, _: u64, _: bool) -> (u64, bool) {
    sum::<W>(a, b, false)
}

fn add_in<const W: u32>(a: u64, b: u64, _: u64, carry: bool) -> (u64, bool) {
    sum::<W>(a, b, carry)
}

fn sub_out<const W: u32>(a: u64, b: u64, c: u64, _: bool) -> (u64, bool) {
    sub_in::<W>(a, b, c, false)
}

fn sub_in<const W: u32>(a: u64, b: u64, _: u64, borrow: bool) -> (u64, bool) {
    let taken = u128::from(b) + u128::from(borrow);
    ((u128::from(a).wrapping_sub(taken)) as u64 & mask(W), u128::from(a) < taken)
}

fn mad_lo_out<const W: u32>(a: u64, b: u64, c: u64, _: bool) -> (u64, bool) {
    sum::<W>(a.wrapping_mul(b), c, false)
}

fn mad_lo_in<const W: u32>(a: u64, b: u64, c: u64, carry: bool) -> (u64, bool) {
    sum::<W>(a.wrapping_mul(b), c, carry)
}

fn mad_hi_out<const W: u32>(a: u64, b: u64, c: u64, _: bool) -> (u64, bool) {
    sum::<W>(mul_hi::<W, false>(a, b, 0, 0), c, false)
}

fn mad_hi_in<const W: u32>(a: u64, b: u64, c: u64, carry: bool) -> (u64, bool) {
    sum::<W>(mul_hi::<W, false>(a, b, 0, 0), c, carry)
}

fn mad_hi_signed_out<const W: u32>(a: u64, b: u64, c: u64, _: bool) -> (u64, bool) {
    sum::<W>(mul_hi::<W, true>(a, b, 0, 0), c, false)
}

fn mad_hi_signed_in<const W: u32>(a: u64, b: u64, c: u64, carry: bool) -> (u64, bool) {
    sum::<W>(mul_hi::<W, true>(a, b, 0, 0), c, carry)
}
