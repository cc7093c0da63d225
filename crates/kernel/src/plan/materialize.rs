//! Choosing between two forms of a region. A value that several stages need is computed once and kept for them in the
//! cache; where it is too large to be kept, it is computed again in each of them.

use super::kernel::Plan;
use super::pieces;
use super::stages::plan_stages;
use crate::refusal::Refusal;
use crate::region::build::{Cut, build, build_repeating};
use crate::region::{Kind, Region, Stage};
use crate::target::Target;
use lawson_hlo::Module;

/// The region of a cut in the form that can be planned as one kernel, if either can.
///
/// # Errors
/// The refusal of the first instruction that cannot be part of a kernel.
pub fn region(module: &Module, name: &str, cut: Cut<'_>, target: &Target) -> Result<Region, Refusal> {
    Ok(materialized(build(module, name, cut)?, (module, name, cut), target)?.0)
}

/// The same for a region that is built already, in the form that keeps values. Gives the plan too, where choosing the
/// form took one.
///
/// # Errors
/// As [`region`].
pub fn materialized(
    kept: Region,
    (module, name, cut): (&Module, &str, Cut<'_>),
    target: &Target,
) -> Result<(Region, Option<Plan>), Refusal> {
    if let Some(joint) = pieces::together(&kept, target) {
        return Ok((joint, None));
    }
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
