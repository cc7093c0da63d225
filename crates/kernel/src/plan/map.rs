//! The loops of a map: rows, a vector axis, tasks.

use super::Axes;
use super::block_squares::{self, BlockSquares, Lines};
use super::choice::Choice;
use super::dependence::reach_of_data;
use super::in_order::InOrder;
use super::index_set_split::split;
use super::inverses::Inverses;
use super::long_chains;
use super::map_schedule::{MapSchedule, Transpose, Turn, is_aligned, is_large};
use super::narrow;
use super::next_row::next_rows;
use super::side_by_side;
use super::tasks::evenly;
use super::under_way;
use super::vector::{lane_axis, lane_axis_but, lanes_within};
use crate::region::{Kind, Node, NodeId, Region, Source, Stage, roots_of};
use crate::target::{LINE, Target};
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, Atom};

impl MapSchedule {
    /// Tasks of whole rows, by the work that is left, if the loop is split along the lanes and rows are short enough.
    fn share_rows(&mut self, axes: &Axes, cost: i64, target: &Target) {
        let Some(split) = self.split.as_mut().filter(|s| s.in_rows) else { return };
        let columns = axes.extents[split.axis];
        let rows = axes.space_extents().iter().product::<i64>() / columns;
        let blocks = blocks(rows, columns, cost * split.work / 100, self.lanes, target);
        split.in_rows = blocks.1 >= columns;
        if split.in_rows {
            (self.rows_per_task, self.columns_per_task) = blocks;
        }
    }

    /// Parts share rows if lanes run along the same axis in all, and their stores bypass the caches where all rows and
    /// all parts begin aligned.
    fn align(&mut self) {
        let (lane, lanes, streaming) = (self.lane, self.lanes as i64, self.streaming);
        if let Some(split) = &mut self.split {
            split.in_rows &= split.parts.iter().all(|p| p.lane == lane);
            let aligned = Some(split.axis) != lane || split.at.iter().all(|at| at % lanes == 0);
            split.parts.iter_mut().for_each(|p| p.streaming &= streaming && aligned);
            self.streaming = split.parts.iter().all(|p| p.streaming);
        }
    }
}

/// Bytes that a transposed block reads in line, and that it writes in line, before it goes to the next line. Lines that
/// are far apart compete for the same cache sets, and processors prefetch what follows a line: blocks of 16 by 16
/// elements were measured to take three times as long.
const READ: i64 = 256;
const WRITTEN: i64 = 1024;

pub(super) fn schedule(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    cost: i64,
    target: &Target,
    choice: Option<Choice>,
) -> MapSchedule {
    let mut map = whole(region, stage, axes, cost, target, choice);
    // Blocks that are turned have the size of a usual task also where tasks are smaller.
    let usual = if target.gpu.is_some() { 0 } else { target.task() / cost.max(1) };
    let task = usual.max(map.rows_per_task * map.columns_per_task);
    map.transpose = map.lane.and_then(|l| transpose(region, stage, axes, l, (map.lanes, task), target));
    if let Some((lane, t)) = map.lane.zip(map.transpose.as_ref())
        && target.gpu.is_none()
        && fills_two_registers(region, &t.loads, map.lanes, target)
    {
        map.lanes /= 2;
        map.transpose = transpose(region, stage, axes, lane, (map.lanes, task), target);
    }
    if map.transpose.is_some() {
        map.inverses = Inverses::default();
        map.next_rows.clear();
        map.ahead = under_way::lines(cost, target);
    } else {
        let part = |axes: &Axes, cost| whole(region, stage, axes, cost, target, None);
        map.split = split(region, &roots_of(stage), axes, (map.lane, &[]), target, &part);
        map.align();
        map.share_rows(axes, cost, target);
    }
    map
}

/// The axes of a map whose last one is half a vector long, as one with the axis before, so that vectors are whole: where each half
/// of a vector is in line in all that is read.
pub(super) fn of_whole_vectors(region: &Region, stage: &Stage, axes: &Axes, target: &Target) -> Option<Axes> {
    let (Kind::Map { values }, [.., rows, length]) = (&stage.kind, axes.space_extents()) else { return None };
    let lanes = target.lanes() as i64;
    if target.gpu.is_some() || 2 * length != lanes || rows % 2 != 0 {
        return None;
    }
    let (row, column) = (axes.space - 2, axes.space - 1);
    let in_halves = |id: &NodeId| match region.node(*id) {
        Node::Load { mask: None, offset, .. } => {
            let offset = axes.translate(offset);
            let constant = offset.terms.iter().all(|(atom, _)| matches!(atom, Atom::Axis(_)));
            let along = [row, column].map(|axis| offset.coefficient(axis));
            constant && matches!(along, [Some(0), Some(0)] | [Some(_), Some(1)])
        }
        Node::Load { .. } => false,
        Node::Index(e) | Node::InRange { value: e, .. } => {
            let e = axes.translate(e);
            !e.uses_axis(row) && !e.uses_axis(column)
        }
        _ => true,
    };
    let all = region.reachable(values);
    all.iter().all(in_halves).then(|| axes.flattened(&[row, column]).0)
}

