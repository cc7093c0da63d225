//! Maps whose points are long chains of operations, as random numbers are: each waits for the one before it, and a processor does
//! not look as far as to the next vector. So two vectors of a row stand in the loop together, for the back end to interleave.

use super::Axes;
use super::dependence::Dependence;
use crate::region::{Kind, Region, Stage, roots_of};
use crate::target::Target;

/// Operations of a point that a processor looks ahead.
const LOOKS_AHEAD: i64 = 80;
/// Of a point's operations, in percent, those of its longest chain, where other chains do not fill its gaps.
const ONE_CHAIN: i64 = 55;
/// Operations of a map that are worth code that is twice as long: some tenth of a millisecond.
const LONG: i64 = 1 << 23;
/// So many pairs of vectors for one that is computed again, where the last pair of a row overlaps the one before.
const FEW_AGAIN: i64 = 16;
/// Vectors that are computed together.
const TOGETHER: i64 = 2;

/// Vectors of a row that are computed together, on a processor.
pub(super) fn together(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, lanes): (usize, u32),
    target: &Target,
) -> i64 {
    let points: i64 = axes.space_extents().iter().product();
    let (columns, pair) = (axes.extents[lane], TOGETHER * lanes as i64);
    let whole = columns % pair == 0 || columns >= FEW_AGAIN * pair;
    let is_map = matches!(stage.kind, Kind::Map { .. });
    if !is_map || !whole || lanes != target.lanes() || target.in_flight() < TOGETHER {
        return 1;
    }
    let (chain, all) = chain(region, stage, axes, lane, target);
    let waits = all >= LOOKS_AHEAD && chain * 100 >= all * ONE_CHAIN;
    if waits && points.saturating_mul(all) >= LONG { TOGETHER } else { 1 }
}

/// The operations of the longest chain of a point, and of all, but for those that are the same for a row.
fn chain(region: &Region, stage: &Stage, axes: &Axes, lane: usize, target: &Target) -> (i64, i64) {
    let roots = roots_of(stage);
    let mut changes = Dependence::default();
    let (mut until, mut all) = (vec![0; region.nodes.len()], 0);
    // Operands stand before what they are operands of.
    for id in region.live(&roots, &|value, lo, hi| axes.holds(value, lo, hi)) {
        if !changes.on(region, axes, id, lane) {
            continue;
        }
        let (mut before, own) = (0, target.rates.node(region, id));
        region.operands(id, &mut |o| before = before.max(until[o.0 as usize]));
        until[id.0 as usize] = before + own;
        all += own;
    }
    (until.into_iter().max().unwrap_or(0), all)
}
