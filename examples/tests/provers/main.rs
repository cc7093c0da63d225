//! Shortened runs of the examples for provers, against Plonky3 where it has the same, and with proofs that are wrong.

mod commitment;
mod lookup;
mod multilinear;
mod poseidon2;
mod quotient;
mod sumcheck;

use lawson::{Tensor, random};
use lawson_examples::provers::BASE;

/// Random elements of the base field.
fn random_base(seed: u64, dims: &[i64]) -> Tensor {
    random::field(&random::key(seed), dims, BASE)
}

#[track_caller]
fn values(t: &Tensor) -> Vec<u64> {
    t.values().unwrap_or_else(|e| panic!("{e}"))
}

/// The same elements but for 1 added to the one at that index.
fn tampered(t: &Tensor, at: usize) -> Tensor {
    let mut found = values(t);
    found[at] += 1;
    Tensor::from_values(t.dtype(), &found, t.dims())
}
