//! Tensors from Rust's arrays and vectors, nested to any depth.

use super::Tensor;
use super::elementwise::Place;
use crate::error::Error;
use lawson_hlo::{ArrayShape, DType, Literal};
use std::panic::Location;

/// Elements nested in arrays and vectors, all of them of the same length at one depth.
pub trait Nested {
    /// A number stands for no dimension.
    fn dims(&self, out: &mut Vec<i64>);

    /// Appends the elements as bytes.
    ///
    /// # Errors
    /// The lengths differ from `dims`, in words.
    fn push(&self, dims: &[i64], out: &mut Vec<u8>) -> Result<(), String>;

    /// The element type.
    fn dtype() -> DType;
}

macro_rules! elements {
    ($($t:ty)*) => {$(
        impl Nested for $t {
            fn dims(&self, _: &mut Vec<i64>) {}

            fn push(&self, _: &[i64], out: &mut Vec<u8>) -> Result<(), String> {
                out.extend_from_slice(bytemuck::bytes_of(self));
                Ok(())
            }

            fn dtype() -> DType {
                <$t as crate::array::Element>::DTYPE
            }
        }
    )*};
}

elements! { bool i8 i16 i32 i64 u8 u16 u32 u64 half::f16 half::bf16 f32 f64 }

impl<T: Nested> Nested for [T] {
    fn dims(&self, out: &mut Vec<i64>) {
        out.push(self.len() as i64);
        self.iter().take(1).for_each(|first| first.dims(out));
    }

    fn push(&self, dims: &[i64], out: &mut Vec<u8>) -> Result<(), String> {
        match dims {
            [len, inner @ ..] if *len == self.len() as i64 => {
                self.iter().try_for_each(|part| part.push(inner, out))
            }
            _ => Err(format!("parts of {} and of {} elements are nested", dims[0], self.len())),
        }
    }

    fn dtype() -> DType {
        T::dtype()
    }
}

macro_rules! sequences {
    ($($(#[$attr:meta])* [$($bounds:tt)*] $t:ty;)*) => {$(
        impl<$($bounds)*> Nested for $t {
            fn dims(&self, out: &mut Vec<i64>) {
                self.as_slice().dims(out);
            }

            fn push(&self, dims: &[i64], out: &mut Vec<u8>) -> Result<(), String> {
                self.as_slice().push(dims, out)
            }

            fn dtype() -> DType {
                T::dtype()
            }
        }

        /// The array of these elements, of their type. It carries an error where the lengths of parts differ.
        impl<$($bounds)*> From<$t> for Tensor {
            #[track_caller]
            fn from(nested: $t) -> Tensor {
                from_nested(Location::caller(), nested.as_slice())
            }
        }
    )*};
}

sequences! {
    [T: Nested, const N: usize] [T; N];
    [T: Nested] Vec<T>;
}

/// The array of these elements, of their type. It carries an error where the lengths of parts differ.
impl<T: Nested> From<&[T]> for Tensor {
    #[track_caller]
    fn from(nested: &[T]) -> Tensor {
        from_nested(Location::caller(), nested)
    }
}

fn from_nested<T: Nested>(place: Place, nested: &[T]) -> Tensor {
    let (mut dims, mut bytes) = (Vec::new(), Vec::new());
    nested.dims(&mut dims);
    match nested.push(&dims, &mut bytes) {
        Ok(()) => Tensor::from_literal(Literal::new(ArrayShape::new(T::dtype(), dims), bytes)),
        Err(e) => Tensor::failed(Error::new(place, format!("no array has these elements: {e}"))),
    }
}
