//! Powers: by multiplications where the exponent is an integer of Rust, else by the opcode.

use super::Tensor;
use super::elementwise::{Types, elementwise};
use super::operand::{AsTensor, Operand};
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{InstrId, Opcode, Scalar};
use std::panic::Location;

impl Tensor {
    /// self^exponent. An integer of Rust as exponent makes multiplications ([`Tensor::integer_pow`]).
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
            Operand::Scalar(Scalar::Signed(n)) => self.integer_pow(n),
            Operand::Scalar(Scalar::Unsigned(n)) => match i64::try_from(n) {
                Ok(n) => self.integer_pow(n),
                Err(_) => Tensor::failed(Error::new(place, format!("`pow`: the exponent {n} is too large"))),
            },
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
        elementwise(Location::caller(), "pow", &[self.operand()], Types::Numbers, |e, ids| {
            integer_pow(e, ids[0], n)
        })
    }
}

fn integer_pow(e: &mut Emit<'_>, x: InstrId, n: i64) -> Result<InstrId, Fault> {
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
        Some(p) if n < 0 => e.div(one, p),
        Some(p) => Ok(p),
    }
}
