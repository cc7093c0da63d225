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
    const ONE: Self;
    const NAN: Self;
    /// The distance from one to the next number.
    const EPSILON: Self;
    /// Bytes of an element.
    const SIZE: usize;
    /// The number nearest to `x`.
    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn is_finite(self) -> bool;
    fn is_nan(self) -> bool;
    /// The greatest power of two that is no more than this positive number, at least the least normal one: to divide by it
    /// rounds nothing but numbers that become subnormal.
    fn power_of_two(self) -> Self;
    /// The elements of an array of these bytes.
    fn read(bytes: &[u8]) -> Vec<Self>;
    /// Writes the bytes of as many elements.
    fn write(values: &[Self], bytes: &mut [u8]);

    /// The absolute value, negative where `sign` is.
    #[inline]
    fn with_sign(self, sign: Self) -> Self {
        if sign < Self::ZERO { -self.abs() } else { self.abs() }
    }

    /// The length of a vector of two numbers, which does not overflow before its result does.
    #[inline]
    fn hypot(self, other: Self) -> Self {
        let (a, b) = (self.abs(), other.abs());
        let (large, small) = if a > b { (a, b) } else { (b, a) };
        if large == Self::ZERO {
            return small;
        }
        let ratio = small / large;
        large * (Self::ONE + ratio * ratio).sqrt()
    }
}

macro_rules! real {
    ($t:ident, $exponent:literal) => {
        impl Real for $t {
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const NAN: $t = $t::NAN;
            const EPSILON: $t = $t::EPSILON;
            const SIZE: usize = size_of::<$t>();
            #[inline]
            fn of(x: f64) -> $t {
                x as $t
            }
            #[inline]
            fn wide(self) -> f64 {
                self.into()
            }
            #[inline]
            fn sqrt(self) -> $t {
                $t::sqrt(self)
            }
            #[inline]
            fn abs(self) -> $t {
                $t::abs(self)
            }
            #[inline]
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            #[inline]
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
            #[inline]
            fn power_of_two(self) -> $t {
                $t::from_bits(self.to_bits() & $exponent).max($t::MIN_POSITIVE)
            }
            #[inline]
            fn read(bytes: &[u8]) -> Vec<$t> {
                let (elements, _) = bytes.as_chunks();
                elements.iter().map(|&e| $t::from_le_bytes(e)).collect()
            }
            #[inline]
            fn write(values: &[$t], bytes: &mut [u8]) {
                let (elements, _) = bytes.as_chunks_mut();
                elements.iter_mut().zip(values).for_each(|(e, v)| *e = v.to_le_bytes());
            }
        }
    };
}

real!(f32, 0x7f80_0000);
real!(f64, 0x7ff0_0000_0000_0000);
