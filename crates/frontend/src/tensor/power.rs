//! Powers: by multiplications where the exponent is an integer of Rust, else by the opcode.

use super::Tensor;
use super::elementwise::{Place, Types, broadcast_all, elementwise};
use super::operand::{AsTensor, Operand};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{InstrId, Opcode, Scalar};
use std::panic::Location;

impl Tensor {
    /// self^exponent. An integer of Rust as exponent makes multiplications ([`Tensor::integer_pow`]). Elements of a prime
    /// field are raised to such a number, or to a tensor of unsigned integers.
    ///
    /// Carries an error where integers are raised to a negative number of Rust.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([2f32, 4.0]);
    /// assert_eq!(x.pow(2).to_vec(), Ok(vec![4f32, 16.0]));
    /// assert_eq!(x.pow(0.5).to_vec::<f32>()?[1], 2.0);
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn pow(&self, exponent: impl AsTensor) -> Tensor {
        let place = Location::caller();
        match exponent.operand() {
            Operand::Scalar(Scalar::Signed(n)) => whole_pow(place, self, n.into()),
            Operand::Scalar(Scalar::Unsigned(n)) => whole_pow(place, self, n.into()),
            other if self.dtype().is_field() => field_pow(place, self, other),
            other => elementwise(place, "pow", &[self.operand(), other], Types::Numbers, |e, ids| {
                e.binary(Opcode::Power, ids[0], ids[1])
            }),
        }
    }

    /// xⁿ by repeated squaring; of a negative n the reciprocal.
    ///
    /// Carries an error where integers are raised to a negative number.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([2f32, -3.0]).integer_pow(3).to_vec(), Ok(vec![8f32, -27.0]));
    /// assert_eq!(Tensor::from([2f32]).integer_pow(-1).item(), Ok(0.5f32));
    /// ```
    #[track_caller]
    pub fn integer_pow(&self, n: i64) -> Tensor {
        whole_pow(Location::caller(), self, n.into())
    }
}

fn whole_pow(place: Place, x: &Tensor, n: i128) -> Tensor {
    elementwise(place, "pow", &[x.operand()], Types::Numbers, |e, ids| multiplied(e, ids[0], n))
}

/// Elements of a prime field by exponents, which are no elements of it.
fn field_pow(place: Place, x: &Tensor, exponent: Operand<'_>) -> Tensor {
    let exponent = exponent.into_tensor(place);
    Tensor::apply(place, &[x, &exponent], |e, ids| {
        let (of, by) = (e.array(ids[0])?, e.array(ids[1])?);
        if of.dtype.extension().is_some() {
            return fault!("`pow` of {of} by {by}: elements of an extension are raised to integers of Rust");
        }
        if !by.dtype.is_unsigned() {
            return fault!(
                "`pow` of {of} by {by}: exponents are unsigned integers; convert them by `astype`"
            );
        }
        let ids = broadcast_all(e, "pow", ids)?;
        e.binary(Opcode::Power, ids[0], ids[1])
    })
}

fn multiplied(e: &mut Emit<'_>, x: InstrId, n: i128) -> Result<InstrId, Fault> {
    let shape = e.array(x)?;
    if n < 0 && shape.dtype.is_integer() {
        return fault!("`pow` of {shape} by {n}: integers have no negative powers");
    }
    let (mut rest, mut square, mut product) = (n.unsigned_abs(), x, None);
    while rest > 0 {
        if rest & 1 == 1 {
            product = Some(match product {
                None => square,
                Some(p) => e.mul(p, square)?,
            });
        }
        rest >>= 1;
        if rest > 0 {
            square = e.mul(square, square)?;
        }
    }
    let one = e.splat_like(x, 1.0)?;
    match product {
        None => Ok(one),
        Some(p) if n < 0 && e.dtype(p)?.is_field() => e.unary(Opcode::Inverse, p),
        Some(p) if n < 0 => e.div(one, p),
        Some(p) => Ok(p),
    }
}
