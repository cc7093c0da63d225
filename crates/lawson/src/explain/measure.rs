//! The explanation with measured times: compiles, runs a few times, and takes the best of each kernel.

use super::{Compiled, Explanation, explain_compiled, unexplained};
use crate::buffer::Buffer;
use crate::client::Client;
use crate::error::Error;
use crate::executable::Executable;
use crate::load::Loaded;
use crate::options::{Effort, Options};
use crate::run::RunOptions;
use lawson_cpu::Traced;
use lawson_hlo::Literal;

const RUNS: usize = 5;

/// The best of a few compilations in each mode, that of the options first. LLVM is warm.
fn compiled(client: &Client, loaded: &Loaded, options: &Options) -> Result<Vec<Compiled>, Error> {
    const TIMES: usize = 3;
    let mut out = Vec::new();
    let other = if options.effort == Effort::Fast { Effort::Full } else { Effort::Fast };
    for effort in [options.effort, other] {
        let options = Options { effort, tune: None, ..options.clone() };
        let mut best: Option<Compiled> = None;
        for _ in 0..TIMES {
            let executable = client.compile(&loaded.module, &options)?;
            let Some(native) = executable.native() else { return Ok(out) };
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

/// Explains the module and how long each kernel took on these array leaves.
pub fn measure(
    client: &Client,
    loaded: &Loaded,
    arguments: &[Literal],
    options: &Options,
    limits: &RunOptions,
) -> Result<Explanation, Error> {
    let executable = client.compile(&loaded.module, options)?;
    let explanation = explain_compiled(loaded, &executable)?;
    let mut explanation = explanation.ok_or_else(|| unexplained(client.device()))?;
    explanation.compiled = compiled(client, loaded, options)?;
    let leaves = arguments.iter().map(|l| client.buffer_from_literal(l));
    let buffers = leaves.collect::<Result<Vec<_>, _>>()?;
    time_kernels(&mut explanation, &executable, &buffers.iter().collect::<Vec<_>>(), limits)?;
    Ok(explanation)
}

/// Says in the explanation of an executable how long each kernel took: the least of a few runs on these arguments.
///
/// # Errors
/// Those of the runs.
pub fn time_kernels(
    explanation: &mut Explanation,
    executable: &Executable,
    arguments: &[&Buffer],
    limits: &RunOptions,
) -> Result<(), Error> {
    let Some(native) = executable.native() else { return Ok(()) };
    let scheduled = &native.planned.scheduled;
    let mut least: Vec<Option<f64>> = vec![None; scheduled.program.kernels.len()];
    executable.run_with(arguments.iter().copied(), limits)?;
    for _ in 0..RUNS {
        for span in executable.trace(arguments, limits)?.unwrap_or_default() {
            if let Traced::Launch(kernel) = span.what {
                let us = span.took.as_secs_f64() * 1e6;
                least[kernel] = Some(least[kernel].map_or(us, |l| l.min(us)));
            }
        }
    }
    for (kernel, site) in explanation.kernels.iter_mut().zip(&scheduled.sites) {
        kernel.measured_us = least[site.kernel];
    }
    Ok(())
}
