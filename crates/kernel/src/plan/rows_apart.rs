//! Lanes that read lines of the cache of their own, on a processor: those of rows that lie apart.

use super::Axes;
use super::reduce::{ReduceSchedule, Shape};
use crate::region::{Node, NodeId, Region};
use crate::target::{LINE, Target};

/// One vector at a time where its lanes read such lines: lines of more rows often fall on the same places of the cache, and loading
/// them lane by lane fills the time that a sum waits for.
pub(super) fn one_vector(
    s: ReduceSchedule,
    (region, axes): (&Region, &Axes),
    values: &[NodeId],
    target: &Target,
) -> ReduceSchedule {
    let Shape::LaneWise { lane: Some(lane), tile: 2.. } = s.shape else { return s };
    if !region.reachable(values).into_iter().any(|id| lies_apart(region, axes, id, lane, target)) {
        return s;
    }
    ReduceSchedule { shape: Shape::LaneWise { lane: Some(lane), tile: 1 }, ..s }
}

/// Whether lanes along an axis load it from a line each.
pub(super) fn lies_apart(region: &Region, axes: &Axes, id: NodeId, lane: usize, target: &Target) -> bool {
    let Node::Load { offset, .. } = region.node(id) else { return false };
    let size = region.dtype(id).size() as i64;
    let step = axes.translate(offset).coefficient(lane);
    target.gpu.is_none() && step.is_none_or(|step| step.abs().saturating_mul(size) >= LINE)
}
