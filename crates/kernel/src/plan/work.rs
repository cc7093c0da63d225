//! The work of one point of a stage, which divides its loops into tasks.

use crate::region::{Function, NodeId, Region};
use crate::target::Target;

/// Operations of one element of a reduction.
pub(super) fn element_cost(region: &Region, values: &[NodeId], combiner: &Function, target: &Target) -> i64 {
    point_cost(region, values, target) + point_cost(region, &combiner.results, target)
}

/// Operations for one point, elementary functions weighed: what divides work into tasks.
pub fn point_cost(region: &Region, roots: &[NodeId], target: &Target) -> i64 {
    region.reachable(roots).into_iter().map(|id| target.rates.node(region, id)).sum::<i64>().max(1)
}
