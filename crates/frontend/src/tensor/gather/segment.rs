//! Sums by class, and classes as vectors.

use super::Indexed;
use super::at::Combine;
use crate::fault;
use crate::tensor::elementwise::Place;
use crate::tensor::pool::neutral;
use crate::tensor::{Tensor, axes};
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, DType, Opcode};
use std::panic::Location;

/// For each class index a vector with 1 at that index and else 0, along a new last dimension of that many elements.
/// An index beyond it gives zeros.
///
/// The result carries an error where `classes` are no integers.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{DType, Tensor, nn};
///
/// let hot = nn::one_hot(&Tensor::from([1i32, 0, 5]), 2, DType::F32);
/// assert_eq!(hot.to_vec(), Ok(vec![0f32, 1.0, 1.0, 0.0, 0.0, 0.0]));
/// ```
#[track_caller]
pub fn one_hot(classes: &Tensor, count: i64, dtype: DType) -> Tensor {
    Tensor::apply(Location::caller(), &[classes], |e, ids| {
        let ArrayShape { dtype: from, mut dims, .. } = e.array(ids[0])?.clone();
        if !from.is_integer() || count < 0 {
            return fault!("`one_hot` of {} in {count} classes, which are no indices", e.array(ids[0])?);
        }
        let wide = if from.bits() < DType::S32.bits() { DType::S32 } else { from };
        let x = e.convert(ids[0], wide)?;
        let map: Vec<usize> = (0..dims.len()).collect();
        dims.push(count);
        let x = e.broadcast(x, &dims, &map)?;
        let numbers = e.iota(wide, &dims, dims.len() - 1)?;
        let hot = e.compare(Direction::Eq, x, numbers)?;
        e.convert(hot, dtype)
    })
}

macro_rules! segments {
    ($($(#[$doc:meta])* $name:ident $opcode:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Rows along the first dimension of `x` belong to the segments that `ids` names; those beyond the bounds,
        /// negative ones among them, to none: `[rows, …]` and `[rows]` give `[count, …]`. The result carries an error
        /// that shows both shapes where they do not fit.
        #[track_caller]
        pub fn $name(x: &Tensor, ids: &Tensor, count: i64) -> Tensor {
            segment(Location::caller(), stringify!($name), Opcode::$opcode, x, ids, count)
        }
    )*};
}

segments! {
    /// The sum of the rows of each segment; zeros for one without rows.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::tensor::gather::{segment_max, segment_min, segment_prod, segment_sum};
    ///
    /// let (x, ids) = (Tensor::from([1f32, 2.0, 3.0]), Tensor::from([1i32, 0, 1]));
    /// assert_eq!(segment_sum(&x, &ids, 3).to_vec(), Ok(vec![2f32, 4.0, 0.0]));
    /// assert_eq!(segment_prod(&x, &ids, 3).to_vec(), Ok(vec![2f32, 3.0, 1.0]));
    /// assert_eq!(segment_max(&x, &ids, 2).to_vec(), Ok(vec![2f32, 3.0]));
    /// assert_eq!(segment_min(&x, &ids, 2).to_vec(), Ok(vec![2f32, 1.0]));
    /// ```
    segment_sum Add;
    /// The product of the rows of each segment; ones for one without rows.
    segment_prod Multiply;
    /// The largest elements of the rows of each segment; -inf or the least integer for one without rows.
    segment_max Maximum;
    /// The least elements of the rows of each segment; inf or the largest integer for one without rows.
    segment_min Minimum;
}

fn segment(place: Place, name: &'static str, opcode: Opcode, x: &Tensor, ids: &Tensor, count: i64) -> Tensor {
    let made = Tensor::apply(place, &[x, ids], |e, args| {
        let (shape, of_ids) = (e.array(args[0])?.clone(), e.array(args[1])?.clone());
        axes::axis(name, 0, &shape)?;
        if of_ids.rank() != 1 || of_ids.dims[0] != shape.dims[0] || count < 0 {
            return fault!("`{name}` of {shape} by {of_ids} in {count} segments, which do not fit");
        }
        let mut dims = shape.dims.clone();
        dims[0] = count;
        let start = neutral(e, opcode, shape.dtype)?;
        let start = e.broadcast(start, &dims, &[])?;
        let indexed = Indexed { name, axes: vec![0], mode: None, wraps: false };
        indexed.write(e, start, &args[1..], args[0], Combine::Opcode(opcode))
    });
    made.with_weak(x.is_weak())
}
