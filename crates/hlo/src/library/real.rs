//! The floats that routines compute in.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// f32 or f64.
pub trait Real:
    Copy
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const NAN: Self;
    /// Bytes of an element.
    const SIZE: usize;
    fn sqrt(self) -> Self;
    fn is_finite(self) -> bool;
    /// As f64, and the nearest to one.
    fn wide(self) -> f64;
    fn of(x: f64) -> Self;
    /// The elements of an array of these bytes.
    fn read(bytes: &[u8]) -> Vec<Self>;
    /// Writes the bytes of as many elements.
    fn write(values: &[Self], bytes: &mut [u8]);
}

macro_rules! real {
    ($t:ident) => {
        impl Real for $t {
            const ZERO: $t = 0.0;
            const NAN: $t = $t::NAN;
            const SIZE: usize = size_of::<$t>();
            fn sqrt(self) -> $t {
                $t::sqrt(self)
            }
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            fn wide(self) -> f64 {
                self as f64
            }
            fn of(x: f64) -> $t {
                x as $t
            }
            fn read(bytes: &[u8]) -> Vec<$t> {
                let (elements, _) = bytes.as_chunks();
                elements.iter().map(|&e| $t::from_le_bytes(e)).collect()
            }
            fn write(values: &[$t], bytes: &mut [u8]) {
                let (elements, _) = bytes.as_chunks_mut();
                elements.iter_mut().zip(values).for_each(|(e, v)| *e = v.to_le_bytes());
            }
        }
    };
}

real!(f32);
real!(f64);
