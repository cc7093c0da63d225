//! Tensors from nothing but their shape: constants, counts, triangles.

use super::Tensor;
use super::elementwise::Place;
use super::operand::{AsTensor, promoted};
use super::shapes::moved;
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::Direction;
use lawson_hlo::{ArrayShape, DType, InstrId, Literal, Scalar};
use std::ops::Range;
use std::panic::Location;

impl Tensor {
    /// An array of 0, or of `false`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::zeros([2], DType::F32).to_vec(), Ok(vec![0f32, 0.0]));
    /// ```
    #[track_caller]
    pub fn zeros(dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
        splat(Location::caller(), dims.as_ref(), dtype, 0.0)
    }

    /// An array of 1, or of `true`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::ones([2], DType::S32).to_vec(), Ok(vec![1i32, 1]));
    /// ```
    #[track_caller]
    pub fn ones(dims: impl AsRef<[i64]>, dtype: DType) -> Tensor {
        splat(Location::caller(), dims.as_ref(), dtype, 1.0)
    }

    /// An array of one value, converted to the element type: a number, or a tensor that broadcasts to these dimensions.
    ///
    /// Carries an error where the value does not broadcast.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::full([3], 0.5, DType::F32).to_vec(), Ok(vec![0.5f32; 3]));
    /// let rows = Tensor::full([2, 2], Tensor::from([1f32, 2.0]), DType::F32);
    /// assert_eq!(rows.to_vec(), Ok(vec![1f32, 2.0, 1.0, 2.0]));
    /// ```
    #[track_caller]
    pub fn full(dims: impl AsRef<[i64]>, value: impl AsTensor, dtype: DType) -> Tensor {
        let place = Location::caller();
        match promoted(place, "full", &[value.operand()], |_| dtype) {
            Ok(value) => value.tensors[0].astype(dtype).broadcast_to(dims),
            Err(e) => Tensor::failed(e),
        }
    }

    /// 0 in the shape and type of this tensor.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[3i32, 4]]);
    /// assert_eq!(x.zeros_like().to_vec(), Ok(vec![0i32, 0]));
    /// assert_eq!(x.ones_like().to_vec(), Ok(vec![1i32, 1]));
    /// assert_eq!(x.full_like(7).to_vec(), Ok(vec![7i32, 7]));
    /// ```
    #[track_caller]
    pub fn zeros_like(&self) -> Tensor {
        moved(Location::caller(), self, |e, x| e.splat_like(x, 0.0))
    }

    /// 1 in the shape and type of this tensor.
    #[track_caller]
    pub fn ones_like(&self) -> Tensor {
        moved(Location::caller(), self, |e, x| e.splat_like(x, 1.0))
    }

    /// One value in the shape and type of this tensor.
    #[track_caller]
    pub fn full_like(&self, value: impl AsTensor) -> Tensor {
        match self.shape() {
            Ok(shape) => Tensor::full(&shape.dims, value, shape.dtype),
            Err(e) => Tensor::failed(e),
        }
    }

    /// The integers of a range, as elements of that type.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::arange(-1..3, DType::S32).to_vec(), Ok(vec![-1i32, 0, 1, 2]));
    /// ```
    #[track_caller]
    pub fn arange(range: Range<i64>, dtype: DType) -> Tensor {
        let count = range.end.saturating_sub(range.start).max(0);
        made(Location::caller(), |e| {
            let number = e.iota(dtype, &[count], 0)?;
            if range.start == 0 {
                return Ok(number);
            }
            // Beyond 2^53 a float would round it.
            let start = e.constant(Literal::scalar(dtype, Scalar::Signed(range.start)));
            let start = e.broadcast(start, &[count], &[])?;
            e.add(number, start)
        })
    }

    /// `start`, `start + step`, `start + 2 · step`, … below `stop`, or above it where the step is negative.
    ///
    /// Carries an error where the step is 0 or one of them is not finite.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::arange_by(1.0, -0.1, -0.5, DType::F32);
    /// assert_eq!(x.to_vec(), Ok(vec![1f32, 0.5, 0.0]));
    /// ```
    #[track_caller]
    pub fn arange_by(start: f64, stop: f64, step: f64, dtype: DType) -> Tensor {
        made(Location::caller(), |e| {
            let count = ((stop - start) / step).ceil().max(0.0);
            if !count.is_finite() || step == 0.0 {
                return fault!("`arange_by` from {start} to {stop} by {step} does not end");
            }
            if dtype.is_field() {
                return fault!("`arange_by` of {dtype}: use `arange`, which takes whole numbers");
            }
            let wide = dtype.accumulator();
            let number = e.iota(wide, &[count as i64], 0)?;
            let (step, start) = (e.splat_like(number, step)?, e.splat_like(number, start)?);
            let scaled = e.mul(number, step)?;
            let sum = e.add(scaled, start)?;
            e.convert(sum, dtype)
        })
    }

