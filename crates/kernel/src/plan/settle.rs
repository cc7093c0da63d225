//! The form of a region that is one kernel: values that several stages need are kept for them, or evaluated in each.

use super::kernel::Plan;
use super::stages::plan_stages;
use crate::refusal::Refusal;
use crate::region::build::{Cut, build, build_repeating};
use crate::region::{Kind, Region, Stage};
use crate::target::Target;
use lawson_hlo::Module;

/// The region of a cut in the form that is one kernel: a value that several stages need is kept for them in the cache,
/// or, where it is too large for that, evaluated in each.
///
/// # Errors
/// The refusal of the first instruction that cannot be part of a kernel.
pub fn region(module: &Module, name: &str, cut: Cut<'_>, target: &Target) -> Result<Region, Refusal> {
    Ok(settled(build(module, name, cut)?, (module, name, cut), target)?.0)
}

/// The same, of the region that keeps them, with its plan, where choosing the form took one.
///
/// # Errors
/// As [`region`].
pub fn settled(
    kept: Region,
    (module, name, cut): (&Module, &str, Cut<'_>),
    target: &Target,
) -> Result<(Region, Option<Plan>), Refusal> {
    let keeps = |(s, stage): (usize, &Stage)| {
        matches!(stage.kind, Kind::Map { .. }) && kept.output_sources.iter().all(|o| o.0 as usize != s)
    };
    if !kept.stages.iter().enumerate().any(keeps) {
        return Ok((kept, None));
    }
    let of_kept = plan_stages(&kept, target)?;
    if of_kept.apart.is_none() {
        return Ok((kept, Some(of_kept)));
    }
    let repeated = build_repeating(module, name, cut)?;
    let of_repeated = plan_stages(&repeated, target)?;
    match of_repeated.apart {
        None => Ok((repeated, Some(of_repeated))),
        Some(_) => Ok((kept, Some(of_kept))),
    }
}
