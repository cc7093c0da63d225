//! Elementwise operations of HLO types as Loop IR, on any number of lanes.
//!
//! In registers pred is a mask, integers have their own width (narrower than 8 bits: I8, kept sign- or
//! zero-extended), f16 and bf16 are f32 values that their type can hold, rounded after every operation. In memory
//! pred takes a byte and f16 and bf16 their 16 bits.

mod binary;
mod convert;
mod integer;
mod like;
mod reduce_precision;
mod remainder;
mod small_float;
mod unary;

pub use binary::{binary, compare};
pub use convert::{bits, convert};
pub use reduce_precision::reduce_precision;
pub use unary::unary;

use crate::loop_ir::{Bin, Cast, Cmp, CodeBuilder, Elem, Type, V};
use lawson_hlo::{DType, Scalar};
use like::{float_like, from_bits, int_like, to_bits};

/// The element a value of this type has in registers.
pub fn reg_elem(dtype: DType) -> Elem {
    match dtype {
        DType::Pred => Elem::I1,
        DType::F16 | DType::Bf16 | DType::F32 => Elem::F32,
        DType::F64 => Elem::F64,
        other => mem_elem(other),
    }
}

/// The element a value of this type has in memory.
pub fn mem_elem(dtype: DType) -> Elem {
    match dtype {
        DType::F32 => Elem::F32,
        DType::F64 => Elem::F64,
        other => match other.size() {
            1 => Elem::I8,
            2 => Elem::I16,
            4 => Elem::I32,
            _ => Elem::I64,
        },
    }
}

/// A loaded value as it is in registers.
pub fn from_memory(b: &mut CodeBuilder, v: V, dtype: DType) -> V {
    match dtype {
        DType::Pred => {
            let zero = b.constant(b.ty_of(v), 0);
            b.cmp(Cmp::Ne, v, zero)
        }
        DType::F16 => b.cast(Cast::HalfToFloat, v, Elem::F32),
        DType::Bf16 => small_float::bf16_to_float(b, v),
        _ => v,
    }
}

/// A value in registers as it is stored.
pub fn to_memory(b: &mut CodeBuilder, v: V, dtype: DType) -> V {
    match dtype {
        DType::Pred => b.cast(Cast::Zext, v, Elem::I8),
        DType::F16 => b.cast(Cast::FloatToHalf, v, Elem::I16),
        DType::Bf16 => small_float::exact_bf16(b, v),
        _ => v,
    }
}

/// Rounds a result to its type: f16 and bf16 from f32, narrow integers to their width.
fn rounded(b: &mut CodeBuilder, v: V, dtype: DType) -> V {
    match dtype {
        DType::F16 => {
            let half = b.cast(Cast::FloatToHalf, v, Elem::I16);
            b.cast(Cast::HalfToFloat, half, Elem::F32)
        }
        DType::Bf16 => {
            let half = small_float::float_to_bf16(b, v);
            small_float::bf16_to_float(b, half)
        }
        d if d.bits() < 8 && d != DType::Pred => {
            let ty = b.ty_of(v);
            let unused = b.constant(ty, 8 - d.bits() as u64);
            let up = b.bin(Bin::Shl, v, unused);
            b.bin(if d.is_signed() { Bin::AShr } else { Bin::LShr }, up, unused)
        }
        _ => v,
    }
}

/// A constant in every lane.
pub fn constant(b: &mut CodeBuilder, dtype: DType, lanes: u32, value: Scalar) -> V {
    let ty = Type::vector(reg_elem(dtype), lanes);
    let bits = match (ty.elem, value) {
        (Elem::F32, v) => (v.as_f64() as f32).to_bits() as u64,
        (Elem::F64, v) => v.as_f64().to_bits(),
        (Elem::I1, Scalar::Float(f)) => (f != 0.0) as u64,
        (_, Scalar::Pred(p)) => p as u64,
        (_, Scalar::Signed(i)) => i as u64,
        (_, Scalar::Unsigned(u)) => u,
        (_, Scalar::Float(f)) => f as i64 as u64,
    };
    b.constant(ty, bits)
}
