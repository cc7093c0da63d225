//! Other element types: by value, and by bits.

use super::Tensor;
use super::compare::truth;
use super::operand::AsTensor;
use lawson_hlo::{Attrs, DType, Opcode, Shape};
use std::panic::Location;

impl Tensor {
    /// The elements converted, of a type that is not weak. Floats lose their fraction in integers, towards 0, and end at their
    /// bounds; integers wrap; pred is whether a number differs from 0.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let x = Tensor::from([-1.7f32, 0.0, 300.0]);
    /// assert_eq!(x.astype(DType::S32).to_vec(), Ok(vec![-1i32, 0, 300]));
    /// assert_eq!(x.astype(DType::S8).to_vec(), Ok(vec![-1i8, 0, 127]));
    /// assert_eq!(x.astype(DType::Pred).to_vec(), Ok(vec![true, false, true]));
    /// ```
    #[track_caller]
    pub fn astype(&self, dtype: DType) -> Tensor {
        if self.dtype() == dtype {
            return self.clone().with_weak(false);
        }
        Tensor::apply(Location::caller(), &[self], |e, ids| match dtype.is_pred() {
            true => truth(e, ids[0]),
            false => e.convert(ids[0], dtype),
        })
    }

    /// The same bits as elements of another type. Between types of different widths the ratio is a last dimension,
    /// which appears or goes.
    ///
    /// Carries an error where a last dimension that is to go is not the ratio of the widths.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::from([1f32]).bitcast(DType::U32).to_vec(), Ok(vec![0x3f80_0000u32]));
    /// assert_eq!(Tensor::from([1f32]).bitcast(DType::U8).dims(), [1, 4]);
    /// ```
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
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::{DType, Tensor};
    ///
    /// let two = Tensor::of(2);
    /// assert_eq!((two.dtype(), two.rank(), two.is_weak()), (DType::S32, 0, true));
    /// ```
    #[track_caller]
    pub fn of(value: impl AsTensor) -> Tensor {
        value.operand().into_tensor(Location::caller())
    }
}
