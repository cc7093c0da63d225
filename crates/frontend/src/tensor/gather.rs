//! Elements chosen by tensors of indices, and changed: `take`, `take_along_axis`, `at_indices`, `one_hot`, sums of
//! segments.
//!
//! Negative indices count from the end. What an index beyond the bounds means is an [`IndexMode`]; the default is
//! JAX's: what is read there is NaN (of integers the least signed or the largest unsigned number), what is written
//! there is dropped.

mod at;
mod indices;
mod segment;

pub use at::AtIndices;
pub use indices::IndexMode;
pub use segment::{one_hot, segment_max, segment_min, segment_prod, segment_sum};

use super::Tensor;
use super::axes::axis as axis_of;
use super::elementwise::{Place, broadcast_all};
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use indices::{filled, index_vectors};
use lawson_hlo::attrs::GatherDims;
use lawson_hlo::{Attrs, InstrId, Opcode};
use std::panic::Location;

impl Tensor {
    /// The elements of a dimension at these indices, whose dimensions stand in its place: `x[…, indices, …]`. Indices
    /// beyond the bounds are filled.
    ///
    /// The result carries an error where the array has no such axis, or indices are no integers.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let (x, i) = (Tensor::from([[1i32, 2], [3, 4], [5, 6]]), Tensor::from([2i32, 0]));
    /// assert_eq!(x.take(&i, 0).to_vec(), Ok(vec![5i32, 6, 1, 2]));
    /// assert_eq!(x.take(&Tensor::from([[0i32], [1]]), 1).dims(), [3, 2, 1]);
    /// ```
    #[track_caller]
    pub fn take(&self, indices: &Tensor, axis: i64) -> Tensor {
        self.take_from(Location::caller(), indices, axis, IndexMode::Fill)
    }

    /// As [`Tensor::take`], with what an index beyond the bounds means.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::tensor::gather::IndexMode;
    ///
    /// let (x, i) = (Tensor::from([10f32, 20.0]), Tensor::from([0i32, 2]));
    /// assert_eq!(x.take_mode(&i, 0, IndexMode::Clip).to_vec(), Ok(vec![10f32, 20.0]));
    /// assert_eq!(x.take_mode(&i, 0, IndexMode::Wrap).to_vec(), Ok(vec![10f32, 10.0]));
    /// assert!(x.take(&i, 0).to_vec::<f32>()?[1].is_nan());
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn take_mode(&self, indices: &Tensor, axis: i64, mode: IndexMode) -> Tensor {
        self.take_from(Location::caller(), indices, axis, mode)
    }

    fn take_from(&self, place: Place, indices: &Tensor, axis: i64, mode: IndexMode) -> Tensor {
        let taken = Tensor::apply(place, &[self, indices], |e, ids| {
            let axis = axis_of("take", axis, e.array(ids[0])?)?;
            let at = Indexed { name: "take", axes: vec![axis], mode: Some(mode), wraps: true };
            at.read(e, ids[0], &ids[1..])
        });
        taken.with_weak(self.is_weak())
    }

    /// At each position, the element of a dimension at the index that stands there: `x[i, indices[i, j], …]`. The
    /// other dimensions of indices are those of this, where 1 stretches on both sides. Indices beyond the bounds are
    /// filled.
    ///
    /// The result carries an error that shows both shapes where they do not fit.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[3i32, 1], [2, 4]]);
    /// let order = x.argsort(1);
    /// assert_eq!(x.take_along_axis(&order, 1).to_vec(), Ok(vec![1i32, 3, 2, 4]));
    /// ```
    #[track_caller]
    pub fn take_along_axis(&self, indices: &Tensor, axis: i64) -> Tensor {
        let taken = Tensor::apply(Location::caller(), &[self, indices], |e, ids| {
            let axis = axis_of("take_along_axis", axis, e.array(ids[0])?)?;
            along(e, ids[0], ids[1], axis)
        });
        taken.with_weak(self.is_weak())
    }

    /// The places at these indices along the first dimensions, to be read or changed: `x.at_indices(&[&i,
    /// &j]).add(1.0)`. The indices are broadcast together.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let (x, i) = (Tensor::zeros([4], DType::F32), Tensor::from([1i32, 3, 1]));
    /// let ones = Tensor::ones([3], DType::F32);
    /// assert_eq!(x.at_indices(&[&i]).add(&ones).to_vec(), Ok(vec![0f32, 2.0, 0.0, 1.0]));
    /// assert_eq!(x.at_indices(&[&i]).set(7.0).to_vec(), Ok(vec![0f32, 7.0, 0.0, 7.0]));
    /// assert_eq!(x.at_indices(&[&i]).get().dims(), [3]);
    /// ```
    pub fn at_indices<'a>(&'a self, indices: &[&'a Tensor]) -> AtIndices<'a> {
        let axes: Vec<i64> = (0..indices.len() as i64).collect();
        AtIndices::new(self, indices, &axes)
    }

    /// As [`Tensor::at_indices`], with indices along these dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let (x, i) = (Tensor::zeros([2, 5, 4], DType::F32), Tensor::from([1i32, 3]));
    /// assert_eq!(x.at_indices_axes(&[&i], &[1]).get().dims(), [2, 2, 4]);
    /// ```
    pub fn at_indices_axes<'a>(&'a self, indices: &[&'a Tensor], axes: &[i64]) -> AtIndices<'a> {
        AtIndices::new(self, indices, axes)
    }
}

/// Places of an array at indices along some dimensions. Where the dimensions are next to each other in order, those
/// of the indices stand in their place, else in front, as numpy has it.
struct Indexed<'a> {
    name: &'a str,
    axes: Vec<usize>,
    mode: Option<IndexMode>,
    /// Negative indices count from the end.
    wraps: bool,
}

impl Indexed<'_> {
    /// Where the dimensions of the indices stand in the result.
    fn position(&self) -> usize {
        let adjacent = self.axes.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if adjacent { self.axes.first().copied().unwrap_or(0) } else { 0 }
    }

