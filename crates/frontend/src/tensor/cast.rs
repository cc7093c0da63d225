//! Other element types: by value, and by bits.

use super::Tensor;
use super::operand::AsTensor;
use lawson_hlo::{Attrs, DType, Opcode, Shape};
use std::panic::Location;

impl Tensor {
    /// The elements converted, of a type that is not weak. Floats lose their fraction in integers, towards 0, and end at their
    /// bounds; integers wrap; pred is whether a number differs from 0.
    #[track_caller]
    pub fn astype(&self, dtype: DType) -> Tensor {
        if self.dtype() == dtype {
            return self.clone().with_weak(false);
        }
        Tensor::apply(Location::caller(), &[self], |e, ids| e.convert(ids[0], dtype))
    }

    /// The same bits as elements of another type. Between types of different widths the ratio is a last dimension,
    /// which appears or goes.
    #[track_caller]
    pub fn bitcast(&self, dtype: DType) -> Tensor {
        Tensor::apply(Location::caller(), &[self], |e, ids| {
            let x = e.array(ids[0])?;
            let (from, to) = (x.dtype.cast_bits(), dtype.cast_bits());
            let mut dims = x.dims.clone();
            match from.cmp(&to) {
                std::cmp::Ordering::Greater => dims.push((from / to) as i64),
                std::cmp::Ordering::Less => drop(dims.pop()),
                std::cmp::Ordering::Equal => {}
            }
            e.op_shaped(Opcode::BitcastConvert, Shape::array(dtype, dims), ids, Attrs::None)
        })
    }

    /// A tensor of a number or a tensor; its type stays weak if it is.
    #[track_caller]
    pub fn of(value: impl AsTensor) -> Tensor {
        value.operand().into_tensor(Location::caller())
    }
}
