//! `bitcast-convert` from and to a field of more than 64 bits becomes arithmetic on words.
//!
//! ```text
//! y = bn254_sf[n] bitcast-convert(w), w = u64[n,4]
//! →
//! y = c0 + c1·2^64 + c2·2^128 + c3·2^192, where ck = bn254_sf[n] convert(the slice [:, k] of w)
//! ```
//!
//! in which words of any bits are taken modulo p; in Montgomery form the factors are also divided by R. The way back is
//! another name for the same memory.

use super::{Expander, Purpose, no_helpers};
use crate::make;
use lawson_hlo::builder::Builder;
use lawson_hlo::dtype::{Storage, U256, WideArithmetic, WideField};
use lawson_hlo::{
    ArrayShape, Attrs, CompId, Computation, DType, InstrId, Instruction, Module, Opcode, Scalar, Shape,
};

pub const EXPANDER: Expander = Expander {
    name: "wide-cast",
    purpose: Purpose::Support,
    applies: |_: &Module, comp: &Computation, instr: &Instruction| {
        let wide = |shape: &Shape| shape.as_array().is_some_and(|a| a.dtype.wide_field().is_some());
        instr.opcode == Opcode::BitcastConvert && (wide(&instr.shape) || wide(&comp.operand(instr, 0).shape))
    },
    helpers: no_helpers,
    expand,
};

/// Words of an element.
const WORDS: i64 = 4;

fn expand(b: &mut Builder<'_>, instr: &Instruction, operands: &[InstrId], _: &[CompId]) -> InstrId {
    let (from, to) = (b.array(operands[0]).clone(), instr.shape.expect_array().clone());
    match (from.dtype.wide_field(), to.dtype.wide_field()) {
        (Some(_), Some(_)) if from.dtype == to.dtype => operands[0],
        // The same storage: the value of the one is that of the other times R, or divided by it.
        (Some(own), Some(_)) => {
            let value = b.convert(operands[0], to.dtype);
            let scale = if own.storage == Storage::Montgomery { own.prime.r() } else { r_inverse(own) };
            times(b, value, scale)
        }
        (Some(_), None) => {
            let view = ArrayShape::new(DType::U64, [&from.dims[..], &[WORDS]].concat());
            let words = b.add_shaped(Opcode::Bitcast, Shape::Array(view), &[operands[0]], Attrs::None);
            narrowed(b, words, &to)
        }
        (None, Some(field)) => {
            let view = ArrayShape::new(DType::U64, [&to.dims[..], &[WORDS]].concat());
            let words = widened(b, operands[0], &view);
            let mut scale = match field.storage {
                Storage::Plain => U256::ONE,
                Storage::Montgomery => r_inverse(field),
            };
            let shift = U256([0, 1, 0, 0]);
            let terms: Vec<InstrId> = (0..WORDS)
                .map(|n| {
                    let word = make::slice(b, words, to.rank(), n, n + 1);
                    let word = b.reshape(word, &to.dims);
                    let word = b.convert(word, to.dtype);
                    let term = times(b, word, scale);
                    scale = field.prime.multiply(scale, shift);
                    term
                })
                .collect();
            terms[1..].iter().fold(terms[0], |sum, &term| b.binary(Opcode::Add, sum, term))
        }
        (None, None) => unreachable!("checked by applies"),
    }
}

fn r_inverse(field: WideField) -> U256 {
    WideArithmetic::new(WideField::plain(field.prime)).inverse(field.prime.r())
}

/// Each element times this value.
fn times(b: &mut Builder<'_>, x: InstrId, value: U256) -> InstrId {
    let shape = b.array(x).clone();
    let factor = b.splat(&shape, Scalar::Wide(value));
    b.binary(Opcode::Multiply, x, factor)
}

/// Words as elements of another type, of which each word is several along the last dimension.
fn narrowed(b: &mut Builder<'_>, words: InstrId, to: &ArrayShape) -> InstrId {
    let each = (DType::U64.bits() / to.dtype.cast_bits()) as i64;
    let dims = b.array(words).dims.clone();
    let apart = if each > 1 { [&dims[..], &[each]].concat() } else { dims };
    let parts = cast(b, words, to.dtype, apart);
    b.reshape(parts, &to.dims)
}

/// The way back.
fn widened(b: &mut Builder<'_>, parts: InstrId, words: &ArrayShape) -> InstrId {
    let each = (DType::U64.bits() / b.array(parts).dtype.cast_bits()) as i64;
    let apart = if each > 1 { [&words.dims[..], &[each]].concat() } else { words.dims.clone() };
    let parts = b.reshape(parts, &apart);
    cast(b, parts, words.dtype, words.dims.clone())
}

fn cast(b: &mut Builder<'_>, x: InstrId, to: DType, dims: Vec<i64>) -> InstrId {
    if b.array(x).dtype == to {
        return x;
    }
    b.add_shaped(Opcode::BitcastConvert, Shape::array(to, dims), &[x], Attrs::None)
}
