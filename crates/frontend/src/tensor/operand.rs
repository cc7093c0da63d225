//! What operations take: tensors, and Rust's numbers, which are weak scalars ([`super::promote`]).

use super::Tensor;
use super::promote::{self, Kind};
use crate::error::{Error, Fault};
use crate::fault;
use half::{bf16, f16};
use lawson_hlo::{DType, Literal, Scalar};
use std::panic::Location;

/// A tensor, or a number of Rust. Floats are weak floats of any type, integers weak integers, `bool` is pred.
pub trait AsTensor {
    /// The operand that it is.
    fn operand(&self) -> Operand<'_>;
}

/// An operand whose element type is still to be decided.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A tensor.
    Tensor(&'a Tensor),
    /// A number of Rust.
    Scalar(Scalar),
}

impl AsTensor for Tensor {
    fn operand(&self) -> Operand<'_> {
        Operand::Tensor(self)
    }
}

impl<T: AsTensor + ?Sized> AsTensor for &T {
    fn operand(&self) -> Operand<'_> {
        (**self).operand()
    }
}

impl AsTensor for Operand<'_> {
    fn operand(&self) -> Operand<'_> {
        *self
    }
}

macro_rules! scalars {
    ($($rust:ty => $variant:ident as $wide:ty),*) => {$(
        impl AsTensor for $rust {
            fn operand(&self) -> Operand<'_> {
                Operand::Scalar(Scalar::$variant(<$wide>::from(*self)))
            }
        }

        /// A weak scalar: s32 or f32, and of `bool` pred.
        impl From<$rust> for Tensor {
            #[track_caller]
            fn from(value: $rust) -> Tensor {
                value.operand().into_tensor(Location::caller())
            }
        }
    )*};
}

scalars! {
    bool => Pred as bool,
    i8 => Signed as i64, i16 => Signed as i64, i32 => Signed as i64, i64 => Signed as i64,
    u8 => Unsigned as u64, u16 => Unsigned as u64, u32 => Unsigned as u64, u64 => Unsigned as u64,
    f16 => Float as f64, bf16 => Float as f64, f32 => Float as f64, f64 => Float as f64
}

impl Operand<'_> {
    /// Element type, and whether it is weak.
    ///
    /// # Errors
    /// The error that the tensor carries.
    pub fn kind(&self) -> Result<Kind, Error> {
        Ok(match self {
            Operand::Tensor(t) => Kind { dtype: t.shape()?.dtype, weak: t.is_weak() },
            Operand::Scalar(Scalar::Pred(_)) => Kind::strong(DType::Pred),
            Operand::Scalar(Scalar::Signed(_) | Scalar::Unsigned(_)) => Kind::weak(DType::S32),
            Operand::Scalar(Scalar::Float(_) | Scalar::Complex(..)) => Kind::weak(DType::F32),
            // No number of Rust becomes one.
            Operand::Scalar(Scalar::Extension(_) | Scalar::Wide(_)) => Kind::weak(DType::S32),
        })
    }

    /// The tensor that this is: of a number a weak scalar.
    pub(crate) fn into_tensor(self, place: &'static Location<'static>) -> Tensor {
        match self {
            Operand::Tensor(t) => t.clone(),
            Operand::Scalar(_) => {
                let made = self.kind().and_then(|k| Ok(self.tensor_of(place, k.dtype)?.with_weak(k.weak)));
                made.unwrap_or_else(Tensor::failed)
            }
        }
    }

    /// A number as an array of that element type; a tensor as it is.
    pub(crate) fn tensor_of(self, place: &'static Location<'static>, dtype: DType) -> Result<Tensor, Error> {
        match self {
            Operand::Tensor(t) => Ok(t.clone()),
            Operand::Scalar(value) => {
                fits(value, dtype).map_err(|e| Error::new(place, e.0))?;
                Ok(Tensor::from_literal(Literal::scalar(dtype, value)))
            }
        }
    }
}

/// Operands of one operation, and the element type that they are to have.
pub(crate) struct Promoted {
    /// Those that are tensors are not converted yet.
    pub tensors: Vec<Tensor>,
    pub kind: Kind,
}

/// Decides the element type of operands by [`promote::result_type`]; `adapt` may replace it.
pub(crate) fn promoted(
    place: &'static Location<'static>,
    name: &str,
    operands: &[Operand<'_>],
    adapt: impl Fn(DType) -> DType,
) -> Result<Promoted, Error> {
    let kinds = operands.iter().map(Operand::kind).collect::<Result<Vec<_>, _>>()?;
    let found = promote::result_type(&kinds);
    let Kind { dtype, weak } = found.map_err(|e| Error::new(place, format!("`{name}`: {e}")))?;
    let adapted = adapt(dtype);
    let tensors = operands.iter().map(|o| o.tensor_of(place, adapted)).collect::<Result<Vec<_>, _>>()?;
    Ok(Promoted { tensors, kind: Kind { dtype: adapted, weak: weak && adapted == dtype } })
}

/// Refuses integers that the type does not have: they would wrap. Fields have no fractions.
fn fits(value: Scalar, dtype: DType) -> Result<(), Fault> {
    if let (Scalar::Float(x), true) = (value, dtype.is_field()) {
        return fault!("the number {x:?} is no {dtype}: elements of a prime field are made of integers");
    }
    let wide = match value {
        Scalar::Signed(i) => i as i128,
        Scalar::Unsigned(u) => u as i128,
        Scalar::Pred(_) | Scalar::Float(_) | Scalar::Complex(..) | Scalar::Extension(_) | Scalar::Wide(_) => {
            return Ok(());
        }
    };
    if let Some(field) = dtype.part().field() {
        let most = field.prime.modulus() as i128 - 1;
        return match (-most..=most).contains(&wide) {
            true => Ok(()),
            false => fault!("the number {wide} is no {dtype}, whose greatest value is {most}"),
        };
    }
    let Some(width) = dtype.integer_width() else { return Ok(()) };
    let (least, greatest) = match dtype.is_signed() {
        true => (width.signed_range().0 as i128, width.signed_range().1 as i128),
        false => (0, width.greatest_unsigned() as i128),
    };
    if (least..=greatest).contains(&wide) {
        return Ok(());
    }
    fault!("the number {wide} is no {dtype}, which ends at {least} and {greatest}")
}
