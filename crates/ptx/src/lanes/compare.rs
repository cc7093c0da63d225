//! Comparisons of `setp`, `set` and `slct`.

use super::integer::signed;
use crate::program::Test;
use crate::soft::{self, BF16, F16, F32};
use crate::types::{Kind, Type};
use std::cmp::Ordering;

/// The comparison of that name for a type; `.ftz` takes denormal `f32` operands for zero.
pub fn test(name: &str, t: Type, ftz: bool) -> Option<Test> {
    macro_rules! float {
        ($order:expr) => {{
            Some(match name {
                "eq" => |a, b| $order(a, b) == Some(Ordering::Equal),
                "ne" => |a, b| !matches!($order(a, b), None | Some(Ordering::Equal)),
                "lt" => |a, b| $order(a, b) == Some(Ordering::Less),
                "le" => |a, b| matches!($order(a, b), Some(Ordering::Less | Ordering::Equal)),
                "gt" => |a, b| $order(a, b) == Some(Ordering::Greater),
                "ge" => |a, b| matches!($order(a, b), Some(Ordering::Greater | Ordering::Equal)),
                "equ" => |a, b| matches!($order(a, b), None | Some(Ordering::Equal)),
                "neu" => |a, b| $order(a, b) != Some(Ordering::Equal),
                "ltu" => |a, b| matches!($order(a, b), None | Some(Ordering::Less)),
                "leu" => |a, b| $order(a, b) != Some(Ordering::Greater),
                "gtu" => |a, b| matches!($order(a, b), None | Some(Ordering::Greater)),
                "geu" => |a, b| $order(a, b) != Some(Ordering::Less),
                "num" => |a, b| $order(a, b).is_some(),
                "nan" => |a, b| $order(a, b).is_none(),
                _ => return None,
            } as Test)
        }};
    }
    match (t.kind, t.bits) {
        (Kind::Float, 64) => float!(order64),
        (Kind::Float, 32) if ftz => float!(order32_flushed),
        (Kind::Float, 32) => float!(order32),
        (Kind::Float, 16) if ftz => float!(order16_flushed),
        (Kind::Float, 16) => float!(order16),
        (Kind::Bfloat, 16) => float!(order_bfloat),
        (Kind::Signed, 16) => signed_test::<16>(name),
        (Kind::Signed, 32) => signed_test::<32>(name),
        (Kind::Signed, 64) => signed_test::<64>(name),
        (Kind::Unsigned, 16 | 32 | 64) => unsigned_test(name),
        (Kind::Bits, 16 | 32 | 64) if matches!(name, "eq" | "ne") => unsigned_test(name),
        _ => None,
    }
}

#[inline(always)]
fn order64(a: u64, b: u64) -> Option<Ordering> {
    f64::from_bits(a).partial_cmp(&f64::from_bits(b))
}

#[inline(always)]
fn order32(a: u64, b: u64) -> Option<Ordering> {
    f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32))
}

fn order32_flushed(a: u64, b: u64) -> Option<Ordering> {
    order32(F32.flush(a), F32.flush(b))
}

fn order16(a: u64, b: u64) -> Option<Ordering> {
    soft::to_f64(a, F16).partial_cmp(&soft::to_f64(b, F16))
}

fn order16_flushed(a: u64, b: u64) -> Option<Ordering> {
    order16(F16.flush(a), F16.flush(b))
}

fn order_bfloat(a: u64, b: u64) -> Option<Ordering> {
    soft::to_f64(a, BF16).partial_cmp(&soft::to_f64(b, BF16))
}

fn signed_test<const W: u32>(name: &str) -> Option<Test> {
    Some(match name {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a != b,
        "lt" => |a, b| signed::<W>(a) < signed::<W>(b),
        "le" => |a, b| signed::<W>(a) <= signed::<W>(b),
        "gt" => |a, b| signed::<W>(a) > signed::<W>(b),
        "ge" => |a, b| signed::<W>(a) >= signed::<W>(b),
        _ => return None,
    })
}

fn unsigned_test(name: &str) -> Option<Test> {
    Some(match name {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a != b,
        "lt" | "lo" => |a, b| a < b,
        "le" | "ls" => |a, b| a <= b,
        "gt" | "hi" => |a, b| a > b,
        "ge" | "hs" => |a, b| a >= b,
        _ => return None,
    })
}
