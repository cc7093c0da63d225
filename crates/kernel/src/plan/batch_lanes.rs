//! Products with lanes along an axis that both operands have, in line: `out[m, n, c] = Σ_k a[m, k, c] · b[n, k, c]`.
//!
//! Vectors lie in memory as they are multiplied. Their tile has several points of m and several of n, so that each vector is multiplied
//! more than once; those of m are copied to an array, where all points of n find them in the first-level cache.

use super::Axes;
use super::contract::ContractSchedule;
use super::dependence::Dependence;
use super::map_schedule::Turn;
use super::product_reads::lies_along;
use super::register_tile::{product_lanes, registers, tile_of_vectors, times};
use super::vector::lanes_within;
use crate::region::{NodeId, Region, Stage};
use crate::target::Target;

/// Fewer lanes than these leave most of a vector idle.
const LEAST_LANES: u32 = 4;

/// The loops of such a product; `None` for others.
pub(super) fn schedule(
    (region, stage, axes): (&Region, &Stage, &Axes),
    (lhs, rhs): (NodeId, NodeId),
    target: &Target,
) -> Option<ContractSchedule> {
    let extents = axes.space_extents();
    let lane = extents.len().checked_sub(1)?;
    let lanes = lanes_within(extents[lane], product_lanes(stage, target));
    let in_line = |operand| lies_along(region, axes, operand, lane);
    if target.gpu.is_some() || lanes < LEAST_LANES || !in_line(lhs) || !in_line(rhs) {
        return None;
    }
    let mut changes = Dependence::default();
    let mut alone = |a: usize, operand: NodeId, other: NodeId| {
        changes.on(region, axes, operand, a) && !changes.on(region, axes, other, a)
    };
    let mut longest = |operand, other| {
        let axes = (0..lane).filter(|&a| alone(a, operand, other));
        axes.max_by_key(|&a| extents[a]).filter(|&a| extents[a] > 1)
    };
    let (row, column) = (longest(lhs, rhs)?, longest(rhs, lhs)?);
    let (tile, rows) = tile_of_vectors((extents[row], extents[column]), registers(region, stage, target));
    let length = axes.inner_extents().iter().product::<i64>().max(1);
    let bytes = rows * length * lanes as i64 * stage.results[0].accumulator().size() as i64;
    let ahead = extents[column] > tile && bytes <= target.l2 / 4;
    let of_rows = rows * extents[column] * length * lanes as i64;
    let rows_per_task = (target.task() / of_rows.max(1)).clamp(1, times(extents[row], rows)) * rows;
    Some(ContractSchedule {
        lane: Some(lane),
        lanes,
        tile: tile as u32,
        row: Some(row),
        column: Some(column),
        rows,
        rows_per_task: rows_per_task.min(extents[row]),
        vector_is_rhs: true,
        turns_results: false,
        block: length,
        pack: false,
        windows: false,
        packed_once: false,
        columns_per_task: lanes as i64,
        ahead,
        lanes_ahead: lanes,
        ahead_along_rows: false,
        ahead_once: None,
        turned: Vec::new(),
        turn: Turn::of(target),
        near: Vec::new(),
        next_rows: None,
        words: None,
        over: None,
        team: None,
    })
}
