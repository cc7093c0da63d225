//! `f16` and `bf16`, alone and two in a register: every operation rounded once to nearest; a NaN that comes out is 0x7fff.

use super::{FloatOp, extreme, float_op, with_float_op};
use crate::program::Lane;
use crate::soft::{self, BF16, F16, Format, Mode};

/// How an operation on halves is modified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers {
    pub bfloat: bool,
    pub packed: bool,
    pub ftz: bool,
    pub sat: bool,
    /// Negative results and NaN become zero.
    pub relu: bool,
}

/// The operation with its modifiers, each in its combinations with the types; none for one that PTX has not.
pub fn lane(op: FloatOp, m: Modifiers) -> Option<Lane> {
    const F: bool = false;
    const T: bool = true;
    // Parameters: bfloat, packed, ftz, sat, relu.
    Some(match (m.bfloat, m.packed, m.ftz, m.sat, m.relu) {
        (F, F, F, F, F) => with_float_op!(op, run, [F, F, F, F, F]),
        (F, T, F, F, F) => with_float_op!(op, run, [F, T, F, F, F]),
        (T, F, F, F, F) => with_float_op!(op, run, [T, F, F, F, F]),
        (T, T, F, F, F) => with_float_op!(op, run, [T, T, F, F, F]),
        (F, F, T, F, F) => with_float_op!(op, run, [F, F, T, F, F]),
        (F, T, T, F, F) => with_float_op!(op, run, [F, T, T, F, F]),
        (F, F, F, T, F) => with_float_op!(op, run, [F, F, F, T, F]),
        (F, T, F, T, F) => with_float_op!(op, run, [F, T, F, T, F]),
        (F, F, F, F, T) => with_float_op!(op, run, [F, F, F, F, T]),
        (F, T, F, F, T) => with_float_op!(op, run, [F, T, F, F, T]),
        (T, F, F, F, T) => with_float_op!(op, run, [T, F, F, F, T]),
        (T, T, F, F, T) => with_float_op!(op, run, [T, T, F, F, T]),
        _ => return None,
    })
}

fn run<
    const OP: u8,
    const BFLOAT: bool,
    const PACKED: bool,
    const FTZ: bool,
    const SAT: bool,
    const RELU: bool,
>(
    a: u64,
    b: u64,
    c: u64,
    _: u64,
) -> u64 {
    let format = const { if BFLOAT { BF16 } else { F16 } };
    let half = |shift: u32| {
        let part = |x: u64| {
            let bits = x >> shift & 0xffff;
            if FTZ { format.flush(bits) } else { bits }
        };
        let bits = one(const { float_op(OP) }, format, part(a), part(b), part(c));
        let bits = if FTZ { format.flush(bits) } else { bits };
        finish::<SAT, RELU>(bits, format)
    };
    if PACKED { half(0) | half(16) << 16 } else { half(0) }
}

#[inline(always)]
fn finish<const SAT: bool, const RELU: bool>(bits: u64, format: Format) -> u64 {
    if !SAT && !RELU {
        return bits;
    }
    let x = soft::to_f64(bits, format);
    if x.is_nan() {
        return if SAT { 0 } else { bits };
    }
    if x <= 0.0 {
        return 0;
    }
    if SAT { soft::from_f64(x.min(1.0), format, Mode::Even) } else { bits }
}

fn one(op: FloatOp, format: Format, a: u64, b: u64, c: u64) -> u64 {
    let value = |bits| soft::to_f64(bits, format);
    let (x, y) = (value(a), value(b));
    let rounded = |x| soft::from_f64(x, format, Mode::Even);
    match op {
        FloatOp::Add => soft::fused(x, 1.0, y, format, Mode::Even),
        FloatOp::Sub => soft::fused(x, 1.0, -y, format, Mode::Even),
        FloatOp::Mul => rounded(x * y),
        FloatOp::Fma => soft::fused(x, y, value(c), format, Mode::Even),
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => rounded(extreme(op, x, y)),
        FloatOp::Abs => a & 0x7fff,
        FloatOp::Neg => a ^ 0x8000,
        FloatOp::CopySign => b & 0x7fff | a & 0x8000,
        FloatOp::Ex2 => rounded(x.exp2()),
        FloatOp::Tanh => rounded(x.tanh()),
        FloatOp::Div => rounded(x / y),
        FloatOp::Sqrt => rounded(x.sqrt()),
        FloatOp::Rcp => rounded(1.0 / x),
        FloatOp::Rsqrt => rounded(1.0 / x.sqrt()),
        FloatOp::Lg2 => rounded(x.log2()),
        FloatOp::Sin => rounded(x.sin()),
        FloatOp::Cos => rounded(x.cos()),
    }
}