/// The loops of a map in one piece.
pub(super) fn whole(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    cost: i64,
    target: &Target,
    choice: Option<Choice>,
) -> MapSchedule {
    let lane = match choice {
        Some(Choice::LanesAlong(axis)) => Some(axis),
        _ => lane_axis(axes.space_extents(), target.lanes()),
    };
    let columns = lane.map_or(1, |l| axes.extents[l]);
    let each = lane.map_or(1, |l| side_by_side::elements(region, stage, axes, (l, cost), target));
    let narrow = lane.map_or(1, |l| narrow::elements(region, stage, axes, (l, cost), target));
    let lanes = lanes_within(columns, target.lanes() * each as u32 * narrow);
    let rows: i64 = axes.space_extents().iter().product::<i64>() / columns.max(1);
    let each_line = lane.map_or(0, |l| fetched_lines(region, stage, axes, l, target));
    let mut task = blocks(rows, columns, cost + each_line, lanes, target);
    let ahead = match (lane, target.gpu) {
        (None, _) => 1,
        (Some(l), None) => long_chains::together(region, stage, axes, (l, lanes), target),
        (Some(l), Some(_)) => {
            let ahead = under_way::vectors(region, stage, axes, (l, lanes, cost), target);
            if ahead > 1 && under_way::reads_rows_again(region, stage, axes, l) {
                task = under_way::square(task, rows, ahead * lanes as i64);
            }
            ahead
        }
    };
    let (rows_per_task, columns_per_task) = task;
    let streaming = lane.is_some_and(|l| streams(region, stage, axes, l, lanes, target));
    let inverses = inverses(region, stage, axes, lane, (columns, lanes), target);
    MapSchedule {
        lane,
        lanes,
        rows_per_task,
        columns_per_task,
        ahead,
        streaming,
        masked: target.gpu.is_some(),
        inverses,
        next_rows: next_rows(region, stage, axes, (lane, lanes), target),
        transpose: None,
        in_order: None,
        split: None,
    }
}

/// The loops of a map whose lanes are in the order of memory.
pub(super) fn in_order(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (order, cost): (InOrder, i64),
    target: &Target,
) -> MapSchedule {
    let lane = axes.space - 1;
    let (columns, lanes) = (axes.extents[lane], target.lanes());
    let rows: i64 = axes.space_extents().iter().product::<i64>() / columns.max(1);
    let (rows_per_task, columns_per_task) = blocks(rows, columns, cost, lanes, target);
    let unit = order.vectors * lanes as i64;
    let columns_per_task = match columns_per_task < columns {
        true => (columns_per_task + unit - 1) / unit * unit,
        false => columns_per_task,
    };
    MapSchedule {
        lane: Some(lane),
        lanes,
        rows_per_task,
        columns_per_task,
        ahead: 1,
        streaming: columns % unit == 0 && streams(region, stage, axes, lane, lanes, target),
        masked: false,
        inverses: Inverses::default(),
        next_rows: Vec::new(),
        transpose: None,
        in_order: Some(order),
        split: None,
    }
}

/// The loops of a map within a row of a nest, whose rows are these loop axes: lanes run within the row, unless the
/// rows lie side by side in lanes.
pub(super) fn within_row(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    rows: &[usize],
    side_by_side: bool,
    target: &Target,
) -> MapSchedule {
    let part = |axes: &Axes, _| {
        let extents = axes.space_extents();
        let lane = if side_by_side { None } else { lane_axis_but(extents, rows, target.lanes()) };
        let columns = lane.map_or(1, |l| extents[l]);
        let lanes = lanes_within(columns, target.lanes());
        MapSchedule {
            lane,
            lanes,
            rows_per_task: extents.iter().product::<i64>() / columns.max(1),
            columns_per_task: columns,
            ahead: 1,
            streaming: lane.is_some_and(|l| streams(region, stage, axes, l, lanes, target)),
            masked: target.gpu.is_some(),
            inverses: inverses(region, stage, axes, lane, (columns, lanes), target),
            next_rows: Vec::new(),
            transpose: None,
            in_order: None,
            split: None,
        }
    };
    let mut map = part(axes, 0);
    map.split = split(region, &roots_of(stage), axes, (map.lane, rows), target, &part);
    map.align();
    map
}

