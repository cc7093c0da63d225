//! Reductions: over all dimensions, over some, or with the reduced ones kept as 1.
//!
//! Sums and products of pred and of integers below 32 bits are taken in s32 and u32, those of f16 and bf16 in f32 and then
//! rounded once. A maximum or minimum of no elements is an error, as it has none.

use super::Tensor;
use super::axes::{self, Axes};
use super::compare::truth;
use super::elementwise::Place;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::identity::identity;
use lawson_hlo::{Attrs, DType, InstrId, Literal, Opcode, Scalar};
use std::panic::Location;

/// Which dimensions are reduced.
#[derive(Clone)]
pub(super) enum Over {
    All,
    Some(Vec<i64>),
    /// They stay, as 1.
    Kept(Vec<i64>),
}

impl Over {
    /// Their numbers.
    pub fn axes(&self, name: &str, e: &Emit<'_>, x: InstrId) -> Result<Vec<usize>, Fault> {
        let shape = e.array(x)?;
        match self {
            Over::All => Ok((0..shape.rank()).collect()),
            Over::Some(some) | Over::Kept(some) => axes::axes(name, some, shape),
        }
    }

    /// The result, whose reduced dimensions went, with those that are to stay.
    pub fn keep(
        &self,
        e: &mut Emit<'_>,
        made: InstrId,
        dims: &[i64],
        gone: &[usize],
    ) -> Result<InstrId, Fault> {
        if !matches!(self, Over::Kept(_)) {
            return Ok(made);
        }
        let dims: Vec<i64> =
            dims.iter().enumerate().map(|(i, &d)| if gone.contains(&i) { 1 } else { d }).collect();
        e.reshape(made, &dims)
    }
}

/// Three methods: over all, over some, and with those kept.
macro_rules! reductions {
    ($(#![$family:meta])* $($(#[$doc:meta])* $all:ident $some:ident $kept:ident = $f:expr;)*) => {
        $(#[$family])*
        impl Tensor {
            $(
                $(#[$doc])*
                ///
                /// Over all dimensions: a scalar.
                #[track_caller]
                pub fn $all(&self) -> Tensor {
                    $f(Location::caller(), self, Over::All)
                }

                $(#[$doc])*
                ///
                /// Over these dimensions, which go. Carries an error where there is no such dimension.
                #[track_caller]
                pub fn $some(&self, axes: impl Axes) -> Tensor {
                    $f(Location::caller(), self, Over::Some(axes.axes()))
                }

                $(#[$doc])*
                ///
                /// Over these dimensions, which stay as 1. Carries an error where there is no such dimension.
                #[track_caller]
                pub fn $kept(&self, axes: impl Axes) -> Tensor {
                    $f(Location::caller(), self, Over::Kept(axes.axes()))
                }
            )*
        }
    };
}

pub(super) use reductions;

reductions! {
    //! Reductions over all dimensions, over some (`…_axes`), and with the reduced ones kept as 1 (`…_keepdims`).
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([[1f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    //! assert_eq!(x.sum().item(), Ok(21f32));
    //! assert_eq!(x.sum_axes(0).to_vec(), Ok(vec![5f32, 7.0, 9.0]));
    //! assert_eq!(x.max_axes(-1).to_vec(), Ok(vec![3f32, 6.0]));
    //! assert_eq!(x.prod().item(), Ok(720f32));
    //! assert_eq!(x.min_keepdims([0, 1]).dims(), [1, 1]);
    //! assert_eq!(x.greater(1.5).all_axes(0).to_vec(), Ok(vec![false, true, true]));
    //! assert_eq!(x.greater(5.5).any().item(), Ok(true));
    //! assert!(x.sum_axes(2).error().is_some());
    //! ```

    /// The sum.
    sum sum_axes sum_keepdims = |place, x, over| folded(place, "sum", Opcode::Add, x, over);
    /// The product.
    prod prod_axes prod_keepdims = |place, x, over| folded(place, "prod", Opcode::Multiply, x, over);
    /// The greatest element; NaN where one is.
    max max_axes max_keepdims = |place, x, over| folded(place, "max", Opcode::Maximum, x, over);
    /// The least element; NaN where one is.
    min min_axes min_keepdims = |place, x, over| folded(place, "min", Opcode::Minimum, x, over);
    /// Whether all elements are true, or differ from 0.
    all all_axes all_keepdims = |place, x, over| folded(place, "all", Opcode::And, x, over);
    /// Whether any element is true, or differs from 0.
    any any_axes any_keepdims = |place, x, over| folded(place, "any", Opcode::Or, x, over);
}

fn folded(place: Place, name: &str, opcode: Opcode, x: &Tensor, over: Over) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let dims = e.dims(ids[0])?;
        let gone = over.axes(name, e, ids[0])?;
        let made = fold(e, name, opcode, ids[0], &gone)?;
        over.keep(e, made, &dims, &gone)
    })
}

/// The reduction of these dimensions, in the type in which it is taken and then as the type of the result.
pub(super) fn fold(
    e: &mut Emit<'_>,
    name: &str,
    opcode: Opcode,
    x: InstrId,
    gone: &[usize],
) -> Result<InstrId, Fault> {
    let shape = e.array(x)?.clone();
    let (inner, result) = match opcode {
        Opcode::And | Opcode::Or => (DType::Pred, DType::Pred),
        Opcode::Maximum | Opcode::Minimum => (shape.dtype, shape.dtype),
        _ => (summed(shape.dtype).accumulator(), summed(shape.dtype)),
    };
    let empty = gone.iter().any(|&d| shape.dims[d] == 0);
    if empty && matches!(opcode, Opcode::Maximum | Opcode::Minimum) {
        return fault!("`{name}` of {shape} over no elements");
    }
    let x = if inner.is_pred() { truth(e, x)? } else { e.convert(x, inner)? };
    let made = match gone {
        [] => x,
        _ => {
            let init = e.constant(Literal::scalar(inner, start(opcode, inner)?));
            let to_apply = e.scalar_computation(opcode, inner)?;
            e.op(Opcode::Reduce, &[x, init], Attrs::Reduce { dims: gone.to_vec(), to_apply })?
        }
    };
    e.convert(made, result)
}

/// The type of sums of elements of a type.
fn summed(dtype: DType) -> DType {
    if dtype.is_pred() || (dtype.is_signed() && dtype.bits() < 32) {
        DType::S32
    } else if dtype.is_unsigned() && dtype.bits() < 32 {
        DType::U32
    } else {
        dtype
    }
}

/// What a reduction starts with: of sums +0, so that a sum of nothing is no −0.
pub(super) fn start(opcode: Opcode, dtype: DType) -> Result<Scalar, Fault> {
    match (opcode, identity(opcode, dtype)) {
        (Opcode::Add, _) => Ok(Scalar::Float(0.0)),
        (Opcode::Multiply, None) => Ok(Scalar::Float(1.0)),
        (_, Some(start)) => Ok(start),
        (_, None) => fault!("`{opcode}` has no neutral element of {dtype}"),
    }
}
