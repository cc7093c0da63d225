//! Vectors in halves: on a processor to which a vector is two halves, loops that wait for memory load and store each half by
//! itself.
//!
//! Twice as many accesses are under way then. Measured on Zen 4 in the cases of `make bench`: `sum_of_rows` takes 0.90 of the
//! time, `add_1m` 0.92, `transposed_matrix_times_vector` 0.8. Arithmetic takes twice as many instructions, so that loops
//! with more of it lose: `exp` would take 1.16, `to_s8_and_back` 1.4, sums of columns, whose accumulators no longer fit in
//! the registers, 1.1 and more.

use super::Axes;
use super::kernel::Plan;
use super::map_schedule::MapSchedule;
use super::reduce::{ReduceSchedule, Shape};
use super::schedule::{Group, Schedule};
use super::work::point_cost;
use crate::region::{Array, Kind, Node, NodeId, Region, roots_of};
use crate::target::Target;

/// Lets the groups of a plan use vectors in halves that gain by it.
pub(super) fn choose(region: &Region, plan: &mut Plan, target: &Target) {
    let arrays = || region.inputs.iter().chain(&region.outputs);
    let size = |a: &Array| a.elements.saturating_mul(a.dtype.size() as i64);
    let bytes = arrays().fold(0i64, |sum, a| sum.saturating_add(size(a)));
    // Narrower elements make vectors of half the width or less anyway.
    let wide = arrays().all(|a| a.dtype.size() >= 4);
    if !target.half_vectors || !wide || bytes <= target.l2 {
        return;
    }
    for group in &mut plan.groups {
        group.halves = gains(region, group, target);
        if let (true, Schedule::Reduce(s)) = (group.halves, &mut group.schedule) {
            // One row after the other: running values of more would not fit in the registers as halves.
            s.together = 1;
        }
    }
}

fn gains(region: &Region, group: &Group, target: &Target) -> bool {
    point_cost(region, &roots(region, group), target) <= CHEAP && can(region, group, target)
}

fn roots(region: &Region, group: &Group) -> Vec<NodeId> {
    group.stages().flat_map(|s| roots_of(&region.stages[s as usize])).collect()
}

/// Whether the loops of a group are such that vectors may be halves.
pub(super) fn can(region: &Region, group: &Group, target: &Target) -> bool {
    let roots = roots(region, group);
    if !target.half_vectors || group.schedule.lanes() < target.lanes() {
        return false;
    }
    match &group.schedule {
        Schedule::Map(s) => is_plain(s) && is_in_line(region, &group.axes, &roots, s.lane),
        Schedule::Reduce(s) => reduces_lines(region, group, s),
        // Rows of a matrix, each of them multiplied with one element of a vector.
        Schedule::Contract(s) => !s.near.is_empty(),
        Schedule::Update(_)
        | Schedule::Scan(_)
        | Schedule::Sort(_)
        | Schedule::SelectAndScatter(_)
        | Schedule::Loop(_) => false,
    }
}

/// Whether vectors go from arrays to arrays, and are not shuffled.
fn is_plain(s: &MapSchedule) -> bool {
    let parts = s.split.iter().flat_map(|s| &s.parts);
    parts.chain([s]).all(|m| m.transpose.is_none() && m.inverses.is_empty() && m.next_rows.is_empty())
}

/// Whether what is loaded lies in line along the lanes, in either direction, or is the same in all.
fn is_in_line(region: &Region, axes: &Axes, roots: &[NodeId], lane: Option<usize>) -> bool {
    let Some(lane) = lane else { return false };
    region.reachable(roots).into_iter().all(|id| match region.node(id) {
        Node::Load { offset, .. } => {
            matches!(axes.translate(offset).coefficient(lane), Some(-1..=1))
        }
        _ => true,
    })
}

/// Whether rows of one array in line are reduced, each by itself.
fn reduces_lines(region: &Region, group: &Group, s: &ReduceSchedule) -> bool {
    let Kind::Reduce { values, mask: None, stored, .. } = &region.stages[group.stage as usize].kind else {
        return false;
    };
    let &[_] = group.axes.inner_extents() else { return false };
    let along = group.axes.extents.len() - 1;
    s.shape == Shape::AcrossLanes
        && !s.rolled
        && stored.is_empty()
        && values.len() == 1
        && region.loads(values).len() == 1
        && is_in_line(region, &group.axes, values, Some(along))
}

/// Operations for each point: of a sum of two arrays three, of a conversion to bf16 ten.
const CHEAP: i64 = 12;
