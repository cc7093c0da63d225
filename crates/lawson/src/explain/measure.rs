//! The explanation with measured times: compiles, runs a few times, and takes the best of each kernel.

use super::{Explanation, build::unexplained, explain_prepared};
use crate::error::Error;
use crate::execute::{Prepared, prepare};
use crate::load::Loaded;
use crate::options::Options;
use lawson_cpu::Traced;
use lawson_hlo::Value;

const RUNS: usize = 5;

/// Explains the module and how long each kernel took on `args`.
pub fn measure(loaded: &Loaded, args: &[Value], options: &Options) -> Result<Explanation, Error> {
    let prepared = prepare(&loaded.module, options)?;
    let explanation = explain_prepared(loaded, &prepared)?;
    let (Some(mut explanation), Prepared::Cpu(native)) = (explanation, &prepared) else {
        return Err(unexplained(options));
    };
    let scheduled = &native.planned.scheduled;
    let mut least: Vec<Option<f64>> = vec![None; scheduled.program.kernels.len()];
    let mut session = prepared.session(args)?;
    session.run()?;
    for _ in 0..RUNS {
        for span in session.trace()?.unwrap_or_default() {
            if let Traced::Launch(kernel) = span.what {
                let us = span.took.as_secs_f64() * 1e6;
                least[kernel] = Some(least[kernel].map_or(us, |l| l.min(us)));
            }
        }
    }
    for (kernel, site) in explanation.kernels.iter_mut().zip(&scheduled.sites) {
        kernel.measured_us = least[site.kernel];
    }
    Ok(explanation)
}
