//! Words: one element of any type in 64 bits, wide enough to compute in.
//!
//! The word of a pred is 0 or 1; of an integer its value, sign- or zero-extended; of f32 and narrower floats the bits
//! of an f32; of f64 its bits; of an element of a prime field its storage. An operation computes on words and [`narrow`] brings the result back to the
//! values of the element type: integers wrap, narrow floats round to nearest even.

use crate::dtype::format::odd_neighbour;
pub use crate::dtype::format::round_to_odd;
use crate::dtype::{DType, Field, Float, Format, TypeKind, Width};
use crate::literal::Literal;
use half::{bf16, f16};

pub type Word = u64;

/// How words of an element type are computed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Pred,
    Signed,
    Unsigned,
    /// f32 and narrower floats, all computed in f32.
    Float32,
    Float64,
    Field(Field),
}

impl Class {
    /// The class of an element type; `None` for the types the interpreter does not compute with.
    pub fn of(dtype: DType) -> Option<Class> {
        match dtype.kind() {
            TypeKind::Pred => Some(Class::Pred),
            TypeKind::Signed(_) => Some(Class::Signed),
            TypeKind::Unsigned(_) => Some(Class::Unsigned),
            TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::Small(_)) => Some(Class::Float32),
            TypeKind::Float(Float::F64) => Some(Class::Float64),
            TypeKind::Field(field) => Some(Class::Field(field)),
            // The parts of a composite are words of their own ([`super::parts`]).
            TypeKind::Composite(_) => None,
        }
    }
}

/// A type that words stand for.
pub trait Wide: Copy + Default + PartialOrd + 'static {
    fn of(word: Word) -> Self;
    fn word(self) -> Word;
}

impl Wide for bool {
    fn of(word: Word) -> bool {
        word != 0
    }
    fn word(self) -> Word {
        self as Word
    }
}

impl Wide for i64 {
    fn of(word: Word) -> i64 {
        word as i64
    }
    fn word(self) -> Word {
        self as Word
    }
}

impl Wide for u64 {
    fn of(word: Word) -> u64 {
        word
    }
    fn word(self) -> Word {
        self
    }
}

impl Wide for f32 {
    fn of(word: Word) -> f32 {
        f32::from_bits(word as u32)
    }
    fn word(self) -> Word {
        self.to_bits() as Word
    }
}

impl Wide for f64 {
    fn of(word: Word) -> f64 {
        f64::from_bits(word)
    }
    fn word(self) -> Word {
        self.to_bits()
    }
}

/// Brings the word of an exact or wide result back to a value of the type, which has a [`Class`].
#[inline]
pub fn narrow(dtype: DType, word: Word) -> Word {
    match dtype.kind() {
        TypeKind::Pred => low_bits(word, 1),
        TypeKind::Signed(width) => {
            let unused = 64 - width.bits();
            ((word << unused) as i64 >> unused) as Word
        }
        TypeKind::Unsigned(width) => low_bits(word, width.bits()),
        TypeKind::Float(Float::F16) => f16::from_f32(f32::of(word)).to_f32().word(),
        TypeKind::Float(Float::Bf16) => bf16::from_f32(f32::of(word)).to_f32().word(),
        TypeKind::Float(Float::Small(format)) => decoded(format, format.encode(f32::of(word))),
        TypeKind::Float(Float::F32 | Float::F64) | TypeKind::Field(_) => word,
        TypeKind::Composite(_) => no_words(dtype),
    }
}

/// The word of a code of a small float.
fn decoded(format: Format, code: u64) -> Word {
    format.widen(code).word()
}

/// Types without a [`Class`] are refused before any word of them is made.
fn no_words(dtype: DType) -> ! {
    unreachable!("{dtype} is not computed with")
}

/// a·b + c modulo 2^64.
pub fn wrapping_fma(a: Word, b: Word, c: Word) -> Word {
    a.wrapping_mul(b).wrapping_add(c)
}

/// The lowest `bits` bits.
#[inline]
pub fn low_bits(word: Word, bits: u32) -> Word {
    if bits >= 64 { word } else { word & ((1 << bits) - 1) }
}

/// The elements `from..to` of `literal`, whose type has a [`Class`], appended to `out` as words.
pub fn load_range(literal: &Literal, from: usize, to: usize, out: &mut Vec<Word>) {
    let dtype = literal.dtype();
    let bytes = &literal.bytes()[from * dtype.size()..to * dtype.size()];
    fn each<const N: usize>(bytes: &[u8], out: &mut Vec<Word>, f: impl Fn([u8; N]) -> Word) {
        out.extend(bytes.as_chunks::<N>().0.iter().map(|&b| f(b)));
    }
    match dtype.kind() {
        TypeKind::Pred => each(bytes, out, |[b]| (b != 0) as Word),
        TypeKind::Signed(width) => match width {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 => each(bytes, out, |[b]| b as i8 as Word),
            Width::W16 => each(bytes, out, |b| i16::from_le_bytes(b) as Word),
            Width::W32 => each(bytes, out, |b| i32::from_le_bytes(b) as Word),
            Width::W64 => each(bytes, out, u64::from_le_bytes),
        },
        TypeKind::Unsigned(width) => match width {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 => each(bytes, out, |[b]| b as Word),
            Width::W16 => each(bytes, out, |b| u16::from_le_bytes(b) as Word),
            Width::W32 => each(bytes, out, |b| u32::from_le_bytes(b) as Word),
            Width::W64 => each(bytes, out, u64::from_le_bytes),
        },
        TypeKind::Float(Float::F16) => each(bytes, out, |b| f16::from_le_bytes(b).to_f32().word()),
        TypeKind::Float(Float::Bf16) => each(bytes, out, |b| bf16::from_le_bytes(b).to_f32().word()),
        TypeKind::Float(Float::F32) => each(bytes, out, |b| u32::from_le_bytes(b) as Word),
        TypeKind::Float(Float::F64) => each(bytes, out, u64::from_le_bytes),
        TypeKind::Float(Float::Small(format)) => each(bytes, out, |[b]| decoded(format, b.into())),
        TypeKind::Field(_) => match dtype.size() {
            4 => each(bytes, out, |b| u32::from_le_bytes(b) as Word),
            _ => each(bytes, out, u64::from_le_bytes),
        },
        TypeKind::Composite(_) => no_words(dtype),
    }
}

