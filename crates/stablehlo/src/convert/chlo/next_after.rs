//! The next number of a type towards another: one more or less as integers, since floats are ordered as their bits are.

use crate::convert::frame::Frame;
use crate::error::Result;
use crate::ir::Op;
use lawson_hlo::attrs::{CompareOrder, Direction};
use lawson_hlo::dtype::Width;
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Scalar, Shape};

pub fn next_after<'p>(f: &mut Frame<'_, 'p>, op: &'p Op, _: Opcode) -> Result<InstrId> {
    let [x, y] = f.exactly(op)?;
    let shape = f.array(op, x)?;
    let bits = match shape.dtype.bits() {
        16 => Width::W16.unsigned(),
        32 => Width::W32.unsigned(),
        64 => Width::W64.unsigned(),
        _ => return Err(f.unsupported(op, format!("elements of {shape} are not supported"))),
    };
    let width = shape.dtype.bits();
    let dims = shape.dims.clone();
    let with = |dtype: DType| Shape::array(dtype, dims.clone());
    let add = |f: &mut Frame<'_, 'p>, opcode, dtype, operands: &[InstrId]| {
        f.add_shaped(op, opcode, with(dtype), operands, Attrs::None)
    };
    let compare = |f: &mut Frame<'_, 'p>, direction, a, b| {
        f.add(op, Opcode::Compare, &[a, b], Attrs::Compare { direction, order: CompareOrder::Default })
    };
    let number = |f: &mut Frame<'_, 'p>, value: u64| f.filled(bits, &dims, Scalar::Unsigned(value));
    let (sign_bit, magnitude_bits) = (1u64 << (width - 1), u64::MAX >> (65 - width));
    let (sign, magnitude, one) = (number(f, sign_bit), number(f, magnitude_bits), number(f, 1));
    let from = add(f, Opcode::BitcastConvert, bits, &[x])?;
    let to = add(f, Opcode::BitcastConvert, bits, &[y])?;
    let from_size = add(f, Opcode::And, bits, &[from, magnitude])?;
    let to_size = add(f, Opcode::And, bits, &[to, magnitude])?;
    let to_sign = add(f, Opcode::And, bits, &[to, sign])?;
    let from_sign = add(f, Opcode::And, bits, &[from, sign])?;
    // Towards zero where the other number is smaller or has the other sign.
    let smaller = compare(f, Direction::Gt, from_size, to_size)?;
    let other_sign = compare(f, Direction::Ne, from_sign, to_sign)?;
    let inwards = add(f, Opcode::Or, DType::Pred, &[smaller, other_sign])?;
    let less = add(f, Opcode::Subtract, bits, &[from, one])?;
    let more = add(f, Opcode::Add, bits, &[from, one])?;
    let stepped = add(f, Opcode::Select, bits, &[inwards, less, more])?;
    // From zero to the least number of the other one's sign.
    let zero = number(f, 0);
    let is_zero = compare(f, Direction::Eq, from_size, zero)?;
    let least = add(f, Opcode::Or, bits, &[to_sign, one])?;
    let stepped = add(f, Opcode::Select, bits, &[is_zero, least, stepped])?;
    let stepped = add(f, Opcode::BitcastConvert, shape.dtype, &[stepped])?;
    let equal = compare(f, Direction::Eq, x, y)?;
    let stepped = add(f, Opcode::Select, shape.dtype, &[equal, y, stepped])?;
    let nan = f.filled(shape.dtype, &dims, Scalar::Float(f64::NAN));
    let (x_is_nan, y_is_nan) = (compare(f, Direction::Ne, x, x)?, compare(f, Direction::Ne, y, y)?);
    let any = add(f, Opcode::Or, DType::Pred, &[x_is_nan, y_is_nan])?;
    add(f, Opcode::Select, shape.dtype, &[any, nan, stepped])
}
