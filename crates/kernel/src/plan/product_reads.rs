//! How the operands of a product lie in memory, and what follows of it for caches.

use super::Axes;
use super::gather::is_in_steps;
use crate::region::{Node, NodeId, Region, Source};
use crate::target::{LINE, Target};

/// Rows of k that are read together where they are far apart: as many streams as a core follows.
pub(super) const NEAR_BLOCK: i64 = 16;

/// Loads of an operand of one or a few rows that read rows of an array in line, larger than the caches: once each, so that
/// nothing is gained by packing. A tile of columns that went through all of k would touch another page with each element.
pub(super) fn far_rows(
    region: &Region,
    vector: NodeId,
    axes: &Axes,
    lane: Option<usize>,
    target: &Target,
) -> Vec<NodeId> {
    let (Some(lane), &[length]) = (lane, axes.inner_extents()) else { return Vec::new() };
    let k = axes.extents.len() - 1;
    let elements = axes.extents[lane].saturating_mul(length);
    let is_far = |id: &NodeId| match region.node(*id) {
        Node::Load { source: Source::Input(_), offset, mask: None } => {
            let (offset, size) = (axes.translate(offset), region.dtype(*id).size() as i64);
            let apart = offset.coefficient(k).map_or(0, |n| n.saturating_mul(size));
            offset.coefficient(lane) == Some(1)
                && apart >= 16 * LINE
                && elements.saturating_mul(size) > target.l2
        }
        _ => false,
    };
    if target.gpu.is_some() || length < 4 * NEAR_BLOCK {
        return Vec::new();
    }
    region.reachable(&[vector]).into_iter().filter(is_far).collect()
}

/// The load of an operand whose rows, so many for each tile, follow each other in an array that comes from memory.
pub(super) fn rows_in_line(
    region: &Region,
    operand: NodeId,
    axes: &Axes,
    (row, rows): (usize, i64),
    target: &Target,
) -> Option<NodeId> {
    let (&Node::Load { source: Source::Input(input), ref offset, mask: None }, &[length]) =
        (region.node(operand), axes.inner_extents())
    else {
        return None;
    };
    let (offset, size) = (axes.translate(offset), region.dtype(operand).size() as i64);
    let in_line =
        offset.coefficient(axes.extents.len() - 1) == Some(1) && offset.coefficient(row) == Some(length);
    let far = region.inputs[input as usize].elements.saturating_mul(size) > target.l2;
    // One line for each element of k brings all of them.
    (in_line && far && rows * size <= LINE).then_some(operand)
}

/// Whether the rows of a tile evict each other from the first-level cache, though each has a line there for many elements of
/// k: lines at multiples of a page share a set. (On graphics processors threads share the lines.)
pub(super) fn is_crowded(
    region: &Region,
    operand: NodeId,
    axes: &Axes,
    (row, rows): (usize, i64),
    target: &Target,
) -> bool {
    let (Node::Load { offset, .. }, Some(inner)) = (region.node(operand), axes.extents.len().checked_sub(1))
    else {
        return false;
    };
    let in_line = axes.translate(offset).coefficient(inner) == Some(1);
    in_line && rows > WAYS && share_a_set(region, operand, axes, row, target)
}

/// Whether rows of an operand that is read from memory lie at multiples of a page.
pub(super) fn share_a_set(
    region: &Region,
    operand: NodeId,
    axes: &Axes,
    row: usize,
    target: &Target,
) -> bool {
    let Node::Load { source: Source::Input(_), offset, .. } = region.node(operand) else { return false };
    let apart = axes.translate(offset).coefficient(row).unwrap_or(0) * region.dtype(operand).size() as i64;
    target.gpu.is_none() && apart != 0 && apart % PAGE == 0
}

/// Lines of a set of the first-level cache, at least, and how far apart those of one set lie.
const WAYS: i64 = 8;
const PAGE: i64 = 4096;

