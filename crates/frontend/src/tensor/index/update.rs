//! A tensor with other elements at an index: `x.at(index).set(y)`. The tensor itself stays as it is.

use super::Item;
use super::plan::Plan;
use crate::error::{Error, Fault};
use crate::fault;
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::elementwise::{Place, broadcast_dims, stretch};
use crate::tensor::operand::{AsTensor, promoted};
use lawson_hlo::attrs::PadDim;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Opcode};
use std::panic::Location;

/// The place of an index in a tensor.
#[must_use = "a place changes nothing by itself"]
pub struct At<'a> {
    tensor: &'a Tensor,
    plan: Result<Plan, Error>,
}

impl At<'_> {
    pub(super) fn new(place: Place, tensor: &Tensor, items: Vec<Item>) -> At<'_> {
        let plan = tensor.shape().and_then(|s| Plan::new(&items, s).map_err(|e| Error::new(place, e.0)));
        At { tensor, plan }
    }

    /// The tensor with these elements there. They broadcast to the shape of the index, and are numbers or of the
    /// tensor's type; so for all the methods below.
    ///
    /// The result carries an error that shows both shapes where they do not broadcast, and where the index does not fit.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = Tensor::from([1i32, 2, 3, 4]);
    /// assert_eq!(x.at(1..3).set(0).to_vec(), Ok(vec![1i32, 0, 0, 4]));
    /// assert_eq!(x.at(1..3).add(10).to_vec(), Ok(vec![1i32, 12, 13, 4]));
    /// assert_eq!(x.at(0).multiply(7).to_vec(), Ok(vec![7i32, 2, 3, 4]));
    /// assert_eq!(x.at(..).min(2).to_vec(), Ok(vec![1i32, 2, 2, 2]));
    /// assert_eq!(x.at(..).max(2).to_vec(), Ok(vec![2i32, 2, 3, 4]));
    /// assert_eq!(x.to_vec(), Ok(vec![1i32, 2, 3, 4])); // as it was
    /// ```
    #[track_caller]
    pub fn set(&self, values: impl AsTensor) -> Tensor {
        self.changed(Location::caller(), "set", values, None)
    }

    /// The tensor with these added there.
    #[track_caller]
    pub fn add(&self, values: impl AsTensor) -> Tensor {
        self.changed(Location::caller(), "add", values, Some(Opcode::Add))
    }

    /// The tensor with these multiplied there.
    #[track_caller]
    pub fn multiply(&self, values: impl AsTensor) -> Tensor {
        self.changed(Location::caller(), "multiply", values, Some(Opcode::Multiply))
    }

    /// The tensor with the lesser of each element and value there.
    #[track_caller]
    pub fn min(&self, values: impl AsTensor) -> Tensor {
        self.changed(Location::caller(), "min", values, Some(Opcode::Minimum))
    }

    /// The tensor with the greater of each element and value there.
    #[track_caller]
    pub fn max(&self, values: impl AsTensor) -> Tensor {
        self.changed(Location::caller(), "max", values, Some(Opcode::Maximum))
    }

    fn changed(&self, place: Place, name: &str, values: impl AsTensor, with: Option<Opcode>) -> Tensor {
        let plan = match &self.plan {
            Ok(plan) => plan,
            Err(e) => return Tensor::failed(e.clone()),
        };
        let dtype = self.tensor.dtype();
        let both = promoted(place, "at", &[self.tensor.operand(), values.operand()], |_| dtype);
        let values = match both {
            Ok(found) => found.tensors[1].clone(),
            Err(e) => return Tensor::failed(e),
        };
        if !values.is_weak() && values.error().is_none() && values.dtype() != dtype {
            let message = format!("`at(…).{name}` of {values:?} in {:?}: convert by `astype`", self.tensor);
            return Tensor::failed(Error::new(place, message));
        }
        let scalars = plan.scalars.iter().map(|(_, t)| t);
        let operands: Vec<&Tensor> = [self.tensor, &values].into_iter().chain(scalars).collect();
        let made = Tensor::apply(place, &operands, |e, ids| {
            let starts = plan.starts(e, &ids[2..])?;
            let values = e.convert(ids[1], dtype)?;
            let values = shaped(e, name, plan, ids[0], values)?;
            let block = plan.block(e, ids[0], &starts)?;
            let values = match with {
                None => values,
                Some(opcode) => {
                    let old = plan.region(e, ids[0], &starts)?;
                    e.binary(opcode, old, values)?
                }
            };
            let block = replaced(e, plan, block, values)?;
            match starts.is_empty() {
                true => Ok(block),
                false => {
                    let operands: Vec<InstrId> = [ids[0], block].into_iter().chain(starts).collect();
                    e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None)
                }
            }
        });
        made.with_weak(self.tensor.is_weak())
    }
}

/// Values broadcast to the view, as a region.
fn shaped(e: &mut Emit<'_>, name: &str, plan: &Plan, x: InstrId, values: InstrId) -> Result<InstrId, Fault> {
    let found = e.array(values)?;
    if broadcast_dims(&found.dims, &plan.view).as_ref() != Some(&plan.view) {
        let wanted = ArrayShape::new(found.dtype, plan.view.clone());
        let x = e.array(x)?;
        return fault!("`at(…).{name}` of {found} in {x}, where the index has {wanted}");
    }
    let view = stretch(e, values, &plan.view)?;
    plan.unview(e, view)
}

/// A block with a region replaced.
fn replaced(e: &mut Emit<'_>, plan: &Plan, block: InstrId, region: InstrId) -> Result<InstrId, Fault> {
    let dims = e.dims(block)?;
    if dims == plan.region_dims() && plan.ranges.iter().all(|r| r.stride == 1) {
        return Ok(region);
    }
    if plan.ranges.iter().all(|r| r.stride == 1) {
        let mut operands = vec![block, region];
        for range in &plan.ranges {
            operands.push(
                e.constant(lawson_hlo::Literal::scalar(DType::S32, lawson_hlo::Scalar::Signed(range.start))),
            );
        }
        return e.op(Opcode::DynamicUpdateSlice, &operands, Attrs::None);
    }
    // Elements with others between them: spread to the dimensions of the block, and chosen where they are.
    let pads = plan.ranges.iter().zip(e.dims(region)?).zip(&dims).map(|((r, n), &d)| {
        let reach = if n == 0 { 0 } else { (n - 1) * r.stride + 1 };
        PadDim { low: r.start, high: d - r.start - reach, interior: r.stride - 1 }
    });
    let pads: Vec<PadDim> = pads.collect();
    let zero = e.scalar(e.dtype(region)?, 0.0);
    let spread = e.op(Opcode::Pad, &[region, zero], Attrs::Pad(pads.clone()))?;
    let (taken, not) = (e.array(region)?.with_dtype(DType::Pred), e.scalar(DType::Pred, 0.0));
    let taken = e.splat(&taken, 1.0)?;
    let mask = e.op(Opcode::Pad, &[taken, not], Attrs::Pad(pads))?;
    e.select(mask, spread, block)
}
