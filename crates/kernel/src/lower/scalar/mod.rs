//! Elementwise operations of HLO types as Loop IR, on any number of lanes.
//!
//! In registers pred is a mask, integers have their own width (narrower than 8 bits: I8, kept sign- or
//! zero-extended), f16, bf16 and floats of 8 and 4 bits are f32 values that their type can hold, rounded after every operation, and elements
//! of a prime field are their storage words, below the modulus, those of a field of more than 64 bits I256. In memory pred takes a byte f16 and bf16 their 16 bits, and narrower floats a byte.

mod binary;
mod convert;
mod extreme;
mod field;
mod float8;
mod integer;
mod like;
mod order_key;
mod power;
mod quotient;
mod reduce_precision;
mod remainder;
mod resize;
mod small_float;
mod unary;
mod wide;

pub use binary::{binary, compare};
pub use convert::{bits, convert};
pub use extreme::Extreme;
pub use field::ProductSum;
pub use like::to_bits;
pub use order_key::OrderKey;
pub use quotient::by_reciprocal;
pub use reduce_precision::reduce_precision;
pub use unary::unary;

use crate::loop_ir::{Bin, Cast, Cmp, CodeBuilder, Elem, Type, V};
use lawson_hlo::dtype::{Algebra, Composite, Field, Float, TypeKind, U256, Width};
use lawson_hlo::{DType, Literal, Scalar};
use like::{float_like, from_bits, int_like};

/// The element a value of this type has in registers.
pub fn reg_elem(dtype: DType) -> Elem {
    match dtype.kind() {
        TypeKind::Pred => Elem::I1,
        TypeKind::Signed(width) | TypeKind::Unsigned(width) => integer_elem(width),
        TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::Small(_)) => Elem::F32,
        TypeKind::Float(Float::F64) => Elem::F64,
        TypeKind::Field(field) => field_elem(field),
        TypeKind::Composite(composite) => composite_elem(composite, dtype),
    }
}

/// The element a value of this type has in memory.
pub fn mem_elem(dtype: DType) -> Elem {
    match dtype.kind() {
        TypeKind::Pred => Elem::I8,
        TypeKind::Signed(width) | TypeKind::Unsigned(width) => integer_elem(width),
        TypeKind::Float(Float::F16 | Float::Bf16) => Elem::I16,
        TypeKind::Float(Float::Small(_)) => Elem::I8,
        TypeKind::Float(Float::F32) => Elem::F32,
        TypeKind::Float(Float::F64) => Elem::F64,
        TypeKind::Field(field) => field_elem(field),
        TypeKind::Composite(composite) => composite_elem(composite, dtype),
    }
}

fn composite_elem(composite: Composite, dtype: DType) -> Elem {
    match composite.algebra {
        Algebra::Words(_) => Elem::I256,
        Algebra::Complex | Algebra::Extension(_) => no_element(dtype),
    }
}

fn field_elem(field: Field) -> Elem {
    integer_elem(field.prime.parameters().word)
}

fn integer_elem(width: Width) -> Elem {
    match width {
        Width::W1 | Width::W2 | Width::W4 | Width::W8 => Elem::I8,
        Width::W16 => Elem::I16,
        Width::W32 => Elem::I32,
        Width::W64 => Elem::I64,
    }
}

/// Regions have no values of such types: what builds them refuses the types ([`crate::region::build`]).
fn no_element(dtype: DType) -> ! {
    unreachable!("{dtype} is not computed with in kernels")
}

/// A loaded value as it is in registers.
pub fn from_memory(b: &mut CodeBuilder, v: V, dtype: DType) -> V {
    match dtype.kind() {
        TypeKind::Pred => {
            let zero = b.constant(b.ty_of(v), 0);
            b.cmp(Cmp::Ne, v, zero)
        }
        TypeKind::Float(Float::F16) => b.cast(Cast::HalfToFloat, v, Elem::F32),
        TypeKind::Float(Float::Bf16) => small_float::bf16_to_float(b, v),
        TypeKind::Float(Float::Small(format)) => float8::decode(b, v, format),
        TypeKind::Signed(_)
        | TypeKind::Unsigned(_)
        | TypeKind::Float(Float::F32 | Float::F64)
        | TypeKind::Field(_) => v,
        TypeKind::Composite(Composite { algebra: Algebra::Words(_), .. }) => v,
        TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Extension(_), .. }) => {
            no_element(dtype)
        }
    }
}

