//! Row nests: dependent stages over the same rows, in one loop.
//!
//! A softmax is the example: maximum, exponentials, sum and quotient are stages over the same rows. In one loop over
//! the rows (or vectors, or blocks of neighbouring rows) every stage is computed in turn. What a stage makes for its
//! row is kept in a register when it is one value, else in a tile, an array of the running task; outputs are stored on
//! the way. So nothing between the stages passes through memory.
//!
//! This file is the nest as a value; `form` decides whether there is one, `block` how many rows are computed together,
//! `bring` which inputs are copied to the task first, `stage_by_stage` whether short rows go through their stages together, `tiles` what
//! is kept, `whole_vectors` where it has room for the last vectors of rows.

mod block;
mod bring;
mod form;
mod stage_by_stage;
mod tiles;
mod whole_vectors;

pub(super) use form::{nest, turned};
pub(super) use stage_by_stage::{has_values_in_lanes, with_row_values};

use crate::plan::Axes;
use crate::plan::row_lanes::RowLanes;
use crate::plan::schedule::{Schedule, Scheduled};
use crate::plan::scratchpad::Scratchpad;
use crate::region::Region;
use lawson_hlo::DType;

/// Stages over common rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Nest {
    /// Extents of the row axes.
    pub rows: Vec<i64>,
    /// Lanes along a row axis: neighbouring rows side by side. Else each stage has lanes of its own, within the row.
    pub lane: Option<RowLanes>,
    /// Rows that contractions compute together, or that are brought near together.
    pub block: Option<Block>,
    /// Rows of one task, or vectors or blocks of rows.
    pub rows_per_task: i64,
    /// Neighbouring rows, one after the other, whose values of the outputs are stored by one access.
    pub stored_together: i64,
    /// Warps that share a task, on a graphics processor; else 1.
    pub warps: u32,
    /// In the order of the region's stages.
    pub members: Vec<Member>,
    pub tiles: Vec<Tile>,
    /// Inputs whose rows are brought near first.
    pub near: Vec<Scratchpad>,
    /// For each stage the results of others that it reads.
    reads: Vec<Vec<(u32, u32)>>,
}

/// A stage of a nest.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub stage: u32,
    /// A map computed where the results of a contraction are made.
    pub epilogue: Option<u32>,
    pub axes: Axes,
    /// Its loop axis for each row axis.
    pub rows: Vec<usize>,
    pub schedule: Schedule,
    /// The rows of a block lie side by side in lanes: of a reduction down its columns, of a map with one value for each row.
    pub in_lanes: bool,
}

/// An array of the task that holds a result for later stages: of one row, of the rows in a vector, or of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    pub stage: u32,
    pub result: u32,
    /// The distance in the tile of neighbours along each axis of the stage's space.
    pub strides: Vec<i64>,
    /// The row axis of which it holds several, and their distance.
    pub row: Option<(usize, i64)>,
    pub elements: i64,
    /// The last vector of the row is stored and loaded whole, with room for so many lanes.
    pub whole: Option<i64>,
    /// Tiles with the same place share memory: no two of them are needed at the same time.
    pub place: usize,
}

/// Rows of one axis that are computed together, so that a contraction uses each element of its vector operand for all
/// of them instead of reading it again for each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Which of the row axes.
    pub row: usize,
    pub rows: i64,
    /// How many of them lie side by side in a vector where the block is transposed, or a member has them in lanes; else
    /// 1.
    pub lanes: u32,
}

impl Tile {
    /// Elements with those that whole vectors take.
    pub fn room(&self) -> i64 {
        self.whole.map_or(self.elements, |lanes| (self.elements + lanes - 1) / lanes * lanes)
    }
}

impl Nest {
    /// Whether stages read this result from the output where it was stored.
    pub(super) fn reads_back(&self, key: (u32, u32)) -> bool {
        let Some(member) = self.members.iter().find(|m| m.stages().any(|s| s == key.0)) else { return false };
        self.is_read(key)
            && !(self.in_registers(member) && (self.block.is_none() || self.stays_in_run(key)))
            && !self.tiles.iter().any(|t| (t.stage, t.result) == key)
    }

    /// Whether a stage's result is one value for each row, and so in a register.
    pub fn in_registers(&self, member: &Member) -> bool {
        member.axes.space == member.rows.len() && !self.is_blocked(member)
    }

    /// Bytes that stay with a task.
    pub fn bytes(&self, region: &Region) -> i64 {
        let near = self.near.iter().map(|n| n.bytes(region));
        near.fold(tile_bytes(region, &self.tiles), i64::saturating_add)
    }

