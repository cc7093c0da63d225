//! Rows that are folded across lanes on a processor, of which several are halved together: their totals are the lanes of a vector,
//! which finishes and stores them.

use super::Axes;
use super::reduce::{ReduceSchedule, Shape};
use crate::region::{Kind, Node, NodeId, Region, Source, Stage};
use crate::target::Target;

/// The fewest rows whose totals are worth a vector.
pub(super) const LEAST: i64 = 4;
/// Of rows of so many elements halving the running values takes as long as folding them.
pub(super) const SHORT_ROW: i64 = 256;
/// Operations on a total from which on it is put to its lane: a division, a square root, an elementary function.
const LONG_FINISH: i64 = 8;
/// Vectors of a row up to which halving them takes as long as folding them, where they come from near.
const FEW_VECTORS: i64 = 16;
/// How often an element is read from which on it comes from near.
const OFTEN: i64 = 8;
/// Groups of results beside which it is little that the last one lacks some.
const MANY_GROUPS: i64 = 8;
/// So many results within the rows of a nest are worth code for several at once.
const MANY_RESULTS: i64 = 512;

/// Whether rows are folded across lanes at once, with nothing that is stored on the way.
pub(super) fn can_be_halved(s: &ReduceSchedule, stage: &Stage) -> bool {
    let Kind::Reduce { mask: None, stored, .. } = &stage.kind else { return false };
    let at_once = s.shape == Shape::AcrossLanes && s.chunks == 1 && !s.two_phases;
    at_once && s.by_blocks.is_none() && s.rows_by_line.is_none() && stored.is_empty()
}

/// Whether the elements of a reduction read each element of their arrays again and again, as those of all pairs of rows: then they
/// come from near, and halving them counts.
fn reads_often(region: &Region, stage: &Stage, length: i64) -> bool {
    let Kind::Reduce { values, .. } = &stage.kind else { return false };
    let input = |id: NodeId| match region.node(id) {
        Node::Load { source: Source::Input(n), .. } => Some(*n),
        _ => None,
    };
    let mut inputs: Vec<u32> = region.loads(values).into_iter().filter_map(input).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let elements: i64 = inputs.iter().map(|&n| region.inputs[n as usize].elements).sum();
    stage.points().saturating_mul(length) >= elements.saturating_mul(OFTEN)
}

/// Rows of a kernel of their own, where they are short, or scalar code would take long for what is computed of a total. `finish` is its
/// cost in operations.
pub(super) fn of_rows(
    s: ReduceSchedule,
    (region, stage, axes): (&Region, &Stage, &Axes),
    finish: i64,
    target: &Target,
) -> ReduceSchedule {
    let Some(&rows) = axes.space_extents().last() else { return s };
    let (n, length) = (s.lanes as i64, axes.inner_extents().iter().product::<i64>());
    let one_vector = length <= n && !s.rolled;
    // Rows side by side are folded faster, which of short rows is less than what finishing each by itself takes: 512 elements and a
    // division do not gain, 400 and a tangent do.
    let short = length <= SHORT_ROW.max(n * finish * 3 / 2);
    let finished = finish >= LONG_FINISH && (s.together == 1 || short);
    let near = length <= FEW_VECTORS * n && !s.rolled && reads_often(region, stage, length);
    let pays = n >= LEAST && rows >= n && (one_vector || finished || near);
    if target.gpu.is_some() || !pays || !can_be_halved(&s, stage) {
        return s;
    }
    let rows_per_task = (s.rows_per_task + n - 1) / n * n;
    let together = if one_vector { n } else { 1 };
    ReduceSchedule { together, stored_together: n, rows_per_task, line: None, ..s }
}

/// Results within the rows of a nest, where they are neighbours along the last axis.
pub(super) fn in_row(
    s: ReduceSchedule,
    (stage, axes, rows): (&Stage, &Axes, &[usize]),
    target: &Target,
) -> ReduceSchedule {
    let Some(last) = axes.space.checked_sub(1).filter(|last| !rows.contains(last)) else { return s };
    let (extent, lanes) = (axes.extents[last], s.lanes as i64);
    // Of a last group that lacks some rows, these are folded for nothing.
    let fits = |n: &i64| *n <= lanes && (extent % n == 0 || extent >= MANY_GROUPS * n);
    let Some(n) = [16, 8, LEAST].into_iter().find(fits) else { return s };
    if target.gpu.is_some() || stage.points() < MANY_RESULTS || !can_be_halved(&s, stage) {
        return s;
    }
    let length = axes.inner_extents().iter().product::<i64>();
    let together = if length <= lanes && !s.rolled { n } else { 1 };
    ReduceSchedule { together, stored_together: n, ..s }
}
