//! `f64`: every operation rounded once to nearest. A NaN among the operands comes out quiet; one that an operation makes
//! is 0xfff8000000000000. The ISA leaves both open.

use super::{FloatOp, extreme, float_op, with_float_op};
use crate::program::Lane;
use crate::soft;

const SIGN: u64 = 1 << 63;

/// The operation; none of the approximate ones but `rcp` and `rsqrt` exists in this type.
pub fn lane(op: FloatOp, sat: bool) -> Lane {
    if sat { with_float_op!(op, run, [true]) } else { with_float_op!(op, run, [false]) }
}

fn run<const OP: u8, const SAT: bool>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    let op = const { float_op(OP) };
    let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
    let operands: &[f64] = match op {
        FloatOp::Fma => &[x, y, z],
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => &[x, y],
        _ => &[x],
    };
    let result = match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Fma => x.mul_add(y, z),
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => extreme(op, x, y),
        FloatOp::Abs => return a & !SIGN,
        FloatOp::Neg => return a ^ SIGN,
        FloatOp::CopySign => return b & !SIGN | a & SIGN,
        FloatOp::Sqrt => x.sqrt(),
        FloatOp::Rcp => 1.0 / x,
        FloatOp::Rsqrt => 1.0 / x.sqrt(),
        FloatOp::Ex2 => x.exp2(),
        FloatOp::Lg2 => x.log2(),
        FloatOp::Sin => x.sin(),
        FloatOp::Cos => x.cos(),
        FloatOp::Tanh => x.tanh(),
    };
    if result.is_nan() {
        if SAT {
            return 0;
        }
        let nan = operands.iter().find(|x| x.is_nan());
        return nan.map_or(0xfff8_0000_0000_0000, |x| x.to_bits() | 1 << 51);
    }
    if SAT { if result > 0.0 { result.min(1.0).to_bits() } else { 0 } } else { result.to_bits() }
}

/// The kinds of numbers that `testp` tells apart.
pub fn is_kind(kind: &str) -> Option<fn(u64, u64) -> bool> {
    Some(match kind {
        "finite" => |a, _| f64::from_bits(a).is_finite(),
        "infinite" => |a, _| f64::from_bits(a).is_infinite(),
        "number" => |a, _| !f64::from_bits(a).is_nan(),
        "notanumber" => |a, _| f64::from_bits(a).is_nan(),
        "normal" => |a, _| f64::from_bits(a).is_normal(),
        "subnormal" => |a, _| soft::F64.is_subnormal(a),
        _ => return None,
    })
}
