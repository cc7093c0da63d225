//! Complex numbers as pairs of floats, the real part first: what decompositions compute beside [`super::number`], each operation
//! rounded.

use super::Real;
use super::householder::{largest, norm};
use super::number::Number;

/// A number by its parts.
pub type Pair<T> = [T; 2];

pub fn add<T: Real>(x: Pair<T>, y: Pair<T>) -> Pair<T> {
    [x[0] + y[0], x[1] + y[1]]
}

pub fn sub<T: Real>(x: Pair<T>, y: Pair<T>) -> Pair<T> {
    [x[0] - y[0], x[1] - y[1]]
}

pub fn mul<T: Real>([a, b]: Pair<T>, [c, d]: Pair<T>) -> Pair<T> {
    [a * c - b * d, a * d + b * c]
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
    x.iter().zip(y).fold([T::ZERO; 2], |sum, (&x, &y)| add(sum, mul(x.conjugate(), y)))
}
