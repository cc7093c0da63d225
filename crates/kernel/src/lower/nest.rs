//! Row nests: one loop over the rows, in which every stage is computed in turn.
//!
//! A stage's own loops are those of its kind, run at the row; its results go to registers or to tiles.

use super::contract;
use super::emit::Emit;
use super::home::{Home, Row, TileHome};
use super::lowering::Lowering;
use super::rows::{block, left, within};
use super::scalar;
use super::scratchpad;
use super::stage::stage;
use super::to_lane::gathered;
use crate::loop_ir::{Elem, V};
use crate::plan::{Block, Nest, RowLanes, Schedule};
use crate::refusal::Refusal;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    members: &'r [Lowering<'r>],
    nest: &'r Nest,
) -> Result<(), Refusal> {
    for (l, member) in members.iter().zip(&nest.members) {
        if let Schedule::Contract(s) = &member.schedule
            && s.packed_once
        {
            contract::pack_before(cx, l, s)?;
        }
    }
    let mut places = Vec::new();
    for t in &nest.tiles {
        let stage = &cx.region.stages[t.stage as usize];
        let elem = scalar::mem_elem(stage.results[t.result as usize]);
        let room = nest.tiles.iter().filter(|other| other.place == t.place).map(|t| t.room()).max();
        let own = || cx.b.local(format!("{}.tile{}", stage.name, t.result), elem, room.unwrap_or(t.elements));
        let buf = places.get(t.place).copied().unwrap_or_else(own);
        places.push(buf);
        let tile = TileHome { strides: &t.strides, row: t.row, dims: &stage.space, whole: t.whole.is_some() };
        let home = Home::tile(buf, tile);
        cx.arrays.results.insert((t.stage, t.result), home);
    }
    nest.near.iter().for_each(|n| scratchpad::declare(cx, nest, n));
    let mut extents = nest.units();
    let together = nest.stored_together;
    if let Some(rows) = extents.last_mut() {
        *rows = (*rows + together - 1) / together;
    }
    let units: i64 = extents.iter().product();
    let per_task = (nest.rows_per_task / together).clamp(1, units);
    let task = cx.b.open_phase((units + per_task - 1) / per_task);
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let mut at = cx.delinearize(unit, &extents);
        if together > 1 {
            return in_turn(cx, members, nest, at).map(|()| Vec::new());
        }
        if let Some((row, n)) = nest.together() {
            let width = cx.b.i64(n);
            let first = cx.b.mul(at[row], width);
            let exact = nest.rows[row] % n == 0;
            at[row] = if exact { first } else { within(cx, first, n, nest.rows[row]) };
        }
        unit_of_rows(cx, members, nest, at)?;
        cx.registers.clear();
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    cx.b.share_tasks(nest.warps);
    Ok(())
}

/// All stages of a row, or of a vector or block of rows; values of the row stay in registers.
fn unit_of_rows<'r>(
    cx: &mut Emit<'r>,
    members: &'r [Lowering<'r>],
    nest: &'r Nest,
    at: Vec<V>,
) -> Result<(), Refusal> {
    for n in &nest.near {
        scratchpad::bring(cx, nest, n, &at)?;
    }
    let first = nest.together().map(|(row, _)| at[row]);
    cx.row = Some(Row { at, lane: nest.lane, first });
    let mut next = 0;
    while next < members.len() {
        next = run(cx, members, nest, next)?;
    }
    cx.row = None;
    Ok(())
}

/// Neighbouring rows one after the other, then their values of the outputs.
fn in_turn<'r>(
    cx: &mut Emit<'r>,
    members: &'r [Lowering<'r>],
    nest: &'r Nest,
    mut at: Vec<V>,
) -> Result<(), Refusal> {
    let Some((last, &extent)) = nest.rows.iter().enumerate().next_back() else { return Ok(()) };
    let (rows, size) = (nest.stored_together, cx.b.i64(nest.stored_together));
    let first = cx.b.mul(at[last], size);
    let mut waiting = Vec::new();
    for (to, &(stage, result)) in cx.region.output_sources.iter().enumerate() {
        let of_stage = |l: &&Lowering<'r>| l.waits && l.stages().any(|s| s == stage);
        waiting.extend(members.iter().find(of_stage).map(|l| (l, (stage, result), to)));
    }
    let elem = |&(_, _, to): &(_, _, usize)| scalar::reg_elem(cx.region.outputs[to].dtype);
    let elems: Vec<Elem> = waiting.iter().map(elem).collect();
    let values = gathered(cx, &elems, (first, rows, extent), |cx, row| {
        at[last] = row;
        unit_of_rows(cx, members, nest, at.clone())?;
        let values = waiting.iter().filter_map(|(_, key, _)| cx.registers.get(key).copied()).collect();
        cx.registers.clear();
        Ok(values)
    })?;
    at[last] = first;
    cx.row = Some(Row { at, lane: Some(RowLanes { row: last, lanes: rows as u32 }), first: None });
    for ((l, _, to), value) in waiting.into_iter().zip(values) {
        let mut point = l.start(cx);
        point.mask = (extent % rows != 0).then(|| left(cx, first, extent, rows as u32));
        let to = (l.outputs[to].into(), cx.region.outputs[to].dtype);
        cx.store(&mut point, to, &l.position(), value, None, false)?;
    }
    cx.row = None;
    Ok(())
}

/// A contraction for the whole block, or the stages up to the next one row by row; gives the stage after.
fn run<'r>(
    cx: &mut Emit<'r>,
    members: &'r [Lowering<'r>],
    nest: &'r Nest,
    start: usize,
) -> Result<usize, Refusal> {
    let end = nest.run_end(start).max(start + 1);
    let run = |cx: &mut Emit<'r>| {
        let stages = members[start..end].iter().zip(&nest.members[start..end]);
        stages.into_iter().try_for_each(|(l, member)| stage(cx, l, &member.schedule))
    };
    let first = cx.row.as_ref().and_then(|r| r.first);
    if let (Some(block), Some(first), true) = (nest.block, first, nest.members[start].in_lanes) {
        in_lanes(cx, &members[start], &nest.members[start].schedule, (block, first))?;
        return Ok(end);
    }
    match (nest.block, first) {
        (Some(block), Some(first)) if !nest.is_blocked(&nest.members[start]) => {
            let rows = cx.b.i64(block.rows);
            let last = cx.b.add(first, rows);
            cx.for_loop((first, last, 1), &[], |cx, row, _| {
                cx.move_row(block.row, row);
                run(cx)?;
                cx.move_row(block.row, first);
                cx.registers.clear();
                Ok(Vec::new())
            })?;
        }
        _ => run(cx)?,
    }
    Ok(end)
}

/// A stage with the rows of a block side by side in lanes, as they lie in memory.
fn in_lanes<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    schedule: &'r Schedule,
    (Block { row, rows, lanes }, first): (Block, V),
) -> Result<(), Refusal> {
    let near = std::mem::take(&mut cx.arrays.near);
    cx.set_lane(Some(RowLanes { row, lanes }));
    let rows = cx.b.i64(rows);
    let last = cx.b.add(first, rows);
    cx.for_loop((first, last, lanes as i64), &[], |cx, row_at, _| {
        cx.move_row(row, row_at);
        stage(cx, l, schedule)?;
        cx.move_row(row, first);
        Ok(Vec::new())
    })?;
    cx.set_lane(None);
    cx.arrays.near = near;
    Ok(())
}
