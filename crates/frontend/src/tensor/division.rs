//! Division: exact, floored, truncated, with JAX's remainders.

use super::Tensor;
use super::elementwise::{Place, Types, binary, elementwise};
use super::operand::AsTensor;
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{InstrId, Opcode};
use std::panic::Location;

impl Tensor {
    /// `self / other`: integers and pred are divided as floats; in a prime field by the inverse, and x / 0 is 0.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([7i32]).divide(2).item(), Ok(3.5f32));
    /// ```
    #[track_caller]
    pub fn divide(&self, other: impl AsTensor) -> Tensor {
        binary(Location::caller(), Opcode::Divide, Types::Inexact, self, other)
    }

    /// The greatest whole number that is at most the quotient; integers stay integers. What integers divided by zero give
    /// means nothing.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([7i32, -7]);
    /// assert_eq!(x.floor_divide(2).to_vec(), Ok(vec![3i32, -4]));
    /// assert_eq!(x.remainder(2).to_vec(), Ok(vec![1i32, 1]));
    /// assert_eq!(x.fmod(2).to_vec(), Ok(vec![1i32, -1]));
    /// ```
    #[track_caller]
    pub fn floor_divide(&self, other: impl AsTensor) -> Tensor {
        let operands = [self.operand(), other.operand()];
        elementwise(Location::caller(), "floor_divide", &operands, Types::Numbers, |e, ids| {
            let (x, y) = (ids[0], ids[1]);
            let dtype = e.dtype(x)?;
            if dtype.is_unsigned() {
                return e.div(x, y);
            }
            let one = e.splat_like(x, 1.0)?;
            if dtype.is_integer() {
                let (quotient, down) = (e.div(x, y)?, rounds_down(e, x, y)?);
                let less = e.sub(quotient, one)?;
                return e.select(down, less, quotient);
            }
            let rest = e.binary(Opcode::Remainder, x, y)?;
            let zero = e.splat_like(x, 0.0)?;
            let (infinite, whole) = (e.compare(Direction::Eq, y, zero)?, e.sub(x, rest)?);
            let whole = e.select(infinite, x, whole)?;
            let (quotient, down) = (e.div(whole, y)?, differs(e, rest, y)?);
            let less = e.sub(quotient, one)?;
            let quotient = e.select(down, less, quotient)?;
            e.unary(Opcode::RoundNearestAfz, quotient)
        })
    }

    /// What a floored division leaves, with the sign of the divisor: `self % other`.
    #[track_caller]
    pub fn remainder(&self, other: impl AsTensor) -> Tensor {
        remainder(Location::caller(), self, &other)
    }

    /// What a division leaves that truncates, with the sign of `self`: as Rust's `%` on numbers.
    #[track_caller]
    pub fn fmod(&self, other: impl AsTensor) -> Tensor {
        binary(Location::caller(), Opcode::Remainder, Types::Numbers, self, other)
    }
}

pub(super) fn remainder(place: Place, x: &dyn AsTensor, y: &dyn AsTensor) -> Tensor {
    elementwise(place, "remainder", &[x.operand(), y.operand()], Types::Numbers, |e, ids| {
        let (x, mut y) = (ids[0], ids[1]);
        let dtype = e.dtype(x)?;
        if dtype.is_integer() {
            // Integers divided by zero leave 0.
            let (zero, one) = (e.splat_like(y, 0.0)?, e.splat_like(y, 1.0)?);
            let none = e.compare(Direction::Eq, y, zero)?;
            y = e.select(none, one, y)?;
        }
        let rest = e.binary(Opcode::Remainder, x, y)?;
        if dtype.is_unsigned() {
            return Ok(rest);
        }
        let (up, down) = (e.add(rest, y)?, differs(e, rest, y)?);
        e.select(down, up, rest)
    })
}

/// Whether the floored quotient of integers is less than the truncated one.
fn rounds_down(e: &mut Emit<'_>, x: InstrId, y: InstrId) -> Result<InstrId, Fault> {
    let (rest, zero) = (e.binary(Opcode::Remainder, x, y)?, e.splat_like(x, 0.0)?);
    let left = e.compare(Direction::Ne, rest, zero)?;
    let (a, b) = (e.unary(Opcode::Sign, x)?, e.unary(Opcode::Sign, y)?);
    let differ = e.compare(Direction::Ne, a, b)?;
    e.binary(Opcode::And, left, differ)
}

/// Whether a remainder is left whose sign is not the divisor's.
fn differs(e: &mut Emit<'_>, rest: InstrId, y: InstrId) -> Result<InstrId, Fault> {
    let zero = e.splat_like(y, 0.0)?;
    let left = e.compare(Direction::Ne, rest, zero)?;
    let (below, divisor) = (e.compare(Direction::Lt, rest, zero)?, e.compare(Direction::Lt, y, zero)?);
    let differ = e.binary(Opcode::Xor, below, divisor)?;
    e.binary(Opcode::And, left, differ)
}
