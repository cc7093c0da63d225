//! Tensors joined, divided and repeated along dimensions.

use super::Tensor;
use super::axes;
use super::elementwise::Place;
use super::operand::{AsTensor, Operand, promoted};
use super::shapes::moved;
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{ArrayShape, InstrId};
use std::panic::Location;

/// Tensors joined along a dimension that they have; the others agree. The element type is the one that they have in
/// common ([`crate::tensor::promote`]).
///
/// The result carries an error that shows the shapes where the other dimensions differ, and where there are no tensors.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, concatenate};
///
/// let (a, b) = (Tensor::from([[1i32, 2]]), Tensor::from([[3i32, 4], [5, 6]]));
/// assert_eq!(concatenate(&[&a, &b], 0).to_vec(), Ok(vec![1i32, 2, 3, 4, 5, 6]));
/// ```
#[track_caller]
pub fn concatenate<T: AsTensor>(tensors: &[T], axis: i64) -> Tensor {
    joined(Location::caller(), "concatenate", tensors, |e, ids| {
        let axis = axes::axis("concatenate", axis, e.array(ids[0])?)?;
        let shapes = ids.iter().map(|&id| e.array(id).cloned()).collect::<Result<Vec<_>, _>>()?;
        let others = |s: &ArrayShape| {
            let mut dims = s.dims.clone();
            dims.get_mut(axis).into_iter().for_each(|d| *d = 0);
            dims
        };
        if let Some(odd) = shapes.iter().find(|s| others(s) != others(&shapes[0])) {
            let first = &shapes[0];
            return fault!("`concatenate` of {first} and {odd} along axis {axis}, which differ elsewhere");
        }
        e.concatenate(ids, axis)
    })
}

/// Tensors of one shape as the elements of a new dimension.
///
/// The result carries an error where dimensions differ, and where there are no tensors.
///
/// ```
/// # use lawson_frontend::api as lawson;
/// use lawson::{Tensor, stack};
///
/// let (a, b) = (Tensor::from([1i32, 2]), Tensor::from([3i32, 4]));
/// assert_eq!(stack(&[&a, &b], 0).to_vec(), Ok(vec![1i32, 2, 3, 4]));
/// assert_eq!(stack(&[&a, &b], 1).to_vec(), Ok(vec![1i32, 3, 2, 4]));
/// ```
#[track_caller]
pub fn stack<T: AsTensor>(tensors: &[T], axis: i64) -> Tensor {
    joined(Location::caller(), "stack", tensors, |e, ids| {
        let first = e.array(ids[0])?.clone();
        let mut dims = first.dims.clone();
        let Some(axis) = axes::within(axis, first.rank() + 1) else {
            return fault!("`stack` of {first} along axis {axis}, which the result does not have");
        };
        dims.insert(axis, 1);
        let mut parts = Vec::with_capacity(ids.len());
        for &id in ids {
            let shape = e.array(id)?;
            if shape.dims != first.dims {
                return fault!("`stack` of {first} and {shape}, whose dimensions differ");
            }
            parts.push(e.reshape(id, &dims)?);
        }
        e.concatenate(&parts, axis)
    })
}