    /// Whether a stage computes a block of rows together.
    pub fn is_blocked(&self, member: &Member) -> bool {
        let at_once = match &member.schedule {
            Schedule::Contract(_) => true,
            Schedule::Reduce(r) => r.stored_together > 1 && member.axes.space == member.rows.len(),
            _ => false,
        };
        self.block.is_some() && (member.in_lanes || at_once)
    }

    /// The end of the run of stages that `member` is part of: the stages between two contractions loop over the rows of
    /// the block together, a contraction takes the block as a whole.
    pub fn run_end(&self, member: usize) -> usize {
        let rest = self.members[member..].iter();
        member + rest.take_while(|m| !self.is_blocked(m)).count()
    }

    /// Whether all who read a result do so in the same pass over the rows of a block.
    fn stays_in_run(&self, key: (u32, u32)) -> bool {
        let Some(made) = self.members.iter().position(|m| m.stages().any(|s| s == key.0)) else {
            return false;
        };
        let end = self.run_end(made);
        let mut later = self.members[end..].iter().flat_map(Member::stages);
        end > made && later.all(|s| !self.reads(s, key))
    }

    /// Whether any stage reads a result, the epilogue of its own stage excepted.
    fn is_read(&self, key: (u32, u32)) -> bool {
        let own = self.members.iter().find(|m| m.stage == key.0).and_then(|m| m.epilogue);
        (0..self.reads.len() as u32).any(|s| Some(s) != own && self.reads(s, key))
    }

    /// Whether a stage reads this result.
    fn reads(&self, stage: u32, key: (u32, u32)) -> bool {
        self.reads[stage as usize].contains(&key)
    }

    /// The members between which a tile is needed: the one that makes it and the last that reads it, both included,
    /// since a member may write its own tile while it reads another.
    fn life(&self, tile: &Tile) -> (usize, usize) {
        let key = (tile.stage, tile.result);
        let uses = |m: &Member| m.stages().any(|s| s == tile.stage || self.reads(s, key));
        let made = self.members.iter().position(|m| m.stages().any(|s| s == tile.stage));
        let last = self.members.iter().rposition(uses);
        (made.unwrap_or(0), last.unwrap_or(self.members.len()))
    }

    /// Whether this is an output that has one value for each row and is stored with those of its neighbours.
    pub fn waits(&self, member: &Member) -> bool {
        self.stored_together > 1 && self.in_registers(member)
    }

    /// The row axis of which several are computed together, and how many.
    pub fn together(&self) -> Option<(usize, i64)> {
        let lanes = self.lane.map(|l| (l.row, l.lanes as i64));
        lanes.or(self.block.map(|b| (b.row, b.rows)))
    }

    /// The stages with their loops.
    pub fn scheduled(&self) -> impl Iterator<Item = Scheduled<'_>> {
        self.members.iter().map(|m| {
            let (lane, lanes) = match (self.lane, self.block.filter(|_| m.in_lanes)) {
                (Some(l), _) => (Some(m.rows[l.row]), l.lanes),
                (None, Some(b)) => (Some(m.rows[b.row]), b.lanes),
                (None, None) => (m.schedule.lane(&m.axes), m.schedule.lanes()),
            };
            Scheduled {
                stage: m.stage,
                epilogue: m.epilogue,
                axes: &m.axes,
                schedule: &m.schedule,
                lane,
                lanes,
            }
        })
    }

    /// The extents of the loop over rows, or vectors or blocks of rows.
    pub fn units(&self) -> Vec<i64> {
        let mut units = self.rows.clone();
        if let Some((row, n)) = self.together() {
            units[row] = (units[row] + n - 1) / n;
        }
        units
    }
}

impl Member {
    /// The stages computed in it.
    pub fn stages(&self) -> impl Iterator<Item = u32> {
        [Some(self.stage), self.epilogue].into_iter().flatten()
    }
}

/// Bytes of the places of all tiles.
fn tile_bytes(region: &Region, tiles: &[Tile]) -> i64 {
    let owners = tiles.iter().enumerate().filter(|(n, t)| t.place == *n);
    owners.fold(0i64, |sum, (_, t)| {
        sum.saturating_add(t.room().saturating_mul(dtype_of(region, t).size() as i64))
    })
}

fn dtype_of(region: &Region, tile: &Tile) -> DType {
    region.stages[tile.stage as usize].results[tile.result as usize]
}