/// The inverses that vectors of a row share.
fn inverses(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    lane: Option<usize>,
    (columns, lanes): (i64, u32),
    target: &Target,
) -> Inverses {
    Inverses::of(region, &roots_of(stage), axes, lane.as_slice(), (columns, lanes), target).in_blocks()
}

/// Whether the results are so large that their stores should not displace what the caches hold.
fn streams(region: &Region, stage: &Stage, axes: &Axes, lane: usize, lanes: u32, target: &Target) -> bool {
    let in_line = axes.extents.len() == 1;
    stores_whole_vectors(stage, axes, lane, lanes) && is_large(region, written(stage), in_line, target)
}

/// Bytes of the results.
pub(super) fn written(stage: &Stage) -> i64 {
    stage.results.iter().map(|d| d.size() as i64 * stage.elements).sum()
}

/// Whether all stores are whole and aligned, as those that bypass the caches must be.
pub(super) fn stores_whole_vectors(stage: &Stage, axes: &Axes, lane: usize, lanes: u32) -> bool {
    axes.extents[lane] % lanes as i64 == 0
        && match &stage.kind {
            Kind::Pieces(stored) => {
                stored.iter().flat_map(|s| &s.parts).all(|(place, _)| is_aligned(place, axes, lane, lanes))
            }
            _ => lane + 1 == axes.extents.len(),
        }
}

/// Whether vectors of what is turned have a register for each half: squares of them would not stay in registers.
fn fills_two_registers(region: &Region, loads: &[NodeId], lanes: u32, target: &Target) -> bool {
    let bytes = |&id: &NodeId| region.dtype(id).size() as i64 * lanes as i64;
    loads.iter().all(|id| bytes(id) > target.vector_bytes as i64)
}

/// Whether a map reads one array and does little with it. Then it is turned in registers, one square after the other along
/// the row axis, where a vector is a line of the result: some lines are read in turn from end to end, and each line of the
/// result is written once and whole. Through a tile this was measured to take twice as long; what is read line by line
/// beside it, far from one to the next, was a fourth slower.
fn moves(region: &Region, stage: &Stage) -> bool {
    /// Values of a point that is evaluated once for each line of a square.
    const MOST: usize = 4;
    let values = region.reachable(&roots_of(stage));
    let loads = values.iter().filter(|&&id| matches!(region.node(id), Node::Load { .. })).count();
    values.len() <= MOST && loads == 1
}

/// The row axis that most strided loads run along, with those loads.
fn transpose(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    lane: usize,
    (lanes, points): (u32, i64),
    target: &Target,
) -> Option<Transpose> {
    let (mut best, turn) = (None::<Transpose>, Turn::of(target));
    for row in (0..axes.space).filter(|&a| a != lane && axes.extents[a] >= lanes as i64) {
        let loads = strided(region, &roots_of(stage), axes, (lane, row), lanes);
        if loads.len() > best.as_ref().map_or(0, |b| b.loads.len()) {
            let n = lanes as i64;
            best =
                Some(Transpose { row, loads, rows: n, columns: n, turn, squares: None, in_registers: false });
        }
    }
    let mut t = best?;
    let size = t.loads.iter().map(|&id| region.dtype(id).size() as i64).max().unwrap_or(1);
    if turn == Turn::Shuffles && size * lanes as i64 == LINE && moves(region, stage) {
        let extent = axes.extents[t.row];
        t.rows = t.rows.max(extent.min(points / t.columns) / t.rows * t.rows);
        t.in_registers = true;
        return Some(t);
    }
    let room = target.tile_bytes() / 4 / (size * t.loads.len() as i64);
    // No more points than a task has, and no more bytes than the core's own cache keeps.
    let fits = |rows: i64, columns: i64| rows * columns <= points.min(room);
    while t.rows * size < READ && 2 * t.rows <= axes.extents[t.row] && fits(2 * t.rows, t.columns) {
        t.rows *= 2;
    }
    while t.columns * size < WRITTEN && 2 * t.columns <= axes.extents[lane] && fits(t.rows, 2 * t.columns) {
        t.columns *= 2;
    }
    t.squares = block_squares(region, stage, axes, (lane, lanes), &t, target);
    Some(t)
}

