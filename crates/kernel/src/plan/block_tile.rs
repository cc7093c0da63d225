//! The tile of a product that all warps of a block share.
//!
//! Both operands are copied to arrays of the task, a few elements of k at a time and the next ones while these are
//! multiplied, so each is read once for each tile. The threads form a square; each has rows and columns that lie as far apart
//! as the square is wide, so that neighbours read and store neighbours.

use super::Axes;
use super::contract::{ContractSchedule, lies_along, times};
use super::dependence::point_dependence;
use crate::region::{Kind, Region, Stage};
use crate::target::{Target, WARP};

/// Threads along the rows and along the columns of the tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockTile {
    pub rows: i64,
    pub columns: i64,
    /// Whether neighbouring threads read neighbours along k, of the operand with the rows and of that with the columns.
    pub along_k: [bool; 2],
}

/// Elements between the ends of lines of the operands' arrays and the next ones: lines an even number of banks, not
/// a multiple of them all, apart, so that threads that copy along k and those that copy along a line go to different banks.
const GAP: i64 = 2;
/// Elements of k that are copied at once.
const BLOCK: i64 = 16;
/// Tiles that are considered: rows or columns.
const SIDES: [i64; 3] = [128, 64, 32];
/// Bytes of an accumulator.
const WORD: usize = 4;
/// Products that a multiprocessor does at a time, and words that it copies from beyond its shared memory in the time of 32.
const LANES: i64 = 128;
const COPIED: i64 = 8;
/// Points of the tile of a thread at least: below, it reads more than it multiplies.
const LEAST_POINTS: i64 = 8;
/// Operations of all copies of what is computed of the results, at most.
const MOST_UNROLLED: i64 = 2048;

impl BlockTile {
    pub fn threads(&self) -> i64 {
        self.rows * self.columns
    }

    pub fn warps(&self) -> u32 {
        (self.threads() / WARP) as u32
    }

    /// Elements of the arrays of both operands, which have room for two blocks of k each, for tiles of so many rows and columns.
    pub fn elements(&self, (rows, columns): (i64, i64), block: i64) -> [i64; 2] {
        [rows, columns].map(|side| 2 * block * BlockTile::line(side))
    }

    /// From one element of k to the next in an operand's array.
    pub fn line(side: i64) -> i64 {
        side + GAP
    }
}

/// The schedule of a product as tiles of blocks, where the device has such, both operands have an axis of their own that is
/// long enough, and what is computed of each result, so many operations, can be written out for all of a thread's.
pub(super) fn of_blocks(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    s: ContractSchedule,
    epilogue: i64,
    target: &Target,
) -> ContractSchedule {
    let (Some(row), Some(lane), &[length], Kind::Contract { lhs, rhs, .. }) =
        (s.row, s.lane, axes.inner_extents(), &stage.kind)
    else {
        return s;
    };
    let of_rows = if s.vector_is_rhs { *lhs } else { *rhs };
    let of_columns = if s.vector_is_rhs { *rhs } else { *lhs };
    let words = stage.results[0].accumulator().size() == WORD;
    if target.team() == 1 || !words || length < BLOCK || point_dependence(region, axes, of_rows, lane) {
        return s;
    }
    let (height, columns) = (axes.extents[row], axes.extents[lane]);
    let warps = target.team() as i64;
    let square = (warps * WARP).isqrt();
    let outer = axes.space_extents().iter().product::<i64>() / (height * columns).max(1);
    let sides = SIDES.into_iter().flat_map(|rows| SIDES.map(|columns| (rows, columns)));
    let fits = |&(rows, wide): &(i64, i64)| {
        let each = rows * wide / (warps * WARP);
        rows <= height && wide <= columns && each >= LEAST_POINTS && each * epilogue <= MOST_UNROLLED
    };
    let time = |&(rows, wide): &(i64, i64)| {
        let tiles = outer * times(height, rows) * times(columns, wide);
        // For an element of k a multiprocessor multiplies a word for each of its lanes, and its warps read what they multiply.
        let multiplied = rows * wide / LANES;
        let read = warps * (rows + wide) / square;
        times(tiles, target.tasks() / warps) * (multiplied.max(read) + (rows + wide) / COPIED)
    };
    let Some((rows, wide)) = sides.filter(fits).min_by_key(time) else { return s };
    let k = axes.extents.len() - 1;
    let lies_along_k = |id, own| lies_along(region, axes, id, k) && !lies_along(region, axes, id, own);
    let along_k = [lies_along_k(of_rows, row), lies_along_k(of_columns, lane)];
    let block = BlockTile { rows: square, columns: warps * WARP / square, along_k };
    ContractSchedule {
        lanes: block.threads() as u32,
        tile: (wide / block.columns) as u32,
        rows: rows / block.rows,
        rows_per_task: rows,
        columns_per_task: wide,
        block: BLOCK,
        pack: true,
        ahead: true,
        lanes_ahead: block.threads() as u32,
        ahead_along_rows: !along_k[0],
        turned: Vec::new(),
        near: Vec::new(),
        next_rows: None,
        bytes: None,
        over: None,
        team: Some(block),
        ..s
    }
}
