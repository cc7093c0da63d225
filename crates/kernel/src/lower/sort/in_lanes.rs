//! Sorts of rows that lie side by side in lanes: every lane has a row of its own.

use super::compared::Compared;
use crate::loop_ir::{Buf, Op, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::{Rows, block, within};
use crate::plan::SortSchedule;
use crate::refusal::Refusal;
use lawson_hlo::index::Affine;

/// Runs `body` for each vector of rows along the loop axis `lane`, at their first elements.
pub(super) fn each<'r>(
    cx: &mut Emit<'r>,
    row: &Compared<'r>,
    s: &SortSchedule,
    lane: usize,
    body: impl FnOnce(&mut Emit<'r>, Point<'r>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let (axes, lanes) = (&row.l.axes, s.lanes as i64);
    let columns = axes.extents[lane];
    let vectors = (columns + lanes - 1) / lanes;
    let outer = Rows::except(axes, &[Some(lane)]);
    let units = outer.count() * vectors;
    let per_task = (s.rows_per_task / lanes).max(1);
    let task = cx.b.open_phase((units + per_task - 1) / per_task);
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let at = cx.delinearize(unit, &[outer.count(), vectors]);
        let width = cx.b.i64(lanes);
        let mut column = cx.b.mul(at[1], width);
        if columns % lanes != 0 {
            column = within(cx, column, lanes, columns);
        }
        let point = Point::new(axes, outer.at(cx, at[0]));
        let mut point = point.spread(row.l.region, lane, column, s.lanes);
        cx.hoist(&mut point, row.values, &[axes.space])?;
        body(cx, point).map(|()| Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

/// Where the results of the first elements of a row go.
pub(super) fn positions(row: &Compared<'_>) -> Vec<Affine> {
    let stage = row.l.stage;
    let one = |k: i64| {
        // The row of results as it is at its element `k`.
        let at = |a: u32| match a as usize == stage.space.len() {
            true => Affine::constant(k),
            false => Affine::axis(a as usize),
        };
        row.position.substitute(&row.l.region.space_of(&stage.ranges()), &at, &Affine::symbol)
    };
    (0..row.kept).map(one).collect()
}

/// Runs `body` for each row of a vector of rows, one after the other: with its number and its first element.
pub(super) fn row_by_row<'r>(
    cx: &mut Emit<'r>,
    row: &Compared<'r>,
    (point, lane): (&Point<'r>, usize),
    body: impl FnOnce(&mut Emit<'r>, V, &Point<'r>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let (zero, lanes) = (cx.b.i64(0), cx.b.i64(point.lanes as i64));
    cx.for_loop((zero, lanes, 1), &[], |cx, n, _| {
        let column = cx.b.add(point.at[lane], n);
        let alone = Point::new(point.axes, point.at.clone()).moved(row.l.region, lane, column);
        body(cx, n, &alone).map(|()| Vec::new())
    })?;
    Ok(())
}

/// The elements of rows side by side that went along, at these places of their rows.
pub(super) fn moved(cx: &mut Emit<'_>, copy: Buf, place: V, lanes: u32) -> V {
    let ty = cx.b.ty_of(place);
    let (width, each) = (cx.b.constant(ty, lanes as u64), cx.b.op(Op::Iota(ty)));
    let first = cx.b.mul(place, width);
    let at = cx.b.add(first, each);
    cx.b.load(copy, at, lanes, None)
}
