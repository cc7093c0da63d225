//! The code of a stage, by its kind.

use super::emit::Emit;
use super::lowering::Lowering;
use super::{contract, loop_trips, map, reduce, scan, select_and_scatter, sort, transpose, update};
use crate::plan::Schedule;
use crate::refusal::Refusal;

/// The code of a stage: its phases, or its loops at the row being emitted.
pub(super) fn stage<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    schedule: &'r Schedule,
) -> Result<(), Refusal> {
    let asked = l.plan.prefetch.iter().filter(|p| p.stage == l.index);
    cx.prefetch = asked.map(|p| (p.load, (p.elements, p.into))).collect();
    let divided = l.plan.reciprocals.iter().filter(|r| r.0 == l.index);
    cx.reciprocals = divided.map(|r| r.1).collect();
    match schedule {
        Schedule::Map(s) => match &s.transpose {
            Some(t) => transpose::lower(cx, l, s, t),
            None => map::lower(cx, l, s),
        },
        Schedule::Reduce(s) => reduce::lower(cx, l, s),
        Schedule::Contract(s) => contract::lower(cx, l, s),
        Schedule::Update(s) => update::lower(cx, l, s),
        Schedule::Scan(s) => scan::lower(cx, l, s),
        Schedule::Sort(s) => sort::lower(cx, l, s),
        Schedule::Loop(s) => loop_trips::lower(cx, l, s),
        Schedule::SelectAndScatter(s) => select_and_scatter::lower(cx, l, s),
    }
}
