//! The cases of parity with JAX, one file for each topic. `scripts/record_parity_values.py` has a function of the same name for each,
//! which does the same there.
//!
//! They are written against what the parent module's `api` names, so that they run on native code here, and on the reference
//! interpreter in the tests of the front end.

mod derivatives;
mod indexing;
mod loops;
mod networks;
mod optimisers;
mod random_numbers;

use crate::api::Tensor;

/// A computation that JAX recorded.
pub struct Case {
    pub name: &'static str,
    /// How far elements may be from those that were recorded, relative to them where they are above 1.
    pub tolerance: f64,
    pub inputs: fn() -> Vec<Tensor>,
    pub run: fn(&Vec<Tensor>) -> Vec<Tensor>,
}

/// `name tolerance (input, …) |inputs| results;`
macro_rules! cases {
    ($($name:ident $tolerance:literal ($($input:expr),*) |$x:pat_param| $body:expr;)*) => {
        pub const CASES: &[super::Case] = &[$(super::Case {
            name: stringify!($name),
            tolerance: $tolerance,
            inputs: || vec![$($input),*],
            run: |$x: &Vec<Tensor>| $body,
        }),*];
    };
}
use cases;

/// All of them.
pub fn all() -> Vec<&'static Case> {
    let groups = [
        derivatives::CASES,
        indexing::CASES,
        loops::CASES,
        networks::CASES,
        optimisers::CASES,
        random_numbers::CASES,
    ];
    groups.into_iter().flatten().collect()
}

/// Multiples of 1/8 between −2 and 2.
fn pattern(seed: i64, dims: &[i64]) -> Tensor {
    let element = |i: i64| ((i * 37 + seed * 101 + i * i * 11) % 33 - 16) as f32 / 8.0;
    Tensor::new(&(0..dims.iter().product()).map(element).collect::<Vec<_>>(), dims)
}

/// Integers from 0 up to a bound.
fn indices(seed: i64, bound: i64, dims: &[i64]) -> Tensor {
    let element = |i: i64| ((i * 37 + seed * 101 + i * i * 11) % bound) as i32;
    Tensor::new(&(0..dims.iter().product()).map(element).collect::<Vec<_>>(), dims)
}

/// The same with other weights.
fn weighted(f: impl Fn(&Tensor) -> Tensor, weights: &Tensor) -> impl Fn(&Tensor) -> Tensor {
    move |x| (f(x) * weights).sum()
}
