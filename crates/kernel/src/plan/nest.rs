//! Row nests: dependent stages over the same rows, in one loop.
//!
//! For each row, or a vector of neighbouring rows, every stage is computed in turn. What a stage makes for its row
//! rests in a register when it is one value, else in a tile that only the running task sees; outputs are stored on
//! the way. Nothing between the stages passes through memory.

use super::rows::common_rows;
use super::{Schedule, TASK_WORK, lanes_within, map, point_cost, reduce, roots_of};
use crate::lower::axes::Axes;
use crate::refusal::Refusal;
use crate::region::{Kind, Order, Region, Stage};
use crate::target::Target;

/// Stages over common rows.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Extents of the row axes.
    pub rows: Vec<i64>,
    /// Lanes along a row axis: neighbouring rows side by side. Else each stage has lanes of its own, within the row.
    pub lane: Option<Lane>,
    /// Rows of one task, or vectors of rows.
    pub rows_per_task: i64,
    /// In the order of the region's stages.
    pub members: Vec<Member>,
    pub tiles: Vec<Tile>,
}

/// Lanes along the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Which of the row axes.
    pub row: usize,
    pub lanes: u32,
}

/// A stage of a nest.
#[derive(Clone, Debug)]
pub struct Member {
    pub stage: u32,
    pub axes: Axes,
    /// Its loop axis for each row axis.
    pub rows: Vec<usize>,
    pub schedule: Schedule,
}

/// A result that stays with the task: of one row, or of the rows side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    pub stage: u32,
    pub result: u32,
    /// The distance in the tile of neighbours along each axis of the stage's space.
    pub strides: Vec<i64>,
    pub elements: i64,
}

/// So many rows, or vectors of rows, are enough for all cores; fewer only where the work is small.
const FEW_ROWS: i64 = 16;

impl Nest {
    /// Whether stages read this result from the output where it was stored.
    pub(super) fn reads_back(&self, region: &Region, key: (u32, u32)) -> bool {
        let member = &self.members[key.0 as usize];
        super::is_read(region, key)
            && !member.one_value()
            && !self.tiles.iter().any(|t| (t.stage, t.result) == key)
    }

    /// The extents of the loop over rows, or vectors of rows.
    pub fn units(&self) -> Vec<i64> {
        let mut units = self.rows.clone();
        if let Some(Lane { row, lanes }) = self.lane {
            units[row] = (units[row] + lanes as i64 - 1) / lanes as i64;
        }
        units
    }
}

impl Member {
    /// Whether its result is one value for each row, and so in a register.
    pub fn one_value(&self) -> bool {
        self.axes.space == self.rows.len()
    }
}

/// The most elements a row may have for whole rows to lie in lanes.
const SHORT: i64 = 16;

pub(super) fn nest(region: &Region, target: &Target) -> Result<Nest, Refusal> {
    for stage in &region.stages {
        let staged = match &stage.kind {
            Kind::Map { .. } => true,
            Kind::Reduce { order, mask, .. } => *order != Order::Sequential && mask.is_none(),
            _ => false,
        };
        if !staged || stage.points() == 0 || stage.inner_points() == 0 {
            return Err(Refusal::NotStaged { opcode: stage.opcode });
        }
    }
    let common = common_rows(region)?;
    let count: i64 = common.extents.iter().product();
    let work: i64 = region.stages.iter().fold(0i64, |sum, s| {
        let points = s.points().saturating_mul(s.inner_points());
        sum.saturating_add(points.saturating_mul(point_cost(region, &roots_of(s))))
    });
    let lane = lane(region, &common.axes, &common.extents, target)?;
    let units = count / lane.map_or(1, |l| l.lanes as i64);
    if units < FEW_ROWS && work > FEW_ROWS * TASK_WORK {
        return Err(Refusal::FewRows { rows: count });
    }
    let mut members = Vec::new();
    for (s, stage) in region.stages.iter().enumerate() {
        members.push(member(region, s, stage, &common.axes[s], lane, target));
    }
    let tiles = tiles(region, &common.axes, lane);
    let bytes = tiles.iter().fold(0i64, |sum, t| {
        let dtype = region.stages[t.stage as usize].results[t.result as usize];
        sum.saturating_add(t.elements.saturating_mul(dtype.size() as i64))
    });
    if bytes > target.l2 / 2 {
        return Err(Refusal::TileTooLarge { bytes, limit: target.l2 / 2 });
    }
    let unit = work / count.max(1) * lane.map_or(1, |l| l.lanes as i64);
    let rows_per_task = (TASK_WORK * 4 / unit.max(1)).max(1);
    Ok(Nest { rows: common.extents, lane, rows_per_task, members, tiles })
}

