//! Slices of elements over the bytes of arrays.
//!
//! Nothing is copied: memory of arrays begins at a multiple of 64 bytes and is little-endian, as are the machines that
//! Lawson runs on.

use crate::error::{Error, ErrorCode};
use bytemuck::checked;
use lawson_hlo::ArrayShape;

pub use lawson_frontend::Element;

pub(crate) fn check_type<T: Element>(shape: &ArrayShape) -> Result<(), Error> {
    if T::DTYPE == shape.dtype {
        return Ok(());
    }
    Err(Error::new(ErrorCode::Input, format!("the array is {shape}, not of {}", T::DTYPE)))
}

/// The elements of an array of this shape.
pub(crate) fn read<'a, T: Element>(shape: &ArrayShape, bytes: &'a [u8]) -> Result<&'a [T], Error> {
    check_type::<T>(shape)?;
    checked::try_cast_slice(bytes).map_err(|e| unfit(shape, e))
}

/// The same, to write to.
pub(crate) fn write<'a, T: Element>(shape: &ArrayShape, bytes: &'a mut [u8]) -> Result<&'a mut [T], Error> {
    check_type::<T>(shape)?;
    checked::try_cast_slice_mut(bytes).map_err(|e| unfit(shape, e))
}

fn unfit(shape: &ArrayShape, cause: checked::CheckedCastError) -> Error {
    Error::new(ErrorCode::Input, format!("the bytes are not elements of {shape}: {cause}"))
}
