//! Slices at constant places, and slices and updates at places that the program computes.

use super::Tensor;
use super::axes;
use super::operand::AsTensor;
use super::shapes::moved;
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use lawson_hlo::attrs::{Direction, SliceDim};
use lawson_hlo::{Attrs, DType, InstrId, Literal, Opcode, Scalar};
use std::panic::Location;

impl Tensor {
    /// From `starts` until before `limits`, by `strides`, one number for each dimension: what the opcode `slice` takes.
    /// `x.index(…)` takes Python's slices.
    ///
    /// Carries an error where a range is outside.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::arange(0..6, DType::S32);
    /// assert_eq!(x.slice([1], [6], [2]).to_vec(), Ok(vec![1i32, 3, 5]));
    /// assert_eq!(x.slice_in_dim(2, 4, 0).to_vec(), Ok(vec![2i32, 3]));
    /// ```
    #[track_caller]
    pub fn slice(
        &self,
        starts: impl AsRef<[i64]>,
        limits: impl AsRef<[i64]>,
        strides: impl AsRef<[i64]>,
    ) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let (starts, limits, strides) = (starts.as_ref(), limits.as_ref(), strides.as_ref());
            if starts.len() != limits.len() || starts.len() != strides.len() {
                let shape = e.array(x)?;
                return fault!("`slice` of {shape} from {starts:?} to {limits:?} by {strides:?}");
            }
            let ranges = starts.iter().zip(limits).zip(strides);
            let range = |((&start, &limit), &stride)| SliceDim { start, limit, stride };
            e.slice(x, ranges.map(range).collect())
        })
    }

    /// From `start` until before `limit` along one dimension.
    #[track_caller]
    pub fn slice_in_dim(&self, start: i64, limit: i64, axis: i64) -> Tensor {
        moved(Location::caller(), self, |e, x| {
            let axis = axes::axis("slice_in_dim", axis, e.array(x)?)?;
            super::join::along(e, x, axis, start, limit)
        })
    }

    /// A block of these sizes that starts where scalar integers say, one for each dimension: numbers, or tensors.
    /// Negative ones count from the end. A block that would reach outside is the nearest one inside.
    ///
    /// Carries an error where there are not as many starts as dimensions, where one is no scalar integer, or a size is
    /// larger than its dimension.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let (x, i) = (Tensor::arange(0..6, DType::S32), Tensor::of(2));
    /// assert_eq!(x.dynamic_slice(&[&i], [3]).to_vec(), Ok(vec![2i32, 3, 4]));
    /// assert_eq!(x.dynamic_slice(&[&5], [3]).to_vec(), Ok(vec![3i32, 4, 5]));
    /// ```
    #[track_caller]
    pub fn dynamic_slice(&self, starts: &[&dyn AsTensor], sizes: impl AsRef<[i64]>) -> Tensor {
        let place = Location::caller();
        let scalars: Vec<Tensor> = starts.iter().map(|s| s.operand().into_tensor(place)).collect();
        let operands: Vec<&Tensor> = std::iter::once(self).chain(&scalars).collect();
        let made = Tensor::apply(place, &operands, |e, ids| {
            let mut operands = vec![ids[0]];
            operands.extend(starts_of(e, "dynamic_slice", ids[0], &ids[1..])?);
            e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes.as_ref().to_vec()))
        });
        made.with_weak(self.is_weak())
    }

    /// The tensor with `update` in the block that starts where scalar integers say, as in [`Tensor::dynamic_slice`].
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::zeros([4], DType::S32);
    /// assert_eq!(x.dynamic_update_slice(Tensor::from([7i32, 8]), &[&1]).to_vec(), Ok(vec![0i32, 7, 8, 0]));
    /// ```
    #[track_caller]
    pub fn dynamic_update_slice(&self, update: impl AsTensor, starts: &[&dyn AsTensor]) -> Tensor {
        let place = Location::caller();
        let dtype = self.dtype();
        let update =
            match super::operand::promoted(place, "dynamic_update_slice", &[update.operand()], |_| dtype) {
                Ok(found) => found.tensors[0].clone(),
                Err(e) => return Tensor::failed(e),
            };
        if !update.is_weak() && update.dtype() != dtype && update.error().is_none() {
            let message = format!("`dynamic_update_slice` of {update:?} in {self:?}: convert by `astype`");
            return Tensor::failed(Error::new(place, message));
        }
        let scalars: Vec<Tensor> = starts.iter().map(|s| s.operand().into_tensor(place)).collect();
        let operands: Vec<&Tensor> = [self, &update].into_iter().chain(&scalars).collect();
        let made = Tensor::apply(place, &operands, |e, ids| {
            let update = e.convert(ids[1], dtype)?;
            let mut operands = vec![ids[0], update];
            operands.extend(starts_of(e, "dynamic_update_slice", ids[0], &ids[2..])?);
            e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
        });
        made.with_weak(self.is_weak())
    }
}

