//! Rust's operators, with the meaning that JAX gives to Python's.
//!
//! Operands are tensors and numbers, owned and borrowed. On the left of a tensor stand `f64`, `i64` or `bool` alone, so that
//! a literal there needs no suffix; on the right any number. `/` of integers gives floats, `%` has the sign of the divisor,
//! `&`, `|`, `^` and `!` work on the bits of integers and on pred, `>>` keeps the sign of signed integers.
//!
//! ```
//! # use lawson_frontend::api as lawson;
//! use lawson::Tensor;
//!
//! let x = Tensor::from([1i32, -2]);
//! assert_eq!((2 * &x + 1).to_vec(), Ok(vec![3i32, -3]));
//! assert_eq!((&x / 2).to_vec(), Ok(vec![0.5f32, -1.0]));
//! assert_eq!((&x % 3).to_vec(), Ok(vec![1i32, 1]));
//! assert_eq!((-&x & 1).to_vec(), Ok(vec![1i32, 0]));
//! ```

use super::Tensor;
use super::elementwise::{Place, Types, binary, unary};
use super::operand::AsTensor;
use lawson_hlo::Opcode;
use std::ops;
use std::panic::Location;

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident = $f:expr;)*) => {$(
        impl<T: AsTensor> ops::$trait<T> for &Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: T) -> Tensor {
                $f(Location::caller(), self, &other)
            }
        }

        impl<T: AsTensor> ops::$trait<T> for Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: T) -> Tensor {
                $f(Location::caller(), &self, &other)
            }
        }

        impl<T: AsTensor> ops::$assign<T> for Tensor {
            #[track_caller]
            fn $assign_method(&mut self, other: T) {
                *self = $f(Location::caller(), &*self, &other);
            }
        }

        operators!(@left $trait $method $f; f64 i64 bool);
    )*};
    (@left $trait:ident $method:ident $f:expr; $($scalar:ident)*) => {$(
        impl ops::$trait<&Tensor> for $scalar {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: &Tensor) -> Tensor {
                $f(Location::caller(), &self, other)
            }
        }

        impl ops::$trait<Tensor> for $scalar {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, other: Tensor) -> Tensor {
                $f(Location::caller(), &self, &other)
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign = of(Opcode::Add, Types::Any);
    Sub sub SubAssign sub_assign = of(Opcode::Subtract, Types::Any);
    Mul mul MulAssign mul_assign = of(Opcode::Multiply, Types::Any);
    Div div DivAssign div_assign = of(Opcode::Divide, Types::Inexact);
    Rem rem RemAssign rem_assign = super::division::remainder;
    BitAnd bitand BitAndAssign bitand_assign = of(Opcode::And, Types::Any);
    BitOr bitor BitOrAssign bitor_assign = of(Opcode::Or, Types::Any);
    BitXor bitxor BitXorAssign bitxor_assign = of(Opcode::Xor, Types::Any);
    Shl shl ShlAssign shl_assign = of(Opcode::ShiftLeft, Types::Any);
    Shr shr ShrAssign shr_assign = shift_right;
}

/// An operator that is an opcode.
fn of(opcode: Opcode, types: Types) -> impl FnOnce(Place, &dyn AsTensor, &dyn AsTensor) -> Tensor {
    move |place, a, b| binary(place, opcode, types, a, b)
}

/// Of signed integers with their sign, of unsigned ones with zeros.
pub(super) fn shift_right(place: Place, a: &dyn AsTensor, b: &dyn AsTensor) -> Tensor {
    let operands = [a.operand(), b.operand()];
    super::elementwise::elementwise(place, "shift-right", &operands, Types::Any, |e, ids| {
        let opcode = match e.dtype(ids[0])?.is_signed() {
            true => Opcode::ShiftRightArithmetic,
            false => Opcode::ShiftRightLogical,
        };
        e.binary(opcode, ids[0], ids[1])
    })
}

macro_rules! prefix {
    ($($trait:ident $method:ident $opcode:ident;)*) => {$(
        impl ops::$trait for &Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self) -> Tensor {
                unary(Location::caller(), Opcode::$opcode, Types::Any, self)
            }
        }

        impl ops::$trait for Tensor {
            type Output = Tensor;

            #[track_caller]
            fn $method(self) -> Tensor {
                unary(Location::caller(), Opcode::$opcode, Types::Any, &self)
            }
        }
    )*};
}

prefix! {
    Neg neg Negate;
    Not not Not;
}
