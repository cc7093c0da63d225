//! Elements and the operations on them, for the evaluators of other representations: there is one meaning of each.
//!
//! An element of any type is computed with as a [`Word`].

pub use super::elementwise::ScalarOp;
pub use super::word::Word;

use super::word::{Class, load_range, load_scalar, store};
use crate::dtype::DType;
use crate::literal::Literal;
use crate::shape::ArrayShape;

/// Whether elements of this type are words: those of small floats and of composites are not.
pub fn has_words(dtype: DType) -> bool {
    Class::of(dtype).is_some()
}

/// The elements of an array whose type [`has_words`], row-major.
pub fn words(literal: &Literal) -> Vec<Word> {
    let mut out = Vec::with_capacity(literal.elements());
    load_range(literal, 0, literal.elements(), &mut out);
    out
}

/// The array of these elements, which are values of its type; it [`has_words`].
///
/// # Panics
/// If there are not as many as the shape has.
pub fn array(shape: ArrayShape, words: &[Word]) -> Literal {
    let mut bytes = Vec::with_capacity(words.len() * shape.dtype.size());
    store(shape.dtype, words, &mut bytes);
    Literal::new(shape, bytes)
}

/// The element with these bits in memory, of a type that [`has_words`].
pub fn of_bits(dtype: DType, bits: u64) -> Word {
    let mut bytes = bits.to_le_bytes().to_vec();
    bytes.resize(dtype.size(), 0);
    load_scalar(&Literal::new(ArrayShape::new(dtype, []), bytes))
}
