//! bitcast-convert: the same bits as elements of another type; bitcast: the same bytes under another shape.
//!
//! When the widths differ, one wide element corresponds to a minor dimension of narrow ones, the lowest bits
//! first. Widths are the logical ones (four bits for s4), whatever room an element takes in memory; a pred
//! counts as a byte, and any byte but 0 is true.

use super::error::{EvalError, Result};
use super::limits::Limits;
use super::movement::transpose;
use crate::dtype::DType;
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
    let (from, to) = (width(x.dtype()), width(shape.dtype));
    let elements = limits.elements(shape)?;
    if x.elements() as u128 * from as u128 != elements as u128 * to as u128 {
        return Err(EvalError::malformed(format!("{} as {shape}", x.shape())));
    }
    // Whole bytes stand in memory as they are.
    if from % 8 == 0 && to % 8 == 0 {
        let mut out = limits.with_capacity(x.bytes().len())?;
        match shape.dtype {
            DType::Pred => out.extend(x.bytes().iter().map(|&b| (b != 0) as u8)),
            _ => out.extend_from_slice(x.bytes()),
        }
        return Ok(Literal::new(shape.clone(), out));
    }
    let (from_size, to_size) = (x.dtype().size(), shape.dtype.size());
    let mut out = limits.array(shape)?;
    for (i, target) in out.chunks_exact_mut(to_size).enumerate() {
        let mut bits = 0u128;
        // Bit ranges [i·to, (i+1)·to) of the operand, taken in pieces that lie in one element each.
        let mut taken = 0;
        while taken < to {
            let (element, offset) = ((i * to + taken) / from, (i * to + taken) % from);
            let piece = (from - offset).min(to - taken);
            let mut raw = [0u8; 16];
            raw[..from_size].copy_from_slice(&x.bytes()[element * from_size..(element + 1) * from_size]);
            let value = (u128::from_le_bytes(raw) >> offset) & ((1u128 << piece) - 1);
            bits |= value << taken;
            taken += piece;
        }
        if shape.dtype.is_signed() && to < 8 {
            // Sub-byte signed integers are kept sign-extended.
            bits = (((bits as u8) << (8 - to)) as i8 >> (8 - to)) as u8 as u128;
        }
        target.copy_from_slice(&bits.to_le_bytes()[..to_size]);
    }
    Ok(Literal::new(shape.clone(), out))
}

fn width(dtype: DType) -> usize {
    if dtype == DType::Pred { 8 } else { dtype.bits() as usize }
}
