//! Row nests: dependent stages over the same rows, in one loop.
//!
//! For each row, or a vector of neighbouring rows, every stage is computed in turn. What a stage makes for its row
//! rests in a register when it is one value, else in a tile that only the running task sees; outputs are stored on
//! the way. Nothing between the stages passes through memory.

use super::Axes;
use super::lane::{self, Lane};
use super::loads::Loads;
use super::near::{self, Near};
use super::rows::{CommonRows, common_rows};
use super::{Schedule, Scheduled, contract, lanes_within, map, point_cost, reduce};
use crate::refusal::Refusal;
use crate::region::{Kind, Node, NodeId, Order, Region, Stage, roots_of};
use crate::target::Target;
use lawson_hlo::DType;

/// Stages over common rows.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Extents of the row axes.
    pub rows: Vec<i64>,
    /// Lanes along a row axis: neighbouring rows side by side. Else each stage has lanes of its own, within the row.
    pub lane: Option<Lane>,
    /// Rows that contractions compute together, or that are brought near together.
    pub block: Option<Block>,
    /// Rows of one task, or vectors or blocks of rows.
    pub rows_per_task: i64,
    /// In the order of the region's stages.
    pub members: Vec<Member>,
    pub tiles: Vec<Tile>,
    /// Inputs whose rows are brought near first.
    pub near: Vec<Near>,
    /// For each stage the results of others that it reads.
    reads: Vec<Vec<(u32, u32)>>,
}

/// A stage of a nest.
#[derive(Clone, Debug)]
pub struct Member {
    pub stage: u32,
    /// A map computed where the results of a contraction are made.
    pub epilogue: Option<u32>,
    pub axes: Axes,
    /// Its loop axis for each row axis.
    pub rows: Vec<usize>,
    pub schedule: Schedule,
    /// A reduction down the columns of a block, its rows side by side in lanes.
    pub columns: bool,
}

/// A result that stays with the task: of one row, of the rows side by side, or of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    pub stage: u32,
    pub result: u32,
    /// The distance in the tile of neighbours along each axis of the stage's space.
    pub strides: Vec<i64>,
    /// The row axis of which it holds several, and their distance.
    pub row: Option<(usize, i64)>,
    pub elements: i64,
    /// Tiles of one place are never needed at the same time.
    pub place: usize,
}

