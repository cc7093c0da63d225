//! What tests of the front end share. No back end is linked, so operations outside of traced functions run on the reference
//! interpreter.

use lawson_frontend::Tensor;
use lawson_hlo::Literal;

/// The elements of a tensor as f64.
#[track_caller]
#[allow(dead_code)]
pub fn values(t: &Tensor) -> Vec<f64> {
    let literal: Literal = t.array().unwrap_or_else(|e| panic!("{e}")).to_literal();
    literal.scalars().map(|s| s.as_f64()).collect()
}
