//! Choosing between forms of a region. A value that several stages need is computed once and kept for them in the
//! cache; where it is too large to be kept, it is computed again in each of them. Where they still do not share their
//! rows, reductions store on the way what maps make.

use super::exprs::is_read;
use super::kernel::Plan;
use super::pieces;
use super::stages::plan_stages;
use crate::refusal::Refusal;
use crate::region::build::{Cut, build, build_repeating};
use crate::region::{Kind, Region, Stage, store_maps};
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
    let is_map = |stage: &Stage| matches!(stage.kind, Kind::Map { .. });
    let is_kept = |(s, stage): (usize, &Stage)| {
        is_map(stage) && (0..stage.results.len()).any(|n| is_read(&kept, (s as u32, n as u32)))
    };
    let keeps = kept.stages.iter().enumerate().any(is_kept);
    let reduces = kept.stages.iter().any(|s| matches!(s.kind, Kind::Reduce { .. }));
    let may_store = reduces && kept.stages.iter().any(is_map);
    if !keeps && !may_store {
        return Ok((kept, None));
    }
    let of_kept = plan_stages(&kept, target)?;
    if of_kept.apart.is_none() {
        return Ok((kept, Some(of_kept)));
    }
    let mut repeated = None;
    if keeps {
        let region = build_repeating(module, name, cut)?;
        let plan = plan_stages(&region, target)?;
        if plan.apart.is_none() {
            return Ok((region, Some(plan)));
        }
        repeated = Some(region);
    }
    if let Some(stored) = store_maps(repeated.as_ref().unwrap_or(&kept)) {
        let plan = plan_stages(&stored, target)?;
        if plan.apart.is_none() {
            return Ok((stored, Some(plan)));
        }
    }
    Ok((kept, Some(of_kept)))
}
