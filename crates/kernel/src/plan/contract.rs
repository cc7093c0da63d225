//! The loops of a contraction: a register tile of rows × vectors, one operand packed to the tile's shape.

use super::Axes;
use super::choice::Choice;
use super::dependence::{Dependence, point_dependence};
use super::map_schedule::Turn;
use super::product_loops::Product;
use super::product_reads::{prologue, rows_in_line};
use super::product_tasks::Over;
use super::register_tile::{register_tiles, registers, times};
use super::team::BlockTile;
use super::words::Words;
use crate::region::{Node, NodeId, Region, Source, Stage};
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
    /// The axis of the tile's vectors where lanes lie along one that both operands have: along it the other operand does not change.
    /// `None` where the vectors follow each other along the lanes.
    pub column: Option<usize>,
    /// Rows of the register tile.
    pub rows: i64,
    /// Rows of one task, a multiple of `rows` or all; the last task has as many, some of them its neighbour's.
    pub rows_per_task: i64,
    /// Whether the vector operand is `rhs`.
    pub vector_is_rhs: bool,
    /// Whether results lie in line along the rows: the sums of a tile are turned, and finished with lanes along those.
    pub turns_results: bool,
    /// Elements of k of one pass; the accumulators rest in memory between passes.
    pub block: i64,
    /// Whether the vector operand is first packed: copied to an array in which the tile's vectors follow each other.
    pub pack: bool,
    /// Whether it is windows in line that overlap, which stay where they are: in the first-level cache from one tile of rows to the
    /// next.
    pub windows: bool,
    /// Whether a phase before the tasks packs it, for all of them and for all blocks of rows of a nest.
    pub packed_once: bool,
    /// Columns of one task, a multiple of the tile's.
    pub columns_per_task: i64,
    /// Whether the other operand is computed into an array before the tiles run, for the rows of a task and a block of
    /// k.
    pub ahead: bool,
    /// The lanes with which it is computed: along k, or along the rows where its arrays lie in line along those.
    pub lanes_ahead: u32,
    pub ahead_along_rows: bool,
    /// Whether a phase before the tasks computes it, for all of them, and how many rows a task of that phase has: a multiple
    /// of the tile's, or all.
    pub ahead_once: Option<i64>,
    /// Loads of the vector operand that are read along k and turned while it is packed.
    pub turned: Vec<NodeId>,
    /// How they are turned.
    pub turn: Turn,
    /// Loads of the vector operand, which is not packed, that are brought near a block of k ahead: their rows are far
    /// apart, and come from memory.
    pub near: Vec<NodeId>,
    /// The load of the other operand of which the rows of the next tile are brought near while k goes on: they come from
    /// memory, one after the other, and each is multiplied with few columns.
    pub next_rows: Option<NodeId>,
    /// The operands before they were converted, where several elements of k are multiplied at a time.
    pub words: Option<Words>,
    /// Another axis along which the packed operand does not change: a task runs over some of its points.
    pub over: Option<Over>,
    /// The square of threads that share a tile, which is a task then: lanes are its threads, `tile` and `rows` the columns and
    /// rows of each.
    pub team: Option<BlockTile>,
}

/// How much of a product is computed how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// How often the elements of `lhs` and of `rhs` are computed in all.
    pub lhs: i64,
    pub rhs: i64,
    /// Elements that are copied to the tile's shape, or computed ahead.
    pub copied: i64,
    /// The operand that is computed one element after the other, without lanes.
    pub single: Option<NodeId>,
    /// Whether operands that are loaded anew cost nothing more: a tile has as many products beside its loads.
    pub loads_beside: bool,
    /// Multiply-adds of a lane, with those of rows and columns that are computed twice.
    pub points: i64,
}

impl ContractSchedule {
    /// Columns of the register tile, or of the tile of a team.
    fn width(&self) -> i64 {
        if self.column.is_some() {
            return self.lanes as i64;
        }
        self.team.map_or(self.lanes as i64, |team| team.columns) * self.tile as i64
    }

