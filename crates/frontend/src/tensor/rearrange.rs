//! Elements reversed, shifted, padded, and diagonals.

use super::Tensor;
use super::axes::{self, Axes};
use super::join::along;
use super::operand::{AsTensor, promoted};
use super::shapes::moved;
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{PadDim, SliceDim};
use lawson_hlo::{Attrs, InstrId, Opcode};
use std::panic::Location;

impl Tensor {
    /// Reversed along these dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1i32, 2, 3]);
    /// assert_eq!(x.flip(0).to_vec(), Ok(vec![3i32, 2, 1]));
    /// assert_eq!(x.roll(1, 0).to_vec(), Ok(vec![3i32, 1, 2]));
    /// ```
    #[track_caller]
    pub fn flip(&self, axes: impl Axes) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let axes = axes::axes("flip", &axes.axes(), e.array(x)?)?;
            e.reverse(x, &axes)
        })
    }

    /// Shifted along a dimension towards greater indices; what leaves at the end comes in at the start.
    #[track_caller]
    pub fn roll(&self, shift: i64, axis: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let axis = axes::axis("roll", axis, e.array(x)?)?;
            let extent = e.array(x)?.dims[axis];
            let cut = if extent == 0 { 0 } else { (-shift).rem_euclid(extent) };
            if cut == 0 {
                return Ok(x);
            }
            let (front, back) = (along(e, x, axis, 0, cut)?, along(e, x, axis, cut, extent)?);
            e.concatenate(&[back, front], axis)
        })
    }

    /// `widths[i]` elements of a value before and after those of dimension `i`; negative widths take elements away. The
    /// value is converted to the element type.
    ///
    /// Carries an error where there are not as many widths as dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1i32, 2, 3]);
    /// assert_eq!(x.pad([(1, 2)], 0).to_vec(), Ok(vec![0i32, 1, 2, 3, 0, 0]));
    /// assert_eq!(x.pad([(-1, 0)], 0).to_vec(), Ok(vec![2i32, 3]));
    /// assert_eq!(x.pad_interior(&[(0, 0, 1)], 0).to_vec(), Ok(vec![1i32, 0, 2, 0, 3]));
    /// assert_eq!(x.pad_edge([(1, 1)]).to_vec(), Ok(vec![1i32, 1, 2, 3, 3]));
    /// ```
    #[track_caller]
    pub fn pad(&self, widths: impl AsRef<[(i64, i64)]>, value: impl AsTensor) -> Tensor {
        let all: Vec<_> = widths.as_ref().iter().map(|&(low, high)| (low, high, 0)).collect();
        self.pad_interior(&all, value)
    }

    /// As [`Tensor::pad`], with a third number for each dimension: elements between neighbours.
    #[track_caller]
    pub fn pad_interior(&self, widths: &[(i64, i64, i64)], value: impl AsTensor) -> Tensor {
        let place = Location::caller();
        let dtype = self.dtype();
        let value = match promoted(place, "pad", &[value.operand()], |_| dtype) {
            Ok(found) => found.tensors[0].clone(),
            Err(e) => return Tensor::failed(e),
        };
        let made = Tensor::apply(place, &[self, &value], |e, ids| {
            let pads = widths.iter().map(|&(low, high, interior)| PadDim { low, high, interior }).collect();
            let value = e.convert(ids[1], dtype)?;
            e.op(Opcode::Pad, &[ids[0], value], Attrs::Pad(pads))
        });
        made.with_weak(self.is_weak())
    }

    /// Widened at both ends of each dimension by repetitions of the element at the end.
    ///
    /// Carries an error where a width is negative, or where a dimension has no element to repeat.
    #[track_caller]
    pub fn pad_edge(&self, widths: impl AsRef<[(i64, i64)]>) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let (widths, shape) = (widths.as_ref(), e.array(x)?.clone());
            let none = shape.dims.iter().zip(widths).any(|(&d, &w)| d == 0 && w != (0, 0));
            if widths.len() != shape.rank() || widths.iter().any(|w| w.0 < 0 || w.1 < 0) || none {
                return fault!("`pad_edge` of {shape} by {widths:?}");
            }
            let mut whole = x;
            for (axis, &(low, high)) in widths.iter().enumerate() {
                let extent = shape.dims[axis];
                let mut parts = vec![whole];
                if low > 0 {
                    parts.insert(0, edge(e, whole, axis, 0, low)?);
                }
                if high > 0 {
                    parts.push(edge(e, whole, axis, extent - 1, high)?);
                }
                whole = e.concatenate(&parts, axis)?;
            }
            Ok(whole)
        })
    }

    /// The diagonals of the matrices in the last two dimensions: the main ones, or above them for positive `offset`.
    ///
    /// Carries an error where there are fewer than two dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[1i32, 2], [3, 4]]);
    /// assert_eq!(x.diagonal(0).to_vec(), Ok(vec![1i32, 4]));
    /// assert_eq!(x.diagonal(1).to_vec(), Ok(vec![2i32]));
    /// assert_eq!(x.trace().item(), Ok(5i32));
    /// assert_eq!(Tensor::from([1i32, 2]).diag().to_vec(), Ok(vec![1i32, 0, 0, 2]));
    /// ```
    #[track_caller]
    pub fn diagonal(&self, offset: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| diagonal(e, x, offset))
    }

    /// The sum of each main diagonal of the matrices in the last two dimensions.
    #[track_caller]
    pub fn trace(&self) -> Tensor {
        self.diagonal(0).sum_axes(-1)
    }

    /// The matrix with these elements on its main diagonal, else 0; of vectors in front, one each.
    #[track_caller]
    pub fn diag(&self) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let mut dims = e.dims(x)?;
            let Some(&extent) = dims.last() else {
                let shape = e.array(x)?;
                return fault!("`diag` of {shape}, which is no vector");
            };
            // Row-major, `extent` elements lie between two of the diagonal.
            let mut pads = vec![PadDim { low: 0, high: 0, interior: 0 }; dims.len()];
            pads[dims.len() - 1].interior = extent;
            let dtype = e.dtype(x)?;
            let zero = e.scalar(dtype, 0.0);
            let spread = e.op(Opcode::Pad, &[x, zero], Attrs::Pad(pads))?;
            dims.push(extent);
            e.reshape(spread, &dims)
        })
    }

    /// Differences of neighbours along a dimension: one less than it has.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// assert_eq!(Tensor::from([1i32, 4, 9]).diff(0).to_vec(), Ok(vec![3i32, 5]));
    /// ```
    #[track_caller]
    pub fn diff(&self, axis: i64) -> Tensor {
        let place = Location::caller();
        let Ok(shape) = self.shape() else { return self.clone() };
        let axis = match axes::axis("diff", axis, shape) {
            Ok(axis) if shape.dims[axis] > 0 => axis,
            Ok(axis) => {
                return Tensor::failed(Error::new(place, format!("`diff` of {shape} along axis {axis}")));
            }
            Err(e) => return Tensor::failed(Error::new(place, e.0)),
        };
        moved(place, self, |e, x| {
            let extent = e.array(x)?.dims[axis];
            let (front, back) = (along(e, x, axis, 0, extent - 1)?, along(e, x, axis, 1, extent)?);
            e.sub(back, front)
        })
    }
}

