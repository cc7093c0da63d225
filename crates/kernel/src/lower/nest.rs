//! Row nests: one loop over the rows, in which every stage is computed in turn.
//!
//! A stage's own loops are those of its kind, run at the row; its results go to registers or to tiles.

use super::rows::{block, within};
use super::*;
use crate::plan::Nest;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    members: &'r [Lowering<'r>],
    nest: &'r Nest,
) -> Result<(), Refusal> {
    for t in &nest.tiles {
        let stage = &cx.region.stages[t.stage as usize];
        let elem = scalar::mem_elem(stage.results[t.result as usize]);
        let buf = cx.b.local(format!("{}.tile{}", stage.name, t.result), elem, t.elements);
        let home = Home { buf, tile: Some(TileHome { tile: t, dims: &stage.space }) };
        cx.arrays.results.insert((t.stage, t.result), home);
    }
    let extents = nest.units();
    let units: i64 = extents.iter().product();
    let per_task = nest.rows_per_task.clamp(1, units);
    let task = cx.b.open_phase();
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let mut at = cx.delinearize(unit, &extents);
        if let Some(lane) = nest.lane {
            let width = cx.b.i64(lane.lanes as i64);
            let row = cx.b.mul(at[lane.row], width);
            let extent = nest.rows[lane.row];
            let exact = extent % lane.lanes as i64 == 0;
            at[lane.row] = if exact { row } else { within(cx, row, lane.lanes as i64, extent) };
        }
        cx.row = Some(Row { at, lane: nest.lane });
        for (l, member) in members.iter().zip(&nest.members) {
            stage(cx, l, &member.schedule)?;
        }
        cx.row = None;
        cx.registers.clear();
        Ok(Vec::new())
    })?;
    cx.b.close_phase((units + per_task - 1) / per_task, task);
    Ok(())
}
