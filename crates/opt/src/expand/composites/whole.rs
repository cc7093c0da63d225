//! Complex numbers of 64 bits that only move stay whole: from the interface or a routine to a routine or the root they go as words that
//! hold both parts. Whoever computes with them takes the parts.

use lawson_hlo::builder::Builder;
use lawson_hlo::literal::Value;
use lawson_hlo::{ArrayShape, Attrs, Computation, DType, InstrId, Instruction, Literal, Opcode, Shape};

/// The array of words of an array whose elements fit one.
fn words(shape: &Shape) -> Option<ArrayShape> {
    let array = shape.as_array()?;
    let fits = array.dtype.is_complex() && array.dtype.bits() == DType::U64.bits();
    fits.then(|| array.with_dtype(DType::U64))
}

/// The words of a value of the interface or of a routine.
pub fn read(b: &mut Builder<'_>, value: InstrId, shape: &Shape) -> Option<InstrId> {
    let words = words(shape)?;
    Some(b.add_shaped(Opcode::Bitcast, Shape::Array(words), &[value], Attrs::None))
}

/// The value that words stand for.
pub fn write(b: &mut Builder<'_>, words: InstrId, shape: &Shape) -> InstrId {
    let shape = Shape::Array(shape.expect_array().clone());
    b.add_shaped(Opcode::Bitcast, shape, &[words], Attrs::None)
}

/// The words of a constant, or of what an instruction moves, if those of its operands are known; `first` gives the others.
pub fn of(
    b: &mut Builder<'_>,
    comp: &Computation,
    instr: &Instruction,
    known: &[Option<InstrId>],
    first: impl Fn(InstrId) -> Option<InstrId>,
) -> Option<InstrId> {
    let words_of_result = words(&instr.shape)?;
    if let Attrs::Constant(Some(Value::Array(literal))) = &instr.attrs {
        return Some(b.constant(Literal::new(words_of_result, literal.bytes())));
    }
    if !moves(instr.opcode) {
        return None;
    }
    let mut operands = Vec::with_capacity(instr.operands.len());
    for &o in &instr.operands {
        operands.push(if words(&comp[o].shape).is_some() { known[o.index()]? } else { first(o)? });
    }
    Some(b.add_shaped(instr.opcode, Shape::Array(words_of_result), &operands, instr.attrs.clone()))
}

/// Whether each element of the result is one of an operand.
fn moves(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Broadcast
            | Opcode::Concatenate
            | Opcode::DynamicSlice
            | Opcode::DynamicUpdateSlice
            | Opcode::Gather
            | Opcode::Pad
            | Opcode::Reshape
            | Opcode::Reverse
            | Opcode::Slice
            | Opcode::Transpose
    )
}
