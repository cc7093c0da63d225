//! What is known about a run from its plan: kernels, bytes, operations, expected time.

use crate::compile::{self, Planned};
use crate::error::Error;
use crate::options::{FusionSpec, Options};
use crate::roofline;
use crate::traffic;
use lawson_hlo::Module;
use lawson_opt::schedule::LaunchSite;

/// `None` where the device has no plan or trip counts are unknown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// Compiled entries, each call site counted.
    pub kernels: Option<u64>,
    /// Bytes that kernels read and write.
    pub bytes_moved: Option<u64>,
    /// Operations on elements of a run.
    pub flops: Option<u64>,
    /// Bytes a run allocates beside its outputs.
    pub temp_bytes: Option<u64>,
    /// Arena and outputs.
    pub peak_bytes: Option<u64>,
    /// What the cost model expects.
    pub predicted_us: Option<f64>,
}

impl Figures {
    /// Of a plan that runs on so many threads, with so many bytes beside its outputs. `launches` are those counted for
    /// each of the program's kernels in a run, where the plan does not know.
    pub fn of(planned: &Planned, threads: usize, temp_bytes: u64, launches: Option<&[u64]>) -> Figures {
        let outputs: u64 = roofline::interface_bytes(&planned.module).1;
        let moved = traffic::of(planned);
        let us = |n: usize, s: &LaunchSite| s.figures.cost().us_moving(&moved[n], threads, &planned.prices);
        Figures {
            kernels: Some(planned.scheduled.sites.len() as u64),
            bytes_moved: total(planned, launches, |_, s| bytes(s) as f64).map(|b| b as u64),
            flops: total(planned, launches, |_, s| s.figures.flops as f64).map(|f| f as u64),
            temp_bytes: Some(temp_bytes),
            peak_bytes: Some((planned.scheduled.program.arena_bytes as u64).saturating_add(outputs)),
            predicted_us: total(planned, launches, us),
        }
    }
}

/// Whether the plan knows how often each kernel runs.
pub fn launches_known(planned: &Planned) -> bool {
    planned.scheduled.sites.iter().all(|s| s.launches.is_some())
}

/// Bytes that kernels would move if each instruction after simplification were its own kernel; `None` where a
/// trip count is unknown.
pub fn bytes_unfused(module: &Module, options: &Options) -> Result<Option<u64>, Error> {
    let planned = unfused(module, options)?;
    Ok(total(&planned, None, |_, s| bytes(s) as f64).map(|b| b as u64))
}

/// The plan in which each instruction after simplification is its own kernel. It never runs, so it may be large, and
/// has no program.
pub fn unfused(module: &Module, options: &Options) -> Result<Planned, Error> {
    compile::figures(module, &as_unfused(options))
}

/// The options of that plan.
pub fn as_unfused(options: &Options) -> Options {
    Options { fusion: FusionSpec::OFF, max_memory: u64::MAX, ..options.clone() }
}

/// Bytes of one launch.
pub fn bytes(site: &LaunchSite) -> u64 {
    (site.figures.bytes_read.max(0) as u64).saturating_add(site.figures.bytes_written.max(0) as u64)
}

/// The sum over all launches of one run.
fn total(planned: &Planned, counted: Option<&[u64]>, of: impl Fn(usize, &LaunchSite) -> f64) -> Option<f64> {
    let sites = &planned.scheduled.sites;
    // Sites of one kernel have the same code, so their launches need not be told apart.
    if let Some(counted) = counted {
        let mut sum = 0.0;
        for (kernel, &launches) in counted.iter().enumerate() {
            let site = sites.iter().enumerate().find(|(_, s)| s.kernel == kernel);
            sum += launches as f64 * site.map_or(0.0, |(n, s)| of(n, s));
        }
        return Some(sum);
    }
    sites.iter().enumerate().try_fold(0.0, |sum, (n, s)| Some(sum + s.launches? as f64 * of(n, s)))
}