/// One element along a dimension, repeated.
fn edge(e: &mut Emit<'_>, x: InstrId, axis: usize, at: i64, times: i64) -> Result<InstrId, Fault> {
    let one = along(e, x, axis, at, at + 1)?;
    let mut dims = e.dims(one)?;
    dims[axis] = times;
    super::elementwise::stretch(e, one, &dims)
}

/// Row-major, the elements of a diagonal of n × m lie m + 1 apart.
pub(super) fn diagonal(e: &mut Emit<'_>, x: InstrId, offset: i64) -> Result<InstrId, Fault> {
    let mut dims = e.dims(x)?;
    let [.., rows, columns] = dims[..] else {
        let shape = e.array(x)?;
        return fault!("`diagonal` of {shape}, which is no matrix");
    };
    let (down, right) = ((-offset).max(0), offset.max(0));
    let count = (rows - down).min(columns - right).max(0);
    dims.truncate(dims.len() - 2);
    dims.push(rows * columns);
    let flat = e.reshape(x, &dims)?;
    let start = if count == 0 { 0 } else { down * columns + right };
    let limit = if count == 0 { 0 } else { start + (count - 1) * (columns + 1) + 1 };
    let whole = |&d: &i64| SliceDim { start: 0, limit: d, stride: 1 };
    let mut ranges: Vec<SliceDim> = dims.iter().map(whole).collect();
    ranges[dims.len() - 1] = SliceDim { start, limit, stride: columns + 1 };
    e.slice(flat, ranges)
}