/// An operation on at least one tensor, all in their common element type.
fn joined<T: AsTensor>(
    place: Place,
    name: &str,
    tensors: &[T],
    f: impl FnOnce(&mut Emit<'_>, &[InstrId]) -> Result<InstrId, Fault>,
) -> Tensor {
    if tensors.is_empty() {
        return Tensor::failed(Error::new(place, format!("`{name}` of no tensors")));
    }
    let operands: Vec<Operand<'_>> = tensors.iter().map(AsTensor::operand).collect();
    let found = match promoted(place, name, &operands, |d| d) {
        Ok(found) => found,
        Err(e) => return Tensor::failed(e),
    };
    let references: Vec<&Tensor> = found.tensors.iter().collect();
    let made = Tensor::apply(place, &references, |e, ids| {
        let ids = ids.iter().map(|&id| e.convert(id, found.kind.dtype)).collect::<Result<Vec<_>, _>>()?;
        f(e, &ids)
    });
    made.with_weak(found.kind.weak)
}

impl Tensor {
    /// Equal parts along a dimension. Parts that carry an error where `parts` does not divide it.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let parts = Tensor::arange(0..6, DType::S32).split(3, 0);
    /// assert_eq!(parts[2].to_vec(), Ok(vec![4i32, 5]));
    /// ```
    #[track_caller]
    pub fn split(&self, parts: usize, axis: i64) -> Vec<Tensor> {
        let place = Location::caller();
        let points = self.shape().and_then(|shape| {
            let axis = axes::axis("split", axis, shape).map_err(|e| Error::new(place, e.0))?;
            let (extent, parts) = (shape.dims[axis], parts as i64);
            if parts == 0 || extent % parts != 0 {
                let message = format!("`split` of {shape} into {parts} equal parts along axis {axis}");
                return Err(Error::new(place, message));
            }
            Ok((1..parts).map(|i| i * (extent / parts)).collect::<Vec<_>>())
        });
        match points {
            Ok(points) => self.split_at(&points, axis),
            Err(e) => vec![Tensor::failed(e); parts],
        }
    }

    /// The parts between these points along a dimension: one more than points. Points ascend within the dimension.
    ///
    /// Parts carry an error otherwise.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let parts = Tensor::arange(0..6, DType::S32).split_at(&[1, 4], 0);
    /// assert_eq!(parts.iter().map(|p| p.dims()[0]).collect::<Vec<_>>(), [1, 3, 2]);
    /// ```
    #[track_caller]
    pub fn split_at(&self, points: &[i64], axis: i64) -> Vec<Tensor> {
        let made = Tensor::apply_many(Location::caller(), &[self], points.len() + 1, |e, ids| {
            let shape = e.array(ids[0])?.clone();
            let axis = axes::axis("split_at", axis, &shape)?;
            let extent = shape.dims[axis];
            let (mut parts, mut start) = (Vec::new(), 0);
            for &stop in points.iter().chain([&extent]) {
                if stop < start || stop > extent {
                    return fault!("`split_at` of {shape} at {points:?} along axis {axis}");
                }
                parts.push(along(e, ids[0], axis, start, stop)?);
                start = stop;
            }
            Ok(parts)
        });
        made.into_iter().map(|t| t.with_weak(self.is_weak())).collect()
    }

    /// The whole array repeated so many times along each dimension; where there are more numbers than dimensions, those in
    /// front are along new ones.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1i32, 2]);
    /// assert_eq!(x.tile([2]).to_vec(), Ok(vec![1i32, 2, 1, 2]));
    /// assert_eq!(x.tile([2, 1]).dims(), [2, 2]);
    /// assert_eq!(x.repeat(2, 0).to_vec(), Ok(vec![1i32, 1, 2, 2]));
    /// ```
    #[track_caller]
    pub fn tile(&self, times: impl AsRef<[i64]>) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let (times, dims) = (times.as_ref(), e.dims(x)?);
            let rank = times.len().max(dims.len());
            let at = |of: &[i64], i: usize| (i + of.len()).checked_sub(rank).map_or(1, |j| of[j]);
            let (mut apart, mut map, mut result) = (Vec::new(), Vec::new(), Vec::new());
            for i in 0..rank {
                apart.extend([at(times, i), at(&dims, i)]);
                if i + dims.len() >= rank {
                    map.push(2 * i + 1);
                }
                result.push(at(times, i).saturating_mul(at(&dims, i)));
            }
            let repeated = e.broadcast(x, &apart, &map)?;
            e.reshape(repeated, &result)
        })
    }

    /// Each element along a dimension so many times in a row.
    #[track_caller]
    pub fn repeat(&self, times: i64, axis: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let axis = axes::axis("repeat", axis, e.array(x)?)?;
            let mut dims = e.dims(x)?;
            let map: Vec<usize> = (0..dims.len()).map(|d| d + (d > axis) as usize).collect();
            dims.insert(axis + 1, times);
            let repeated = e.broadcast(x, &dims, &map)?;
            dims.remove(axis + 1);
            dims[axis] = dims[axis].saturating_mul(times);
            e.reshape(repeated, &dims)
        })
    }
}

/// The elements from `start` to `stop` along one dimension.
pub(super) fn along(
    e: &mut Emit<'_>,
    x: InstrId,
    axis: usize,
    start: i64,
    stop: i64,
) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    if (start, stop) == (0, dims[axis]) {
        return Ok(x);
    }
    let whole = |&d: &i64| SliceDim { start: 0, limit: d, stride: 1 };
    let mut ranges: Vec<SliceDim> = dims.iter().map(whole).collect();
    ranges[axis] = SliceDim { start, limit: stop, stride: 1 };
    e.slice(x, ranges)
}
