//! The index of the greatest and of the least element.
//!
//! ```text
//! reduce(x, iota, −∞, 0): of two elements with their indices the greater one, NaN before any number, of equals the first
//! ```

use super::Tensor;
use super::axes;
use super::elementwise::Place;
use super::reduce::start;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{Attrs, CompId, DType, InstrId, Literal, Opcode, Shape};
use std::panic::Location;

/// The dimension along which elements are compared.
#[derive(Clone, Copy)]
enum Along {
    /// All of them as one.
    All,
    Axis(i64),
    Kept(i64),
}

macro_rules! methods {
    ($(#![$family:meta])* $($what:literal $all:ident $axis:ident $kept:ident $direction:ident;)*) => {
        $(#[$family])*
        impl Tensor {
            $(
                #[doc = concat!("The index of the ", $what, " element among all, row-major: an s32 scalar. Of equal ones ")]
                /// the first, and the first NaN if there is one. Carries an error where there are no elements.
                #[track_caller]
                pub fn $all(&self) -> Tensor {
                    extreme(Location::caller(), stringify!($all), self, Along::All, Direction::$direction)
                }

                #[doc = concat!("The index of the ", $what, " element along a dimension, which goes, as s32.")]
                #[track_caller]
                pub fn $axis(&self, axis: i64) -> Tensor {
                    extreme(Location::caller(), stringify!($axis), self, Along::Axis(axis), Direction::$direction)
                }

                #[doc = concat!("The index of the ", $what, " element along a dimension, which stays as 1, as s32.")]
                #[track_caller]
                pub fn $kept(&self, axis: i64) -> Tensor {
                    extreme(Location::caller(), stringify!($kept), self, Along::Kept(axis), Direction::$direction)
                }
            )*
        }
    };
}

methods! {
    //! Where the greatest and the least elements are. Along a dimension that the array does not have, and where there is no
    //! element, the result carries an error.
    //!
    //! ```
    //! # use lawson_frontend::api as lawson;
    //! use lawson::Tensor;
    //!
    //! let x = Tensor::from([[3f32, 9.0, 9.0], [5.0, 1.0, 2.0]]);
    //! assert_eq!(x.argmax().item(), Ok(1i32));
    //! assert_eq!(x.argmax_axis(1).to_vec(), Ok(vec![1i32, 0]));
    //! assert_eq!(x.argmin_keepdims(0).dims(), [1, 3]);
    //! assert_eq!((x.argmin().item(), x.argmin_axis(1).to_vec()), (Ok(4i32), Ok(vec![0i32, 1])));
    //! ```

    "greatest" argmax argmax_axis argmax_keepdims Gt;
    "least" argmin argmin_axis argmin_keepdims Lt;
}

fn extreme(place: Place, name: &str, x: &Tensor, along: Along, how: Direction) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| {
        let mut x = ids[0];
        let axis = match along {
            Along::All => {
                let count = e.array(x)?.elements();
                x = e.reshape(x, &[count])?;
                0
            }
            Along::Axis(axis) | Along::Kept(axis) => axes::axis(name, axis, e.array(x)?)?,
        };
        let shape = e.array(x)?.clone();
        if shape.dims[axis] == 0 {
            return fault!("`{name}` of {shape} over no elements");
        }
        let numbers = e.iota(DType::S32, &shape.dims, axis)?;
        let neutral = if how == Direction::Gt { Opcode::Maximum } else { Opcode::Minimum };
        let worst = e.constant(Literal::scalar(shape.dtype, start(neutral, shape.dtype)?));
        let zero = e.scalar(DType::S32, 0.0);
        let to_apply = better(e, name, shape.dtype, how)?;
        let attrs = Attrs::Reduce { dims: vec![axis], to_apply };
        let both = e.op(Opcode::Reduce, &[x, numbers, worst, zero], attrs)?;
        let index = e.element(both, 1)?;
        match along {
            Along::Kept(_) => {
                let mut dims = shape.dims;
                dims[axis] = 1;
                e.reshape(index, &dims)
            }
            Along::All | Along::Axis(_) => Ok(index),
        }
    })
}

/// Of two pairs of element and index the one to keep.
fn better(e: &mut Emit<'_>, name: &str, dtype: DType, how: Direction) -> Result<CompId, Fault> {
    e.computation(name, |e| {
        let [a, i, b, j] = [dtype, DType::S32, dtype, DType::S32].map(Shape::scalar);
        let (a, i): (InstrId, InstrId) = (e.parameter(0, a), e.parameter(1, i));
        let (b, j) = (e.parameter(2, b), e.parameter(3, j));
        let (beyond, nan) = (e.compare(how, a, b)?, e.compare(Direction::Ne, a, a)?);
        let keeps = e.binary(Opcode::Or, beyond, nan)?;
        let (equal, before) = (e.compare(Direction::Eq, a, b)?, e.compare(Direction::Lt, i, j)?);
        let tie = e.binary(Opcode::And, equal, before)?;
        let keeps_index = e.binary(Opcode::Or, keeps, tie)?;
        let (element, index) = (e.select(keeps, a, b)?, e.select(keeps_index, i, j)?);
        e.tuple(&[element, index])
    })
}
