//! Complex numbers as pairs of floats, the real part first: the arithmetic of decompositions, each operation rounded.

use super::Real;
use super::householder::{largest, norm};

/// A number by its parts.
pub type Pair<T> = [T; 2];

pub fn conj<T: Real>([re, im]: Pair<T>) -> Pair<T> {
    [re, -im]
}

pub fn add<T: Real>(x: Pair<T>, y: Pair<T>) -> Pair<T> {
    [x[0] + y[0], x[1] + y[1]]
}

pub fn sub<T: Real>(x: Pair<T>, y: Pair<T>) -> Pair<T> {
    [x[0] - y[0], x[1] - y[1]]
}

pub fn mul<T: Real>([a, b]: Pair<T>, [c, d]: Pair<T>) -> Pair<T> {
    [a * c - b * d, a * d + b * c]
}

/// The quotient; the divisor is divided by its greater part first, so that no square overflows.
pub fn div<T: Real>([a, b]: Pair<T>, [c, d]: Pair<T>) -> Pair<T> {
    let greater = if c.abs() < d.abs() { d.abs() } else { c.abs() };
    let (c, d) = (c / greater, d / greater);
    let square = c * c + d * d;
    [(a * c + b * d) / square / greater, (b * c - a * d) / square / greater]
}

pub fn abs<T: Real>([re, im]: Pair<T>) -> T {
    re.hypot(im)
}

/// The number of length one in the direction of another, and its length.
pub fn direction<T: Real>(x: Pair<T>) -> (Pair<T>, T) {
    let length = abs(x);
    (x.map(|part| part / length), length)
}

/// The largest part; not-a-number where there is one.
pub fn largest_part<T: Real>(x: &[Pair<T>]) -> T {
    largest(x.as_flattened().iter().copied())
}

/// The square root of the sum of the squares of all absolute values.
pub fn length<T: Real>(x: &[Pair<T>]) -> T {
    norm(x.as_flattened().iter().copied())
}

/// The sum of products of the conjugates of `x` with `y`.
pub fn dot<T: Real>(x: &[Pair<T>], y: &[Pair<T>]) -> Pair<T> {
    x.iter().zip(y).fold([T::ZERO; 2], |sum, (&x, &y)| add(sum, mul(conj(x), y)))
}
