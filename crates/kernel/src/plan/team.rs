//! The square of threads that share the tile of a product, and the arrays in which its operands lie.

use super::Axes;
use super::gather::Gathered;
use super::matrices::{Matrices, WORDS};
use crate::region::{NodeId, Region};
use crate::target::WARP;

/// Threads along the rows and along the columns of the tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockTile {
    pub rows: i64,
    pub columns: i64,
    /// Whether neighbouring threads read neighbours along k, of the operand with the rows and of that with the columns.
    pub along_k: [bool; 2],
    /// Which operands are windows of an array, with how many ranges that are no padding.
    pub windows: [Option<i64>; 2],
    /// Elements side by side that a thread copies at once of each operand where the threads multiply: along k, or along the other axis.
    pub neighbours: [i64; 2],
    /// What matrix units multiply; `None` where the threads do.
    pub matrices: Option<Matrices>,
}

/// Elements between the ends of lines of an operand that is copied along k: what a warp stores to lines that are this much longer than a
/// power of two lies in different banks, be it an element of each of [`ALONG_K`] lines or of each second group of four of them.
/// Without it, lines that are copied side by side do.
pub const GAP: i64 = MOST_TOGETHER;
/// Elements of k that neighbouring threads copy of one line of an operand along k.
const ALONG_K: i64 = 8;
/// Elements that a thread loads or stores at once, at most: 16 bytes. Lines begin at multiples of them.
pub const MOST_TOGETHER: i64 = 4;
/// Rows of threads of a warp. A square, about, reads the fewest different rows and columns.
const ROWS_OF_WARP: i64 = 4;

impl BlockTile {
    pub fn threads(&self) -> i64 {
        self.rows * self.columns
    }

    pub fn warps(&self) -> u32 {
        (self.threads() / WARP) as u32
    }

    /// Which of these operands are windows in these loops: neither neighbours along an axis nor all there.
    pub fn windows(region: &Region, axes: &Axes, operands: [NodeId; 2]) -> [Option<i64>; 2] {
        let gathered = operands.map(|id| Gathered::of(region, axes, id));
        gathered.map(|g| g.filter(|g| !g.is_plain()).map(|g| g.ranges.len() as i64))
    }

    /// Elements of the arrays of both operands, which have room for some blocks of k each, for tiles of so many rows and columns.
    pub fn elements(&self, (rows, columns): (i64, i64), block: i64) -> [i64; 2] {
        let sides = [rows, columns];
        std::array::from_fn(|d| self.stages() * self.part(d, sides[d], block))
    }

    /// Blocks of k that the arrays have room for.
    pub fn stages(&self) -> i64 {
        self.matrices.map_or(2, |m| m.stages)
    }

    /// Elements, or words, of a block of k of the operand of the rows or of the columns.
    pub fn part(&self, d: usize, side: i64, block: i64) -> i64 {
        if self.matrices.is_some() { side * WORDS } else { block * self.line(d, side) }
    }

    /// Along k what an operand's array has for a block: elements, or words.
    pub fn steps(&self, block: i64) -> i64 {
        if self.matrices.is_some() { WORDS } else { block }
    }

    /// Elements, or words, of k that neighbouring threads copy of one line of an operand along k.
    pub fn copied_along_k(&self) -> i64 {
        if self.matrices.is_some() { WORDS } else { ALONG_K }
    }

    /// Neighbours that a thread has side by side, of so many rows or columns of its own: it reads them at once.
    pub fn together(own: i64) -> i64 {
        MOST_TOGETHER.min(1 << own.trailing_zeros())
    }

    /// Rows and columns of threads that are a warp.
    pub fn of_warp(&self) -> [i64; 2] {
        let across = (WARP / self.rows.min(ROWS_OF_WARP)).min(self.columns);
        [WARP / across, across]
    }

    /// From one element of k to the next in the array of the operand of the rows or of the columns.
    pub fn line(&self, d: usize, side: i64) -> i64 {
        side + if self.along_k[d] { GAP } else { 0 }
    }
}
