//! Tensors from and to arrays of the `ndarray` crate.

use super::Tensor;
use crate::array::Element;
use crate::error::Error;
use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};
use std::panic::Location;

impl Tensor {
    /// A tensor with a copy of an array, whatever the order of its dimensions in memory.
    ///
    /// ```
    /// # use lawson_frontend::api as lawson;
    /// use lawson::Tensor;
    ///
    /// let x = ndarray::array![[1f32, 2.0], [3.0, 4.0]];
    /// let tensor = Tensor::from_ndarray(&x.t());
    /// assert_eq!(tensor.to_vec(), Ok(vec![1f32, 3.0, 2.0, 4.0]));
    /// assert_eq!(tensor.to_ndarray::<f32>()?, x.t().into_dyn());
    /// # Ok::<(), lawson_frontend::Error>(())
    /// ```
    #[track_caller]
    pub fn from_ndarray<T, S, D>(array: &ArrayBase<S, D>) -> Tensor
    where
        T: Element,
        S: Data<Elem = T>,
        D: Dimension,
    {
        let dims: Vec<i64> = array.shape().iter().map(|&n| n as i64).collect();
        Tensor::new(array.as_standard_layout().as_slice().unwrap_or_default(), dims)
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// As [`Tensor::to_vec`].
    #[track_caller]
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>, Error> {
        let dims: Vec<usize> = self.dims().iter().map(|&n| n as usize).collect();
        let place = Location::caller();
        ArrayD::from_shape_vec(IxDyn(&dims), self.to_vec()?).map_err(|e| Error::new(place, e.to_string()))
    }
}
