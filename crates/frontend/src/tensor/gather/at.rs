//! `x.at_indices(indices)`: places of an array, read or changed.

use super::indices::{IndexMode, index_vectors};
use super::{Indexed, failed};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::tensor::axes::in_order;
use crate::tensor::elementwise::{Place, broadcast_all, broadcast_dims, stretch};
use crate::tensor::{AsTensor, Tensor};
use lawson_hlo::attrs::ScatterDims;
use lawson_hlo::{Attrs, DType, InstrId, Opcode, Shape};
use std::panic::Location;

/// Places of an array at tensors of indices, from [`Tensor::at_indices`]. Nothing is changed in place: operations
/// give new arrays.
#[derive(Clone, Debug)]
pub struct AtIndices<'a> {
    x: &'a Tensor,
    indices: Vec<&'a Tensor>,
    axes: Vec<i64>,
    mode: Option<IndexMode>,
}

impl<'a> AtIndices<'a> {
    pub(super) fn new(x: &'a Tensor, indices: &[&'a Tensor], axes: &[i64]) -> AtIndices<'a> {
        AtIndices { x, indices: indices.to_vec(), axes: axes.to_vec(), mode: None }
    }

    /// With what an index beyond the bounds means.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    /// use lawson::tensor::gather::IndexMode;
    ///
    /// let (x, beyond) = (Tensor::from([1f32, 2.0]), Tensor::from([9i32]));
    /// assert_eq!(x.at_indices(&[&beyond]).set(7.0).to_vec(), Ok(vec![1f32, 2.0]));
    /// let nearest = x.at_indices(&[&beyond]).mode(IndexMode::Clip).set(7.0);
    /// assert_eq!(nearest.to_vec(), Ok(vec![1f32, 7.0]));
    /// ```
    pub fn mode(self, mode: IndexMode) -> AtIndices<'a> {
        AtIndices { mode: Some(mode), ..self }
    }

    /// What stands there: the dimensions of the indices in the place of the indexed ones where those are next to each
    /// other in order, else in front; then the other dimensions. Beyond the bounds it is filled, where
    /// [`AtIndices::mode`] does not say otherwise.
    ///
    /// The result carries an error where the array has no such dimensions, or indices are no integers or do not
    /// broadcast.
    #[track_caller]
    pub fn get(&self) -> Tensor {
        let operands: Vec<&Tensor> = std::iter::once(self.x).chain(self.indices.iter().copied()).collect();
        let made = Tensor::apply(Location::caller(), &operands, |e, ids| {
            let indexed = self.indexed(e, "get", ids[0])?;
            indexed.read(e, ids[0], &ids[1..])
        });
        made.with_weak(self.x.is_weak())
    }

    fn indexed(&self, e: &Emit<'_>, name: &'static str, x: InstrId) -> Result<Indexed<'static>, Fault> {
        let axes = in_order(name, &self.axes, e.array(x)?)?;
        if axes.len() != self.indices.len() {
            return fault!(
                "`{name}` of {} has {} indices for {} axes",
                e.array(x)?,
                self.indices.len(),
                axes.len()
            );
        }
        Ok(Indexed { name, axes, mode: self.mode, wraps: true })
    }

    fn change(&self, place: Place, name: &'static str, combine: Combine, values: impl AsTensor) -> Tensor {
        let values = values.operand().into_tensor(place);
        let mut operands: Vec<&Tensor> = vec![self.x];
        operands.extend(&self.indices);
        operands.push(&values);
        if self.indices.is_empty() {
            return failed(place, format!("`{name}` needs indices along a dimension at least"));
        }
        let made = Tensor::apply(place, &operands, |e, ids| {
            let (&values, rest) = ids.split_last().expect("the values are the last");
            let indexed = self.indexed(e, name, rest[0])?;
            indexed.write(e, rest[0], &rest[1..], values, combine)
        });
        made.with_weak(self.x.is_weak())
    }
}

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident $combine:expr;)*) => {
        impl AtIndices<'_> {
            $(
                $(#[$doc])*
                ///
                /// The values take the element type of the array, and broadcast to what [`AtIndices::get`] gives.
                /// What is written beyond the bounds is dropped, where [`AtIndices::mode`] does not say otherwise.
                /// The result carries an error that shows both shapes where they do not fit.
                #[track_caller]
                pub fn $name(&self, values: impl AsTensor) -> Tensor {
                    self.change(Location::caller(), stringify!($name), $combine, values)
                }
            )*
        }
    };
}

changes! {
    /// With these values there. Of several for one place, which one stays is unspecified.
    set Combine::Last;
    /// With these values added; all of them, where there are several for one place.
    add Combine::Opcode(Opcode::Add);
    /// With these values subtracted.
    subtract Combine::Negated;
    /// With these values multiplied.
    multiply Combine::Opcode(Opcode::Multiply);
    /// With the least of what stands there and these values.
    min Combine::Opcode(Opcode::Minimum);
    /// With the largest of what stands there and these values.
    max Combine::Opcode(Opcode::Maximum);
}

/// What becomes of what stands in a place and a value for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Combine {
    Last,
    Opcode(Opcode),
    /// The sum with the negative value.
    Negated,
}

impl Indexed<'_> {
    /// The array with values combined there.
    pub(super) fn write(
        &self,
        e: &mut Emit<'_>,
        x: InstrId,
        indices: &[InstrId],
        values: InstrId,
        combine: Combine,
    ) -> Result<InstrId, Fault> {
        self.check(e, x, indices)?;
        let indices = broadcast_all(e, self.name, indices)?;
        let common = indices.first().map_or(Ok(Vec::new()), |&i| e.dims(i))?;
        let (extents, places) = self.extents(e, x, &common)?;
        let shape = e.array(x)?.clone();
        let mut values = e.convert(values, shape.dtype)?;
        if broadcast_dims(&e.dims(values)?, &places).is_none_or(|dims| dims != places) {
            return fault!(
                "`{}` of {} at places {places:?} of {shape}: they do not fit",
                self.name,
                e.array(values)?
            );
        }
        if let Combine::Negated = combine {
            values = e.neg(values)?;
        }
        let values = stretch(e, values, &places)?;
        // Beyond the bounds a scatter writes nothing.
        let mode = self.mode.filter(|&mode| mode != IndexMode::Fill).unwrap_or(IndexMode::PromiseInBounds);
        let (vectors, _) = index_vectors(e, &indices, &extents, mode, self.wraps)?;
        let to_apply = match combine {
            Combine::Opcode(opcode) => e.scalar_computation(opcode, shape.dtype)?,
            Combine::Negated => e.scalar_computation(Opcode::Add, shape.dtype)?,
            Combine::Last => last(e, shape.dtype)?,
        };
        let scatter = ScatterDims {
            update_window_dims: self.offsets(shape.rank(), common.len()),
            inserted_window_dims: self.sorted(),
            scatter_dims_to_operand_dims: self.axes.clone(),
            input_batching_dims: Vec::new(),
            scatter_indices_batching_dims: Vec::new(),
            index_vector_dim: common.len(),
            indices_are_sorted: false,
            unique_indices: false,
            to_apply,
        };
        e.op(Opcode::Scatter, &[x, vectors, values], Attrs::Scatter(Box::new(scatter)))
    }
}

/// The computation that gives its second argument.
fn last(e: &mut Emit<'_>, dtype: DType) -> Result<lawson_hlo::CompId, Fault> {
    e.computation("assign", |e| {
        e.parameter(0, Shape::scalar(dtype));
        Ok(e.parameter(1, Shape::scalar(dtype)))
    })
}
