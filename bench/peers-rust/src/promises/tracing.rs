//! What a long function costs before anything is compiled.

use crate::Line;
use lawson::hlo::DType;
use lawson::{Error, Tensor, grad, jit};
use std::time::Instant;

const OPERATIONS: usize = 10_000;
const ROUNDS: usize = 30;

fn long(x: &Tensor) -> Tensor {
    let mut y = x.clone();
    for _ in 0..OPERATIONS / 4 {
        y = ((&y * x).tanh() + x) - &y;
    }
    y.sum()
}

pub fn line() -> Result<Line, Error> {
    let x = Tensor::zeros([16], DType::F32);
    let slope = jit(|x: &Tensor| grad(long)(x));
    let (mut least, mut instructions) = (f64::INFINITY, 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let lowered = slope.lower(&x)?;
        least = least.min(start.elapsed().as_secs_f64());
        instructions = lowered.module().instruction_count();
    }
    Ok(Line {
        what: format!("seconds to trace and differentiate {OPERATIONS} operations"),
        figure: least,
        bound: 0.2,
        from: format!("{instructions} instructions"),
    })
}
