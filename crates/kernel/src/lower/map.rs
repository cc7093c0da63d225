//! Maps: one value for each point.

use super::rows::within;
use super::*;
use crate::plan::MapSchedule;

/// Rows × columns in tasks; the last vector of a row that is no multiple of the lanes overlaps the one before, so
/// that no code is needed for remainders.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &MapSchedule) -> Result<(), Refusal> {
    let axes = &l.axes;
    let columns = s.lane.map_or(1, |a| axes.extents[a]);
    let outer = l.loops(&[s.lane]);
    let rows = outer.count();
    if rows * columns == 0 {
        return Ok(());
    }
    let column_blocks = (columns + s.columns_per_task - 1) / s.columns_per_task;
    let row_blocks = (rows + s.rows_per_task - 1) / s.rows_per_task;
    if l.in_row() {
        let (zero, rows, columns) = (cx.b.i64(0), cx.b.i64(rows), cx.b.i64(columns));
        return points(cx, l, s, &outer, [zero, rows, zero, columns]);
    }
    let task = cx.b.open_phase();
    let blocks = cx.delinearize(task, &[row_blocks, column_blocks]);
    let (first_row, end_row) = block(cx, blocks[0], s.rows_per_task, rows);
    let (first_column, end_column) = block(cx, blocks[1], s.columns_per_task, columns);
    points(cx, l, s, &outer, [first_row, end_row, first_column, end_column])?;
    cx.b.close_phase(row_blocks * column_blocks, task);
    Ok(())
}

/// The points of a block of rows and columns.
fn points<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &MapSchedule,
    outer: &Rows,
    [first_row, end_row, first_column, end_column]: [V; 4],
) -> Result<(), Refusal> {
    let Kind::Map { values } = &l.stage.kind else { return Ok(()) };
    let columns = s.lane.map_or(1, |a| l.axes.extents[a]);
    let mut start = l.start(cx);
    if l.in_row() {
        // What is one value for the row.
        let loops: Vec<usize> = outer.axes().iter().copied().chain(s.lane).collect();
        cx.hoist(&mut start, values, &loops)?;
    }
    cx.for_loop((first_row, end_row, 1), &[], |cx, row, _| {
        let mut point = start.clone();
        outer.place(cx, row, &mut point.at);
        let Some(lane) = s.lane else {
            let v = evaluate(cx, &mut point, values)?;
            l.finish(cx, &mut point, &v, false)?;
            return Ok(Vec::new());
        };
        cx.hoist(&mut point, values, &[lane])?;
        cx.for_loop((first_column, end_column, s.lanes as i64), &[], |cx, column, _| {
            let exact = columns % s.lanes as i64 == 0;
            let column = if exact { column } else { within(cx, column, s.lanes as i64, columns) };
            let mut point = point.spread(l.region, lane, column, s.lanes);
            let v = evaluate(cx, &mut point, values)?;
            l.finish(cx, &mut point, &v, s.streaming)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

fn evaluate<'r>(cx: &mut Emit<'r>, point: &mut Point<'r>, values: &[NodeId]) -> Result<Vec<V>, Refusal> {
    values.iter().map(|&id| cx.value(point, id)).collect()
}