    /// Of a product of these operands in these loops, alone or in the rows of a nest.
    pub fn passes(&self, region: &Region, axes: &Axes, (lhs, rhs): (NodeId, NodeId)) -> Passes {
        let depends = |operand: NodeId| -> Vec<bool> {
            let mut changes = Dependence::default();
            (0..axes.extents.len()).map(|a| changes.on(region, axes, operand, a)).collect()
        };
        let is = |axis: usize, other: Option<usize>| other == Some(axis);
        let rows = if self.pack || self.windows { self.rows_per_task } else { self.rows };
        // Along an axis that an operand does not have it is computed once for each task, or each point.
        let repeats = |used: &[bool]| {
            let unused = (0..axes.space).filter(|&a| !used[a]);
            unused.fold(1i64, |n, a| {
                let extent = axes.extents[a];
                n.saturating_mul(match () {
                    () if is(a, self.row) => times(extent, rows),
                    () if is(a, self.column) && self.ahead => 1,
                    () if is(a, self.column) => times(extent, self.tile as i64),
                    () if is(a, self.lane) => times(extent, self.columns_per_task),
                    () => self.over.filter(|o| o.axis == a).map_or(extent, |o| times(extent, o.points)),
                })
            })
        };
        let elements = |used: &[bool]| {
            let used = (0..used.len()).filter(|&a| used[a]);
            used.fold(1i64, |n, a| n.saturating_mul(axes.extents[a]))
        };
        let points = (0..axes.extents.len()).fold(1i64, |n, a| {
            let extent = axes.extents[a];
            n.saturating_mul(match () {
                () if is(a, self.row) => {
                    let per_task = self.rows_per_task.clamp(1, extent.max(1));
                    times(extent, per_task) * per_task
                }
                () if is(a, self.column) => times(extent, self.tile as i64) * self.tile as i64,
                () if is(a, self.lane) => {
                    let width = self.width();
                    times(extent, width) * width
                }
                () => extent,
            })
        });
        let (of_lhs, of_rhs) = (depends(lhs), depends(rhs));
        let (mut l, mut r) = (repeats(&of_lhs), repeats(&of_rhs));
        let [of_vector, of_scalar] = if self.vector_is_rhs { [&mut r, &mut l] } else { [&mut l, &mut r] };
        if self.packed_once {
            *of_vector = 1;
        }
        if self.ahead_once.is_some() {
            *of_scalar = 1;
        }
        let (vector, scalar) =
            if self.vector_is_rhs { ((&of_rhs, r), (&of_lhs, l)) } else { ((&of_lhs, l), (&of_rhs, r)) };
        let copied = |needed: bool, (used, times): (&Vec<bool>, i64)| {
            if needed { elements(used).saturating_mul(times) } else { 0 }
        };
        let copied = copied(self.pack, vector).saturating_add(copied(self.ahead, scalar));
        // Elements of a word are copied together.
        let copied = copied / self.words.map_or(1, |words| words.in_word());
        let points = points / self.words.map_or(1, |words| words.speed());
        let points = points / self.team.and_then(|t| t.matrices).map_or(1, |m| m.speed());
        let other = if self.vector_is_rhs { lhs } else { rhs };
        let has_lanes = self.lanes == 1
            || match self.ahead {
                true => self.lanes_ahead > 1,
                false => self.lane.is_none_or(|lane| scalar.0[lane]),
            };
        let single = (!has_lanes).then_some(other);
        Passes { lhs: l, rhs: r, copied, single, loads_beside: self.column.is_some(), points }
    }
}

/// The loops of a contraction. Within the row of a nest, whose rows are these loop axes, its tile holds rows of the
/// nest and its lanes run within the row.
pub(super) fn schedule(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    nest_rows: &[usize],
    operands: (NodeId, NodeId),
    target: &Target,
    choice: Option<Choice>,
) -> ContractSchedule {
    let product = Product::of((region, stage, axes), nest_rows, operands, target);
    let product = product.turning(stage, choice).unwrap_or(product);
    let (tile, rows) = product.tile(stage, choice);
    let width = tile * product.lanes as i64;
    let packing = product.packing((width, rows), choice);
    let ahead = product.ahead(rows);
    let (block, near) = product.block((width, rows), &packing, ahead, choice);
    let words = Words::of(region, stage, (product.vector, product.scalar), product.length);
    let split = product.split((width, rows), (packing.pack, ahead, !near.is_empty()), block, words.is_some());
    let turned = if packing.pack { product.across(block, width) } else { Vec::new() };
    let along_rows = ahead.is_some_and(|a| a.along_rows);
    let lanes_ahead = product.lanes_ahead(rows.min(split.rows), along_rows, block);
    let in_words = packing.pack && ahead.is_some() && turned.is_empty() && !along_rows;
    let in_words = in_words && nest_rows.is_empty() && axes.inner_extents().len() == 1;
    let words = words.filter(|words| {
        let whole = block % words.in_word() == 0 && lanes_ahead as i64 >= 2 * words.in_word();
        in_words && whole && words.by_vectors(target)
    });
    let next_rows = product.row.filter(|_| ahead.is_none() && product.is_one_pass(width));
    let mut schedule = ContractSchedule {
        lane: product.lane,
        lanes: product.lanes,
        tile: tile as u32,
        row: product.row,
        column: None,
        rows,
        rows_per_task: split.rows,
        vector_is_rhs: product.vector_is_rhs,
        turns_results: product.turns_results,
        block,
        pack: packing.pack,
        windows: packing.windows,
        packed_once: false,
        columns_per_task: split.columns,
        ahead: ahead.is_some(),
        lanes_ahead,
        ahead_along_rows: along_rows,
        ahead_once: split.ahead_once,
        turned,
        turn: Turn::of(target),
        near,
        next_rows: next_rows.and_then(|r| rows_in_line(region, product.scalar, axes, (r, rows), target)),
        words,
        over: packing
            .beside
            .filter(|_| packing.pack && ahead.is_none())
            .and_then(|a| split.shape.over((a, axes.extents[a]), (split.rows, split.columns), target)),
        team: None,
    };
    if nest_rows.is_empty() {
        let passes = schedule.passes(region, axes, operands);
        let times = if schedule.vector_is_rhs { passes.rhs } else { passes.lhs };
        schedule.packed_once = times > OFTEN
            && bytes_beside(region, axes, &[], product.vector) <= target.l2
            && is_packed_once(region, (axes, &schedule), operands, (times - 1, OF_TASKS), target);
    }
    schedule
}