/// Whether an operand reads neighbours along an axis.
pub(super) fn lies_along(region: &Region, axes: &Axes, operand: NodeId, axis: usize) -> bool {
    region.reachable(&[operand]).into_iter().any(|id| match region.node(id) {
        Node::Load { offset, .. } => axes.translate(offset).coefficient(axis) == Some(1),
        _ => false,
    })
}

/// Whether an operand reads neighbours along one axis, and others along another.
pub(super) fn lies_across(
    region: &Region,
    axes: &Axes,
    operand: NodeId,
    (along, across): (usize, usize),
) -> bool {
    region.reachable(&[operand]).into_iter().any(|id| match region.node(id) {
        Node::Load { offset, .. } => {
            let offset = axes.translate(offset);
            offset.coefficient(along) == Some(1) && offset.coefficient(across) != Some(0)
        }
        _ => false,
    })
}

/// Whether an operand is an array whose lines of lanes follow each other along k.
pub(super) fn is_in_line(region: &Region, operand: NodeId, axes: &Axes, lane: Option<usize>) -> bool {
    let (Node::Load { offset, mask: None, .. }, Some(lane)) = (region.node(operand), lane) else {
        return false;
    };
    let (offset, last) = (axes.translate(offset), axes.extents.len().checked_sub(1));
    offset.coefficient(lane) == Some(1)
        && last.and_then(|k| offset.coefficient(k)) == Some(axes.extents[lane])
}

/// Whether so many columns of an operand are windows of rows in line that overlap, so that a copy of the tile's shape would be
/// several times as large as what is read.
pub(super) fn are_windows(
    region: &Region,
    operand: NodeId,
    axes: &Axes,
    lane: Option<usize>,
    columns: i64,
) -> bool {
    let (Node::Load { source: Source::Input(_), offset, mask: None }, Some(lane)) =
        (region.node(operand), lane)
    else {
        return false;
    };
    let (offset, inner) = (axes.translate(offset), axes.inner_extents());
    let step = |n: usize| offset.coefficient(axes.space + n).map(i64::abs);
    let steps = inner.iter().enumerate().map(|(n, &extent)| Some((step(n)?, extent)));
    let (Some(mut steps), Some(1)) = (steps.collect::<Option<Vec<_>>>(), offset.coefficient(lane)) else {
        return false;
    };
    steps.sort_unstable();
    // What is read lies close together until an axis steps over all that comes before it.
    let (span, apart) =
        steps.into_iter().fold((columns, 1i64), |(span, apart), (step, extent)| match step < span {
            true if apart == 1 => (span + step * (extent - 1), 1),
            _ => (span, apart.saturating_mul(extent)),
        });
    let copied = inner.iter().fold(columns, |n, &extent| n.saturating_mul(extent));
    span.saturating_mul(apart).saturating_mul(READ_TWICE) <= copied
}

/// How often each element of windows is read at least.
const READ_TWICE: i64 = 2;

/// Whether all that an operand reads along an axis are neighbours, which begin at multiples of so many elements where the axis does.
pub(super) fn is_in_line_by(region: &Region, operand: NodeId, axes: &Axes, along: usize, step: i64) -> bool {
    let reads = region.reachable(&[operand]).into_iter().filter_map(|id| match region.node(id) {
        Node::Load { offset, mask, .. } => Some((axes.translate(offset), mask.is_none())),
        _ => None,
    });
    let mut changing = reads.filter(|(offset, _)| offset.coefficient(along) != Some(0)).peekable();
    changing.peek().is_some()
        && axes.extents[along] % step == 0
        && changing.all(|(offset, is_whole)| {
            is_whole && offset.coefficient(along) == Some(1) && is_in_steps(&offset, along, step)
        })
}

/// What one element of an operand costs beyond being read.
pub(super) fn prologue(region: &Region, operand: NodeId, target: &Target) -> i64 {
    let free = |node: &Node| matches!(node, Node::Load { .. } | Node::InRange { .. } | Node::Index(_));
    let made = |id: &NodeId| !free(region.node(*id));
    region.reachable(&[operand]).into_iter().filter(made).map(|id| target.rates.node(region, id)).sum()
}
