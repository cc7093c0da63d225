//! The explanation with measured times: compiles, runs a few times, and takes the best of each kernel.

use super::{Compiled, Explanation, build::unexplained, explain_prepared};
use crate::error::Error;
use crate::execute::{Prepared, prepare};
use crate::load::Loaded;
use crate::options::{Effort, Options};
use lawson_cpu::Traced;
use lawson_hlo::Value;

const RUNS: usize = 5;

/// The best of a few compilations in each mode, that of the options first. LLVM is warm.
fn compiled(loaded: &Loaded, options: &Options) -> Result<Vec<Compiled>, Error> {
    const TIMES: usize = 3;
    let mut out = Vec::new();
    let other = if options.effort == Effort::Fast { Effort::Full } else { Effort::Fast };
    for effort in [options.effort, other] {
        let options = Options { effort, ..options.clone() };
        let mut best: Option<Compiled> = None;
        for _ in 0..TIMES {
            let Prepared::Cpu(native) = prepare(&loaded.module, &options)? else { return Ok(out) };
            let [planning_ms, code_ms] =
                [native.planned.planning, native.coding].map(|d| d.as_secs_f64() * 1e3);
            if best.as_ref().is_none_or(|b| planning_ms + code_ms < b.planning_ms + b.code_ms) {
                let kernels = native.planned.scheduled.sites.len() as u64;
                best = Some(Compiled { mode: effort.name().into(), kernels, planning_ms, code_ms });
            }
        }
        out.extend(best);
    }
    Ok(out)
}

/// Explains the module and how long each kernel took on `args`.
pub fn measure(loaded: &Loaded, args: &[Value], options: &Options) -> Result<Explanation, Error> {
    let prepared = prepare(&loaded.module, options)?;
    let explanation = explain_prepared(loaded, &prepared)?;
    let (Some(mut explanation), Prepared::Cpu(native)) = (explanation, &prepared) else {
        return Err(unexplained(options));
    };
    explanation.compiled = compiled(loaded, options)?;
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
