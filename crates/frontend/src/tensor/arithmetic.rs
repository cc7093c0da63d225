//! Arithmetic of two operands by name: what the operators do, and what has none.

use super::Tensor;
use super::elementwise::{Types, binary, elementwise};
use super::operand::AsTensor;
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::{InstrId, Opcode};
use std::panic::Location;

macro_rules! functions {
    ($(#![$family:meta])* $($(#[$doc:meta])* $name:ident $opcode:ident;)*) => {
        $(#[$family])*
        impl Tensor {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $name(&self, other: impl AsTensor) -> Tensor {
                    binary(Location::caller(), Opcode::$opcode, Types::Any, self, other)
                }
            )*
        }
    };
}

functions! {
    //! Of two operands: tensors, or a tensor and a number. They take the element type that they have in common
    //! ([`crate::tensor::promote`]) and broadcast as in numpy: dimensions are aligned at the last, and 1 stretches. The result
    //! carries an error that shows both shapes where they do not fit.
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let (x, y) = (Tensor::from([[1i32], [2]]), Tensor::from([10i32, 20, 30]));
    //! assert_eq!(x.add(&y).dims(), [2, 3]);
    //! assert_eq!((&x + &y).to_vec(), Ok(vec![11i32, 21, 31, 12, 22, 32]));
    //! assert_eq!(y.subtract(1).to_vec(), Ok(vec![9i32, 19, 29]));
    //! assert_eq!(y.maximum(15).to_vec(), Ok(vec![15i32, 20, 30]));
    //! assert_eq!(y.minimum(15).to_vec(), Ok(vec![10i32, 15, 15]));
    //! assert_eq!(y.multiply(2).to_vec(), Ok(vec![20i32, 40, 60]));
    //!
    //! let bits = Tensor::from([0b1100u8]);
    //! assert_eq!(bits.bitwise_and(0b1010).item(), Ok(0b1000u8));
    //! assert_eq!(bits.bitwise_or(0b1010).item(), Ok(0b1110u8));
    //! assert_eq!(bits.bitwise_xor(0b1010).item(), Ok(0b0110u8));
    //! assert_eq!(bits.left_shift(1).item(), Ok(0b11000u8));
    //! assert_eq!(bits.right_shift_logical(2).item(), Ok(0b11u8));
    //! ```

    /// `self + other`; of pred, whether either is true.
    add Add;
    /// `self - other`.
    subtract Subtract;
    /// `self * other`; of pred, whether both are true.
    multiply Multiply;
    /// The greater of both; NaN where either is.
    maximum Maximum;
    /// The lesser of both; NaN where either is.
    minimum Minimum;
    /// Bit by bit, or of pred: whether both are true.
    bitwise_and And;
    /// Bit by bit, or of pred: whether either is true.
    bitwise_or Or;
    /// Bit by bit, or of pred: whether they differ.
    bitwise_xor Xor;
    /// Shifted towards the greater bits; 0 by the width or more.
    left_shift ShiftLeft;
    /// Shifted towards the lesser bits, filled with zeros whatever the type.
    right_shift_logical ShiftRightLogical;
}

impl Tensor {
    /// Shifted towards the lesser bits: of signed integers with their sign, of unsigned ones with zeros.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([-8i32, 8]).right_shift(1).to_vec(), Ok(vec![-4i32, 4]));
    /// ```
    #[track_caller]
    pub fn right_shift(&self, other: impl AsTensor) -> Tensor {
        super::operators::shift_right(Location::caller(), self, &other)
    }

    /// `self` where it lies between the bounds, else the bound: min(max(x, low), high).
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([-1f32, 0.5, 9.0]);
    /// assert_eq!(x.clip(0.0, 1.0).to_vec(), Ok(vec![0f32, 0.5, 1.0]));
    /// assert_eq!(x.clamp(0.0, 1.0).to_vec(), Ok(vec![0f32, 0.5, 1.0]));
    /// ```
    #[track_caller]
    pub fn clip(&self, low: impl AsTensor, high: impl AsTensor) -> Tensor {
        let operands = [self.operand(), low.operand(), high.operand()];
        elementwise(Location::caller(), "clip", &operands, Types::Any, |e, ids| {
            let raised = e.binary(Opcode::Maximum, ids[0], ids[1])?;
            e.binary(Opcode::Minimum, raised, ids[2])
        })
    }

    /// As [`Tensor::clip`], by the opcode `clamp`, whose derivative is 1 between the bounds, else 0.
    #[track_caller]
    pub fn clamp(&self, low: impl AsTensor, high: impl AsTensor) -> Tensor {
        let operands = [low.operand(), self.operand(), high.operand()];
        elementwise(Location::caller(), "clamp", &operands, Types::Any, |e, ids| {
            e.op(Opcode::Clamp, ids, lawson_hlo::Attrs::None)
        })
    }

    /// √(self² + other²), without overflow.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([3f32]).hypot(4.0).item(), Ok(5f32));
    /// ```
    #[track_caller]
    pub fn hypot(&self, other: impl AsTensor) -> Tensor {
        let operands = [self.operand(), other.operand()];
        elementwise(Location::caller(), "hypot", &operands, Types::Inexact, |e, ids| hypot(e, ids[0], ids[1]))
    }
}

/// The greater side times √(1 + ratio²); 0 where both sides are.
fn hypot(e: &mut Emit<'_>, x: InstrId, y: InstrId) -> Result<InstrId, Fault> {
    let (x, y) = (e.unary(Opcode::Abs, x)?, e.unary(Opcode::Abs, y)?);
    let (most, least) = (e.binary(Opcode::Maximum, x, y)?, e.binary(Opcode::Minimum, x, y)?);
    let (zero, one) = (e.splat_like(x, 0.0)?, e.splat_like(x, 1.0)?);
    let empty = e.compare(lawson_hlo::attrs::Direction::Eq, most, zero)?;
    let divisor = e.select(empty, one, most)?;
    let ratio = e.div(least, divisor)?;
    let square = e.mul(ratio, ratio)?;
    let sum = e.add(one, square)?;
    let root = e.unary(Opcode::Sqrt, sum)?;
    let product = e.mul(most, root)?;
    e.select(empty, zero, product)
}
