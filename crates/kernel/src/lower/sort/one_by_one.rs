//! The loop of sorts that take one row after the other.

use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::rows::block;
use crate::plan::SortSchedule;
use crate::refusal::Refusal;
use crate::region::NodeId;

/// Runs `body` for each row, at its first element.
pub(super) fn each_row<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SortSchedule,
    values: &'r [NodeId],
    body: impl FnOnce(&mut Emit<'r>, Point<'r>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let axes = &l.axes;
    let rows: i64 = axes.space_extents().iter().product();
    let task = cx.b.open_phase((rows + s.rows_per_task - 1) / s.rows_per_task);
    let (first, end) = block(cx, task, s.rows_per_task, rows);
    cx.for_loop((first, end, 1), &[], |cx, r, _| {
        let zero = cx.b.i64(0);
        let mut at = cx.delinearize(r, axes.space_extents());
        at.resize(axes.extents.len(), zero);
        let mut point = Point::new(axes, at);
        let inner: Vec<usize> = (axes.space..axes.extents.len()).collect();
        cx.hoist(&mut point, values, &inner)?;
        body(cx, point).map(|()| Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}
