//! Elements and the operations on them, for the evaluators of other representations: there is one meaning of each.
//!
//! An element of any type is computed with as a [`Value`].

use super::elementwise::ScalarOp;
use super::error::{EvalError, Result};
use super::parts::{element_of_words, element_words};
use super::word::{Class, Word};
use crate::attrs::Attrs;
use crate::dtype::DType;
use crate::literal::Literal;
use crate::math::composite::part_count;
use crate::math::wide;
use crate::opcode::Opcode;
use crate::scalar::Bits;
use crate::shape::ArrayShape;

/// One element: its word, or the words of a number of several; those that its type does not have are zero.
pub type Value = [Word; 4];

/// Zero of every type, and false.
pub const ZERO: Value = [0; 4];

/// The value of an element of one word.
pub fn value(word: Word) -> Value {
    [word, 0, 0, 0]
}

/// An elementwise operation on one element of each operand.
pub struct ValueOp(Kind);

enum Kind {
    Word(ScalarOp),
    /// On numbers of several words: how many words each operand has, and the result.
    Wide(wide::Operation, Vec<usize>, usize),
}

impl ValueOp {
    /// The operation of an opcode (of an elementwise class, `map` apart) on operands of these types.
    ///
    /// # Errors
    /// It has no meaning on them.
    pub fn new(opcode: Opcode, attrs: &Attrs, operands: &[DType], result: DType) -> Result<ValueOp> {
        if operands.iter().chain([&result]).all(|d| d.wide_field().is_none()) {
            return ScalarOp::new(opcode, attrs, operands, result).map(|op| ValueOp(Kind::Word(op)));
        }
        let op = wide::operation(opcode, attrs, operands, result)
            .ok_or_else(|| EvalError::unsupported(format!("{opcode} to {result} is not supported")))?;
        let counts = operands.iter().map(|&d| part_count(d)).collect();
        Ok(ValueOp(Kind::Wide(op, counts, part_count(result))))
    }

    /// a·b + c, rounded once; of pred the or of the and.
    ///
    /// # Errors
    /// It has no meaning on the type.
    pub fn fma(dtype: DType) -> Result<ValueOp> {
        match dtype.wide_field() {
            Some(field) => Ok(ValueOp(Kind::Wide(
                wide::multiply_add(field),
                vec![part_count(dtype); 3],
                part_count(dtype),
            ))),
            None => ScalarOp::fma(dtype).map(|op| ValueOp(Kind::Word(op))),
        }
    }

    /// The result for these operands, as many as the operation has.
    pub fn apply(&self, args: [Value; 3]) -> Value {
        match &self.0 {
            Kind::Word(op) => value(op.apply(args.map(|arg| arg[0]))),
            Kind::Wide(op, counts, count) => {
                let mut words = Vec::with_capacity(12);
                args.iter().zip(counts).for_each(|(arg, &count)| words.extend_from_slice(&arg[..count]));
                let mut result = ZERO;
                op(&words, &mut result[..*count]);
                result
            }
        }
    }
}

/// Whether elements of this type are values: those of small floats and of composites that are split are not.
pub fn has_values(dtype: DType) -> bool {
    Class::of(dtype).is_some() || dtype.wide_field().is_some()
}

/// The elements of an array whose type [`has_values`], row-major.
pub fn values(literal: &Literal) -> Vec<Value> {
    let mut words = Vec::with_capacity(part_count(literal.dtype()));
    let element = |i: usize| {
        words.clear();
        element_words(&literal.element(i), &mut words);
        std::array::from_fn(|n| words.get(n).copied().unwrap_or(0))
    };
    (0..literal.elements()).map(element).collect()
}

/// The array of these elements, which are values of its type; it [`has_values`].
///
/// # Panics
/// If there are not as many as the shape has.
pub fn array(shape: ArrayShape, values: &[Value]) -> Literal {
    let mut bytes = Vec::with_capacity(values.len() * shape.dtype.size());
    for value in values {
        bytes.extend_from_slice(element_of_words(shape.dtype, &value[..part_count(shape.dtype)]).bytes());
    }
    Literal::new(shape, bytes)
}

/// The element with these bits in memory, of a type that [`has_values`].
pub fn of_bits(dtype: DType, bits: Bits) -> Value {
    let mut bytes: Vec<u8> = bits.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(dtype.size());
    values(&Literal::new(ArrayShape::new(dtype, []), bytes))[0]
}
