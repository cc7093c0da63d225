//! Forming a row nest: whether the stages of a region share their rows, and the loops of each within a row.

use super::block::{FAR_BLOCK, SMALL_BLOCK, block, block_of, vector_bytes};
use super::bring::bring_near;
use super::stage_by_stage;
use super::tiles::tiles;
use super::whole_vectors;
use super::{Block, Member, Nest};
use crate::plan::beside;
use crate::plan::choice::Choice;
use crate::plan::epilogue::epilogue_of;
use crate::plan::exprs::{exprs_of, is_read};
use crate::plan::loads::Loads;
use crate::plan::row_lanes::RowLanes;
use crate::plan::rows::{CommonRows, common_rows};
use crate::plan::schedule::Schedule;
use crate::plan::tasks::evenly;
use crate::plan::work::{combining_cost, point_cost};
use crate::plan::{
    Axes, contract, halving, map, reduce, row_lanes, scratchpad, side_by_side, stored_together,
};
use crate::refusal::Refusal;
use crate::region::{FoldOrder, Kind, Node, NodeId, Region, Stage, roots_of};
use crate::target::Target;

pub(in crate::plan) fn nest(
    region: &Region,
    target: &Target,
    choice: Option<Choice>,
) -> Result<Nest, Refusal> {
    for stage in &region.stages {
        let staged = match &stage.kind {
            Kind::Map { .. } | Kind::Contract { .. } => true,
            Kind::Reduce { order, mask, stored, .. } => {
                *order != FoldOrder::Sequential && mask.is_none() && stored.is_empty()
            }
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
    let (lane, conflict) = row_lanes::row_lanes(region, &axes, &extents, target);
    let rows = Rows { extents, axes, work, conflict };
    let Some(lane) = lane else {
        let alone = with_lane((region, &loads), rows.clone(), (None, 1), target, choice);
        if let Some(warps) = shared_rows(region, &rows, &alone, target)
            && let Ok(nest) = with_lane((region, &loads), rows, (None, warps), target, choice)
        {
            return Ok(nest);
        }
        return alone;
    };
    // Neighbouring elements of a column are cache lines apart. Later stages read the column again, so all of its lines
    // must fit in the cache.
    let longest = row_lanes::longest_column((region, &loads), &rows.axes, lane);
    let bytes = |lane: RowLanes| longest.saturating_mul(lane.lanes as i64 * 4);
    let limit = target.tile_bytes();
    if bytes(lane) > limit {
        return Err(Refusal::TileTooLarge { bytes: bytes(lane), limit });
    }
    if let Some(Choice::RowsInLanes(lanes)) = choice {
        let asked = RowLanes { lanes, ..lane };
        return match bytes(asked) <= limit && lanes as i64 <= rows.extents[lane.row] {
            true => with_lane((region, &loads), rows, (Some(asked), 1), target, choice),
            false => Err(Refusal::TileTooLarge { bytes: bytes(asked), limit }),
        };
    }
    for wide in row_lanes::wider(lane, (&rows.extents, rows.work), longest, target) {
        if bytes(wide) <= limit
            && let Ok(nest) = with_lane((region, &loads), rows.clone(), (Some(wide), 1), target, choice)
        {
            return Ok(nest);
        }
    }
    with_lane((region, &loads), rows, (Some(lane), 1), target, choice)
}

/// Elements of a row that many warps share on a graphics processor, and those that they share where there are few rows.
const LONG_ROW: i64 = 1024;
const ROW_OF_FEW: i64 = 256;

/// The warps that share a row, where it is long, or where there are too few rows for a warp each: the rows of a nest that has
/// lanes within them, and no products.
fn shared_rows(region: &Region, rows: &Rows, alone: &Result<Nest, Refusal>, target: &Target) -> Option<u32> {
    let count: i64 = rows.extents.iter().product();
    let elements = |s: &Stage| s.points().saturating_mul(s.inner_points()) / count.max(1);
    let longest = region.stages.iter().map(elements).max().unwrap_or(0);
    let few = match alone {
        Ok(nest) if nest.block.is_some() || nest.lane.is_some() => return None,
        Ok(_) => count < target.tasks(),
        Err(Refusal::FewRows { .. }) => true,
        Err(_) => return None,
    };
    let products = region.stages.iter().any(|s| matches!(s.kind, Kind::Contract { .. }));
    let long = longest >= if few { ROW_OF_FEW } else { LONG_ROW };
    (target.gpu.is_some() && long && !products && rows.conflict.is_none()).then_some(target.team())
}

/// The rows of a nest, its work, and the conflict that refuses it unless blocks of rows are copied to tiles first.
#[derive(Clone)]
struct Rows {
    extents: Vec<i64>,
    /// For each stage, its axis for each row axis.
    axes: Vec<Vec<usize>>,
    work: i64,
    conflict: Option<Refusal>,
}

/// The nest where rows lie side by side in these lanes; with `None` each stage has lanes within its row, which so many
/// warps share.
fn with_lane(
    (region, loads): (&Region, &Loads<'_>),
    rows: Rows,
    (lane, warps): (Option<RowLanes>, u32),
    target: &Target,
    choice: Option<Choice>,
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
        members.push(member(region, (s, epilogue), &axes[s], (lane, warps), target, choice)?);
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
        stored_together: 1,
        warps,
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
        let rows = match choice {
            Some(Choice::BlockRows(rows)) => rows.clamp(1, nest.rows[row].min(fit)),
            _ => block_of(&nest, row, (least, fit), work / target.task(), target),
        };
        nest.block = Some(Block { row, rows, lanes: 1 });
        let units = nest.units();
        // Products alone share a nest only to save what goes between them. Packed once they would seem to gain by it, and were
        // measured to lose.
        let reduces = nest.members.iter().any(|m| matches!(m.schedule, Schedule::Reduce(_)));
        for member in &mut nest.members {
            let kind = &region.stages[member.stage as usize].kind;
            if let (Schedule::Contract(c), &Kind::Contract { lhs, rhs, .. }) = (&mut member.schedule, kind) {
                contract::in_block(c, rows);
                let blocks: Vec<(usize, i64)> =
                    member.rows.iter().copied().zip(units.iter().copied()).collect();
                let product = (&member.axes, &*c);
                c.packed_once = reduces
                    && contract::is_packed_before_blocks(region, product, (lhs, rhs), &blocks, target);
            }
        }
        nest.tiles = tiles(region, &axes, &nest);
    } else if (choice == Some(Choice::Staged(false))
        || !bring_near((region, loads), &axes, &mut nest, work, target))
        && let Some(conflict) = conflict
    {
        return Err(conflict);
    }
    stage_by_stage::blocks((region, loads), &axes, &mut nest, work, target);
    whole_vectors::make(region, loads, &mut nest, target);
    let (bytes, limit) = (nest.bytes(region), target.tile_bytes());
    if bytes > limit {
        return Err(Refusal::TileTooLarge { bytes, limit });
    }
    if target.gpu.is_some() && nest.lane.is_none() && nest.block.is_none() {
        let room = limit / (target.team() / warps) as i64 - bytes;
        nest.near = scratchpad::rows((region, loads), &axes, warps, room, target);
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
    let enough = match nest.block {
        Some(_) => target.least_tasks(),
        None => target.tasks() / (warps * warps) as i64,
    };
    if units < enough && work > enough * target.task() {
        return Err(Refusal::FewRows { rows: count, tasks: units, least: enough });
    }
    let row = work / count.max(1) * together / warps as i64;
    let of_task = if target.gpu.is_some() { target.task() * 4 } else { target.task_of(work) };
    nest.rows_per_task = (of_task / row.max(1)).clamp(1, if warps > 1 { 1 } else { i64::MAX });
    nest.stored_together = storing_together(region, &nest, row, target);
    nest.rows_per_task =
        (nest.rows_per_task + nest.stored_together - 1) / nest.stored_together * nest.stored_together;
    nest.rows_per_task = evenly(units, nest.rows_per_task, nest.stored_together, target);
    Ok(nest)
}

/// Rows whose results a warp stores together.
fn storing_together(region: &Region, nest: &Nest, work: i64, target: &Target) -> i64 {
    let product = nest.members.iter().any(|m| matches!(m.schedule, Schedule::Contract(_)));
    if nest.warps > 1 || nest.together().is_some() || product {
        return 1;
    }
    let of_row = |key: &(u32, u32)| {
        nest.members.iter().any(|m| nest.in_registers(m) && m.stages().any(|s| s == key.0))
    };
    let rows = (nest.rows.last().copied().unwrap_or(1), nest.rows.iter().product());
    stored_together::rows(region, &stored_together::results(region, of_row), rows, work, target)
}

/// The nest of a single reduction along the minor dimension whose rows are transposed block by block, where that is
/// faster than one row after the other.
pub(in crate::plan) fn turned(region: &Region, target: &Target, choice: Option<Choice>) -> Option<Nest> {
    let along = |s: &Stage| matches!(s.kind, Kind::Reduce { order, .. } if order.is_minor());
    region.stages.first().filter(|s| along(s))?;
    nest(region, target, choice)
        .ok()
        .filter(|n| !n.near.is_empty() && (n.block.is_some() || target.gpu.is_some() && n.lane.is_some()))
}

/// Whether a product would lose its reuse in these rows: each row holds one result, while each operand is used for many
/// results. It happens where later stages read the results transposed. Then every element would be read again for
/// each result.
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

/// The map that is computed where a contraction stores its results. After a reduction there is none: its results are in
/// registers, where the next stage of the row finds them.
fn product_epilogue(region: &Region, s: usize) -> Option<usize> {
    let product = matches!(region.stages[s].kind, Kind::Contract { .. });
    epilogue_of(region, s).filter(|_| product)
}

fn member(
    region: &Region,
    (s, epilogue): (usize, Option<usize>),
    rows: &[usize],
    (lane, warps): (Option<RowLanes>, u32),
    target: &Target,
    choice: Option<Choice>,
) -> Result<Member, Refusal> {
    let stage = &region.stages[s];
    let exprs = exprs_of(region, stage, epilogue.map(|e| &region.stages[e]));
    let axes = Axes::with_fixed(region, (&stage.space, &stage.inner), &exprs, rows);
    let rows: Vec<usize> = rows.iter().filter_map(|&a| axes.loop_of(a)).collect();
    let schedule = match &stage.kind {
        Kind::Reduce { order, values, combiner, mask, stored, .. } => {
            let combining = combining_cost(region, &axes, (values, combiner), target);
            let element = point_cost(region, values, target) + combining;
            // What moves between lanes stays in a warp.
            let spread = *order == FoldOrder::MinorFree && warps > 1;
            let lanes = target.lanes() * if spread { warps } else { 1 };
            let schedule =
                reduce::within_row(*order, &axes, (&rows, lane.is_some()), (element, lanes), target);
            let schedule = schedule.sharing(region, values, &axes, target);
            let mut schedule = reduce::by_blocks(schedule, (region, stage), &axes, target);
            if mask.is_none() && stored.is_empty() && lane.is_some() {
                schedule = beside::of_row(schedule, (region, &axes, &rows), values, target);
            }
            let schedule = reduce::joined(schedule, (region, stage), warps, target);
            Schedule::Reduce(halving::in_row(schedule, (stage, &axes, &rows), target))
        }
        Kind::Contract { lhs, rhs, .. } => {
            let operands = (*lhs, *rhs);
            Schedule::Contract(contract::schedule(region, stage, &axes, &rows, operands, target, choice))
        }
        _ => {
            // What moves between lanes stays in a warp.
            let spread = warps > 1 && side_by_side::are_words(region, stage);
            let target = if spread { target.of_warps(warps) } else { target.clone() };
            let mut map = map::within_row(region, stage, &axes, &rows, lane.is_some(), &target);
            if (0..stage.results.len()).any(|n| is_read(region, (s as u32, n as u32))) {
                map.keep_in_caches();
            }
            Schedule::Map(map)
        }
    };
    Ok(Member {
        stage: s as u32,
        epilogue: epilogue.map(|e| e as u32),
        axes,
        rows,
        schedule,
        in_lanes: false,
    })
}
