//! Concrete arrays: a shape and bytes that somebody owns.

use bytemuck::checked::CheckedBitPattern;
use bytemuck::{NoUninit, checked};
use half::{bf16, f16};
use lawson_hlo::{ArrayShape, DType, Literal};
use std::any::Any;
use std::sync::Arc;

const _: () = assert!(cfg!(target_endian = "little"), "elements in memory are little-endian");

/// Memory of an array: the bytes of its elements, row-major, little-endian. What it is beside that, a back end knows.
pub trait Memory: Any + Send + Sync {
    /// The elements, row-major, little-endian.
    fn bytes(&self) -> &[u8];
}

impl Memory for Literal {
    fn bytes(&self) -> &[u8] {
        Literal::bytes(self)
    }
}

/// An array of known elements. Cloning is cheap; clones share the memory.
#[derive(Clone)]
pub struct Array {
    shape: ArrayShape,
    memory: Arc<dyn Memory>,
}

impl Array {
    /// An array in memory whose number of bytes is that of the shape.
    pub fn new(shape: ArrayShape, memory: Arc<dyn Memory>) -> Array {
        debug_assert_eq!(memory.bytes().len() as i64, shape.bytes());
        Array { shape: ArrayShape { layout: None, ..shape }, memory }
    }

    /// The array of a literal, in its memory.
    pub fn from_literal(literal: Literal) -> Array {
        Array::new(literal.shape().clone(), Arc::new(literal))
    }

    /// A copy as a literal.
    pub fn to_literal(&self) -> Literal {
        Literal::new(self.shape.clone(), self.bytes())
    }

    /// Element type and dimensions.
    pub fn shape(&self) -> &ArrayShape {
        &self.shape
    }

    /// The elements, row-major, little-endian.
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// What owns the bytes.
    pub fn memory(&self) -> &Arc<dyn Memory> {
        &self.memory
    }

    /// What owns the bytes, where the array is not needed any more.
    pub fn into_memory(self) -> Arc<dyn Memory> {
        self.memory
    }

    /// The elements, row-major, if they are of that type.
    pub fn elements<T: Element>(&self) -> Option<Vec<T>> {
        (T::DTYPE == self.shape.dtype).then(|| {
            let size = std::mem::size_of::<T>();
            self.bytes().chunks_exact(size).map(|c| checked::pod_read_unaligned(c)).collect()
        })
    }
}

impl std::fmt::Debug for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Array({})", self.shape)
    }
}

/// Bytes were asked for as elements that they are not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ElementError(String);

/// The elements of an array of this shape, where they lie: its bytes begin where an element may begin.
///
/// # Errors
/// They are of another type.
pub fn elements<'a, T: Element>(shape: &ArrayShape, bytes: &'a [u8]) -> Result<&'a [T], ElementError> {
    check_type::<T>(shape)?;
    checked::try_cast_slice(bytes).map_err(|e| unfit(shape, e))
}

/// As [`elements`], to write to.
///
/// # Errors
/// They are of another type.
pub fn elements_mut<'a, T: Element>(
    shape: &ArrayShape,
    bytes: &'a mut [u8],
) -> Result<&'a mut [T], ElementError> {
    check_type::<T>(shape)?;
    checked::try_cast_slice_mut(bytes).map_err(|e| unfit(shape, e))
}

/// Whether an array of this shape has elements of the type.
///
/// # Errors
/// They are of another type.
pub fn check_type<T: Element>(shape: &ArrayShape) -> Result<(), ElementError> {
    if T::DTYPE == shape.dtype {
        return Ok(());
    }
    Err(ElementError(format!("the array is {shape}, not of {}", T::DTYPE)))
}

fn unfit(shape: &ArrayShape, cause: checked::CheckedCastError) -> ElementError {
    ElementError(format!("the bytes are not elements of {shape}: {cause}"))
}

/// A Rust type that is the element of arrays: `bool` of `pred`, the integers, `f32` and `f64`, and `half`'s `f16` and
/// `bf16`.
pub trait Element: NoUninit + CheckedBitPattern + sealed::Sealed {
    /// The element type of arrays of it.
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
