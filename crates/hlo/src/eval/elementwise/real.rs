//! What the two float types that are computed in, f32 and f64, have in common.

use super::super::word::Wide;
use crate::math::{Function, scalar};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// f32 or f64.
pub trait Real:
    Wide
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
{
    const ONE: Self;
    fn abs(self) -> Self;
    fn ceil(self) -> Self;
    fn floor(self) -> Self;
    /// Ties away from zero.
    fn round(self) -> Self;
    fn round_ties_even(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn is_nan(self) -> bool;
    fn is_finite(self) -> bool;
    fn is_sign_negative(self) -> bool;
    /// −NaN < −inf < … < −0 < +0 < … < NaN.
    fn total_cmp(&self, other: &Self) -> std::cmp::Ordering;
    /// self·a + b, rounded once.
    fn fma(self, a: Self, b: Self) -> Self;
    fn sqrt(self) -> Self;
    fn elementary(self, function: Function) -> Self;
    fn power(self, exponent: Self) -> Self;
    /// The angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;
}

macro_rules! real {
    ($t:ident, $apply:ident, $pow:ident, $atan2:ident) => {
        impl Real for $t {
            const ONE: $t = 1.0;
            fn abs(self) -> $t {
                $t::abs(self)
            }
            fn ceil(self) -> $t {
                $t::ceil(self)
            }
            fn floor(self) -> $t {
                $t::floor(self)
            }
            fn round(self) -> $t {
                $t::round(self)
            }
            fn round_ties_even(self) -> $t {
                $t::round_ties_even(self)
            }
            fn copysign(self, sign: $t) -> $t {
                $t::copysign(self, sign)
            }
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            fn is_sign_negative(self) -> bool {
                $t::is_sign_negative(self)
            }
            fn total_cmp(&self, other: &$t) -> std::cmp::Ordering {
                $t::total_cmp(self, other)
            }
            #[inline]
            fn fma(self, a: $t, b: $t) -> $t {
                self.mul_add(a, b)
            }
            fn sqrt(self) -> $t {
                $t::sqrt(self)
            }
            fn elementary(self, function: Function) -> $t {
                function.$apply(self)
            }
            fn power(self, exponent: $t) -> $t {
                scalar::$pow(self, exponent)
            }
            fn atan2(self, x: $t) -> $t {
                scalar::$atan2(self, x)
            }
        }
    };
}

real!(f32, apply_f32, pow_f32, atan2_f32);
real!(f64, apply_f64, pow_f64, atan2_f64);

/// The greater; NaN wins, and +0 is greater than −0.
pub fn maximum<F: Real>(a: F, b: F) -> F {
    if a.is_nan() || a > b || (a == b && !a.is_sign_negative()) { a } else { b }
}

/// The lesser; NaN wins, and −0 is less than +0.
pub fn minimum<F: Real>(a: F, b: F) -> F {
    if a.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

/// −1, +1, or the operand itself if it is ±0 or NaN.
pub fn sign<F: Real>(x: F) -> F {
    if x.is_nan() || x == F::default() { x } else { F::ONE.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_zeros_are_ordered() {
        assert!(maximum(-0.0f32, 0.0).is_sign_positive() && maximum(0.0f32, -0.0).is_sign_positive());
        assert!(minimum(-0.0f64, 0.0).is_sign_negative() && minimum(0.0f64, -0.0).is_sign_negative());
    }

    #[test]
    fn nan_wins() {
        for (a, b) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::NAN, f32::INFINITY)] {
            assert!(maximum(a, b).is_nan() && minimum(a, b).is_nan());
        }
    }

    #[test]
    fn sign_keeps_zeros_and_nan() {
        assert!(sign(-0.0f32).is_sign_negative() && sign(-0.0f32) == 0.0);
        assert!(sign(f64::NAN).is_nan());
        assert_eq!(sign(f32::NEG_INFINITY), -1.0);
        assert_eq!(sign(1e-40f32), 1.0);
    }
}
