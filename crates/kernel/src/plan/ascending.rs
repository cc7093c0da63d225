//! Positions that ascend from element to element, as those that the greatest element is looked for with: what a combiner
//! asks about their order is known where an element follows those before it.

use super::Axes;
use crate::region::{Function, Node, NodeId, Region};
use lawson_hlo::attrs::Direction;

/// The comparisons of a combiner that hold of the elements before and of a later one.
pub fn ascending_comparisons(
    region: &Region,
    axes: &Axes,
    values: &[NodeId],
    combiner: &Function,
) -> Vec<NodeId> {
    let ascends: Vec<bool> = values.iter().map(|&v| is_ascending(region, axes, v)).collect();
    let argument = |id: NodeId| match region.node(id) {
        Node::Argument(n) => Some(*n as usize),
        _ => None,
    };
    let holds = |&id: &NodeId| match *region.node(id) {
        Node::Compare { direction: Direction::Lt | Direction::Le, x, y, .. } => {
            let (x, y) = (argument(x), argument(y));
            (0..values.len()).any(|n| ascends[n] && (x, y) == (Some(n), Some(n + values.len())))
        }
        _ => false,
    };
    region.reachable(&combiner.results).into_iter().filter(holds).collect()
}

/// Whether the values of the elements of one result are their positions along the one axis there is, in a type that holds
/// them all.
pub(super) fn is_ascending(region: &Region, axes: &Axes, value: NodeId) -> bool {
    let (&[extent], Node::Index(at)) = (axes.inner_extents(), region.node(value)) else { return false };
    let (at, last) = (axes.translate(at), axes.extents.len() - 1);
    let along = |axis: usize| at.coefficient(axis) == Some((axis == last) as i64);
    let fits =
        region.dtype(value).bits() >= 32 && at.constant >= 0 && at.constant + extent <= i32::MAX as i64;
    fits && (0..=last).all(along)
}
