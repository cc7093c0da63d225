//! Loops and branches: values, the form of loops in HLO, and what is refused.

#[path = "../support/mod.rs"]
mod support;

mod branches;
mod errors;
mod form;
mod loops;

use lawson_frontend::{Tensor, trace};

/// A scalar.
fn scalar(value: f32) -> Tensor {
    Tensor::new(&[value], [])
}

/// The text of a function of one f32 array, traced.
fn text(dims: &[i64], f: impl FnOnce(&Tensor) -> Vec<Tensor>) -> String {
    let shape = lawson_hlo::ArrayShape::new(lawson_hlo::DType::F32, dims);
    let (graph, function) =
        trace::program(&[shape.into()], |x| Ok(f(&x[0]))).unwrap_or_else(|e| panic!("{e}"));
    graph.finish(function.comp, "traced").to_string()
}
