//! Reductions of several axes that follow memory: line by line of the innermost axis.

use super::Axes;
use super::reduce::{ReduceSchedule, Shape as ReduceShape};
use crate::region::{FoldOrder, Kind, Node, NodeId, Region, Stage};
use crate::target::Target;
use lawson_hlo::DType;
use lawson_hlo::index::Affine;

/// Rows that are folded line by line, on a processor: where a vector would have elements of two lines, or where the lines of
/// neighbouring rows lie between two lines of a row, which the caches and what prefetches into them would not follow.
pub(super) fn of(
    s: ReduceSchedule,
    (region, stage, axes): (&Region, &Stage, &Axes),
    target: &Target,
) -> ReduceSchedule {
    let Kind::Reduce { values, combiner, mask: None, stored, .. } = &stage.kind else { return s };
    let (&[.., line], true) = (axes.inner_extents(), axes.inner_extents().len() > 1) else { return s };
    let alone = s.inverses.is_empty() && s.by_blocks.is_none();
    let plain = alone && stored.is_empty() && combiner.identities(region).is_some();
    let plain = plain && !values.iter().any(|&v| region.dtype(v).is_field());
    if target.gpu.is_some() || s.shape != ReduceShape::AcrossLanes || s.lanes < 2 || !plain {
        return s;
    }
    let lines = lines(region, values, axes);
    let widest = lines.iter().map(|(dtype, _)| dtype.size() as i64).max();
    let Some(size) = widest else { return s };
    let lanes = s.lanes as i64;
    // Two loads have a vector of two lines of half its length.
    let whole = line % lanes == 0 || line * 2 == lanes;
    if whole && (line < lanes || line * size > SHORT_LINE) {
        return s;
    }
    let rows = axes.space.checked_sub(1).filter(|&row| is_between(&lines, axes, row));
    if whole && rows.is_none() {
        return s;
    }
    // The running values of a row, its line, and what its chunks leave each have a quarter of the first-level cache.
    let value: i64 = values.iter().map(|&v| region.dtype(v).accumulator().size() as i64).sum();
    let kept = FoldOrder::MinorReduced.running().min(s.chunk).max(s.chunks) * value;
    let most = (target.l1 / 4 / kept.max(line * size)).max(1);
    let rows = rows.map_or(1, |row| {
        let blocks = (axes.extents[row] + most - 1) / most;
        (axes.extents[row] + blocks - 1) / blocks
    });
    ReduceSchedule { rows_by_line: Some(rows), rolled: false, ..s }
}

/// Rows that are folded side by side, neighbours where their lines lie between two lines of a row: they share lines of the cache. So do
/// the results of neighbours; rows of at most a page, at whose end what prefetches into the caches stops, lose nothing by it.
pub(super) fn neighbours(
    s: ReduceSchedule,
    (region, stage, axes): (&Region, &Stage, &Axes),
) -> ReduceSchedule {
    let Kind::Reduce { values, .. } = &stage.kind else { return s };
    let several = s.together > 1 && s.stored_together == 1 && s.shape == ReduceShape::AcrossLanes;
    let row = axes.space.checked_sub(1).filter(|_| several && axes.inner_extents().len() > 1);
    let neighbours = row.is_some_and(|row| is_between(&lines(region, values, axes), axes, row));
    let size = values.iter().map(|&v| region.dtype(v).size() as i64).max().unwrap_or(1);
    let short = several && axes.inner_extents().iter().product::<i64>() * size <= PAGE;
    ReduceSchedule { neighbours: neighbours || short, ..s }
}

/// The loads whose elements along the innermost axis are in line.
fn lines(region: &Region, values: &[NodeId], axes: &Axes) -> Vec<(DType, Affine)> {
    let loads = region.reachable(values).into_iter().filter_map(|id| match region.node(id) {
        Node::Load { offset, .. } => Some((region.dtype(id), axes.translate(offset))),
        _ => None,
    });
    loads.filter(|(_, offset)| offset.coefficient(axes.extents.len() - 1) == Some(1)).collect()
}

/// Whether the next point along the axis `row` has its line between two lines of this one.
fn is_between(lines: &[(DType, Affine)], axes: &Axes, row: usize) -> bool {
    let step = |offset: &Affine, axis: usize| offset.coefficient(axis).map_or(0, i64::abs);
    lines.iter().any(|(_, offset)| {
        let outer = axes.space..axes.extents.len() - 1;
        let next_line = outer.map(|a| step(offset, a)).filter(|&n| n > 0).min();
        (1..next_line.unwrap_or(0)).contains(&step(offset, row))
    })
}

/// Bytes of a line of whole vectors, at most: along longer ones processors prefetch, and running values stay in registers.
const SHORT_LINE: i64 = 256;
/// Bytes of a page of memory.
const PAGE: i64 = 4096;