    /// `count` numbers at equal distances, of which `start` is the first and `stop` the last.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::linspace(0.0, 1.0, 5, DType::F32);
    /// assert_eq!(x.to_vec(), Ok(vec![0f32, 0.25, 0.5, 0.75, 1.0]));
    /// ```
    #[track_caller]
    pub fn linspace(start: f64, stop: f64, count: i64, dtype: DType) -> Tensor {
        made(Location::caller(), |e| {
            let wide = super::promote::averaged("linspace", dtype)?.accumulator();
            if count < 2 {
                return e.splat(&ArrayShape::new(dtype, [count]), start);
            }
            let number = e.iota(wide, &[count - 1], 0)?;
            let parts = e.splat_like(number, (count - 1) as f64)?;
            let part = e.div(number, parts)?;
            let one = e.splat_like(number, 1.0)?;
            let rest = e.sub(one, part)?;
            let (first, last) = (e.splat_like(number, start)?, e.splat_like(number, stop)?);
            let (first, last) = (e.mul(first, rest)?, e.mul(last, part)?);
            let inner = e.add(first, last)?;
            let end = e.splat(&ArrayShape::new(wide, [1]), stop)?;
            let all = e.concatenate(&[inner, end], 0)?;
            e.convert(all, dtype)
        })
    }

    /// The index along a dimension, in an array of these dimensions.
    ///
    /// Carries an error where there is no such axis.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::iota([2, 3], 1, DType::S32).to_vec(), Ok(vec![0i32, 1, 2, 0, 1, 2]));
    /// ```
    #[track_caller]
    pub fn iota(dims: impl AsRef<[i64]>, axis: i64, dtype: DType) -> Tensor {
        made(Location::caller(), |e| {
            let shape = ArrayShape::new(dtype, dims.as_ref());
            let axis = super::axes::axis("iota", axis, &shape)?;
            e.iota(dtype, &shape.dims, axis)
        })
    }

    /// The matrix with 1 on a diagonal: the main one, or above it for positive `offset`.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::eye(2, 3, 0, DType::S32).to_vec(), Ok(vec![1i32, 0, 0, 0, 1, 0]));
    /// assert_eq!(Tensor::eye(2, 3, 1, DType::S32).to_vec(), Ok(vec![0i32, 1, 0, 0, 0, 1]));
    /// ```
    #[track_caller]
    pub fn eye(rows: i64, columns: i64, offset: i64, dtype: DType) -> Tensor {
        made(Location::caller(), |e| {
            let on = diagonals(e, &[rows, columns], offset, Direction::Eq)?;
            e.convert(on, dtype)
        })
    }

    /// The matrix with 1 on and below a diagonal, else 0.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::tri(2, 3, 0, DType::S32).to_vec(), Ok(vec![1i32, 0, 0, 1, 1, 0]));
    /// ```
    #[track_caller]
    pub fn tri(rows: i64, columns: i64, offset: i64, dtype: DType) -> Tensor {
        made(Location::caller(), |e| {
            let on = diagonals(e, &[rows, columns], offset, Direction::Ge)?;
            e.convert(on, dtype)
        })
    }

    /// The matrices of the last two dimensions with 0 above a diagonal.
    ///
    /// Positive `offset` is above the main diagonal. Carries an error where there are fewer than two dimensions.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([[1i32, 2], [3, 4]]);
    /// assert_eq!(x.tril(0).to_vec(), Ok(vec![1i32, 0, 3, 4]));
    /// assert_eq!(x.triu(0).to_vec(), Ok(vec![1i32, 2, 0, 4]));
    /// assert_eq!(x.triu(1).to_vec(), Ok(vec![0i32, 2, 0, 0]));
    /// ```
    #[track_caller]
    pub fn tril(&self, offset: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| triangle(e, "tril", x, offset, Direction::Ge))
    }

    /// The matrices of the last two dimensions with 0 below a diagonal.
    ///
    /// Offset and errors are those of [`Tensor::tril`].
    #[track_caller]
    pub fn triu(&self, offset: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| triangle(e, "triu", x, offset, Direction::Le))
    }
}

fn made(place: Place, f: impl FnOnce(&mut Emit<'_>) -> Result<InstrId, Fault>) -> Tensor {
    Tensor::apply(place, &[], |e, _| f(e))
}

fn splat(place: Place, dims: &[i64], dtype: DType, value: f64) -> Tensor {
    made(place, |e| e.splat(&ArrayShape::new(dtype, dims), value))
}

/// Where row + offset compares so with the column.
fn diagonals(e: &mut Emit<'_>, dims: &[i64; 2], offset: i64, how: Direction) -> Result<InstrId, Fault> {
    let (row, column) = (e.iota(DType::S32, dims, 0)?, e.iota(DType::S32, dims, 1)?);
    let by = e.splat_like(row, offset.clamp(i32::MIN as i64 / 2, i32::MAX as i64 / 2) as f64)?;
    let row = e.add(row, by)?;
    e.compare(how, row, column)
}

fn triangle(e: &mut Emit<'_>, name: &str, x: InstrId, offset: i64, how: Direction) -> Result<InstrId, Fault> {
    let dims = e.dims(x)?;
    let [.., rows, columns] = dims[..] else {
        let shape = e.array(x)?;
        return fault!("`{name}` of {shape}, which is no matrix");
    };
    let on = diagonals(e, &[rows, columns], offset, how)?;
    let on = super::elementwise::stretch(e, on, &dims)?;
    let zero = e.splat_like(x, 0.0)?;
    e.select(on, x, zero)
}
