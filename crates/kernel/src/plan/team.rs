//! The square of threads that share the tile of a product, and the arrays in which its operands lie.

use super::matrices::{Matrices, WORDS};
use crate::target::WARP;

/// Threads along the rows and along the columns of the tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockTile {
    pub rows: i64,
    pub columns: i64,
    /// Whether neighbouring threads read neighbours along k, of the operand with the rows and of that with the columns.
    pub along_k: [bool; 2],
    /// What matrix units multiply; `None` where the threads do.
    pub matrices: Option<Matrices>,
}

/// Elements between the ends of lines of the operands' arrays and the next ones: lines an even number of banks, not
/// a multiple of them all, apart, so that threads that copy along k and those that copy along a line go to different banks.
const GAP: i64 = 2;

impl BlockTile {
    pub fn threads(&self) -> i64 {
        self.rows * self.columns
    }

    pub fn warps(&self) -> u32 {
        (self.threads() / WARP) as u32
    }

    /// Elements of the arrays of both operands, which have room for two blocks of k each, for tiles of so many rows and columns.
    pub fn elements(&self, (rows, columns): (i64, i64), block: i64) -> [i64; 2] {
        [rows, columns].map(|side| 2 * self.half(side, block))
    }

    /// Elements, or words, of a block of k of an operand.
    pub fn half(&self, side: i64, block: i64) -> i64 {
        if self.matrices.is_some() { side * WORDS } else { block * BlockTile::line(side) }
    }

    /// Along k what an operand's array has for a block: elements, or words.
    pub fn steps(&self, block: i64) -> i64 {
        if self.matrices.is_some() { WORDS } else { block }
    }

    /// From one element of k to the next in an operand's array.
    pub fn line(side: i64) -> i64 {
        side + GAP
    }
}
