//! Reductions, in the order the language fixes (docs/numerics.md): chunks, joined by adjacent pairs, init applied last.
//!
//! Within a chunk either 64 lanes run along the reduced axis and are halved ([`across`]), or each lane folds the
//! elements of its own result ([`lane_wise`]). The greatest element and its position are looked for by blocks ([`arg_extreme`]). Several
//! axes whose lines are short, or end within vectors, are folded as they lie ([`line_by_line`]). Chunks of one row are partial results
//! in an array.

mod across;
mod arg_extreme;
mod chunk;
mod held;
mod join;
mod lane_wise;
mod line_by_line;
mod reduction;
mod stored_together;

use super::emit::Emit;
use super::lowering::Lowering;
use crate::plan::{ReduceSchedule, ReduceShape, ascending_comparisons};
use crate::refusal::Refusal;
use crate::region::Kind;
use held::Held;
use reduction::Reduction;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &'r ReduceSchedule,
) -> Result<(), Refusal> {
    let Kind::Reduce { values, inits, combiner, order, mask, stored } = &l.stage.kind else { return Ok(()) };
    let length: i64 = l.axes.inner_extents().iter().product();
    let held = Held::of(l.region, values, combiner, s.wide_keys);
    let ascending = ascending_comparisons(l.region, &l.axes, values, combiner);
    let r = Reduction {
        l,
        s,
        values,
        held,
        ascending,
        inits,
        combiner,
        mask: *mask,
        stored,
        length,
        order: *order,
    };
    if l.stage.points() == 0 {
        return Ok(());
    }
    match s.shape {
        ReduceShape::AcrossLanes if r.length > 0 && s.stored_together > 1 => stored_together::lower(cx, &r),
        ReduceShape::AcrossLanes => match s.rows_by_line.filter(|_| r.length > 0) {
            Some(rows) => line_by_line::lower(cx, &r, rows),
            None => across::lower(cx, &r),
        },
        ReduceShape::LaneWise { lane, tile } => lane_wise::lower(cx, &r, lane, tile),
    }
}
