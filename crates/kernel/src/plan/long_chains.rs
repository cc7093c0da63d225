//! Maps whose points are long chains of operations, as random numbers and several elementary functions are: each waits for the one
//! before it, and a processor does not look as far as to the next vector. So some vectors of a row stand in the loop together, for the
//! back end to interleave.

use super::Axes;
use super::dependence::Dependence;
use crate::region::{Kind, Node, Region, Stage, roots_of};
use crate::target::Target;
use lawson_hlo::math;

/// Operations of a point that a processor looks ahead.
const LOOKS_AHEAD: i64 = 48;
/// Of a point's operations, in percent, those of its longest chain, where other chains do not fill its gaps.
const ONE_CHAIN: i64 = 55;
/// Operations of a map that are worth code that is several times as long: some ten microseconds.
const LONG: i64 = 1 << 20;
/// So many groups of vectors for one that is computed again, where the last group of a row overlaps the one before.
const FEW_AGAIN: i64 = 16;
/// Vectors that are computed together, where there are registers for what each is in the middle of.
const TOGETHER: [i64; 2] = [4, 2];
const MANY_REGISTERS: u32 = 32;

/// Vectors of a row that are computed together, on a processor.
pub(super) fn together(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, lanes): (usize, u32),
    target: &Target,
) -> i64 {
    let points: i64 = axes.space_extents().iter().product();
    let fits = |&vectors: &i64| {
        let (columns, group) = (axes.extents[lane], vectors * lanes as i64);
        let whole = columns % group == 0 || columns >= FEW_AGAIN * group;
        whole && vectors <= target.in_flight() && (vectors == 2 || target.registers >= MANY_REGISTERS)
    };
    let most = TOGETHER.into_iter().find(fits).unwrap_or(1);
    if most == 1 || !matches!(stage.kind, Kind::Map { .. }) || lanes != target.lanes() {
        return 1;
    }
    let Some((chain, all)) = chain(region, stage, axes, lane, target) else { return 1 };
    let waits = all >= LOOKS_AHEAD && chain * 100 >= all * ONE_CHAIN;
    if waits && points.saturating_mul(all) >= LONG { most } else { 1 }
}

/// The operations of the longest chain of a point, and of all, but for those that are the same for a row; `None` where code branches
/// for the sake of rare elements, since nothing is interleaved across that.
fn chain(region: &Region, stage: &Stage, axes: &Axes, lane: usize, target: &Target) -> Option<(i64, i64)> {
    let roots = roots_of(stage);
    let mut changes = Dependence::default();
    let (mut until, mut all) = (vec![0; region.nodes.len()], 0);
    // Operands stand before what they are operands of.
    for id in region.live(&roots, &|value, lo, hi| axes.holds(value, lo, hi)) {
        if !changes.on(region, axes, id, lane) {
            continue;
        }
        if let Node::Unary { opcode, .. } | Node::Binary { opcode, .. } = region.node(id)
            && math::branches(*opcode)
        {
            return None;
        }
        let (mut before, own) = (0, target.rates.node(region, id));
        region.operands(id, &mut |o| before = before.max(until[o.0 as usize]));
        until[id.0 as usize] = before + own;
        all += own;
    }
    Some((until.into_iter().max().unwrap_or(0), all))
}
