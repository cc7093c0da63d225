//! Blocks of short rows that stages go through one after the other: the first stage of all rows, then the next of all.
//!
//! Row by row each total is halved on its own, what is computed of it is computed in scalars, and the next stage waits for both. Of a
//! block the totals are halved together, what is computed of them has lanes along the rows, and the rows do not wait for each other.
//! What the stages of a row need is read again, from the first-level cache.

use super::tiles::tiles;
use super::{Block, Member, Nest};
use crate::plan::halving;
use crate::plan::loads::Loads;
use crate::plan::reduce::{RUNNING, Shape};
use crate::plan::rows::common_rows;
use crate::plan::schedule::Schedule;
use crate::plan::vector::lanes_within;
use crate::region::{Kind, Node, NodeId, Region, Stage, roots_of, row_values};
use crate::target::Target;
use lawson_hlo::Opcode;

/// So many rows are worth the code that halves those of a block.
const MANY_ROWS: i64 = 256;
/// Instructions of a value that is worth a vector of such values.
const LONG_VALUE: i64 = 16;

/// Makes blocks of the rows of a nest that has none yet, where the rows of one stay in the first-level cache.
pub(super) fn blocks(
    (region, loads): (&Region, &Loads<'_>),
    axes: &[Vec<usize>],
    nest: &mut Nest,
    work: i64,
    target: &Target,
) {
    let plain = nest.lane.is_none() && nest.block.is_none() && nest.near.is_empty();
    let (row, count) = (nest.rows.len() - 1, nest.rows.iter().product::<i64>());
    let halved: Vec<usize> =
        (0..nest.members.len()).filter(|&m| has_totals(region, &nest.members[m])).collect();
    if target.gpu.is_some() || !plain || halved.is_empty() || count < MANY_ROWS {
        return;
    }
    let length = |m: &usize| nest.members[*m].axes.inner_extents().iter().product::<i64>();
    if halved.iter().map(length).max() > Some(halving::SHORT_ROW) {
        return;
    }
    let of_member = |m: &Member| instructions(region, m, target);
    let long_value = nest.members.iter().any(|m| is_value(m) && of_member(m).0 >= LONG_VALUE);
    let (issued, divided) =
        nest.members.iter().map(of_member).fold((0i64, 0i64), |a, b| (a.0 + b.0, a.1 + b.1));
    // A divider that is busy most of the time would have nothing to do in the other stages of a block.
    if !long_value && 2 * divided > issued {
        return;
    }
    let of_lanes = halved.iter().map(|&m| nest.members[m].schedule.lanes());
    let most = of_lanes.min().unwrap_or(1).min(lanes_within(nest.rows[row], target.lanes())) as i64;
    let is_small = work <= target.tasks() * target.task();
    let bytes_of_row = arrays_of_row(region, loads, count);
    let alone = nest.clone();
    for member in &mut nest.members {
        member.in_lanes = is_value(member);
    }
    let mut rows = most;
    while rows >= halving::LEAST {
        for &m in &halved {
            if let Schedule::Reduce(r) = &mut nest.members[m].schedule {
                r.stored_together = rows;
            }
        }
        nest.block = Some(Block { row, rows, lanes: rows as u32 });
        nest.tiles = tiles(region, axes, nest);
        let units: i64 = nest.units().iter().product();
        let bytes = bytes_of_row.saturating_mul(rows).saturating_add(nest.bytes(region));
        if bytes <= target.l1 / 2 && (is_small || units >= target.tasks()) {
            return;
        }
        rows /= 2;
    }
    *nest = alone;
}

/// Whether a member computes one value of each row.
fn is_value(member: &Member) -> bool {
    member.axes.space == member.rows.len() && matches!(member.schedule, Schedule::Map(_))
}

/// Whether values of rows are computed with lanes along the rows of a block.
pub(in crate::plan) fn has_values_in_lanes(nest: &Nest) -> bool {
    nest.members.iter().any(|m| m.in_lanes && is_value(m))
}

/// Whether the totals of a member can be halved with those of the rows beside: there is one for each row.
fn has_totals(region: &Region, member: &Member) -> bool {
    let Schedule::Reduce(r) = &member.schedule else { return false };
    let stage = &region.stages[member.stage as usize];
    member.axes.space == member.rows.len() && r.together == 1 && halving::can_be_halved(r, stage)
}

/// The region with stages of their own for what takes long of what its stages compute of a row alone, where its rows may be short; none
/// where there is nothing.
pub(in crate::plan) fn with_row_values(region: &Region, target: &Target) -> Option<Region> {
    let reduces = |s: &Stage| matches!(&s.kind, Kind::Reduce { order, .. } if order.is_minor());
    let is_short = |s: &Stage| reduces(s) && s.inner_points() <= halving::SHORT_ROW;
    if target.gpu.is_some() || region.stages.len() < 2 || !region.stages.iter().any(is_short) {
        return None;
    }
    let worth = |region: &Region, id: NodeId| {
        let nodes = region.reachable(&[id]).into_iter().map(|id| instructions_of(region, id, target).0);
        nodes.sum::<i64>() >= LONG_VALUE
    };
    let rows = common_rows(region, &Loads::of(region)).ok()?;
    let first = |axes: &Vec<usize>| axes.iter().copied().eq(0..rows.extents.len());
    let few = rows.extents.iter().product::<i64>() < MANY_ROWS;
    if few || !rows.axes.iter().all(first) {
        return None;
    }
    row_values(region, rows.extents.len(), &worth)
}

/// Instructions of a node for a vector, and how long it keeps the divider, which works beside the others.
fn instructions_of(region: &Region, id: NodeId, target: &Target) -> (i64, i64) {
    let weight = target.rates.node(region, id);
    match *region.node(id) {
        Node::Binary { opcode: Opcode::Divide, dtype, .. }
        | Node::Unary { opcode: Opcode::Sqrt, dtype, .. }
            if dtype.is_float() =>
        {
            (1, weight)
        }
        _ => (weight, 0),
    }
}

/// Instructions of a member for a row: those of its elements, and two for each time that running values are halved; and how long it
/// keeps the divider.
fn instructions(region: &Region, member: &Member, target: &Target) -> (i64, i64) {
    let nodes = region.reachable(&roots_of(&region.stages[member.stage as usize]));
    let extent = |axes: std::ops::Range<usize>| -> i64 {
        axes.filter(|a| !member.rows.contains(a)).map(|a| member.axes.extents[a]).product()
    };
    let (points, elements) = (extent(0..member.axes.space), extent(0..member.axes.extents.len()));
    let lanes = member.schedule.lanes() as i64;
    let vectors = (elements + lanes - 1) / lanes;
    let of_nodes = nodes.into_iter().map(|id| instructions_of(region, id, target));
    let (issued, divided) = of_nodes.fold((0i64, 0i64), |a, b| (a.0 + b.0, a.1 + b.1));
    let halvings = match &member.schedule {
        Schedule::Reduce(r) if r.shape == Shape::AcrossLanes => r.chunk.clamp(1, RUNNING).ilog2() as i64,
        _ => 0,
    };
    let issued = issued.saturating_mul(vectors).saturating_add(points.saturating_mul(2 * halvings));
    (issued, divided.saturating_mul(vectors))
}

/// Bytes of the inputs that a row reads and of the outputs that it writes.
fn arrays_of_row(region: &Region, loads: &Loads<'_>, rows: i64) -> i64 {
    let mut read = vec![false; region.inputs.len()];
    for s in 0..region.stages.len() {
        loads.inputs(s).for_each(|(input, _, _)| read[input as usize] = true);
    }
    let inputs = region.inputs.iter().zip(read).filter(|(_, read)| *read).map(|(array, _)| array);
    inputs.chain(&region.outputs).map(|array| array.elements / rows * array.dtype.size() as i64).sum()
}
