//! What it costs in time to let less wait in memory for the backward half.

use crate::Line;
use lawson::hlo::DType;
use lawson::options::FusionSpec;
use lawson::{Error, Options, Tensor, grad, jit, nn, options, random};
use lawson_peers::turns::{Work, take_turns};
use std::time::Duration;

const WIDTH: i64 = 1024;
const DEPTH: i32 = 8;

type Layers = Vec<(Tensor, Tensor)>;

fn loss(layers: &Layers, x: &Tensor) -> Tensor {
    layers.iter().fold(x.clone(), |h, (w, b)| nn::gelu_tanh(&nn::linear(&h, w, Some(b)))).square().mean()
}

pub fn line(time: Duration) -> Result<Line, Error> {
    let normal = |seed: i32, dims: &[i64]| random::normal(&random::key(seed), dims, DType::F32);
    let scale = (WIDTH as f64).sqrt();
    let weights = (0..DEPTH).map(|n| (normal(n, &[WIDTH, WIDTH]) / scale, normal(100 + n, &[WIDTH]) / scale));
    let (layers, x): (Layers, Tensor) = (weights.collect(), normal(200, &[WIDTH, WIDTH]));
    let slopes = || jit(|layers: &Layers, x: &Tensor| grad(loss)(layers, x));
    let fusion: FusionSpec = "no-residual".parse().map_err(options::option_error)?;
    let (with, without) = (slopes(), slopes().options(Options { fusion, ..Options::default() }));
    let (report, saving) = (with.explain(&layers, &x)?, without.explain(&layers, &x)?);
    let waiting = [report.residuals.bytes >> 20, report.residuals.bytes_if_all_saved >> 20];
    // Fusion alone may have made the same choice: then what is left is how much two runs of one program differ.
    let plans = if report.kernels == saving.kernels { "the same kernels" } else { "other kernels" };
    let mut work: [Work<'_, Error>; 2] =
        [Box::new(|| with.call(&layers, &x).map(drop)), Box::new(|| without.call(&layers, &x).map(drop))];
    let times = take_turns(&mut work, time)?;
    let [with, without] = [times[0].least() * 1e3, times[1].least() * 1e3];
    Ok(Line {
        what: format!(
            "gradient of {DEPTH} gelu layers, {WIDTH} × {WIDTH}: with the pass on residuals / without"
        ),
        figure: with / without,
        bound: 1.05,
        from: format!(
            "{with:.0} ms, {without:.0} ms; {plans}; {} of {} MiB wait for the backward half",
            waiting[0], waiting[1]
        ),
    })
}
