//! The parts that provers of arithmetic circuits are made of, over prime fields: each a module with a command and a test.
//!
//! In reading order: [`poseidon2`] is a hash, [`transcript`] makes challenges of it, [`merkle`] commits to columns;
//! [`multilinear`] has polynomials on the hypercube and [`sumcheck`] proofs of their sums; [`fri`] proves degrees,
//! [`commitment`] opens columns at a point by it; [`quotient`] proves constraints between rows, [`lookup`] that values stand
//! in a table. What works on arrays is traced and compiled; the protocols around it are ordinary Rust.

pub mod commitment;
pub mod fri;
pub mod lookup;
pub mod merkle;
pub mod multilinear;
pub mod poseidon2;
pub mod quotient;
pub mod sumcheck;
pub mod transcript;

use lawson::hlo::dtype::field::power;
use lawson::{DType, Tensor};

/// The field of the data.
pub const BASE: DType = DType::BabyBearMont;
/// The field of the challenges: an adversary guesses one with a probability of 2⁻¹²⁴.
pub const EXTENSION: DType = DType::BabyBearX4Mont;

/// A power of the root of unity of this order, which is a power of two: one element of the base field.
pub fn root_of_unity(order: u64, exponent: u64) -> Tensor {
    let prime = DType::field(BASE).expect("a prime field").prime;
    Tensor::from_values(BASE, &[power(prime, prime.root_of_unity(order), exponent)], [])
}

/// The coset on which polynomials are evaluated: times a generator of the field, so that it has no root of unity.
pub fn coset_shift() -> u64 {
    DType::field(BASE).expect("a prime field").prime.parameters().generator
}
