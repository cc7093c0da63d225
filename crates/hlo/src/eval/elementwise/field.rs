//! Operations on elements of prime fields.

use super::Fun;
use crate::dtype::{DType, Field, TypeKind};
use crate::math::field::Arithmetic;
use crate::opcode::Opcode;

/// The meaning of a unary opcode; `None` if it has none on fields.
pub fn unary(op: Opcode, field: Field) -> Option<Fun> {
    let of = Arithmetic::new(field);
    match op {
        Opcode::Negate => Some(Fun::one(move |x| of.negate(x))),
        Opcode::Inverse => Some(Fun::one(move |x| of.inverse(x))),
        _ => None,
    }
}

/// The meaning of a binary opcode on two elements; `None` if it has none.
pub fn binary(op: Opcode, field: Field) -> Option<Fun> {
    let of = Arithmetic::new(field);
    Some(match op {
        Opcode::Add => Fun::two(move |x, y| of.add(x, y)),
        Opcode::Subtract => Fun::two(move |x, y| of.subtract(x, y)),
        Opcode::Multiply => Fun::two(move |x, y| of.multiply(x, y)),
        Opcode::Divide => Fun::two(move |x, y| of.divide(x, y)),
        Opcode::Maximum => Fun::two(move |x, y| if of.value(y) > of.value(x) { y } else { x }),
        Opcode::Minimum => Fun::two(move |x, y| if of.value(y) < of.value(x) { y } else { x }),
        _ => return None,
    })
}

/// An element to the power of an unsigned integer.
pub fn power(base: DType) -> Option<Fun> {
    let of = Arithmetic::new(base.field()?);
    Some(Fun::two(move |x, exponent| of.power(x, exponent)))
}

/// The comparison of values, made of that of unsigned words.
pub fn compare(words: Fun, field: Field) -> Fun {
    let of = Arithmetic::new(field);
    match words {
        Fun::Two(compare) => Fun::two(move |x, y| compare(of.value(x), of.value(y))),
        other => other,
    }
}

/// From a field: its value as an integer, which wraps; whether it is not zero; the same value in the other storage.
pub fn to(from: Field, to: DType) -> Option<Fun> {
    let of = Arithmetic::new(from);
    match to.kind() {
        TypeKind::Pred => Some(Fun::one(|x| (x != 0) as u64)),
        TypeKind::Signed(_) | TypeKind::Unsigned(_) => Some(Fun::one(move |x| of.value(x))),
        TypeKind::Field(into) if into.prime == from.prime => {
            let into = Arithmetic::new(into);
            Some(Fun::one(move |x| into.stored(of.value(x))))
        }
        TypeKind::Field(_) | TypeKind::Float(_) | TypeKind::Composite(_) => None,
    }
}

/// From an integer or pred, modulo p: −1 is p − 1.
pub fn from(from: DType, to: Field) -> Option<Fun> {
    let of = Arithmetic::new(to);
    match from.kind() {
        TypeKind::Signed(_) => Some(Fun::one(move |x| of.stored_signed(x as i64))),
        TypeKind::Unsigned(_) | TypeKind::Pred => Some(Fun::one(move |x| of.stored(x))),
        TypeKind::Field(_) | TypeKind::Float(_) | TypeKind::Composite(_) => None,
    }
}
