//! Where the values of a region lie while its code is emitted: arrays, tiles of them, the row of a nest.

use crate::loop_ir::{Buf, V};
use crate::plan::RowLanes;
use crate::region::NodeId;
use rustc_hash::FxHashMap;

/// Where the arrays of a region are.
#[derive(Clone, Debug, Default)]
pub struct Arrays<'r> {
    pub inputs: Vec<Buf>,
    pub outputs: Vec<Buf>,
    /// Inputs whose current rows have been copied to a tile.
    pub near: FxHashMap<u32, Home<'r>>,
    /// The element that a load of a segment begins with, where that differs from segment to segment.
    pub starts: FxHashMap<NodeId, V>,
    /// What a phase has packed for the product of a stage, for all tasks of the phases after it.
    pub packed: FxHashMap<u32, Buf>,
    /// Results of stages that are in memory.
    pub results: FxHashMap<(u32, u32), Home<'r>>,
    /// Of each array that lanes have for themselves that of the lanes in flight, element by element; and how many these are.
    pub private: (Vec<Buf>, i64),
}

/// Where a result of a stage lies: a whole array, or the row of one.
#[derive(Clone, Copy, Debug)]
pub struct Home<'r> {
    pub buf: Buf,
    /// The element that counts as the first; `None` for that of the buffer.
    pub start: Option<V>,
    pub tile: Option<TileHome<'r>>,
}

impl<'r> Home<'r> {
    pub fn tile(buf: Buf, tile: TileHome<'r>) -> Home<'r> {
        Home { buf, start: None, tile: Some(tile) }
    }
}

impl From<Buf> for Home<'_> {
    fn from(buf: Buf) -> Self {
        Home { buf, start: None, tile: None }
    }
}

/// The tile of an array of these dimensions.
#[derive(Clone, Copy, Debug)]
pub struct TileHome<'r> {
    /// The distance in the tile of neighbours along each dimension.
    pub strides: &'r [i64],
    /// The row axis of which it holds several, and their distance.
    pub row: Option<(usize, i64)>,
    pub dims: &'r [i64],
    /// It has room for whole vectors at the end of a row.
    pub whole: bool,
}

/// The row of a nest that code is emitted for.
#[derive(Clone, Debug)]
pub struct Row {
    /// The index on each row axis: of the first, where rows lie side by side in lanes.
    pub at: Vec<V>,
    pub lane: Option<RowLanes>,
    /// Where tiles begin on the row axis of which they hold several.
    pub first: Option<V>,
}
