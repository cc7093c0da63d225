//! Sorts, by the method of their plan.

mod block;
mod by_merging;
mod compared;
mod in_lanes;
mod in_vectors;
mod keyed_row;
mod network;
mod one_by_one;
mod select;
mod select_by_counting;
mod select_in_lanes;
mod sort_in_lanes;
mod turned;

use super::emit::Emit;
use super::lowering::Lowering;
use crate::plan::{SortMethod, SortSchedule};
use crate::refusal::Refusal;
use crate::region::Kind;

pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &SortSchedule) -> Result<(), Refusal> {
    let Kind::Sort { kept, .. } = &l.stage.kind else { return Ok(()) };
    if *kept == 0 || l.stage.points() == 0 {
        return Ok(());
    }
    match s.method {
        SortMethod::Merge => by_merging::lower(cx, l, s),
        SortMethod::Vectors(sorted) => in_vectors::lower(cx, l, s, sorted),
        SortMethod::Select => select::lower(cx, l, s),
        SortMethod::Threshold { floor } => select_by_counting::lower(cx, l, s, floor),
        SortMethod::Turned(lane, sorted) => turned::lower(cx, l, s, (lane, sorted)),
        SortMethod::SortInLanes(lane, sorted) => sort_in_lanes::lower(cx, l, s, (lane, sorted)),
        SortMethod::SelectInLanes(lane) => select_in_lanes::lower(cx, l, s, lane),
    }
}
