//! The value that combines with any element to that element, bit for bit. Of floats, −0 is it for sums: 0 + −0 is 0.

use crate::dtype::{Algebra, DType, Float, TypeKind, U256};
use crate::opcode::Opcode;
use crate::scalar::Scalar;

/// The identity of an operation on a type, if it has one: it gives the other operand whichever side the identity is on.
pub fn identity(opcode: Opcode, dtype: DType) -> Option<Scalar> {
    match dtype.kind() {
        TypeKind::Pred => match opcode {
            Opcode::Add | Opcode::Or | Opcode::Xor | Opcode::Maximum => Some(Scalar::Pred(false)),
            Opcode::Multiply | Opcode::And | Opcode::Minimum => Some(Scalar::Pred(true)),
            _ => None,
        },
        TypeKind::Signed(width) => {
            let (least, greatest) = width.signed_range();
            of_integers(opcode, (least, greatest, -1)).map(Scalar::Signed)
        }
        TypeKind::Unsigned(width) => {
            let greatest = width.greatest_unsigned();
            of_integers(opcode, (0, greatest, greatest)).map(Scalar::Unsigned)
        }
        TypeKind::Float(Float::Small(format)) => {
            let greatest = format.infinity().unwrap_or(format.greatest());
            let (least, zero) = match format.sign_bit(true) {
                0 => (format.decode(0), None),
                sign => (format.decode(greatest | sign), Some(format.decode(format.encode(-0.0)))),
            };
            Some(Scalar::Float(match opcode {
                Opcode::Add => zero?,
                Opcode::Multiply => 1.0,
                Opcode::Maximum => least,
                Opcode::Minimum => format.decode(greatest),
                _ => return None,
            }))
        }
        TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::F64) => {
            Some(Scalar::Float(match opcode {
                Opcode::Add => -0.0,
                Opcode::Multiply => 1.0,
                Opcode::Maximum => f64::NEG_INFINITY,
                Opcode::Minimum => f64::INFINITY,
                _ => return None,
            }))
        }
        TypeKind::Field(field) => match opcode {
            Opcode::Add => Some(Scalar::Unsigned(0)),
            Opcode::Multiply => Some(Scalar::Unsigned(1)),
            Opcode::Maximum => Some(Scalar::Unsigned(0)),
            Opcode::Minimum => Some(Scalar::Unsigned(field.prime.modulus() - 1)),
            _ => None,
        },
        TypeKind::Composite(composite) => match composite.algebra {
            Algebra::Complex | Algebra::Extension(_) => None,
            Algebra::Words(field) => match opcode {
                Opcode::Add | Opcode::Maximum => Some(Scalar::Wide(U256::ZERO)),
                Opcode::Multiply => Some(Scalar::Wide(U256::ONE)),
                Opcode::Minimum => Some(Scalar::Wide(field.prime.modulus().minus(U256::ONE).0)),
                _ => None,
            },
        },
    }
}

/// Of integers with this least and greatest value and this value of all bits set.
fn of_integers<T: From<u8>>(opcode: Opcode, (least, greatest, ones): (T, T, T)) -> Option<T> {
    Some(match opcode {
        Opcode::Add | Opcode::Or | Opcode::Xor => T::from(0),
        Opcode::Multiply => T::from(1),
        Opcode::And => ones,
        Opcode::Maximum => least,
        Opcode::Minimum => greatest,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_integers() {
        let of = identity;
        assert_eq!(of(Opcode::Maximum, DType::S8), Some(Scalar::Signed(-128)));
        assert_eq!(of(Opcode::Minimum, DType::S64), Some(Scalar::Signed(i64::MAX)));
        assert_eq!(of(Opcode::Minimum, DType::U16), Some(Scalar::Unsigned(65535)));
        assert_eq!(of(Opcode::And, DType::U8), Some(Scalar::Unsigned(255)));
    }
}
