//! Rust types that are elements of arrays, and slices of them over the bytes of arrays.
//!
//! Nothing is copied: memory of arrays begins at a multiple of 64 bytes and is little-endian, as are the machines that
//! Lawson runs on.

use crate::error::{Error, ErrorCode};
use bytemuck::checked::CheckedBitPattern;
use bytemuck::{NoUninit, checked};
use half::{bf16, f16};
use lawson_hlo::{ArrayShape, DType};

const _: () = assert!(cfg!(target_endian = "little"), "elements in memory are little-endian");

/// A Rust type that is the element of arrays: `bool` of `pred`, the integers, `f32` and `f64`, and `half`'s `f16` and
/// `bf16`.
pub trait Element: NoUninit + CheckedBitPattern + sealed::Sealed {
    const DTYPE: DType;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($rust:ty => $dtype:ident),*) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}

elements! {
    bool => Pred, i8 => S8, i16 => S16, i32 => S32, i64 => S64, u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, bf16 => Bf16, f32 => F32, f64 => F64
}

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
