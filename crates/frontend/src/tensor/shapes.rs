//! Other dimensions for the same elements.

use super::Tensor;
use super::axes::{self, Axes};
use super::elementwise::{Place, broadcast_dims, stretch};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::{ArrayShape, InstrId};
use std::panic::Location;

/// An operation on one tensor that keeps its element type, weak or not.
pub(super) fn moved(
    place: Place,
    x: &Tensor,
    f: impl FnOnce(&mut Emit<'_>, InstrId) -> Result<InstrId, Fault>,
) -> Tensor {
    Tensor::apply(place, &[x], |e, ids| f(e, ids[0])).with_weak(x.is_weak())
}

impl Tensor {
    /// The same elements, row-major, under these dimensions; one of them may be −1, which is what is left.
    ///
    /// Carries an error where the numbers of elements differ.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::arange(0..6, DType::S32);
    /// assert_eq!(x.reshape([2, -1]).dims(), [2, 3]);
    /// assert_eq!(x.reshape([2, 3]).flatten().to_vec(), Ok(vec![0i32, 1, 2, 3, 4, 5]));
    /// assert!(x.reshape([4]).error().is_some());
    /// ```
    #[track_caller]
    pub fn reshape(&self, dims: impl AsRef<[i64]>) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let dims = completed(e.array(x)?, dims.as_ref())?;
            e.reshape(x, &dims)
        })
    }

    /// All elements in one dimension, row-major.
    #[track_caller]
    pub fn flatten(&self) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let count = e.array(x)?.elements();
            e.reshape(x, &[count])
        })
    }

    /// The dimensions in reverse: of a matrix its transpose.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[1i32, 2, 3], [4, 5, 6]]);
    /// assert_eq!((x.t().dims(), x.t().to_vec()), (&[3, 2][..], Ok(vec![1i32, 4, 2, 5, 3, 6])));
    /// ```
    #[track_caller]
    pub fn t(&self) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let order: Vec<usize> = (0..e.array(x)?.rank()).rev().collect();
            e.transpose(x, &order)
        })
    }

    /// Dimension `i` of the result is dimension `axes[i]`: all of them, in another order.
    ///
    /// Carries an error where `axes` do not name each dimension once.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::zeros([2, 3, 4], DType::F32);
    /// assert_eq!(x.transpose([2, 0, 1]).dims(), [4, 2, 3]);
    /// assert_eq!(x.swapaxes(0, -1).dims(), [4, 3, 2]);
    /// assert_eq!(x.moveaxis(0, 2).dims(), [3, 4, 2]);
    /// ```
    #[track_caller]
    pub fn transpose(&self, axes: impl Axes) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let shape = e.array(x)?;
            let order = axes::in_order("transpose", &axes.axes(), shape)?;
            if order.len() != shape.rank() {
                return fault!("`transpose` of {shape} by {} axes", order.len());
            }
            e.transpose(x, &order)
        })
    }

    /// Two dimensions exchanged.
    ///
    /// Carries an error where there is no such dimension; so do the methods below.
    #[track_caller]
    pub fn swapaxes(&self, a: i64, b: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let shape = e.array(x)?;
            let (a, b) = (axes::axis("swapaxes", a, shape)?, axes::axis("swapaxes", b, shape)?);
            let mut order: Vec<usize> = (0..shape.rank()).collect();
            order.swap(a, b);
            e.transpose(x, &order)
        })
    }

    /// One dimension moved to another place, the others in their order.
    #[track_caller]
    pub fn moveaxis(&self, from: i64, to: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let shape = e.array(x)?;
            let (from, to) = (axes::axis("moveaxis", from, shape)?, axes::axis("moveaxis", to, shape)?);
            let mut order: Vec<usize> = (0..shape.rank()).filter(|&d| d != from).collect();
            order.insert(to, from);
            e.transpose(x, &order)
        })
    }

    /// New dimensions of 1, which have these numbers in the result.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::zeros([2, 3], DType::F32);
    /// assert_eq!(x.expand_dims(1).dims(), [2, 1, 3]);
    /// assert_eq!(x.expand_dims([0, -1]).dims(), [1, 2, 3, 1]);
    /// assert_eq!(x.expand_dims(1).squeeze(1).dims(), [2, 3]);
    /// ```
    #[track_caller]
    pub fn expand_dims(&self, axes: impl Axes) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let shape = e.array(x)?.clone();
            let new = axes.axes();
            let rank = shape.rank() + new.len();
            let result = ArrayShape::new(shape.dtype, vec![1; rank]);
            let Ok(new) = axes::axes("expand_dims", &new, &result) else {
                return fault!("`expand_dims` of {shape} to {rank} dimensions cannot add axes {new:?}");
            };
            let mut dims = shape.dims;
            new.into_iter().for_each(|d| dims.insert(d, 1));
            e.reshape(x, &dims)
        })
    }

    /// Without these dimensions, which are 1.
    ///
    /// Carries an error where one of them is not 1.
    #[track_caller]
    pub fn squeeze(&self, axes: impl Axes) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let shape = e.array(x)?.clone();
            let gone = axes::axes("squeeze", &axes.axes(), &shape)?;
            if let Some(&wide) = gone.iter().find(|&&d| shape.dims[d] != 1) {
                return fault!("`squeeze` of {shape}, whose axis {wide} is not 1");
            }
            let kept = (0..shape.rank()).filter(|d| !gone.contains(d));
            let dims: Vec<i64> = kept.map(|d| shape.dims[d]).collect();
            e.reshape(x, &dims)
        })
    }

    /// Repeated along new dimensions in front and along those that are 1.
    ///
    /// Carries an error where an extent other than 1 would change.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1i32, 2]);
    /// assert_eq!(x.broadcast_to([2, 2]).to_vec(), Ok(vec![1i32, 2, 1, 2]));
    /// assert!(x.broadcast_to([2, 3]).error().is_some());
    /// ```
    #[track_caller]
    pub fn broadcast_to(&self, dims: impl AsRef<[i64]>) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let (dims, shape) = (dims.as_ref(), e.array(x)?);
            if broadcast_dims(&shape.dims, dims).as_deref() != Some(dims) {
                let wanted = ArrayShape::new(shape.dtype, dims);
                return fault!("`broadcast_to` of {shape} to {wanted}, to which it does not broadcast");
            }
            stretch(e, x, dims)
        })
    }
}

/// The dimensions with what stands for −1.
fn completed(x: &ArrayShape, wanted: &[i64]) -> Result<Vec<i64>, Fault> {
    let mut dims = wanted.to_vec();
    let mut open = dims.iter_mut().filter(|d| **d == -1);
    let (first, second) = (open.next(), open.next());
    if second.is_some() {
        return fault!("`reshape` of {x} to {wanted:?}: −1 stands for one dimension");
    }
    if let Some(open) = first {
        let known = wanted.iter().filter(|&&d| d != -1).try_fold(1i64, |n, &d| n.checked_mul(d));
        match known.filter(|&n| n > 0 && x.elements() % n == 0) {
            Some(known) => *open = x.elements() / known,
            None => return fault!("`reshape` of {x} to {wanted:?}: the numbers of elements differ"),
        }
    }
    let count = dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d).filter(|_| d >= 0));
    match count == x.checked_elements() {
        true => Ok(dims),
        false => fault!("`reshape` of {x} to {wanted:?}: the numbers of elements differ"),
    }
}