/// Vectors and rows of all register tiles that a product of these loops may have.
pub(super) fn tiles(
    (region, stage, axes): (&Region, &Stage, &Axes),
    s: &ContractSchedule,
    target: &Target,
) -> Vec<(i64, i64)> {
    let extent = |axis: Option<usize>| axis.map_or(1, |a| axes.extents[a]);
    let vectors = times(extent(s.lane), s.lanes as i64);
    register_tiles(extent(s.row), vectors, registers(region, stage, target)).collect()
}

/// Bytes of an operand that belong to one row of a nest, whose rows are these loop axes.
pub(super) fn bytes_beside(region: &Region, axes: &Axes, rows: &[usize], operand: NodeId) -> i64 {
    let mut changes = Dependence::default();
    let used = |a: &usize| !rows.contains(a) && changes.on(region, axes, operand, *a);
    let elements: i64 = (0..axes.extents.len()).filter(used).map(|a| axes.extents[a]).product();
    elements * region.dtype(operand).size() as i64
}

/// Fits the tile to blocks of so many rows: at least two tiles, for which the vector operand is packed once.
pub(super) fn in_block(s: &mut ContractSchedule, rows: i64) {
    s.rows = s.rows.min((rows / 2).max(4)).min(rows);
    s.rows_per_task = rows;
    s.pack &= rows >= 2 * s.rows.max(2);
}

/// So many tasks each pack for themselves: of two each has packed in the time in which it would read from the other core's cache.
const OFTEN: i64 = 2;

/// Whether a phase before the blocks of rows of a nest, so many along each of these axes, packs the vector operand: what a block needs
/// of it stays near.
pub(super) fn is_packed_before_blocks(
    region: &Region,
    (axes, s): (&Axes, &ContractSchedule),
    (lhs, rhs): (NodeId, NodeId),
    blocks: &[(usize, i64)],
    target: &Target,
) -> bool {
    let vector = if s.vector_is_rhs { rhs } else { lhs };
    let apart = blocks.iter().filter(|(axis, _)| !point_dependence(region, axes, vector, *axis));
    let again = apart.map(|(_, count)| count).product::<i64>() - 1;
    let rows: Vec<usize> = blocks.iter().map(|(axis, _)| *axis).collect();
    bytes_beside(region, axes, &rows, vector) <= target.tile_bytes() / 2
        && is_packed_once(region, (axes, s), (lhs, rhs), (again, OF_BLOCKS), target)
}

/// The part of a product's work that packing again has to be for a phase: of tasks, and of blocks of rows of a nest (attention gains
/// nothing from a smaller part, and has one phase more).
const OF_TASKS: i64 = 64;
const OF_BLOCKS: i64 = 16;

/// Whether packing the vector operand so often again costs enough for a phase that packs it once: where it is made of inputs alone.
fn is_packed_once(
    region: &Region,
    (axes, s): (&Axes, &ContractSchedule),
    (lhs, rhs): (NodeId, NodeId),
    (again, worth): (i64, i64),
    target: &Target,
) -> bool {
    let vector = if s.vector_is_rhs { rhs } else { lhs };
    let elements = bytes_beside(region, axes, &[], vector) / region.dtype(vector).size() as i64;
    let price = target.rates.pack + prologue(region, vector, target);
    let saved = elements.saturating_mul(again).saturating_mul(price);
    let work = axes.extents.iter().fold(1i64, |n, &e| n.saturating_mul(e));
    let is_input = |id: &NodeId| match region.node(*id) {
        Node::Load { source, .. } => matches!(source, Source::Input(_)),
        _ => true,
    };
    s.pack
        && s.words.is_none()
        && target.gpu.is_none()
        && saved >= target.task().max(work / worth)
        && region.reachable(&[vector]).iter().all(is_input)
}

/// Fits the tile to single rows: where the contractions of a nest have no row axis in common.
pub(super) fn row_by_row(s: &mut ContractSchedule) {
    (s.row, s.rows, s.rows_per_task, s.pack, s.over) = (None, 1, 1, false, None);
    s.turned.clear();
}