/// A value in registers as it is stored.
pub fn to_memory(b: &mut CodeBuilder, v: V, dtype: DType) -> V {
    match dtype.kind() {
        TypeKind::Pred => b.cast(Cast::Zext, v, Elem::I8),
        TypeKind::Float(Float::F16) => b.cast(Cast::FloatToHalf, v, Elem::I16),
        TypeKind::Float(Float::Bf16) => small_float::exact_bf16(b, v),
        TypeKind::Float(Float::Small(format)) => float8::exact(b, v, format),
        TypeKind::Signed(_)
        | TypeKind::Unsigned(_)
        | TypeKind::Float(Float::F32 | Float::F64)
        | TypeKind::Field(_) => v,
        TypeKind::Composite(Composite { algebra: Algebra::Words(_), .. }) => v,
        TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Extension(_), .. }) => {
            no_element(dtype)
        }
    }
}

/// Rounds a result to its type: narrow floats from f32, narrow integers to their width.
fn rounded(b: &mut CodeBuilder, v: V, dtype: DType) -> V {
    match dtype.kind() {
        TypeKind::Float(Float::F16) => {
            let half = b.cast(Cast::FloatToHalf, v, Elem::I16);
            b.cast(Cast::HalfToFloat, half, Elem::F32)
        }
        TypeKind::Float(Float::Bf16) => {
            let half = small_float::float_to_bf16(b, v);
            small_float::bf16_to_float(b, half)
        }
        TypeKind::Float(Float::Small(format)) => {
            let code = float8::encode(b, v, format);
            float8::decode(b, code, format)
        }
        TypeKind::Signed(width @ (Width::W1 | Width::W2 | Width::W4)) => wrapped(b, v, width, Bin::AShr),
        TypeKind::Unsigned(width @ (Width::W1 | Width::W2 | Width::W4)) => wrapped(b, v, width, Bin::LShr),
        TypeKind::Pred | TypeKind::Float(Float::F32 | Float::F64) | TypeKind::Field(_) => v,
        TypeKind::Signed(Width::W8 | Width::W16 | Width::W32 | Width::W64)
        | TypeKind::Unsigned(Width::W8 | Width::W16 | Width::W32 | Width::W64) => v,
        TypeKind::Composite(Composite { algebra: Algebra::Words(_), .. }) => v,
        TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Extension(_), .. }) => {
            no_element(dtype)
        }
    }
}

/// The low bits of a byte, extended by a shift down.
fn wrapped(b: &mut CodeBuilder, v: V, width: Width, down: Bin) -> V {
    let ty = b.ty_of(v);
    let unused = b.constant(ty, 8 - width.bits() as u64);
    let up = b.bin(Bin::Shl, v, unused);
    b.bin(down, up, unused)
}

/// A constant in every lane.
pub fn constant(b: &mut CodeBuilder, dtype: DType, lanes: u32, value: Scalar) -> V {
    if dtype.wide_field().is_some() {
        // As it lies in memory, whatever kind of number it is given as.
        let storage = Literal::scalar(dtype, value).bits(0);
        return wide::constant(b, lanes, U256(storage));
    }
    let ty = Type::vector(reg_elem(dtype), lanes);
    if let Some(field) = dtype.field() {
        let value = value.as_i128().map_or(0, |v| v.rem_euclid(i128::from(field.prime.modulus())));
        return b.constant(ty, field.stored(value as u64));
    }
    let bits = match (ty.elem, value) {
        (Elem::F32, v) => (v.as_f64() as f32).to_bits() as u64,
        (Elem::F64, v) => v.as_f64().to_bits(),
        (Elem::I1, Scalar::Float(f)) => (f != 0.0) as u64,
        (_, Scalar::Pred(p)) => p as u64,
        (_, Scalar::Signed(i)) => i as u64,
        (_, Scalar::Unsigned(u)) => u,
        (_, Scalar::Float(f) | Scalar::Complex(f, _)) => f as i64 as u64,
        (_, Scalar::Extension(_) | Scalar::Wide(_)) => no_element(dtype),
    };
    b.constant(ty, bits)
}
