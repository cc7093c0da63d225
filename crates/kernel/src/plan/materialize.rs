//! Choosing between forms of a region. A value that several stages need is computed once and kept for them in the
//! cache; where it is too large to be kept, it is computed again in each of them. Where they still do not share their
//! rows, reductions store on the way what maps make. What takes long to compute of a row alone becomes a stage where that gives it lanes.

use super::exprs::is_kept;
use super::kernel::Plan;
use super::stages::as_one_kernel;
use super::{beside, nest, pieces};
use crate::refusal::Refusal;
use crate::region::build::{Cut, build, build_repeating};
use crate::region::{Kind, Region, Stage, in_reading_order, store_maps};
use crate::target::Target;
use lawson_hlo::Module;

/// The region of a cut in the form that can be planned as one kernel, if either can.
///
/// # Errors
/// The refusal of the first instruction that cannot be part of a kernel.
pub fn region(module: &Module, name: &str, cut: Cut<'_>, target: &Target) -> Result<Region, Refusal> {
    Ok(materialized(build(module, name, cut)?, (module, name, cut), target)?.0)
}

/// What choosing the form of a region tells of its plan.
pub enum Form {
    /// As one kernel it has this plan.
    Planned(Box<Plan>),
    /// No form of it is one kernel, and why the one that keeps values is none.
    Apart(Refusal),
    /// There was nothing to choose, so it was not planned.
    Only,
}

/// The same for a region that is built already, in the form that keeps values.
///
/// # Errors
/// As [`region`].
pub fn materialized(
    kept: Region,
    source: (&Module, &str, Cut<'_>),
    target: &Target,
) -> Result<(Region, Form), Refusal> {
    // A graphics processor has lanes to spare, and shares more along the axes of one operand.
    let kept = if target.gpu.is_none() { in_reading_order(kept) } else { kept };
    let (region, form) = of_form(kept, source, target)?;
    if !matches!(form, Form::Apart(_))
        && let Some(staged) = nest::with_row_values(&region, target)
        && let Ok(plan) = as_one_kernel(&staged, target)?
        && plan.nest.as_ref().is_some_and(nest::has_values_in_lanes)
    {
        return Ok((staged, Form::Planned(plan.into())));
    }
    Ok((region, form))
}

fn of_form(
    kept: Region,
    (module, name, cut): (&Module, &str, Cut<'_>),
    target: &Target,
) -> Result<(Region, Form), Refusal> {
    if let Some(joint) = pieces::together(&kept, target) {
        return Ok((joint, Form::Only));
    }
    let is_map = |stage: &Stage| matches!(stage.kind, Kind::Map { .. });
    let keeps = (0..kept.stages.len()).any(|s| is_kept(&kept, s as u32));
    let reduces = kept.stages.iter().any(|s| matches!(s.kind, Kind::Reduce { .. }));
    let may_store = reduces && kept.stages.iter().any(is_map);
    if !keeps && !may_store {
        return Ok((kept, Form::Only));
    }
    let repeat = || -> Result<(Region, Result<Plan, Refusal>), Refusal> {
        let region = build_repeating(module, name, cut)?;
        let plan = as_one_kernel(&region, target)?;
        Ok((region, plan))
    };
    let mut repeating = None;
    if keeps && target.gpu.is_none() && beside::may_compute_maps(&kept) {
        match repeat()? {
            // What is computed once for results side by side needs no place.
            (region, Ok(plan)) if beside::has_any(&plan) => return Ok((region, Form::Planned(plan.into()))),
            found => repeating = Some(found),
        }
    }
    let refusal = match as_one_kernel(&kept, target)? {
        Ok(plan) => return Ok((kept, Form::Planned(plan.into()))),
        Err(refusal) => refusal,
    };
    let mut repeated = None;
    if keeps {
        match repeating.map_or_else(repeat, Ok)? {
            (region, Ok(plan)) => return Ok((region, Form::Planned(plan.into()))),
            (region, Err(_)) => repeated = Some(region),
        }
    }
    if let Some(stored) = store_maps(repeated.as_ref().unwrap_or(&kept))
        && let Ok(plan) = as_one_kernel(&stored, target)?
    {
        return Ok((stored, Form::Planned(plan.into())));
    }
    Ok((kept, Form::Apart(refusal)))
}