/// Which squares the warps of a block take.
fn block_squares(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, lanes): (usize, u32),
    t: &Transpose,
    target: &Target,
) -> Option<BlockSquares> {
    let n = lanes as i64;
    if t.turn != Turn::Stores || (t.rows, t.columns) != (n, n) || lane + 1 != axes.space {
        return None;
    }
    let size = |dtype: DType| dtype.size() as i64;
    let lines = |&load: &NodeId| match region.node(load) {
        Node::Load { offset, .. } => {
            let apart = axes.translate(offset).coefficient(lane)?.abs();
            Some(Lines { extent: axes.extents[t.row], bytes: size(region.dtype(load)), apart })
        }
        _ => None,
    };
    let read = t.loads.iter().filter_map(lines).min_by_key(|l| l.bytes)?;
    let extent = axes.extents[lane];
    let bytes = stage.results.iter().map(|&d| size(d)).min()?;
    let written = Lines { extent, bytes, apart: extent };
    let tile = |&load: &NodeId| n * (n + Turn::apart(size(region.dtype(load)))) * size(region.dtype(load));
    let planes = axes.space_extents().iter().product::<i64>() / (extent * axes.extents[t.row]).max(1);
    block_squares::block_squares((n, planes, t.loads.iter().map(tile).sum()), (read, written), target)
}

/// The loads that step through an input with a stride along the lanes and one by one, on or back, along another loop axis:
/// squares of them can be read along that and turned. None where lanes or arrays are too few or too many.
pub(super) fn strided(
    region: &Region,
    roots: &[NodeId],
    axes: &Axes,
    (lane, row): (usize, usize),
    lanes: u32,
) -> Vec<NodeId> {
    let mut loads = region.reachable(roots);
    loads.retain(|&id| match region.node(id) {
        Node::Load { source: Source::Input(_), offset, mask: None } => {
            let offset = axes.translate(offset);
            let constant = |e: &Affine| e.terms.iter().all(|(a, _)| matches!(a, Atom::Axis(_)));
            let along = (offset.coefficient(lane), offset.coefficient(row));
            constant(&offset) && matches!(along, (Some(k), Some(1 | -1)) if k.abs() > 1)
        }
        _ => false,
    });
    if lanes >= 4 && loads.len() <= 4 { loads } else { Vec::new() }
}

/// What the elements of a point weigh of which each comes in a cache line of its own, from more than stays near: data chooses it, or
/// they lie far apart.
fn fetched_lines(region: &Region, stage: &Stage, axes: &Axes, lane: usize, target: &Target) -> i64 {
    let is_far = |id: &NodeId| match region.node(*id) {
        Node::Load { source: Source::Input(_), offset, .. } => {
            let size = region.dtype(*id).size() as i64;
            let chosen = reach_of_data(region, axes, offset, lane).saturating_mul(size);
            let offset = axes.translate(offset);
            let step = |axis: usize| offset.coefficient(axis).map_or(0, i64::abs).saturating_mul(size);
            // What another row reads may lie in the same line.
            let apart = (0..axes.space).all(|a| axes.extents[a] == 1 || step(a) >= LINE);
            let strided = if apart { step(lane).saturating_mul(axes.extents[lane]) } else { 0 };
            chosen.max(strided) > target.l2
        }
        _ => false,
    };
    let count = region.loads(&roots_of(stage)).iter().filter(|id| is_far(id)).count() as i64;
    // Graphics processors hide them behind other warps.
    if target.gpu.is_none() { count * target.rates.gather * target.rates.far } else { 0 }
}

/// Rows and columns of a task.
pub(super) fn blocks(rows: i64, columns: i64, cost: i64, lanes: u32, target: &Target) -> (i64, i64) {
    let cost = cost.max(1);
    let all = rows.saturating_mul(columns).saturating_mul(cost);
    let points = (target.task_of(all) / cost).max(64);
    if columns > points * 2 {
        // At least a page, and whole vectors, so that blocks start aligned.
        let unit = (lanes.min(target.lanes()) as i64 * 16).max(1);
        return (1, evenly(columns, (points / unit).max(1) * unit, unit, target));
    }
    let rows_per_task = (points / columns.max(1)).clamp(1, rows.max(1));
    (evenly(rows, rows_per_task, 1, target), columns.max(1))
}