/// Start indices of one type, negative ones counted from the end.
fn starts_of(e: &mut Emit<'_>, name: &str, x: InstrId, starts: &[InstrId]) -> Result<Vec<InstrId>, Fault> {
    let shape = e.array(x)?.clone();
    if starts.len() != shape.rank() {
        return fault!("`{name}` of {shape} from {} start indices", starts.len());
    }
    for &start in starts {
        let found = e.array(start)?;
        if !found.is_scalar() || !found.dtype.is_integer() {
            return fault!("`{name}` of {shape} from {found}: a start index is a scalar integer");
        }
    }
    starts.iter().zip(&shape.dims).map(|(&s, &d)| wrapped(e, s, d)).collect()
}

/// An index as s32, where negative ones count from the end.
pub(super) fn wrapped(e: &mut Emit<'_>, index: InstrId, extent: i64) -> Result<InstrId, Fault> {
    let number = |n: i64| Literal::scalar(DType::S32, Scalar::Signed(n));
    let signed = e.dtype(index)?.is_signed();
    if let Some(known) = known(e, index) {
        let from_start = if signed && known < 0 { known.saturating_add(extent) } else { known };
        let inside = from_start.clamp(0, i32::MAX as i64);
        return Ok(e.constant(number(inside)));
    }
    let dtype = e.dtype(index)?;
    // Narrow integers may not hold the extent; wide ones may not fit into s32 before they are inside.
    let wide = dtype.bits() >= 32;
    let mut index = if wide { index } else { e.convert(index, DType::S32)? };
    let own = e.dtype(index)?;
    let of_own = |n: i64| Literal::scalar(own, Scalar::Signed(n));
    if signed {
        let (zero, extent) = (e.constant(of_own(0)), e.constant(of_own(extent)));
        let negative = e.compare(Direction::Lt, index, zero)?;
        let shifted = e.add(index, extent)?;
        index = e.select(negative, shifted, index)?;
    }
    if own.is_s32() {
        return Ok(index);
    }
    let (first, end) = (e.constant(of_own(0)), e.constant(of_own(extent)));
    let inside = e.op(Opcode::Clamp, &[first, index, end], Attrs::None)?;
    e.convert(inside, DType::S32)
}

/// The value of a scalar integer that is a constant.
fn known(e: &Emit<'_>, x: InstrId) -> Option<i64> {
    match &e.instr(x).attrs {
        Attrs::Constant(Some(lawson_hlo::Value::Array(literal))) => Some(match literal.get(0) {
            Scalar::Signed(i) => i,
            Scalar::Unsigned(u) => i64::try_from(u).unwrap_or(i64::MAX),
            Scalar::Pred(_)
            | Scalar::Float(_)
            | Scalar::Complex(..)
            | Scalar::Extension(_)
            | Scalar::Wide(_) => return None,
        }),
        _ => None,
    }
}
