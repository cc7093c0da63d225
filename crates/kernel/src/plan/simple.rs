//! The loops of scans.

use super::Axes;
use super::row_lanes::{RowLanes, wider};
use super::tasks::evenly;
use super::vector::{lane_axis, lanes_within};
use crate::region::{GROUP, ScanOrder, Stage};
use crate::target::Target;
use lawson_hlo::index::Affine;

/// Rows run side by side in lanes; along each the running values stay in registers. Where the order allows it, lanes run
/// along the scanned axis.
#[derive(Clone, PartialEq, Debug)]
pub struct ScanSchedule {
    pub lane: Option<usize>,
    pub lanes: u32,
    pub rows_per_task: i64,
}

/// `position` is where results go.
pub(super) fn scan(
    stage: &Stage,
    (order, position): (ScanOrder, &Affine),
    axes: &Axes,
    cost: i64,
    target: &Target,
) -> ScanSchedule {
    let length = stage.inner_points().max(1);
    if order == ScanOrder::MinorBlocked {
        let (row, rows) = ((cost * length).max(1), stage.points());
        let of_task = target.task_of(row.saturating_mul(rows));
        let rows_per_task = evenly(rows, (of_task / row).max(1), 1, target);
        return ScanSchedule { lane: Some(axes.space), lanes: GROUP as u32, rows_per_task };
    }
    let lane = lane_axis(axes.space_extents(), target.lanes());
    let columns = lane.map_or(1, |l| axes.extents[l]);
    let lanes = lanes_within(columns, target.lanes());
    let work = stage.points().saturating_mul(cost * length);
    // Where neighbouring lanes lie side by side, lines that follow each other are fetched together.
    let in_line = |row: &usize| axes.translate(position).coefficient(*row) == Some(1);
    let wide =
        |row| wider(RowLanes { row, lanes }, (axes.space_extents(), work), length, target).first().copied();
    let lanes = lane.filter(in_line).and_then(wide).map_or(lanes, |l| l.lanes);
    let rows_per_task = (target.task() / 4 / (cost * length).max(1)).max(1);
    ScanSchedule { lane, lanes, rows_per_task }
}
