//! Plans that are measured: where the cost model is unsure, kernels are timed on this machine under several plans, and the
//! best is taken ([`Options::tune`], `--tune`).
//!
//! The program has been planned; its kernels are fixed. Of each that takes a noticeable part of the predicted time, the plans
//! that differ from its own in one decision, and are predicted to take not much longer, are its candidates
//! (`candidates`). They run in turns on random arrays of their shapes (`timing`); what is faster by more than noise, twice,
//! is taken (`race`). All candidates give the same results, which is checked on these arrays too.
//!
//! What was learnt is kept under a key of all that it depends on (`learnt`): for the life of the process, and in the folder
//! that keeps code, where there is one. So the plan is a function of the module, the options, the target and what was learnt.

mod candidates;
mod learnt;
mod race;
mod timing;

pub use crate::tuning::{Candidate, DEFAULT_LIMIT, Progress, Tuned, Tuning, Verdict};

use crate::code_folder::CodeFolder;
use crate::compile::{self, Planned};
use crate::error::{Error, option_error};
use crate::options::{Device, Options};
use candidates::Candidates;
use lawson_cpu as cpu;
use lawson_kernel::cost::{self, figures};
use lawson_kernel::program::{Code, NamedKernel};
use std::time::{Duration, Instant};

/// Kernels that take a smaller part of the predicted time of a run stay as they are.
const NOTICEABLE: f64 = 0.01;
/// Trips of loops that nobody knows.
const TRIPS: u64 = 64;

/// Refuses the option where there is nothing to measure.
pub(crate) fn check(options: &Options, device: Device) -> Result<(), Error> {
    match (options.tune, device) {
        (None, _) | (_, Device::Cpu) => Ok(()),
        (Some(_), device) => Err(option_error(format!(
            "--tune: plans are measured on the processor, and the program is for device {device}; leave --tune away, \
             or use --device cpu"
        ))),
    }
}

/// Measures the plans of a program's kernels and changes those that another is faster for.
///
/// # Errors
/// The processor is unknown to LLVM, or memory is out.
pub(crate) fn tune(
    planned: &mut Planned,
    options: &Options,
    limit: Duration,
    folder: Option<&CodeFolder>,
    watch: &dyn Fn(Progress),
) -> Result<Tuning, Error> {
    let start = Instant::now();
    let deadline = start.checked_add(limit);
    let in_time = || deadline.is_none_or(|d| Instant::now() < d);
    let how = cpu::CompileOptions { target: compile::host(folder)?, effort: compile::effort(options) };
    let mut out = Tuning { limit, ..Tuning::default() };
    let order = noticeable(planned, options.threads);
    for (n, &kernel) in order.iter().enumerate() {
        let tell = |share: f64| {
            let done = (n as f64 + share) / order.len() as f64;
            watch(Progress { kernel: n + 1, kernels: order.len(), done });
        };
        tell(0.0);
        let candidates = Candidates::of(planned, kernel, options, &how);
        if candidates.all.len() < 2 {
            out.single += 1;
            continue;
        }
        let key = candidates.key(options.threads);
        let known = learnt::recall(&key, candidates.all.len(), folder);
        let (outcome, known) = match known {
            Some(outcome) => (outcome, true),
            None if !in_time() => {
                out.left += 1;
                continue;
            }
            None => {
                let outcome = timing::measure(&candidates, planned, options, (&how, deadline), &tell)?;
                learnt::keep(&key, &outcome, folder);
                (outcome, false)
            }
        };
        let sites = planned.scheduled.sites.iter().enumerate();
        out.kernels.push(Tuned {
            kernel,
            sites: sites.filter(|(_, s)| s.kernel == kernel).map(|(n, _)| n).collect(),
            candidates: candidates.told(&outcome.us),
            chosen: outcome.chosen,
            verdict: outcome.verdict,
            known,
        });
        if outcome.chosen > 0 {
            candidates.take(planned, kernel, outcome.chosen);
        }
    }
    watch(Progress { kernel: order.len(), kernels: order.len(), done: 1.0 });
    out.spent = start.elapsed();
    Ok(out)
}

/// The planned kernels that take a noticeable part of a run's predicted time, the longest first.
fn noticeable(planned: &Planned, threads: usize) -> Vec<usize> {
    let program = &planned.scheduled.program;
    // By the machine that is planned for, not by the one that prices are of: plans do not depend on those.
    let target = &planned.target;
    let launch = |kernel: &NamedKernel| match &kernel.code {
        Code::Planned(p) => figures::count(&p.region, &p.plan, target).cost().us_on(threads, target),
        Code::Library(l) => cost::library(&l.call, l.exact, target).cost().us_on(threads, target),
        Code::Lowered(_) => 0.0,
    };
    let each: Vec<f64> = program.kernels.iter().map(launch).collect();
    let mut us = vec![0.0; each.len()];
    for site in &planned.scheduled.sites {
        us[site.kernel] += site.launches.unwrap_or(TRIPS) as f64 * each[site.kernel];
    }
    let least = NOTICEABLE * us.iter().sum::<f64>();
    let is_planned = |k: &NamedKernel| k.source().is_some();
    let mut order: Vec<usize> = (0..us.len()).collect();
    order.retain(|&n| us[n] >= least && is_planned(&program.kernels[n]));
    order.sort_by(|&a, &b| us[b].total_cmp(&us[a]));
    order
}
