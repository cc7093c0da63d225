//! Loads of all elements of short rows: along the lanes each is of every `n`-th element of an array, and together they are of
//! a range that whole vectors hold.

use super::Axes;
use super::shuffle_rounds::rounds;
use crate::region::{Node, NodeId, Region, Source};

/// Elements of a row, at the least: of shorter ones a vector is as quickly put together by itself.
const LEAST: i64 = 3;
/// And at the most: all of them are in registers at once.
const MOST: i64 = 16;

/// The loads of all elements of the row that this one is of, where neighbouring lanes are `step` elements apart: rows begin at
/// multiples of `step` from where the expression of the offset does.
pub fn row_of(region: &Region, id: NodeId, step: i64) -> Option<Vec<NodeId>> {
    let &Node::Load { source: Source::Input(input), ref offset, mask: None } = region.node(id) else {
        return None;
    };
    if !is_short(step) {
        return None;
    }
    let first = offset.constant - offset.constant.rem_euclid(step);
    let mut row: Vec<Option<NodeId>> = vec![None; step as usize];
    for (n, node) in region.nodes.iter().enumerate() {
        if let Node::Load { source: Source::Input(from), offset: other, mask: None } = node
            && *from == input
            && (first..first + step).contains(&other.constant)
            && other.terms == offset.terms
            && region.types[n] == region.dtype(id)
        {
            row[(other.constant - first) as usize] = Some(NodeId(n as u32));
        }
    }
    row.into_iter().collect()
}

/// The length of the rows, one for each lane, whose elements this load gives at the indices of the one loop within.
pub fn row_along(region: &Region, axes: &Axes, lane: usize, id: NodeId) -> Option<i64> {
    let Node::Load { source: Source::Input(_), offset, mask: None } = region.node(id) else { return None };
    let &[length] = axes.inner_extents() else { return None };
    let offset = axes.translate(offset);
    let in_line = offset.coefficient(axes.space) == Some(1) && offset.coefficient(lane) == Some(length);
    (in_line && is_short(length)).then_some(length)
}

fn is_short(length: i64) -> bool {
    (LEAST..=MOST).contains(&length) && rounds(length as usize).is_some()
}