    fn sorted(&self) -> Vec<usize> {
        let mut sorted = self.axes.clone();
        sorted.sort_unstable();
        sorted
    }

    /// The dimensions of a window in the result, where indices have `rank` dimensions.
    fn offsets(&self, x_rank: usize, rank: usize) -> Vec<usize> {
        let at = self.position();
        (0..x_rank - self.axes.len()).map(|d| if d < at { d } else { d + rank }).collect()
    }

    /// The extents of the axes, and of the places.
    fn extents(&self, e: &Emit<'_>, x: InstrId, indices: &[i64]) -> Result<(Vec<i64>, Vec<i64>), Fault> {
        let dims = e.dims(x)?;
        let of_axes = self.axes.iter().map(|&a| dims[a]).collect();
        let mut places: Vec<i64> =
            (0..dims.len()).filter(|d| !self.axes.contains(d)).map(|d| dims[d]).collect();
        let at = self.position();
        places.splice(at..at, indices.iter().copied());
        Ok((of_axes, places))
    }

    fn check(&self, e: &Emit<'_>, x: InstrId, indices: &[InstrId]) -> Result<(), Fault> {
        for &i in indices {
            if !e.dtype(i)?.is_integer() {
                return fault!(
                    "`{}` of {} by {}, which are no integers",
                    self.name,
                    e.array(x)?,
                    e.array(i)?
                );
            }
        }
        Ok(())
    }

    /// What stands there.
    fn read(&self, e: &mut Emit<'_>, x: InstrId, indices: &[InstrId]) -> Result<InstrId, Fault> {
        self.check(e, x, indices)?;
        let indices = broadcast_all(e, self.name, indices)?;
        let rank = indices.first().map_or(Ok(0), |&i| e.array(i).map(|a| a.rank()))?;
        let common = indices.first().map_or(Ok(Vec::new()), |&i| e.dims(i))?;
        let (extents, places) = self.extents(e, x, &common)?;
        let mode = self.mode.unwrap_or(IndexMode::Fill);
        if extents.contains(&0) && places.iter().all(|&d| d > 0) {
            return fault!("`{}` reads elements of {}, which has none", self.name, e.array(x)?);
        }
        let (vectors, valid) = index_vectors(e, &indices, &extents, mode, self.wraps)?;
        let dims = e.dims(x)?;
        let size = |(d, &extent): (usize, &i64)| if self.axes.contains(&d) { extent.min(1) } else { extent };
        let gather = GatherDims {
            offset_dims: self.offsets(dims.len(), rank),
            collapsed_slice_dims: self.sorted(),
            start_index_map: self.axes.clone(),
            index_vector_dim: rank,
            slice_sizes: dims.iter().enumerate().map(size).collect(),
            ..GatherDims::default()
        };
        let read = e.op(Opcode::Gather, &[x, vectors], Attrs::Gather(Box::new(gather)))?;
        match valid {
            None => Ok(read),
            Some(valid) => {
                let map: Vec<usize> = (0..rank).map(|d| self.position() + d).collect();
                filled(e, read, valid, &map)
            }
        }
    }
}

/// `take_along_axis`, as a gather whose other dimensions are batches.
fn along(e: &mut Emit<'_>, x: InstrId, indices: InstrId, axis: usize) -> Result<InstrId, Fault> {
    let (shape, of_indices) = (e.array(x)?.clone(), e.array(indices)?.clone());
    let rank = shape.rank();
    let common: Option<Vec<i64>> = (0..rank)
        .map(|d| match (shape.dims[d], of_indices.dims.get(d).copied()?) {
            (_, n) if d == axis => Some(n),
            (m, n) if m == n || n == 1 => Some(m),
            (1, n) => Some(n),
            _ => None,
        })
        .collect();
    let fits = of_indices.rank() == rank && of_indices.dtype.is_integer();
    let Some(wanted) = common.filter(|_| fits) else {
        return fault!("`take_along_axis` of {shape} by {of_indices} along axis {axis}, which do not fit");
    };
    let extent = shape.dims[axis];
    if extent == 0 && wanted.iter().all(|&d| d > 0) {
        return fault!("`take_along_axis` reads elements of {shape}, which has none");
    }
    let mut of_x = wanted.clone();
    of_x[axis] = extent;
    let x = super::elementwise::stretch(e, x, &of_x)?;
    let indices = super::elementwise::stretch(e, indices, &wanted)?;
    let (vectors, valid) = index_vectors(e, &[indices], &[extent], IndexMode::Fill, true)?;
    let others: Vec<usize> = (0..rank).filter(|&d| d != axis).collect();
    let gather = GatherDims {
        collapsed_slice_dims: vec![axis],
        start_index_map: vec![axis],
        operand_batching_dims: others.clone(),
        start_indices_batching_dims: others,
        index_vector_dim: rank,
        slice_sizes: of_x.iter().map(|&d| d.min(1)).collect(),
        ..GatherDims::default()
    };
    let read = e.op(Opcode::Gather, &[x, vectors], Attrs::Gather(Box::new(gather)))?;
    match valid {
        None => Ok(read),
        Some(valid) => filled(e, read, valid, &(0..rank).collect::<Vec<_>>()),
    }
}

/// An error of an operation at that line.
fn failed(place: Place, message: String) -> Tensor {
    Tensor::failed(Error::new(place, message))
}