/// Appends elements to the bytes of an array. The words hold values of the type ([`narrow`]).
pub fn store(dtype: DType, words: &[Word], out: &mut Vec<u8>) {
    fn each<const N: usize>(words: &[Word], out: &mut Vec<u8>, f: impl Fn(Word) -> [u8; N]) {
        let start = out.len();
        out.resize(start + words.len() * N, 0);
        for (bytes, &w) in out[start..].as_chunks_mut::<N>().0.iter_mut().zip(words) {
            *bytes = f(w);
        }
    }
    match dtype.kind() {
        TypeKind::Pred => each(words, out, |w| [w as u8]),
        TypeKind::Signed(width) | TypeKind::Unsigned(width) => match width {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 => each(words, out, |w| [w as u8]),
            Width::W16 => each(words, out, |w| (w as u16).to_le_bytes()),
            Width::W32 => each(words, out, |w| (w as u32).to_le_bytes()),
            Width::W64 => each(words, out, u64::to_le_bytes),
        },
        TypeKind::Float(Float::F16) => each(words, out, |w| f16::from_f32(f32::of(w)).to_le_bytes()),
        TypeKind::Float(Float::Bf16) => each(words, out, |w| bf16::from_f32(f32::of(w)).to_le_bytes()),
        TypeKind::Float(Float::F32) => each(words, out, |w| (w as u32).to_le_bytes()),
        TypeKind::Float(Float::F64) => each(words, out, u64::to_le_bytes),
        TypeKind::Field(_) => match dtype.size() {
            4 => each(words, out, |w| (w as u32).to_le_bytes()),
            _ => each(words, out, u64::to_le_bytes),
        },
        TypeKind::Float(Float::Small(format)) => each(words, out, |w| [format.exact(f32::of(w)) as u8]),
        TypeKind::Composite(_) => no_words(dtype),
    }
}

/// The one element of a scalar, or the first of an array.
pub fn load_scalar(literal: &Literal) -> Word {
    let mut out = Vec::with_capacity(1);
    load_range(literal, 0, 1, &mut out);
    out[0]
}

/// [`round_to_odd`] for an integer of at most 64 bits.
pub fn integer_to_odd(x: i128) -> f32 {
    let near = x as f32;
    let back = near as i128;
    if back == x { near } else { odd_neighbour(near, back.abs() > x.abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::ArrayShape;

    #[test]
    fn narrow_wraps_and_rounds() {
        assert_eq!(narrow(DType::S4, 9) as i64, -7);
        assert_eq!(narrow(DType::U2, 7), 3);
        assert_eq!(narrow(DType::S32, 0x8000_0000) as i64, i32::MIN as i64);
        assert_eq!(f32::of(narrow(DType::F16, 65520.0f32.word())), f32::INFINITY);
        assert_eq!(f32::of(narrow(DType::Bf16, 1.003_906_2f32.word())), 1.0);
    }

    #[test]
    fn elements_round_trip() {
        for &dtype in DType::ALL.iter().filter(|&&d| Class::of(d).is_some()) {
            let one = if Class::of(dtype) == Some(Class::Float32) { 2f32.word() } else { narrow(dtype, 1) };
            let mut bytes = Vec::new();
            store(dtype, &[one], &mut bytes);
            assert_eq!(load_scalar(&Literal::new(ArrayShape::new(dtype, []), bytes)), one, "{dtype}");
        }
    }

    #[test]
    fn f64_to_half_rounds_once() {
        // Just above a tie of f16: through f32 to nearest it would become the tie and go down to 1.
        let x = 1.0 + (0.5f64).powi(11) + (0.5f64).powi(40);
        assert_eq!(f16::from_f32(round_to_odd(x)).to_f64(), 1.0 + (0.5f64).powi(10));
        assert_eq!(round_to_odd(1e300), f32::MAX);
        assert_eq!(round_to_odd(-1e-300), -f32::from_bits(1));
        assert_eq!(round_to_odd(f64::INFINITY), f32::INFINITY);
    }

    #[test]
    fn integers_to_half_round_once() {
        // Just above a tie of bf16; through f32 to nearest it would become the tie and go down.
        let x = (1i128 << 40) + (1 << 32) + 1;
        assert_eq!(bf16::from_f32(integer_to_odd(x)).to_f64(), ((1i64 << 40) + (1 << 33)) as f64);
        assert_eq!(bf16::from_f32(integer_to_odd(-x)).to_f64(), -((1i64 << 40) + (1 << 33)) as f64);
        assert_eq!(integer_to_odd(u64::MAX as i128), f32::from_bits((u64::MAX as f32).to_bits() - 1));
    }
}
