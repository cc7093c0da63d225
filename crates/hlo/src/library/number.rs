//! What matrices are made of: real and complex numbers. Products and sums of parts are each rounded.

use super::Real;

/// An element of a matrix.
pub trait Number: Copy + PartialEq {
    /// What its parts are.
    type Part: Real;
    const ZERO: Self;
    /// By which pivots are compared: the absolute value, or the sum of those of both parts, as LAPACK has it.
    fn size(self) -> Self::Part;
    fn conjugate(self) -> Self;
    /// self / divisor
    fn over(self, divisor: Self) -> Self;
    /// self − x·y
    fn minus_product(self, x: Self, y: Self) -> Self;
}

impl<T: Real> Number for T {
    type Part = T;
    const ZERO: T = <T as Real>::ZERO;

    fn size(self) -> T {
        self.abs()
    }

    fn conjugate(self) -> T {
        self
    }

    fn over(self, divisor: T) -> T {
        self / divisor
    }

    fn minus_product(self, x: T, y: T) -> T {
        self - x * y
    }
}

/// The real and the imaginary part.
impl<T: Real> Number for [T; 2] {
    type Part = T;
    const ZERO: [T; 2] = [<T as Real>::ZERO; 2];

    fn size(self) -> T {
        self[0].abs() + self[1].abs()
    }

    fn conjugate(self) -> [T; 2] {
        [self[0], -self[1]]
    }

    /// Both are divided by their greater part first, or by a power of two near it, so that neither squares nor sums overflow where
    /// the quotient does not.
    fn over(self, [c, d]: [T; 2]) -> [T; 2] {
        let most = greater(c.abs(), d.abs());
        let (c, d) = (c / most, d / most);
        let size = greater(self[0].abs(), self[1].abs());
        let scale = if size.is_finite() { size.power_of_two() } else { T::ONE };
        let four = T::of(4.0);
        let [a, b] = self.map(|part| part / scale / four);
        let square = c * c + d * d;
        [a * c + b * d, b * c - a * d].map(|part| part / square * scale / most * four)
    }

    fn minus_product(self, [a, b]: [T; 2], [c, d]: [T; 2]) -> [T; 2] {
        [self[0] - (a * c - b * d), self[1] - (a * d + b * c)]
    }
}

fn greater<T: Real>(a: T, b: T) -> T {
    if a < b { b } else { a }
}
