//! Constants of the type that a value has, and the bits of floats.

use crate::loop_ir::{Cast, CodeBuilder, Elem, V};

/// A float constant of the value's own type.
pub(super) fn float_like(b: &mut CodeBuilder, v: V, value: f64) -> V {
    let ty = b.ty_of(v);
    let bits = if ty.elem == Elem::F32 { (value as f32).to_bits() as u64 } else { value.to_bits() };
    b.constant(ty, bits)
}

/// An integer constant of the value's own type.
pub(super) fn int_like(b: &mut CodeBuilder, v: V, value: i64) -> V {
    let ty = b.ty_of(v);
    b.constant(ty, value as u64)
}

/// All bits of a float as an integer, and back.
pub fn to_bits(b: &mut CodeBuilder, v: V) -> V {
    let to = b.ty_of(v).elem.as_int();
    b.cast(Cast::Bits, v, to)
}

pub(super) fn from_bits(b: &mut CodeBuilder, v: V) -> V {
    let to = if b.ty_of(v).elem == Elem::I32 { Elem::F32 } else { Elem::F64 };
    b.cast(Cast::Bits, v, to)
}
