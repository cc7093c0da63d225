//! The loops of a map as a value: whole, through transposed tiles, or split where it chooses between pieces.

use super::block_squares::BlockSquares;
use super::in_order::InOrder;
use super::next_row::NextRow;
use super::{Axes, Inverses};
use crate::region::{NodeId, Region};
use crate::target::Target;
use lawson_hlo::index::Affine;

/// Whether vectors along an axis begin at multiples of their lanes, at this position in an array, and lie in line.
pub(super) fn is_aligned(position: &Affine, axes: &Axes, lane: usize, lanes: u32) -> bool {
    let (position, lanes) = (axes.translate(position), lanes as i64);
    let whole = |a: usize| match position.coefficient(a) {
        Some(k) if a == lane => k == 1,
        Some(k) => k % lanes == 0,
        None => false,
    };
    position.constant % lanes == 0 && (0..axes.extents.len()).all(whole)
}

/// Rows are the points of all axes but the lane axis; a task takes a block of rows by a block of columns.
#[derive(Clone, PartialEq, Debug)]
pub struct MapSchedule {
    /// The axis along which lanes run; `None` for a single point.
    pub lane: Option<usize>,
    pub lanes: u32,
    pub rows_per_task: i64,
    /// A multiple of `lanes`, or the whole axis.
    pub columns_per_task: i64,
    /// Vectors of a row that are computed together, of which all loads come before the first store, a power of two; through tiles
    /// so many lines of them.
    pub ahead: i64,
    /// Stores bypass the caches.
    pub streaming: bool,
    /// Whether lanes beyond the last column are masked; else the last vector of a row overlaps the one before.
    pub masked: bool,
    /// Inverses that blocks of vectors share; none where loads are turned.
    pub inverses: Inverses,
    /// What data chooses from of the row that comes next.
    pub next_rows: Vec<NextRow>,
    /// Loads that run along another axis than the lanes go through transposed tiles.
    pub transpose: Option<Transpose>,
    /// Lanes lie along several axes, of which the last are shorter than a vector.
    pub in_order: Option<InOrder>,
    /// The loops of parts instead of those of the whole.
    pub split: Option<IndexSetSplit>,
}

impl MapSchedule {
    /// Lets no store bypass the caches: somebody reads what is stored, or has just read what was there.
    pub(super) fn keep_in_caches(&mut self) {
        self.streaming = false;
        self.split.iter_mut().flat_map(|s| &mut s.parts).for_each(|p| p.streaming = false);
    }
}

/// Loads that run along `row` instead of the lane axis: squares of `lanes` × `lanes` elements are read along `row`,
/// transposed, and used along the lane axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Transpose {
    pub row: usize,
    pub loads: Vec<NodeId>,
    /// A block of squares that is turned before it is used: multiples of `lanes`.
    pub rows: i64,
    pub columns: i64,
    pub turn: Turn,
    /// Which squares the warps of a block take; `None` where they follow each other.
    pub squares: Option<BlockSquares>,
    /// Each square goes from registers to the results; the columns of a block are the lanes.
    pub in_registers: bool,
}

/// How squares are transposed on the way to a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// In registers, by shuffles.
    Shuffles,
    /// By storing each vector down a column of the tile, whose lines are [`Turn::apart`].
    Stores,
}

impl Turn {
    pub(super) fn of(target: &Target) -> Turn {
        if target.gpu.is_some() { Turn::Stores } else { Turn::Shuffles }
    }

    /// Elements between lines of so many lanes, a multiple of the banks, of a tile that is stored down its columns: a word of
    /// a bank, so that the lanes go to different banks.
    pub fn apart(bytes: i64) -> i64 {
        /// Bytes of a word of a bank.
        const WORD: i64 = 4;
        (WORD / bytes).max(1)
    }
}

/// A loop as several, one after the other.
#[derive(Clone, PartialEq, Debug)]
pub struct IndexSetSplit {
    pub axis: usize,
    /// Where all parts but the first begin, in order.
    pub at: Vec<i64>,
    /// The loops of the parts follow each other within each row, not from task to task: what neighbours share is near.
    pub in_rows: bool,
    /// What is left of the work of a point on average, in percent: why the loop is split.
    pub work: i64,
    /// The loops of each part, over [`IndexSetSplit::axes`].
    pub parts: Vec<MapSchedule>,
    /// What of the map is evaluated in each part, operands first.
    pub evaluated: Vec<Vec<NodeId>>,
}

impl IndexSetSplit {
    /// The loop axes of each part, of those of the whole.
    pub fn axes(&self, whole: &Axes) -> Vec<Axes> {
        parts(self.axis, &self.at, whole)
    }

    /// The extent of each part, and what is evaluated in it.
    pub fn live(&self, whole: &Axes) -> impl Iterator<Item = (i64, &[NodeId])> {
        let starts = std::iter::once(0).chain(self.at.iter().copied());
        let ends = self.at.iter().copied().chain([whole.extents[self.axis]]);
        starts.zip(ends).zip(&self.evaluated).map(|((lo, hi), ids)| (hi - lo, &ids[..]))
    }
}

/// Whether a kernel that writes so many bytes would displace what the caches hold. `in_line`: it goes through its arrays once, from one
/// end to the other. Then parts of them stay in the last-level cache where they are up to half as large again, and ordinary stores are
/// faster for several threads: on Zen 4, x · 3 over 32, 40 and 48 MiB takes two threads 307, 480 and 690 µs with them and 593, 740 and
/// 893 past the cache, one thread 607, 840 and 975 and 602, 744 and 905.
pub(super) fn is_large(region: &Region, written: i64, in_line: bool, target: &Target) -> bool {
    let read: i64 = region.inputs.iter().map(|a| a.elements * a.dtype.size() as i64).sum();
    let kept = if in_line { target.llc + target.llc / 2 + 1 } else { target.llc };
    written >= target.llc / 2 && written + read >= kept
}

pub(super) fn parts(axis: usize, at: &[i64], whole: &Axes) -> Vec<Axes> {
    let starts = std::iter::once(0).chain(at.iter().copied());
    let ends = at.iter().copied().chain([whole.extents[axis]]);
    starts.zip(ends).map(|(lo, hi)| whole.part(axis, lo, hi)).collect()
}
