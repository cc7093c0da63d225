//! bf16 by integer arithmetic: code generators have no reliable instructions for it.

use super::*;
use crate::loop_ir::Un;

/// The 16 bits are the upper half of an f32.
pub fn bf16_to_float(b: &mut CodeBuilder, v: V) -> V {
    let wide = b.cast(Cast::Zext, v, Elem::I32);
    let sixteen = int_like(b, wide, 16);
    let bits = b.bin(Bin::Shl, wide, sixteen);
    from_bits(b, bits)
}

/// The 16 bits of an f32 that bf16 can hold.
pub fn exact_bf16(b: &mut CodeBuilder, v: V) -> V {
    let bits = to_bits(b, v);
    let sixteen = int_like(b, bits, 16);
    let high = b.bin(Bin::LShr, bits, sixteen);
    b.cast(Cast::Trunc, high, Elem::I16)
}

/// Rounds to nearest even; NaN stays a quiet NaN.
pub fn float_to_bf16(b: &mut CodeBuilder, v: V) -> V {
    let bits = to_bits(b, v);
    let sixteen = int_like(b, bits, 16);
    let one = int_like(b, bits, 1);
    let odd = b.bin(Bin::LShr, bits, sixteen);
    let odd = b.bin(Bin::And, odd, one);
    let half = int_like(b, bits, 0x7fff);
    let up = b.bin(Bin::Add, half, odd);
    let rounded = b.bin(Bin::Add, bits, up);
    let quiet = int_like(b, bits, 0x40_0000);
    let quieted = b.bin(Bin::Or, bits, quiet);
    let nan = b.cmp(Cmp::FNe, v, v);
    let chosen = b.select(nan, quieted, rounded);
    let high = b.bin(Bin::LShr, chosen, sixteen);
    b.cast(Cast::Trunc, high, Elem::I16)
}

/// Rounds an f64 to an f32 so that rounding that again to f16 or bf16 is as if done at once: inexact results
/// have an odd last bit (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
pub fn narrow_to_odd(b: &mut CodeBuilder, v: V) -> V {
    let near = b.cast(Cast::Narrow, v, Elem::F32);
    let back = b.cast(Cast::Widen, near, Elem::F64);
    let exact = b.cmp(Cmp::FEq, back, v);
    let nan = b.cmp(Cmp::FNe, v, v);
    let keep = b.bin(Bin::Or, exact, nan);
    let bits = to_bits(b, near);
    let one = int_like(b, bits, 1);
    // Towards zero first: one step down in magnitude if rounding went up. An infinity becomes the greatest number.
    let (size, near_size) = (b.un(Un::FAbs, v), b.un(Un::FAbs, back));
    let beyond = b.cmp(Cmp::FLt, size, near_size);
    let down = b.bin(Bin::Sub, bits, one);
    let truncated = b.select(beyond, down, bits);
    let odd = b.bin(Bin::Or, truncated, one);
    let chosen = b.select(keep, bits, odd);
    from_bits(b, chosen)
}
