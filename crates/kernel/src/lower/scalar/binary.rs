//! Operations of two operands, and comparisons.

use super::extreme::extreme;
use super::integer::{divide, mulhi, power, shift};
use super::remainder::remainder;
use super::*;
use crate::lower::math;
use crate::refusal::Refusal;
use lawson_hlo::Opcode;
use lawson_hlo::attrs::{CompareOrder, Direction};

/// Appends a binary operation on operands of type `dtype`.
///
/// # Errors
/// The operation has no meaning for the type.
pub fn binary(b: &mut CodeBuilder, opcode: Opcode, dtype: DType, x: V, y: V) -> Result<V, Refusal> {
    let v = match dtype.kind() {
        TypeKind::Pred => on_masks(b, opcode, x, y),
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => on_integers(b, opcode, dtype, x, y),
        TypeKind::Float(_) => on_floats(b, opcode, x, y),
        TypeKind::Field(field) => field::binary(b, opcode, field, x, y),
        TypeKind::Composite(Composite { algebra: Algebra::Words(field), .. }) => {
            wide::binary(b, opcode, field, x, y)
        }
        TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Extension(_), .. }) => None,
    };
    let v = v.ok_or(Refusal::UnsupportedType { opcode, dtype })?;
    Ok(rounded(b, v, dtype))
}

fn on_masks(b: &mut CodeBuilder, opcode: Opcode, x: V, y: V) -> Option<V> {
    let op = match opcode {
        Opcode::Add | Opcode::Or | Opcode::Maximum => Bin::Or,
        Opcode::Multiply | Opcode::And | Opcode::Minimum => Bin::And,
        Opcode::Xor => Bin::Xor,
        _ => return None,
    };
    Some(b.bin(op, x, y))
}

fn on_floats(b: &mut CodeBuilder, opcode: Opcode, x: V, y: V) -> Option<V> {
    Some(match opcode {
        Opcode::Add => b.bin(Bin::FAdd, x, y),
        Opcode::Subtract => b.bin(Bin::FSub, x, y),
        Opcode::Multiply => b.bin(Bin::FMul, x, y),
        Opcode::Divide => b.bin(Bin::FDiv, x, y),
        Opcode::Maximum => extreme(b, x, y, true),
        Opcode::Minimum => extreme(b, x, y, false),
        Opcode::Power => math::pow(b, x, y),
        Opcode::Atan2 => math::atan2(b, x, y),
        Opcode::Remainder => remainder(b, x, y),
        _ => return None,
    })
}

fn on_integers(b: &mut CodeBuilder, opcode: Opcode, dtype: DType, x: V, y: V) -> Option<V> {
    let signed = dtype.is_signed();
    Some(match opcode {
        Opcode::Add => b.bin(Bin::Add, x, y),
        Opcode::Subtract => b.bin(Bin::Sub, x, y),
        Opcode::Multiply => b.bin(Bin::Mul, x, y),
        Opcode::Maximum => b.bin(if signed { Bin::SMax } else { Bin::UMax }, x, y),
        Opcode::Minimum => b.bin(if signed { Bin::SMin } else { Bin::UMin }, x, y),
        Opcode::And => b.bin(Bin::And, x, y),
        Opcode::Or => b.bin(Bin::Or, x, y),
        Opcode::Xor => b.bin(Bin::Xor, x, y),
        Opcode::Divide => divide(b, dtype, x, y, false),
        Opcode::Remainder => divide(b, dtype, x, y, true),
        Opcode::ShiftLeft => shift(b, dtype, Bin::Shl, x, y),
        Opcode::ShiftRightLogical => shift(b, dtype, Bin::LShr, x, y),
        Opcode::ShiftRightArithmetic => shift(b, dtype, Bin::AShr, x, y),
        Opcode::Power => power(b, dtype, x, y),
        Opcode::MulHi => mulhi(b, dtype, x, y),
        _ => return None,
    })
}

/// Appends a comparison of operands of type `dtype`; the result is a mask.
///
/// # Errors
/// The type has no order.
pub fn compare(
    b: &mut CodeBuilder,
    direction: Direction,
    order: CompareOrder,
    dtype: DType,
    x: V,
    y: V,
) -> Result<V, Refusal> {
    match dtype.kind() {
        TypeKind::Pred => {
            let (x, y) = (b.cast(Cast::Zext, x, Elem::I8), b.cast(Cast::Zext, y, Elem::I8));
            Ok(compare_integers(b, direction, false, x, y))
        }
        TypeKind::Signed(_) => Ok(compare_integers(b, direction, true, x, y)),
        TypeKind::Unsigned(_) => Ok(compare_integers(b, direction, false, x, y)),
        TypeKind::Float(_) => Ok(compare_floats(b, direction, order, x, y)),
        TypeKind::Field(field) => {
            if matches!(direction, Direction::Eq | Direction::Ne) {
                return Ok(compare_integers(b, direction, false, x, y));
            }
            let (x, y) = (field::value(b, field, x), field::value(b, field, y));
            Ok(compare_integers(b, direction, false, x, y))
        }
        TypeKind::Composite(Composite { algebra: Algebra::Words(field), .. }) => {
            Ok(wide::compare(b, direction, field, x, y))
        }
        TypeKind::Composite(Composite { algebra: Algebra::Complex | Algebra::Extension(_), .. }) => {
            Err(Refusal::UnsupportedType { opcode: Opcode::Compare, dtype })
        }
    }
}

fn compare_floats(b: &mut CodeBuilder, direction: Direction, order: CompareOrder, x: V, y: V) -> V {
    if order == CompareOrder::TotalOrder {
        let (x, y) = (total_order_key(b, x), total_order_key(b, y));
        return compare_integers(b, direction, true, x, y);
    }
    match direction {
        Direction::Eq => b.cmp(Cmp::FEq, x, y),
        Direction::Ne => b.cmp(Cmp::FNe, x, y),
        Direction::Lt => b.cmp(Cmp::FLt, x, y),
        Direction::Le => b.cmp(Cmp::FLe, x, y),
        Direction::Gt => b.cmp(Cmp::FLt, y, x),
        Direction::Ge => b.cmp(Cmp::FLe, y, x),
    }
}

fn compare_integers(b: &mut CodeBuilder, direction: Direction, signed: bool, x: V, y: V) -> V {
    let (lt, le) = if signed { (Cmp::Slt, Cmp::Sle) } else { (Cmp::Ult, Cmp::Ule) };
    match direction {
        Direction::Eq => b.cmp(Cmp::Eq, x, y),
        Direction::Ne => b.cmp(Cmp::Ne, x, y),
        Direction::Lt => b.cmp(lt, x, y),
        Direction::Le => b.cmp(le, x, y),
        Direction::Gt => b.cmp(lt, y, x),
        Direction::Ge => b.cmp(le, y, x),
    }
}

/// A signed integer that orders as −NaN < −inf < … < −0 < +0 < … < inf < NaN.
pub(super) fn total_order_key(b: &mut CodeBuilder, x: V) -> V {
    let bits = to_bits(b, x);
    let top = b.ty_of(bits).elem.bits() as i64 - 1;
    let by = int_like(b, bits, top);
    let sign = b.bin(Bin::AShr, bits, by);
    let magnitude = int_like(b, bits, ((1u64 << top) - 1) as i64);
    let flip = b.bin(Bin::And, sign, magnitude);
    b.bin(Bin::Xor, bits, flip)
}
