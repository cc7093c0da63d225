//! The loops of in-place updates: dynamic-update-slice and scatter.
//!
//! Updates of which no two reach one element are a map that stores elsewhere. Any others run row by row, in order, on one
//! thread; the points of a row lie in lanes where they reach different elements: those of one window of a scatter do, and
//! each element still receives its updates in the order of the rows.

use super::Axes;
use super::dependence::Dependence;
use super::vector::{lane_axis, lanes_within};
use crate::region::{Region, in_place, symbol_nodes};
use crate::target::Target;
use lawson_hlo::index::Affine;

#[derive(Clone, PartialEq, Debug)]
pub struct UpdateSchedule {
    pub lane: Option<usize>,
    pub lanes: u32,
    pub rows_per_task: i64,
    /// Rows may run in any order.
    pub parallel: bool,
}

/// `update` is the stage's number, where its updates go, and whether no two reach one element; `cost` the work of one point.
pub(super) fn schedule(
    region: &Region,
    (stage, offset, unique): (u32, &Affine, bool),
    axes: &Axes,
    cost: i64,
    target: &Target,
) -> UpdateSchedule {
    let points = region.stages[stage as usize].points();
    let lane = match unique {
        true => lane_axis(axes.space_extents(), target.lanes()),
        false => apart(region, (stage, offset), axes),
    };
    let columns = lane.map_or(1, |l| axes.extents[l]);
    let lanes = lanes_within(columns, target.lanes());
    let rows = (points / columns.max(1)).max(1);
    let rows_per_task = match unique {
        true => (target.task() / (cost * columns).max(1)).clamp(1, rows),
        false => rows,
    };
    UpdateSchedule { lane, lanes, rows_per_task, parallel: unique }
}

/// Whether each element receives its updates in the order of the points.
pub(super) fn keeps_order(
    region: &Region,
    (stage, offset, unique): (u32, &Affine, bool),
    axes: &Axes,
    s: &UpdateSchedule,
) -> bool {
    unique || (!s.parallel && s.lane.is_none_or(|l| apart(region, (stage, offset), axes) == Some(l)))
}

/// The innermost axis, if updates along it reach different elements and none reads what another one wrote.
fn apart(region: &Region, (stage, offset): (u32, &Affine), axes: &Axes) -> Option<usize> {
    let axis = axes.space.checked_sub(1).filter(|&a| axes.extents[a] > 1)?;
    let mut along = Dependence::default();
    let is_fixed = !symbol_nodes(region, offset).into_iter().any(|id| along.on(region, axes, id, axis));
    let is_apart = axes.translate(offset).coefficient(axis).is_some_and(|step| step != 0);
    (is_fixed && is_apart && !in_place::reads_its_target(region, stage)).then_some(axis)
}