/// So many rows of one axis are computed together, so that a contraction uses each element of its vector operand
/// for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Which of the row axes.
    pub row: usize,
    pub rows: i64,
    /// Of those side by side in lanes where a block is turned or reduced down its columns.
    pub lanes: u32,
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
        self.block.is_some() && (member.columns || matches!(member.schedule, Schedule::Contract(_)))
    }

    /// Where the run of stages that holds `member` ends: those between contractions go row by row.
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

    /// Whether a result is read but by the epilogue of its stage.
    fn is_read(&self, key: (u32, u32)) -> bool {
        let own = self.members.iter().find(|m| m.stage == key.0).and_then(|m| m.epilogue);
        (0..self.reads.len() as u32).any(|s| Some(s) != own && self.reads(s, key))
    }

    /// Whether a stage reads this result.
    fn reads(&self, stage: u32, key: (u32, u32)) -> bool {
        self.reads[stage as usize].contains(&key)
    }

    /// The member that makes a tile and the last that reads it. A member reads while it writes, its epilogue too.
    fn life(&self, tile: &Tile) -> (usize, usize) {
        let key = (tile.stage, tile.result);
        let uses = |m: &Member| m.stages().any(|s| s == tile.stage || self.reads(s, key));
        let made = self.members.iter().position(|m| m.stages().any(|s| s == tile.stage));
        let last = self.members.iter().rposition(uses);
        (made.unwrap_or(0), last.unwrap_or(self.members.len()))
    }

    /// The row axis of which several are computed together, and how many.
    pub fn together(&self) -> Option<(usize, i64)> {
        let lanes = self.lane.map(|l| (l.row, l.lanes as i64));
        lanes.or(self.block.map(|b| (b.row, b.rows)))
    }

    /// The stages with their loops.
    pub fn scheduled(&self) -> impl Iterator<Item = Scheduled<'_>> {
        self.members.iter().map(|m| {
            let down = if m.columns { self.block.map(|b| b.row) } else { None };
            let (lane, lanes) = match (self.lane, down) {
                (Some(l), _) => (Some(m.rows[l.row]), l.lanes),
                (None, Some(row)) => (Some(m.rows[row]), m.schedule.lanes()),
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

/// The most rows of a block.
const BLOCK: i64 = 128;
/// The least rows of a block that is made smaller for the sake of more tasks.
const SMALL_BLOCK: i64 = 8;
/// So many rows use each element of a vector operand often enough for it to come from the last-level cache.
const FAR_BLOCK: i64 = 32;

pub(super) fn nest(region: &Region, target: &Target) -> Result<Nest, Refusal> {
    for stage in &region.stages {
        let staged = match &stage.kind {
            Kind::Map { .. } | Kind::Contract { .. } => true,
            Kind::Reduce { order, mask, .. } => *order != Order::Sequential && mask.is_none(),
            _ => false,
        };
        if !staged || stage.points() == 0 || stage.inner_points() == 0 {
            return Err(Refusal::NotStaged { opcode: stage.opcode });
        }
    }
    let loads = Loads::of(region);
    let CommonRows { extents, axes } = common_rows(region, &loads)?;
    for (stage, rows) in region.stages.iter().zip(&axes) {
        if gives_up_reuse(region, stage, rows) {
            return Err(Refusal::NotInPlace { opcode: stage.opcode });
        }
    }
    let work: i64 = region.stages.iter().fold(0i64, |sum, s| {
        let points = s.points().saturating_mul(s.inner_points());
        sum.saturating_add(points.saturating_mul(point_cost(region, &roots_of(s), target)))
    });
    let (lane, conflict) = lane::lane(region, &axes, &extents, target);
    let rows = Rows { extents, axes, work, conflict };
    let Some(lane) = lane else { return with_lane((region, &loads), rows, None, target) };
    // Neighbouring elements of a column are cache lines apart; what later stages read again must still be near.
    let longest = lane::longest_column((region, &loads), &rows.axes, lane);
    let bytes = |lane: Lane| longest.saturating_mul(lane.lanes as i64 * 4);
    let limit = target.tile_bytes();
    if bytes(lane) > limit {
        return Err(Refusal::TileTooLarge { bytes: bytes(lane), limit });
    }
    for wide in lane::wider(lane, (&rows.extents, rows.work), longest, target) {
        if bytes(wide) <= limit
            && let Ok(nest) = with_lane((region, &loads), rows.clone(), Some(wide), target)
        {
            return Ok(nest);
        }
    }
    with_lane((region, &loads), rows, Some(lane), target)
}

/// The rows of a nest, what there is to do, and what stands unless blocks of rows are brought near.
#[derive(Clone)]
struct Rows {
    extents: Vec<i64>,
    /// For each stage, its axis for each row axis.
    axes: Vec<Vec<usize>>,
    work: i64,
    conflict: Option<Refusal>,
}

/// The nest whose rows lie so in lanes.
fn with_lane(
    (region, loads): (&Region, &Loads<'_>),
    rows: Rows,
    lane: Option<Lane>,
    target: &Target,
) -> Result<Nest, Refusal> {
    let Rows { extents, axes, work, conflict } = rows;
    let count: i64 = extents.iter().product();
    let mut members = Vec::new();
    let mut taken = vec![false; region.stages.len()];
    for s in 0..region.stages.len() {
        if taken[s] {
            continue;
        }
        let epilogue = product_epilogue(region, s);
        epilogue.iter().for_each(|&e| taken[e] = true);
        members.push(member(region, (s, epilogue), &axes[s], lane, target)?);
    }
    let reads = |s| {
        let mut each: Vec<(u32, u32)> = Vec::new();
        for (key, _) in loads.results(s) {
            if !each.contains(&key) {
                each.push(key);
            }
        }
        each
    };
    let reads = (0..region.stages.len()).map(reads).collect();
    let mut nest = Nest {
        rows: extents,
        lane,
        block: None,
        rows_per_task: 1,
        members,
        tiles: Vec::new(),
        near: Vec::new(),
        reads,
    };
    nest.block = block(&nest);
    if nest.block.is_none() {
        for member in &mut nest.members {
            if let Schedule::Contract(c) = &mut member.schedule {
                contract::row_by_row(c);
            }
        }
    }
    nest.tiles = tiles(region, &axes, &nest);
    if let Some(Block { row, .. }) = nest.block {
        let (row_bytes, limit) = (nest.bytes(region), target.tile_bytes());
        let fit = limit / row_bytes.max(1);
        if fit < 1 {
            return Err(Refusal::TileTooLarge { bytes: row_bytes, limit });
        }
        let is_far = |m: &Member| vector_bytes(region, m) > target.tile_bytes() / 2;
        let least = if nest.members.iter().any(is_far) { FAR_BLOCK } else { SMALL_BLOCK };
        let rows = block_of(&nest, row, (least, fit), work / target.task(), target);
        nest.block = Some(Block { row, rows, lanes: 1 });
        for member in &mut nest.members {
            if let Schedule::Contract(c) = &mut member.schedule {
                contract::in_block(c, rows);
            }
        }
        nest.tiles = tiles(region, &axes, &nest);
    } else if !bring_near((region, loads), &axes, &mut nest, work, target)
        && let Some(conflict) = conflict
    {
        return Err(conflict);
    }
    let (bytes, limit) = (nest.bytes(region), target.tile_bytes());
    if bytes > limit {
        return Err(Refusal::TileTooLarge { bytes, limit });
    }
    let limit = match nest.block {
        Some(b) if b.rows > FAR_BLOCK / 2 || b.rows == nest.rows[b.row] => target.llc / 4,
        _ => target.tile_bytes() / 2,
    };
    for member in &nest.members {
        let bytes = vector_bytes(region, member);
        if bytes > limit {
            return Err(Refusal::TileTooLarge { bytes, limit });
        }
    }
    let together = nest.together().map_or(1, |(_, n)| n);
    let units: i64 = nest.units().iter().product();
    // Fewer rows, or vectors of rows, than keep all cores busy are enough only where the work is small.
    let enough = if nest.block.is_some() { target.least_tasks() } else { target.tasks() };
    if units < enough && work > enough * target.task() {
        return Err(Refusal::FewRows { rows: count });
    }
    nest.rows_per_task = (target.task() * 4 / (work / count.max(1) * together).max(1)).max(1);
    Ok(nest)
}

/// Brings near what it is worth it for, in units of vectors of rows or of blocks; gives whether any is turned.
fn bring_near(
    (region, loads): (&Region, &Loads<'_>),
    axes: &[Vec<usize>],
    nest: &mut Nest,
    work: i64,
    target: &Target,
) -> bool {
    if nest.members.iter().any(|m| matches!(m.schedule, Schedule::Contract(_))) {
        return false;
    }
    let limit = target.tile_bytes();
    if let Some(l) = nest.lane {
        let room = limit - nest.bytes(region);
        nest.near = near::near((region, loads), axes, (l.lanes as i64, l.lanes, true), room, target);
        return false;
    }
    let row = nest.rows.len() - 1;
    let lanes = lanes_within(nest.rows[row], target.lanes());
    let found = |rows| near::near((region, loads), axes, (rows, lanes, false), limit, target);
    let mut rows = lanes as i64;
    let sizes = found(rows).into_iter().map(|n| region.inputs[n.input as usize].dtype.size() as i64);
    let Some(least) = sizes.min().filter(|_| lanes > 1) else { return false };
    while rows * least < near::REACH && 2 * rows <= nest.rows[row] {
        rows *= 2;
    }
    let alone = nest.clone();
    for (member, rows) in nest.members.iter_mut().zip(axes) {
        if let Schedule::Reduce(r) = &mut member.schedule
            && matches!(region.stages[member.stage as usize].kind, Kind::Reduce { order: Order::Major, .. })
            && member.axes.space == rows.len()
        {
            (member.columns, r.lanes) = (true, lanes);
        }
    }
    let is_small = work <= target.tasks() * target.task();
    while rows >= lanes as i64 {
        nest.near = found(rows);
        nest.block = Some(Block { row, rows, lanes });
        nest.tiles = tiles(region, axes, nest);
        let units: i64 = nest.units().iter().product();
        if !nest.near.is_empty() && nest.bytes(region) <= limit && (is_small || units >= target.tasks()) {
            return true;
        }
        rows /= 2;
    }
    *nest = alone;
    false
}

/// The nest of a single reduction along rows that are turned, if that is worth it.
pub(super) fn turned(region: &Region, target: &Target) -> Option<Nest> {
    let along = |s: &Stage| matches!(s.kind, Kind::Reduce { order: Order::Minor, .. });
    region.stages.first().filter(|s| along(s))?;
    nest(region, target).ok().filter(|n| n.block.is_some())
}

/// How many rows of an axis make a block, if at least and at most so many fit in the caches and the work is worth so
/// many tasks: whole register tiles, where there are several.
fn block_of(nest: &Nest, row: usize, (least, fit): (i64, i64), tasks: i64, target: &Target) -> i64 {
    let extent = nest.rows[row];
    let others = nest.rows.iter().product::<i64>() / extent;
    let enough = (extent * others / tasks.clamp(1, target.least_tasks())).max(least);
    let rows = fit.min(BLOCK).min(extent).min(enough);
    let height = |m: &Member| match &m.schedule {
        Schedule::Contract(c) => c.rows,
        _ => 1,
    };
    let tile = nest.members.iter().map(height).max().unwrap_or(1);
    if rows < 2 * tile || rows == extent {
        return rows;
    }
    // Blocks are alike, of whole tiles where there is room: what the last would lack it computes a second time.
    let blocks = (extent + rows - 1) / rows;
    let alike = (extent + blocks - 1) / blocks;
    let whole = (alike + tile - 1) / tile * tile;
    if whole <= fit { whole } else { alike }
}

/// Bytes of the operand that a product reads for each block of rows, or for each row.
fn vector_bytes(region: &Region, member: &Member) -> i64 {
    match (&region.stages[member.stage as usize].kind, &member.schedule) {
        (Kind::Contract { lhs, rhs, .. }, Schedule::Contract(c)) => {
            let vector = if c.vector_is_rhs { *rhs } else { *lhs };
            contract::bytes_beside(region, &member.axes, &member.rows, vector)
        }
        _ => 0,
    }
}

/// Whether the stage is a product of which a row is one result, though each operand serves many: done one by one, as
/// where the results are read transposed, nothing that was read would serve twice.
fn gives_up_reuse(region: &Region, stage: &Stage, rows: &[usize]) -> bool {
    let Kind::Contract { lhs, rhs, .. } = &stage.kind else { return false };
    let many = |&a: &usize| stage.space[a] > 1;
    if (0..stage.space.len()).filter(many).any(|a| !rows.contains(&a)) {
        return false;
    }
    let serves_many = |operand: NodeId| {
        let nodes = region.reachable(&[operand]);
        let moves = |a: usize| {
            nodes.iter().any(|&id| match region.node(id) {
                Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                    e.uses_axis(a)
                }
                _ => false,
            })
        };
        (0..stage.space.len()).filter(many).any(|a| !moves(a))
    };
    serves_many(*lhs) && serves_many(*rhs)
}

/// The map of a contraction's results, which are stored when it is done; those of a reduction are in registers anyway.
fn product_epilogue(region: &Region, s: usize) -> Option<usize> {
    let product = matches!(region.stages[s].kind, Kind::Contract { .. });
    super::epilogue_of(region, s).filter(|_| product)
}

/// Bytes of the places of all tiles.
fn tile_bytes(region: &Region, tiles: &[Tile]) -> i64 {
    let owners = tiles.iter().enumerate().filter(|(n, t)| t.place == *n);
    owners.fold(0i64, |sum, (_, t)| {
        sum.saturating_add(t.elements.saturating_mul(dtype_of(region, t).size() as i64))
    })
}

fn dtype_of(region: &Region, tile: &Tile) -> DType {
    region.stages[tile.stage as usize].results[tile.result as usize]
}

/// The place of an earlier tile of the same shape that is never needed together with this one, or its own. Rows lie
/// in both alike, so that stages may go row by row.
fn free_place(
    region: &Region,
    tiles: &[Tile],
    lives: &[(usize, usize)],
    (tile, (made, last)): (&Tile, (usize, usize)),
) -> usize {
    let alike = |t: &Tile| {
        (t.elements, t.row, dtype_of(region, t)) == (tile.elements, tile.row, dtype_of(region, tile))
    };
    let apart = |(first, end): &(usize, usize)| *end < made || last < *first;
    let free = |place: &usize| {
        let mut sharing = tiles.iter().zip(lives).filter(|(t, _)| t.place == *place);
        sharing.all(|(t, life)| alike(t) && apart(life))
    };
    let owners = (0..tiles.len()).filter(|&n| tiles[n].place == n);
    owners.into_iter().find(free).unwrap_or(tile.place)
}

/// The row axis of which contractions compute several together, one for now.
fn block(nest: &Nest) -> Option<Block> {
    let along = |m: &Member| match &m.schedule {
        Schedule::Contract(c) => m.rows.iter().position(|&a| Some(a) == c.row),
        _ => None,
    };
    let first = nest.members.iter().find_map(along)?;
    let all = nest.members.iter().filter(|m| matches!(m.schedule, Schedule::Contract(_)));
    all.into_iter().all(|m| along(m) == Some(first)).then_some(Block { row: first, rows: 1, lanes: 1 })
}

fn member(
    region: &Region,
    (s, epilogue): (usize, Option<usize>),
    rows: &[usize],
    lane: Option<Lane>,
    target: &Target,
) -> Result<Member, Refusal> {
    let stage = &region.stages[s];
    let exprs = super::exprs_of(region, stage, epilogue.map(|e| &region.stages[e]));
    let axes = Axes::with_fixed(region, (&stage.space, &stage.inner), &exprs, rows);
    let rows: Vec<usize> = rows.iter().filter_map(|&a| axes.loop_of(a)).collect();
    let schedule = match &stage.kind {
        Kind::Reduce { order, values, combiner, .. } => {
            let element = super::element_cost(region, values, combiner, target);
            Schedule::Reduce(reduce::within_row(*order, &axes, &rows, lane.is_some(), element, target))
        }
        Kind::Contract { lhs, rhs, .. } => {
            let operands = (*lhs, *rhs);
            Schedule::Contract(contract::schedule(region, stage, &axes, &rows, operands, target))
        }
        _ => {
            let mut map = map::within_row(region, stage, &axes, &rows, lane.is_some(), target);
            if (0..stage.results.len()).any(|n| super::is_read(region, (s as u32, n as u32))) {
                map.keep_in_caches();
            }
            Schedule::Map(map)
        }
    };
    Ok(Member { stage: s as u32, epilogue: epilogue.map(|e| e as u32), axes, rows, schedule, columns: false })
}

/// Tiles of the results that others read and that do not stay in registers. An output is read back from where it was
/// stored, unless tasks that overlap store it.
fn tiles(region: &Region, axes: &[Vec<usize>], nest: &Nest) -> Vec<Tile> {
    let (mut tiles, mut lives) = (Vec::new(), Vec::new());
    let together = nest.together();
    let overlaps = nest.lane.is_some() || together.is_some_and(|(row, n)| nest.rows[row] % n != 0);
    for (s, stage) in region.stages.iter().enumerate() {
        let free = |a: usize| !axes[s].contains(&a);
        let one_value = (0..stage.space.len()).all(|a| stage.space[a] == 1 || !free(a));
        for result in 0..stage.results.len() as u32 {
            let key = (s as u32, result);
            let is_output = region.output_sources.contains(&key);
            let in_register = one_value && (nest.block.is_none() || nest.stays_in_run(key));
            if !nest.is_read(key) || in_register || is_output && !overlaps {
                continue;
            }
            let mut strides = vec![0; stage.space.len()];
            let mut elements = nest.lane.map_or(1, |l| l.lanes as i64);
            for a in (0..stage.space.len()).rev().filter(|&a| free(a)) {
                strides[a] = elements;
                elements *= stage.space[a];
            }
            let mut row = nest.lane.map(|l| (l.row, 1));
            // Between contractions stages go row by row, and so need one row at a time.
            if let Some(b) = nest.block.filter(|_| !nest.stays_in_run(key)) {
                row = Some((b.row, elements));
                elements *= b.rows;
            }
            if let Some((r, stride)) = row {
                strides[axes[s][r]] = stride;
            }
            let mut tile = Tile { stage: s as u32, result, strides, row, elements, place: tiles.len() };
            let life = nest.life(&tile);
            tile.place = free_place(region, &tiles, &lives, (&tile, life));
            lives.push(life);
            tiles.push(tile);
        }
    }
    tiles
}
