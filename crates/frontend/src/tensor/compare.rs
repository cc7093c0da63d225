//! Comparisons, truth values and choices by them.

use super::Tensor;
use super::elementwise::{Place, Types, broadcast_all, elementwise};
use super::operand::{AsTensor, Promoted, promoted};
use crate::error::Fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{DType, InstrId, Opcode};
use std::panic::Location;

macro_rules! comparisons {
    ($(#![$family:meta])* $($(#[$doc:meta])* $name:ident $direction:ident;)*) => {
        $(#[$family])*
        impl Tensor {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $name(&self, other: impl AsTensor) -> Tensor {
                    let operands = [self.operand(), other.operand()];
                    elementwise(Location::caller(), stringify!($name), &operands, Types::Any, |e, ids| {
                        e.compare(Direction::$direction, ids[0], ids[1])
                    })
                }
            )*
        }
    };
}

comparisons! {
    //! Comparisons, which broadcast as arithmetic does. (Rust's `==` and `<` give one `bool`, so they have no part in this.)
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([1.0, 2.0, f32::NAN]);
    //! assert_eq!(x.equal(&x).to_vec(), Ok(vec![true, true, false]));
    //! assert_eq!(x.not_equal(2).to_vec(), Ok(vec![true, false, true]));
    //! assert_eq!(x.less(2).to_vec(), Ok(vec![true, false, false]));
    //! assert_eq!(x.less_equal(2).to_vec(), Ok(vec![true, true, false]));
    //! assert_eq!(x.greater(1).to_vec(), Ok(vec![false, true, false]));
    //! assert_eq!(x.greater_equal(2).to_vec(), Ok(vec![false, true, false]));
    //! ```

    /// Whether elements are equal: pred. NaN equals nothing.
    equal Eq;
    /// Whether elements differ: pred.
    not_equal Ne;
    /// Whether `self` is less: pred.
    less Lt;
    /// Whether `self` is less or equal: pred.
    less_equal Le;
    /// Whether `self` is greater: pred.
    greater Gt;
    /// Whether `self` is greater or equal: pred.
    greater_equal Ge;
}

impl Tensor {
    /// Whether both are true; numbers are where they differ from 0.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let (a, b) = (Tensor::from([true, true, false]), Tensor::from([1i32, 0, 0]));
    /// assert_eq!(a.logical_and(&b).to_vec(), Ok(vec![true, false, false]));
    /// assert_eq!(a.logical_or(&b).to_vec(), Ok(vec![true, true, false]));
    /// assert_eq!(a.logical_xor(&b).to_vec(), Ok(vec![false, true, false]));
    /// assert_eq!(b.logical_not().to_vec(), Ok(vec![false, true, true]));
    /// ```
    #[track_caller]
    pub fn logical_and(&self, other: impl AsTensor) -> Tensor {
        logical(Location::caller(), Opcode::And, self, &other)
    }

    /// Whether either is true; numbers are where they differ from 0.
    #[track_caller]
    pub fn logical_or(&self, other: impl AsTensor) -> Tensor {
        logical(Location::caller(), Opcode::Or, self, &other)
    }

    /// Whether exactly one is true; numbers are where they differ from 0.
    #[track_caller]
    pub fn logical_xor(&self, other: impl AsTensor) -> Tensor {
        logical(Location::caller(), Opcode::Xor, self, &other)
    }

    /// Whether elements are false, or 0: pred.
    #[track_caller]
    pub fn logical_not(&self) -> Tensor {
        elementwise(Location::caller(), "logical_not", &[self.operand()], Types::Any, |e, ids| {
            let truth = truth(e, ids[0])?;
            e.unary(Opcode::Not, truth)
        })
    }
}

/// `yes` where `condition` is true, else `no`; all three broadcast. A condition of numbers is true where it differs
/// from 0.
///
/// The result carries an error where the three do not broadcast. A derivative goes through the chosen element alone; where
/// the other one's is not finite, choose its argument too: `where_(x.greater(0.0), where_(x.greater(0.0), &x, 1.0).sqrt(), 0.0)`.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, where_};
///
/// let x = Tensor::from([-1f32, 2.0]);
/// assert_eq!(where_(x.greater(0.0), &x, 0.0).to_vec(), Ok(vec![0f32, 2.0]));
/// ```
#[track_caller]
pub fn where_(condition: impl AsTensor, yes: impl AsTensor, no: impl AsTensor) -> Tensor {
    let place = Location::caller();
    let condition = condition.operand().into_tensor(place);
    let Promoted { tensors, kind } = match promoted(place, "where_", &[yes.operand(), no.operand()], |d| d) {
        Ok(found) => found,
        Err(e) => return Tensor::failed(e),
    };
    let made = Tensor::apply(place, &[&condition, &tensors[0], &tensors[1]], |e, ids| {
        let ids = broadcast_all(e, "where_", ids)?;
        let condition = truth(e, ids[0])?;
        let (yes, no) = (e.convert(ids[1], kind.dtype)?, e.convert(ids[2], kind.dtype)?);
        e.select(condition, yes, no)
    });
    made.with_weak(kind.weak)
}

fn logical(place: Place, opcode: Opcode, a: &dyn AsTensor, b: &dyn AsTensor) -> Tensor {
    let (a, b) = (a.operand().into_tensor(place), b.operand().into_tensor(place));
    Tensor::apply(place, &[&a, &b], |e, ids| {
        let ids = broadcast_all(e, &format!("logical_{opcode}"), ids)?;
        let (a, b) = (truth(e, ids[0])?, truth(e, ids[1])?);
        e.binary(opcode, a, b)
    })
}

/// Whether elements differ from 0.
pub(super) fn truth(e: &mut Emit<'_>, x: InstrId) -> Result<InstrId, Fault> {
    if e.dtype(x)?.composite().is_some() {
        let zero = e.splat_like(x, 0.0)?;
        return e.compare(Direction::Ne, x, zero);
    }
    e.convert(x, DType::Pred)
}
