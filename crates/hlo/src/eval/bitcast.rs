//! bitcast-convert: the same bits as elements of another type; bitcast: the same bytes under another shape.
//!
//! When the widths differ, one wide element corresponds to a minor dimension of narrow ones, the lowest bits
//! first. Widths are the logical ones (four bits for s4), whatever room an element takes in memory; a pred
//! counts as a byte, and any byte but 0 is true. Words of a field are taken modulo p.

use super::error::{EvalError, Result};
use super::limits::Limits;
use super::movement::transpose;
use crate::literal::Literal;
use crate::shape::ArrayShape;

/// The array that lies in memory as `x` does. Both layouts count: what the text says of the operand, and `shape`'s.
pub fn bitcast(limits: Limits, x: &Literal, operand: &ArrayShape, shape: &ArrayShape) -> Result<Literal> {
    let permuted = |x: &ArrayShape, order: &[usize]| {
        ArrayShape::new(x.dtype, order.iter().map(|&d| x.dims[d]).collect::<Vec<_>>())
    };
    let (from, to) = (operand.major_to_minor(), shape.major_to_minor());
    let mut back = vec![0; to.len()];
    to.iter().enumerate().for_each(|(i, &d)| back[d] = i);
    let memory = transpose(limits, x, &from, &permuted(operand, &from))?;
    transpose(limits, &bitcast_convert(limits, &memory, &permuted(shape, &to))?, &back, shape)
}

pub fn bitcast_convert(limits: Limits, x: &Literal, shape: &ArrayShape) -> Result<Literal> {
    let (from, to) = (x.dtype().cast_bits() as usize, shape.dtype.cast_bits() as usize);
    let elements = limits.elements(shape)?;
    if x.elements() as u128 * from as u128 != elements as u128 * to as u128 {
        return Err(EvalError::malformed(format!("{} as {shape}", x.shape())));
    }
    // Whole bytes stand in memory as they are.
    if from % 8 == 0 && to % 8 == 0 {
        let mut out = limits.with_capacity(x.bytes().len())?;
        if shape.dtype.is_pred() {
            out.extend(x.bytes().iter().map(|&b| (b != 0) as u8));
        } else if shape.dtype.is_field() {
            return Ok(Literal::of_storage(shape.clone(), x.bytes()));
        } else {
            out.extend_from_slice(x.bytes());
        }
        return Ok(Literal::new(shape.clone(), out));
    }
    let to_size = shape.dtype.size();
    let mut out = limits.array(shape)?;
    for (i, target) in out.chunks_exact_mut(to_size).enumerate() {
        // Bits [i·to, (i+1)·to) of the operand, in pieces that lie in one byte of it and of the result each.
        let mut taken = 0;
        while taken < to {
            let (element, offset) = ((i * to + taken) / from, (i * to + taken) % from);
            let piece = (from - offset).min(to - taken).min(8 - offset % 8).min(8 - taken % 8);
            let bits = x.element_bytes(element)[offset / 8] >> (offset % 8) & (0xff >> (8 - piece));
            target[taken / 8] |= bits << (taken % 8);
            taken += piece;
        }
        if shape.dtype.is_signed() && to < 8 {
            // Sub-byte signed integers are kept sign-extended.
            target[0] = ((target[0] << (8 - to)) as i8 >> (8 - to)) as u8;
        }
    }
    Ok(Literal::new(shape.clone(), out))
}
