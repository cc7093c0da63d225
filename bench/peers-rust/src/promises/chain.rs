//! The gradient of twenty elementwise operations, beside the operations alone: one kernel that reads once and writes once.

use crate::Line;
use lawson::hlo::DType;
use lawson::{Error, Tensor, jit, random, value_and_grad};
use lawson_peers::turns::{Work, take_turns};
use std::time::Duration;

const ELEMENTS: i64 = 16 << 20;

/// Little but the memory is at work.
fn polynomial(x: &Tensor) -> Tensor {
    let mut y = x.clone();
    for _ in 0..5 {
        y = (&y * 0.75 + 0.125) * (&y - 0.5);
    }
    y.sum()
}

/// With elementary functions, whose values the gradient uses again.
fn functions(x: &Tensor) -> Tensor {
    let mut y = x.clone();
    for _ in 0..5 {
        y = ((&y * 0.75).tanh() + 0.125) * &y;
    }
    y.sum()
}

pub fn lines(time: Duration) -> Result<Vec<Line>, Error> {
    let x = random::normal(&random::key(0), [ELEMENTS], DType::F32);
    Ok(vec![line("products and sums", polynomial, &x, time)?, line("tanh among them", functions, &x, time)?])
}

fn line(which: &str, f: fn(&Tensor) -> Tensor, x: &Tensor, time: Duration) -> Result<Line, Error> {
    let (forward, both) = (jit(f), jit(move |x: &Tensor| value_and_grad(f)(x)));
    let report = both.explain(x)?;
    let (kernels, moved) = (report.kernels.len(), report.totals.bytes_fused >> 20);
    let mut work: [Work<'_, Error>; 2] =
        [Box::new(|| forward.call(x).map(drop)), Box::new(|| both.call(x).map(drop))];
    let times = take_turns(&mut work, time)?;
    let [forward, both] = [times[0].least() * 1e3, times[1].least() * 1e3];
    Ok(Line {
        what: format!("value and gradient / value, 20 elementwise operations on 16Mi elements, {which}"),
        figure: both / forward,
        bound: 3.0,
        from: format!("{both:.1} ms in {kernels} kernels that move {moved} MiB, {forward:.1} ms"),
    })
}
