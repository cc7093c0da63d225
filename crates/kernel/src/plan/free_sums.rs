//! Sums within the rows of a nest in another order than that of `strict`, where their order is free.
//!
//! On a graphics processor several warps share a row: each thread of all warps has a running value. In the order of `strict` each
//! warp has all of a sum for itself, since a row has no more running values than two for each of its threads.
//!
//! A sum down a column of an array that is computed, not loaded, has one running value in the order of `strict`. Where the columns
//! are the rows of the nest, no lanes could lie along them; so they lie along the sum (weights that are divided by their sum, as in
//! the resizing of images).

use super::Plan;
use super::loads::Loads;
use super::nest::Member;
use super::schedule::Schedule;
use super::side_by_side::are_words;
use crate::region::{FoldOrder, Kind, Region};
use crate::target::Target;

/// The region with such sums in the order for them, if its plan has any. It is to be planned again.
pub fn free_sums(region: &Region, plan: &Plan, target: &Target) -> Option<Region> {
    let nest = plan.nest.as_ref()?;
    let loads = Loads::of(region);
    let mut new = region.clone();
    let mut changed = false;
    for member in &nest.members {
        let free = match target.gpu {
            Some(_) if nest.warps > 1 => for_all_warps(region, member),
            Some(_) => None,
            None => along_the_sum((region, &loads), member, target),
        };
        if let Some(free) = free
            && let Kind::Reduce { order, .. } = &mut new.stages[member.stage as usize].kind
        {
            *order = free;
            changed = true;
        }
    }
    changed.then_some(new)
}

/// The order of a sum of a row that several warps share.
fn for_all_warps(region: &Region, member: &Member) -> Option<FoldOrder> {
    let of = &region.stages[member.stage as usize];
    let long = of.inner_points() >= FoldOrder::MinorFree.running();
    // What moves between lanes stays in a warp.
    let free = long && is_reduction(&of.kind, FoldOrder::MinorReduced) && are_words(region, of);
    free.then_some(FoldOrder::MinorFree)
}

/// The order of a sum down a column that has no lanes and loads nothing, where it is long enough for two vectors of them.
fn along_the_sum(
    (region, loads): (&Region, &Loads<'_>),
    member: &Member,
    target: &Target,
) -> Option<FoldOrder> {
    let stage = member.stage as usize;
    let of = &region.stages[stage];
    let has_no_lanes = matches!(&member.schedule, Schedule::Reduce(s) if s.lanes == 1);
    let is_long = of.inner.last().is_some_and(|&n| n >= 2 * target.lanes() as i64);
    let along = of.space.len() + of.inner.len() - 1;
    let is_computed = || {
        let mut offsets =
            loads.inputs(stage).map(|(.., at)| at).chain(loads.results(stage).map(|(_, at)| at));
        offsets.all(|at| at.coefficient(along) == Some(0))
    };
    let free = has_no_lanes && is_long && is_reduction(&of.kind, FoldOrder::MinorKept) && is_computed();
    free.then_some(FoldOrder::MinorReduced)
}

fn is_reduction(kind: &Kind, in_order: FoldOrder) -> bool {
    matches!(kind, Kind::Reduce { order, .. } if *order == in_order)
}
