//! Sums over a module.

use super::names::Names;
use super::{Totals, formula};
use crate::compile::Planned;
use crate::figures;
use crate::options::Options;
use lawson_hlo::Module;
use lawson_kernel::cost::{Cost, Moved, launch_us};
use lawson_kernel::program::walk;
use lawson_opt::schedule::LaunchSite;

pub fn totals(
    input: &Module,
    options: &Options,
    (planned, moved): (&Planned, &[Vec<Moved>]),
    unfused: &Planned,
) -> Totals {
    let sites = &planned.scheduled.sites;
    let once = |s: &LaunchSite| s.launches.unwrap_or(1);
    let bytes = |p: &Planned| {
        let sites = p.scheduled.sites.iter();
        sites.fold(0u64, |sum, s| sum.saturating_add(once(s).saturating_mul(figures::bytes(s))))
    };
    let (bytes_unfused, bytes_fused) = (bytes(unfused), bytes(planned));
    let (threads, prices) = (options.threads, &planned.prices);
    let sum = |of: &dyn Fn(&Cost, &[Moved]) -> f64| -> f64 {
        let sites = sites.iter().zip(moved);
        sites.map(|(s, moved)| once(s) as f64 * of(&s.figures.cost(), moved)).sum()
    };
    let memory = sum(&|cost, moved| cost.memory_us(moved, threads, prices));
    let work = sum(&|cost, _| cost.work_us(threads, prices));
    let launching = sum(&|cost, _| launch_us(cost.work, prices));
    let bound = if sites.is_empty() {
        String::new()
    } else if launching > memory.max(work) {
        "launches".into()
    } else if memory >= work {
        format!("memory ({:.0} GB/s)", bytes_fused as f64 / memory / 1e3)
    } else {
        let operations: f64 = sites.iter().map(|s| once(s) as f64 * s.figures.work as f64).sum();
        format!("arithmetic ({:.0} Gop/s)", operations / work / 1e3)
    };
    let formula = formula::formula(planned, unfused);
    Totals {
        instructions: Names::count(input),
        kernels: sites.len() as u64,
        launches: sites.iter().map(|s| s.launches).sum(),
        copies: walk::count(&planned.scheduled.program.steps, &walk::is_copy),
        bytes_unfused,
        bytes_fused,
        bytes_saved: bytes_unfused.saturating_sub(bytes_fused),
        bytes_saved_formula: formula.saved,
        bytes_unfused_formula: formula.unfused,
        bytes_fused_formula: formula.fused,
        flops: sites.iter().map(|s| once(s).saturating_mul(s.figures.flops.max(0) as u64)).sum(),
        calibrated: planned.prices != planned.target,
        predicted_us: sum(&|cost, moved| cost.us_moving(moved, threads, prices)),
        bound,
    }
}
