//! What the threads of a graphics processor load before they use the first of it. Memory answers late: where each waits for a word
//! at a time, even all threads that a multiprocessor holds leave most of the bandwidth unused.

use super::Axes;
use crate::region::{Kind, Node, NodeId, Region, Stage, roots_of};
use crate::target::Target;

/// Bytes of an array that a thread has under way.
const ENOUGH: i64 = 16;
/// Registers of a thread for what it loads.
const MOST_REGISTERS: i64 = 32;
/// Points of so much work do not wait for memory.
const LONG: i64 = 64;
/// Lines of a square that are stored together.
const LINES: i64 = 8;

/// The loads at a point of a map that change along its lanes.
fn loads(region: &Region, stage: &Stage, axes: &Axes, lane: usize) -> Vec<NodeId> {
    let mut live = region.live(&roots_of(stage), &|value, lo, hi| axes.holds(value, lo, hi));
    live.retain(|&id| match region.node(id) {
        Node::Load { offset, .. } => axes.translate(offset).coefficient(lane) != Some(0),
        _ => false,
    });
    live
}

/// Vectors of a row that are loaded before the first of them is stored: as many as make an access of 16 bytes elsewhere.
pub(super) fn vectors(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, lanes, cost): (usize, u32, i64),
    target: &Target,
) -> i64 {
    let is_map = matches!(stage.kind, Kind::Map { .. });
    if !is_map || cost > LONG || lanes < target.lanes() {
        return 1;
    }
    let each = (lanes / target.lanes()) as i64;
    let loads = loads(region, stage, axes, lane);
    let size = |&id: &NodeId| region.dtype(id).size() as i64;
    let Some(widest) = loads.iter().map(size).max() else { return 1 };
    let registers: i64 = loads.iter().map(|id| (each * size(id) + 3) / 4).sum();
    let vectors = axes.extents[lane] / lanes as i64;
    let most = (ENOUGH / (each * widest)).min(MOST_REGISTERS / registers.max(1)).min(vectors);
    1 << most.max(1).ilog2()
}

/// Lines of a tile that are under way at once, with what is loaded beside them.
pub(super) fn lines(cost: i64, target: &Target) -> i64 {
    if target.gpu.is_some() && cost <= LONG { LINES } else { 1 }
}

/// Whether a map reads elements of an array again at points of other rows, as stencils do.
pub(super) fn reads_rows_again(region: &Region, stage: &Stage, axes: &Axes, lane: usize) -> bool {
    let of = |&id: &NodeId| match region.node(id) {
        Node::Load { source, offset, .. } => Some((*source, axes.translate(offset))),
        _ => None,
    };
    let all: Vec<_> = loads(region, stage, axes, lane).iter().filter_map(of).collect();
    let apart = |(n, (source, offset)): (usize, &(_, _))| {
        let others = all[..n].iter().filter(|o| o.0 == *source);
        let other_row = |o: &(_, lawson_hlo::index::Affine)| {
            let by = o.1.sub(offset);
            by.terms.is_empty() && by.constant.abs() >= axes.extents[lane]
        };
        others.into_iter().any(other_row)
    };
    all.iter().enumerate().any(apart)
}

/// The rows and columns of a task that has so many points, as narrow as vectors that are under way together: rows that are read
/// again are near then.
pub(super) fn square((rows, columns): (i64, i64), all_rows: i64, width: i64) -> (i64, i64) {
    match columns % width {
        0 => ((rows * columns / width).clamp(1, all_rows.max(1)), width),
        _ => (rows, columns),
    }
}
