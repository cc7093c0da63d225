//! Arrays of the `ndarray` crate, in and out.

use crate::buffer::Buffer;
use crate::client::Client;
use crate::error::{Error, ErrorCode};
use lawson_frontend::Element;
use ndarray::{ArrayBase, ArrayD, ArrayViewD, Data, Dimension, IxDyn};

impl Client {
    /// A buffer with a copy of an array, whatever the order of its dimensions in memory.
    ///
    /// ```
    /// # use lawson::Client;
    /// let x = ndarray::array![[1f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    /// let buffer = Client::cpu().buffer_from_array(&x.t())?;
    /// assert_eq!(buffer.shape().to_string(), "f32[3,2]");
    /// assert_eq!(buffer.view::<f32>()?, x.t().into_dyn());
    /// # Ok::<(), lawson::Error>(())
    /// ```
    ///
    /// # Errors
    /// Memory is out.
    pub fn buffer_from_array<T, S, D>(&self, array: &ArrayBase<S, D>) -> Result<Buffer, Error>
    where
        T: Element,
        S: Data<Elem = T>,
        D: Dimension,
    {
        let dims: Vec<i64> = array.shape().iter().map(|&n| n as i64).collect();
        self.buffer(array.as_standard_layout().as_slice().unwrap_or_default(), &dims)
    }
}

impl Buffer {
    /// The elements, where they lie.
    ///
    /// # Errors
    /// They are of another type.
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>, Error> {
        let dims: Vec<usize> = self.shape().dims.iter().map(|&n| n as usize).collect();
        let unfit = |e: ndarray::ShapeError| Error::new(ErrorCode::Internal, e.to_string());
        ArrayViewD::from_shape(IxDyn(&dims), self.as_slice()?).map_err(unfit)
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// They are of another type.
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>, Error> {
        Ok(self.view()?.to_owned())
    }
}
