//! Sums within the rows of a nest in another order than that of `strict`, where their order is free.
//!
//! On a graphics processor several warps share a row: each thread of all warps has a running value. In the order of `strict` each
//! warp has all of a sum for itself, since a row has no more running values than two for each of its threads.
//!
//! A sum down a column of an array that is computed, not loaded, has one running value in the order of `strict`. Where the columns
//! are the rows of the nest, no lanes could lie along them; so they lie along the sum (weights that are divided by their sum, as in
//! the resizing of images).

use super::Plan;
use super::nest::Member;
use super::schedule::Schedule;
use super::side_by_side::are_words;
use crate::region::{FoldOrder, Kind, Node, NodeId, Region, roots_of};
use crate::target::Target;

/// The region with such sums in the order for them, if its plan has any. It is to be planned again.
pub fn free_sums(region: &Region, plan: &Plan, target: &Target) -> Option<Region> {
    let nest = plan.nest.as_ref()?;
    let found = nest.members.iter().filter_map(|member| {
        let free = match target.gpu {
            Some(_) if nest.warps > 1 => for_all_warps(region, member)?,
            Some(_) => return None,
            None => along_the_sum(region, member, target)?,
        };
        Some((member.stage, free))
    });
    let found: Vec<(u32, FoldOrder)> = found.collect();
    if found.is_empty() {
        return None;
    }
    let mut new = region.clone();
    for (stage, free) in found {
        if let Kind::Reduce { order, .. } = &mut new.stages[stage as usize].kind {
            *order = free;
        }
    }
    Some(new)
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
fn along_the_sum(region: &Region, member: &Member, target: &Target) -> Option<FoldOrder> {
    let of = &region.stages[member.stage as usize];
    let has_no_lanes = matches!(&member.schedule, Schedule::Reduce(s) if s.lanes == 1);
    let is_long = of.inner.last().is_some_and(|&n| n >= 2 * target.lanes() as i64);
    if !has_no_lanes || !is_long || !is_reduction(&of.kind, FoldOrder::MinorKept) {
        return None;
    }
    let along = of.space.len() + of.inner.len() - 1;
    let stays = |&id: &NodeId| match region.node(id) {
        Node::Load { offset, .. } => offset.coefficient(along) == Some(0),
        _ => true,
    };
    region.loads(&roots_of(of)).iter().all(stays).then_some(FoldOrder::MinorReduced)
}

fn is_reduction(kind: &Kind, in_order: FoldOrder) -> bool {
    matches!(kind, Kind::Reduce { order, .. } if *order == in_order)
}
