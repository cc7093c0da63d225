//! Which inputs a row nest copies to tiles of the task before its stages read them ("brings near").
//!
//! Only for nests without contractions, which pack their operands themselves.

use super::tiles::tiles;
use super::{Block, Nest};
use crate::plan::loads::Loads;
use crate::plan::schedule::Schedule;
use crate::plan::scratchpad;
use crate::plan::vector::lanes_within;
use crate::region::{FoldOrder, Kind, Region};
use crate::target::Target;

/// Chooses the inputs, for vectors of rows or for blocks of rows, and the block. Gives whether some are transposed on
/// the way, so that reductions down columns work along rows.
pub(super) fn bring_near(
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
        nest.near = match target.gpu {
            Some(_) => {
                let room = limit / target.team() as i64 - nest.bytes(region);
                scratchpad::in_line((region, loads), axes, l.lanes, room, target)
            }
            None => scratchpad::near((region, loads), axes, (l.lanes as i64, l.lanes, true), room, target),
        };
        return false;
    }
    let row = nest.rows.len() - 1;
    let lanes = lanes_within(nest.rows[row], target.lanes());
    let found = |rows| scratchpad::near((region, loads), axes, (rows, lanes, false), limit, target);
    let mut rows = lanes as i64;
    let sizes = found(rows).into_iter().map(|n| region.inputs[n.input as usize].dtype.size() as i64);
    let Some(least) = sizes.min().filter(|_| lanes > 1) else { return false };
    while rows * least < scratchpad::REACH && 2 * rows <= nest.rows[row] {
        rows *= 2;
    }
    let alone = nest.clone();
    for (member, rows) in nest.members.iter_mut().zip(axes) {
        if let Schedule::Reduce(r) = &mut member.schedule
            && matches!(
                region.stages[member.stage as usize].kind,
                Kind::Reduce { order: FoldOrder::MinorKept, .. }
            )
            && member.axes.space == rows.len()
        {
            (member.in_lanes, r.lanes) = (true, lanes);
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
