//! `f32`: every operation rounded once to nearest; a NaN that comes out is 0x7fffffff.
//!
//! What PTX calls approximate is computed in `f64` and rounded: a device differs within the bounds that the ISA states.

use super::{FloatOp, extreme, float_op, with_float_op};
use crate::program::Lane;
use crate::soft::{self, F32};

/// The operation; `.ftz` takes denormal operands and results for zero, `.sat` cuts to [0, 1] and makes zero of NaN.
pub fn lane(op: FloatOp, ftz: bool, sat: bool) -> Lane {
    match (ftz, sat) {
        (false, false) => with_float_op!(op, run, [false, false]),
        (true, false) => with_float_op!(op, run, [true, false]),
        (false, true) => with_float_op!(op, run, [false, true]),
        (true, true) => with_float_op!(op, run, [true, true]),
    }
}

#[inline(always)]
fn input<const FTZ: bool>(bits: u64) -> f32 {
    f32::from_bits(if FTZ { F32.flush(bits) as u32 } else { bits as u32 })
}

#[inline(always)]
fn output<const FTZ: bool, const SAT: bool>(x: f32) -> u64 {
    if SAT {
        return if x.is_nan() { 0 } else { saturate(x).to_bits().into() };
    }
    if x.is_nan() {
        return F32.nan();
    }
    let bits = x.to_bits().into();
    if FTZ { F32.flush(bits) } else { bits }
}

fn saturate(x: f32) -> f32 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

fn run<const OP: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let op = const { float_op(OP) };
    let (x, y, z) = (input::<FTZ>(a), input::<FTZ>(b), input::<FTZ>(c));
    let wide = f64::from(x);
    let result = match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Fma => x.mul_add(y, z),
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => extreme(op, wide, y.into()) as f32,
        // The sign alone changes, that of NaN too.
        FloatOp::Abs => return u64::from(x.to_bits() & 0x7fff_ffff),
        FloatOp::Neg => return u64::from(x.to_bits() ^ 0x8000_0000),
        FloatOp::CopySign => {
            return u64::from(y.to_bits() & 0x7fff_ffff | x.to_bits() & 0x8000_0000);
        }
        FloatOp::Sqrt => x.sqrt(),
        FloatOp::Rcp => 1.0 / x,
        FloatOp::Rsqrt => (1.0 / wide.sqrt()) as f32,
        FloatOp::Ex2 => wide.exp2() as f32,
        FloatOp::Lg2 => wide.log2() as f32,
        FloatOp::Sin => wide.sin() as f32,
        FloatOp::Cos => wide.cos() as f32,
        FloatOp::Tanh => wide.tanh() as f32,
    };
    output::<FTZ, SAT>(result)
}

/// The kinds of numbers that `testp` tells apart.
pub fn is_kind(kind: &str) -> Option<fn(u64, u64) -> bool> {
    Some(match kind {
        "finite" => |a, _| f32::from_bits(a as u32).is_finite(),
        "infinite" => |a, _| f32::from_bits(a as u32).is_infinite(),
        "number" => |a, _| !f32::from_bits(a as u32).is_nan(),
        "notanumber" => |a, _| f32::from_bits(a as u32).is_nan(),
        "normal" => |a, _| f32::from_bits(a as u32).is_normal(),
        "subnormal" => |a, _| soft::F32.is_subnormal(a),
        _ => return None,
    })
}