/// Whether rows lie side by side in lanes, and which: where results are reduced down columns, where rows are too
/// short for vectors, and where nothing is reduced.
fn lane(
    region: &Region,
    axes: &[Vec<usize>],
    extents: &[i64],
    target: &Target,
) -> Result<Option<Lane>, Refusal> {
    let mut rows_alone = true;
    let (mut down, mut long) = (None, None);
    for (s, stage) in region.stages.iter().enumerate() {
        let one_value = (0..stage.space.len()).all(|a| stage.space[a] == 1 || axes[s].contains(&a));
        rows_alone &= one_value;
        if let Kind::Reduce { order, .. } = &stage.kind {
            let short = stage.inner_points() <= SHORT;
            match order {
                Order::Minor if !short => long = Some(stage.opcode),
                Order::Minor => {}
                _ if one_value => down = Some(stage.opcode),
                _ => {}
            }
        }
    }
    let short = region.stages.iter().all(|s| {
        s.inner_points() <= SHORT && s.points() * s.inner_points() <= SHORT * extents.iter().product::<i64>()
    });
    let wanted = down.is_some() || short || rows_alone && long.is_none();
    if !wanted {
        return Ok(None);
    }
    if let (Some(producer), Some(consumer)) = (down, long) {
        return Err(Refusal::OtherRows { producer, consumer });
    }
    // The last row axis is the one whose neighbours lie closest.
    let row = extents.len() - 1;
    let lanes = lanes_within(extents[row], target.lanes());
    Ok((lanes > 1 || down.is_some()).then_some(Lane { row, lanes }))
}

fn member(
    region: &Region,
    s: usize,
    stage: &Stage,
    rows: &[usize],
    lane: Option<Lane>,
    target: &Target,
) -> Member {
    let exprs = super::exprs_of(region, stage, None);
    let axes = Axes::with_fixed(region, (&stage.space, &stage.inner), &exprs, rows);
    let rows: Vec<usize> = rows.iter().filter_map(|&a| axes.loop_of(a)).collect();
    let schedule = match &stage.kind {
        Kind::Reduce { order, values, combiner, .. } => {
            let element = super::element_cost(region, values, combiner);
            Schedule::Reduce(reduce::within_row(*order, &axes, &rows, lane.is_some(), element, target))
        }
        _ => {
            let mut map = map::within_row(region, stage, &axes, &rows, lane.is_some(), target);
            map.streaming &= (0..stage.results.len()).all(|n| !super::is_read(region, (s as u32, n as u32)));
            Schedule::Map(map)
        }
    };
    Member { stage: s as u32, axes, rows, schedule }
}

/// Tiles of the results that others read and that are more than one value for a row. An output is read back from
/// where it was stored, unless tasks that overlap store it.
fn tiles(region: &Region, axes: &[Vec<usize>], lane: Option<Lane>) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for (s, stage) in region.stages.iter().enumerate() {
        let free = |a: usize| !axes[s].contains(&a);
        if (0..stage.space.len()).all(|a| stage.space[a] == 1 || !free(a)) {
            continue;
        }
        for result in 0..stage.results.len() as u32 {
            let key = (s as u32, result);
            let is_output = region.output_sources.contains(&key);
            if !super::is_read(region, key) || is_output && lane.is_none() {
                continue;
            }
            let lanes = lane.map_or(1, |l| l.lanes as i64);
            let mut strides = vec![0; stage.space.len()];
            let mut elements = lanes;
            for a in (0..stage.space.len()).rev().filter(|&a| free(a)) {
                strides[a] = elements;
                elements *= stage.space[a];
            }
            if let Some(l) = lane {
                strides[axes[s][l.row]] = 1;
            }
            tiles.push(Tile { stage: s as u32, result, strides, elements });
        }
    }
    tiles
}
