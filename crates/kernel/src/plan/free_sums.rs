//! Sums of rows that several warps share, where their order is free: a running value for each thread of all warps. In the order of
//! `strict` each warp has all of a sum for itself, since a row has no more running values than two for each of its threads.

use super::Plan;
use super::side_by_side::are_words;
use crate::region::{FoldOrder, Kind, Region};

/// The region with such sums in the order for them, if its plan has any. It is to be planned again.
pub fn free_sums(region: &Region, plan: &Plan) -> Option<Region> {
    let nest = plan.nest.as_ref().filter(|n| n.warps > 1)?;
    let mut new = region.clone();
    let mut changed = false;
    for member in &nest.members {
        let of = &region.stages[member.stage as usize];
        let long = of.inner_points() >= FoldOrder::MinorFree.running();
        // What moves between lanes stays in a warp.
        if !long || !are_words(region, of) {
            continue;
        }
        if let Kind::Reduce { order: order @ FoldOrder::MinorReduced, .. } =
            &mut new.stages[member.stage as usize].kind
        {
            *order = FoldOrder::MinorFree;
            changed = true;
        }
    }
    changed.then_some(new)
}
