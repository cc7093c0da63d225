//! The loops of a contraction: a register tile of rows × vectors, one operand packed to the tile's shape.

use super::lanes_within;
use crate::lower::axes::Axes;
use crate::lower::point_dependence;
use crate::region::{NodeId, Region, Stage};
use crate::target::Target;

/// out[m, n] = Σ_k scalar[m, k] · vector[k, n]: lanes along n, `rows` × `tile` accumulators in registers.
///
/// Every accumulator is one chain in increasing k, whatever the tile.
#[derive(Clone, PartialEq, Debug)]
pub struct ContractSchedule {
    /// The axis along which lanes run.
    pub lane: Option<usize>,
    pub lanes: u32,
    /// Vectors of the register tile.
    pub tile: u32,
    /// The axis of the tile's rows, along which the vector operand does not change.
    pub row: Option<usize>,
    /// Rows of the register tile.
    pub rows: i64,
    /// Rows of one task, a multiple of `rows` or all.
    pub rows_per_task: i64,
    /// Whether the vector operand is `rhs`.
    pub vector_is_rhs: bool,
    /// Elements of k of one pass; the accumulators rest in memory between passes.
    pub block: i64,
    /// The vector operand is copied to the tile's shape first.
    pub pack: bool,
}

pub(super) fn schedule(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    operands: (NodeId, NodeId),
    target: &Target,
) -> ContractSchedule {
    tile(region, stage, axes, operands, &[], target)
}

/// The loops of a contraction within a row of a nest, whose rows are these loop axes: its tile holds rows of the
/// nest, its lanes run within the row.
pub(super) fn within_row(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    rows: &[usize],
    operands: (NodeId, NodeId),
    target: &Target,
) -> ContractSchedule {
    tile(region, stage, axes, operands, rows, target)
}

/// Bytes of an operand that belong to one row of a nest, whose rows are these loop axes.
pub(super) fn bytes_beside(region: &Region, axes: &Axes, rows: &[usize], operand: NodeId) -> i64 {
    let used = |a: &usize| !rows.contains(a) && point_dependence(region, axes, operand, *a);
    let elements: i64 = (0..axes.extents.len()).filter(used).map(|a| axes.extents[a]).product();
    elements * region.dtype(operand).size() as i64
}

/// Fits the tile to blocks of so many rows: at least two tiles, for which the vector operand is packed once.
pub(super) fn in_block(s: &mut ContractSchedule, rows: i64) {
    s.rows = s.rows.min((rows / 2).max(4)).min(rows);
    s.rows_per_task = rows;
    s.pack &= rows >= 2 * s.rows.max(2);
}

/// Fits the tile to single rows: where the contractions of a nest have no row axis in common.
pub(super) fn row_by_row(s: &mut ContractSchedule) {
    (s.row, s.rows, s.rows_per_task, s.pack) = (None, 1, 1, false);
}

/// The register tile: lanes along none of the nest's rows, the tile's rows along one of them where there are any.
fn tile(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lhs, rhs): (NodeId, NodeId),
    nest_rows: &[usize],
    target: &Target,
) -> ContractSchedule {
    let depends = |id: NodeId, axis: usize| point_dependence(region, axes, id, axis);
    let extents = axes.space_extents();
    let length: i64 = axes.inner_extents().iter().product::<i64>().max(1);
    let max_lanes = target.lanes();
    // Lanes along the last axis, unless another is long enough and this one is not.
    let lane = super::map::lane_axis_but(extents, nest_rows, max_lanes);
    let columns = lane.map_or(1, |l| extents[l]);
    let lanes = lanes_within(columns, max_lanes);
    let vector_is_rhs = lane.is_none_or(|l| depends(rhs, l));
    let (vector, scalar) = if vector_is_rhs { (rhs, lhs) } else { (lhs, rhs) };
    let both = lane.is_some_and(|l| depends(scalar, l));
    let row = (0..extents.len())
        .filter(|&a| nest_rows.is_empty() || nest_rows.contains(&a))
        .filter(|&a| Some(a) != lane && !both && depends(scalar, a) && !depends(vector, a))
        .max_by_key(|&a| (extents[a].min(16), a));
    let registers = target.registers as i64;
    let vectors = columns / lanes as i64;
    let height = row.map_or(1, |r| extents[r]);
    let tile =
        if height == 1 { vectors.clamp(1, 8) } else { vectors.clamp(1, if registers >= 32 { 4 } else { 2 }) };
    let rows = ((registers - 4 - tile) / tile).clamp(1, 14).min(height.max(1));
    let pack = row.is_some() && height >= 2 * rows.max(2) && length >= 4;
    let rows_per_task = if row.is_some() { (128 / rows).max(1) * rows } else { 1 };
    // A packed block of k fits in half of the second-level cache.
    let bytes = tile * lanes as i64 * stage.results[0].accumulator().size() as i64;
    let block = if pack { (target.l2 / 2 / bytes.max(1)).max(64) } else { length };
    ContractSchedule {
        lane,
        lanes,
        tile: tile as u32,
        row,
        rows,
        rows_per_task,
        vector_is_rhs,
        block: block.min(length),
        pack,
    }
}
