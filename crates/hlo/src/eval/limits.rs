//! Allocation that says no: every buffer of the interpreter is made here.

use super::error::{EvalError, Reason, Result};
use super::word::Word;
use crate::shape::ArrayShape;

/// The bound on one buffer.
#[derive(Clone, Copy)]
pub struct Limits {
    pub max_bytes: u64,
}

impl Limits {
    /// `count` copies of `fill`.
    pub fn filled<T: Clone>(&self, count: usize, fill: T) -> Result<Vec<T>> {
        let mut out = self.with_capacity(count)?;
        out.resize(count, fill);
        Ok(out)
    }

    /// An empty vector with room for `count` elements.
    pub fn with_capacity<T>(&self, count: usize) -> Result<Vec<T>> {
        let bytes = (count as u64).checked_mul(size_of::<T>() as u64);
        let mut out = Vec::new();
        match bytes {
            Some(bytes) if bytes <= self.max_bytes && out.try_reserve_exact(count).is_ok() => Ok(out),
            _ => Err(EvalError::new(
                Reason::Limit,
                format!(
                    "a buffer of {count} elements of {} bytes is over the limit of {} bytes",
                    size_of::<T>(),
                    self.max_bytes
                ),
            )),
        }
    }

    /// The zeroed bytes of an array.
    pub fn array(&self, shape: &ArrayShape) -> Result<Vec<u8>> {
        self.filled(self.elements(shape)?.saturating_mul(shape.dtype.size()), 0u8)
    }

    /// Zeroed words, one for each element of an array.
    pub fn words(&self, shape: &ArrayShape) -> Result<Vec<Word>> {
        self.filled(self.elements(shape)?, 0)
    }

    /// The number of elements of an array, if it is representable.
    pub fn elements(&self, shape: &ArrayShape) -> Result<usize> {
        shape
            .checked_elements()
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(|| EvalError::new(Reason::Limit, format!("{shape} has too many elements")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;

    #[test]
    fn refuses_what_is_too_large() {
        let limits = Limits { max_bytes: 1 << 20 };
        assert_eq!(limits.filled(4, 7u8).unwrap(), [7; 4]);
        assert_eq!(limits.filled((1 << 20) + 1, 0u8).unwrap_err().reason, Reason::Limit);
        assert!(limits.array(&ArrayShape::new(DType::F64, [i64::MAX, 4])).is_err());
        assert!(Limits { max_bytes: u64::MAX }.filled(usize::MAX / 2, 0u64).is_err());
    }
}
