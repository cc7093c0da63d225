//! Results that are folded side by side, since what elements of theirs take is in part the same for all of them: the components of a
//! force, of which each is scaled by what a distance gives.

use super::Axes;
use super::dependence::Dependence;
use super::exprs::is_kept;
use super::kernel::Plan;
use super::reduce::{Beside, ReduceSchedule, Shape};
use super::rows_apart::lies_apart;
use super::schedule::Schedule;
use crate::region::{Kind, Node, NodeId, Region, Source, Stage, roots_of};
use crate::target::Target;

/// Results that are folded side by side in the registers of a thread or core.
const MOST: i64 = 4;

/// The results of lanes along another axis. On a graphics processor where what an element of all of them takes together is at least as
/// much as what it takes for each alone, so that one task does not take twice as long as one of several did; on a processor wherever
/// elements share something and registers hold the running values, with fewer vectors of each.
pub(super) fn of_elements(
    s: ReduceSchedule,
    (region, axes): (&Region, &Axes),
    (values, combining): (&[NodeId], i64),
    target: &Target,
) -> ReduceSchedule {
    let Shape::LaneWise { lane: Some(lane), tile } = s.shape else { return s };
    if s.together > 1 || target.gpu.is_some() && s.rolled {
        return s;
    }
    // Lane by lane.
    let loading = |id| if lies_apart(region, axes, id, lane, target) { s.lanes as i64 } else { 0 };
    let running = values.len() as i64;
    let mut elements = Elements::of(region, axes, values);
    let mut pays = |axis: &usize| {
        let (own, common) = elements.split(*axis);
        let cost = |ids: Vec<NodeId>| -> i64 {
            ids.into_iter().map(|id| target.rates.node(region, id) + loading(id)).sum()
        };
        match target.gpu {
            Some(_) => cost(common) >= axes.extents[*axis] * (cost(own) + combining),
            None => cost(common) > 0 && 2 * axes.extents[*axis] * running <= target.registers as i64,
        }
    };
    let axis = (0..axes.space).filter(|&axis| axis != lane && is_few(axes, axis)).find(|axis| pays(axis));
    let Some(axis) = axis else { return s };
    let points = axes.extents[axis];
    let tile = if target.gpu.is_some() { tile } else { (tile / points as u32).max(1) };
    ReduceSchedule {
        beside: Some(Beside { axis, points }),
        shape: Shape::LaneWise { lane: Some(lane), tile },
        ..s
    }
}

/// The results of a row, on a processor whose lanes have a row each: where elements share something. A sum by itself waits for
/// each addition.
pub(super) fn of_row(
    s: ReduceSchedule,
    (region, axes, rows): (&Region, &Axes, &[usize]),
    values: &[NodeId],
    target: &Target,
) -> ReduceSchedule {
    let alone = matches!(s.shape, Shape::LaneWise { lane: None, tile: 1 });
    if target.gpu.is_some() || !alone {
        return s;
    }
    let mut elements = Elements::of(region, axes, values);
    let mut shares = |axis: &usize| !elements.split(*axis).1.is_empty();
    let axis = (0..axes.space).filter(|a| !rows.contains(a) && is_few(axes, *a)).find(|axis| shares(axis));
    ReduceSchedule { beside: axis.map(|axis| Beside { axis, points: axes.extents[axis] }), ..s }
}

/// Whether no work is repeated where reductions compute the maps that they read: each is read by one reduction, which would
/// compute its elements once for each of a few results side by side. One that is a result too is computed twice: else lanes with a
/// row each would store it, element by element.
pub(super) fn may_compute_maps(region: &Region) -> bool {
    region.stages.iter().enumerate().all(|(s, map)| {
        let s = s as u32;
        if !is_kept(region, s) {
            return true;
        }
        let mut readers = region.stages.iter().filter(|reader| reads(region, reader, s));
        let only = (readers.next(), readers.next());
        matches!(only, (Some(reader), None) if folds_side_by_side(map, reader))
    })
}

fn reads(region: &Region, reader: &Stage, s: u32) -> bool {
    region.reachable(&roots_of(reader)).into_iter().any(|id| match region.node(id) {
        Node::Load { source: Source::Stage { stage, .. }, .. } => *stage == s,
        _ => false,
    })
}

fn folds_side_by_side(map: &Stage, reader: &Stage) -> bool {
    let Kind::Reduce { mask: None, stored, .. } = &reader.kind else { return false };
    let elements = reader.points().saturating_mul(reader.inner.iter().product());
    let times = elements / map.points().max(1);
    stored.is_empty() && (2..=MOST).contains(&times) && elements == map.points() * times
}

/// Whether a plan folds results side by side.
pub(super) fn has_any(plan: &Plan) -> bool {
    plan.scheduled().any(|s| matches!(s.schedule, Schedule::Reduce(reduce) if reduce.beside.is_some()))
}

fn is_few(axes: &Axes, axis: usize) -> bool {
    (2..=MOST).contains(&axes.extents[axis])
}

/// What the elements of a reduction are made of, without what is the same for all of them.
struct Elements<'r> {
    region: &'r Region,
    axes: &'r Axes,
    nodes: Vec<NodeId>,
    along: Dependence,
}

impl<'r> Elements<'r> {
    fn of(region: &'r Region, axes: &'r Axes, values: &[NodeId]) -> Elements<'r> {
        let mut along = Dependence::default();
        let mut nodes = region.reachable(values);
        nodes.retain(|&id| (axes.space..axes.extents.len()).any(|inner| along.on(region, axes, id, inner)));
        Elements { region, axes, nodes, along }
    }

    /// What changes along an axis of the results, and what does not.
    fn split(&mut self, axis: usize) -> (Vec<NodeId>, Vec<NodeId>) {
        self.nodes.iter().partition(|&&id| self.along.on(self.region, self.axes, id, axis))
    }
}
