//! How many rows of a nest contractions compute together.

use super::{Block, Member, Nest};
use crate::plan::contract;
use crate::plan::schedule::Schedule;
use crate::region::{Kind, Region};
use crate::target::Target;

/// The most rows of a block.
const BLOCK: i64 = 128;

/// The least rows of a block that is made smaller for the sake of more tasks.
pub(super) const SMALL_BLOCK: i64 = 8;

/// The least rows where the vector operand is too large for the task's cache: each of its elements, which then comes
/// from the last-level cache, is used for so many rows.
pub(super) const FAR_BLOCK: i64 = 32;

/// The row axis along which all contractions can compute several rows together; how many is decided later.
pub(super) fn block(nest: &Nest) -> Option<Block> {
    let along = |m: &Member| match &m.schedule {
        Schedule::Contract(c) => m.rows.iter().position(|&a| Some(a) == c.row),
        _ => None,
    };
    let first = nest.members.iter().find_map(along)?;
    let all = nest.members.iter().filter(|m| matches!(m.schedule, Schedule::Contract(_)));
    all.into_iter().all(|m| along(m) == Some(first)).then_some(Block { row: first, rows: 1, lanes: 1 })
}

/// How many rows of an axis make a block. It has at least `least` rows, at most `fit`, which is what the caches hold,
/// and leaves enough blocks for `tasks` where the work is worth them; whole register tiles, where there are several.
pub(super) fn block_of(
    nest: &Nest,
    row: usize,
    (least, fit): (i64, i64),
    tasks: i64,
    target: &Target,
) -> i64 {
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
    // All blocks have one size, of whole tiles where there is room. The last one overlaps the block before it.
    let blocks = (extent + rows - 1) / rows;
    let alike = (extent + blocks - 1) / blocks;
    let whole = (alike + tile - 1) / tile * tile;
    if whole <= fit { whole } else { alike }
}

/// Bytes of the operand that a product reads for each block of rows, or for each row.
pub(super) fn vector_bytes(region: &Region, member: &Member) -> i64 {
    match (&region.stages[member.stage as usize].kind, &member.schedule) {
        (Kind::Contract { lhs, rhs, .. }, Schedule::Contract(c)) => {
            let vector = if c.vector_is_rhs { *rhs } else { *lhs };
            contract::bytes_beside(region, &member.axes, &member.rows, vector)
        }
        _ => 0,
    }
}
