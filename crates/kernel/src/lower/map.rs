//! Maps: one value for each point.

use super::*;
use crate::loop_ir::Bin;
use crate::plan::MapSchedule;

/// Rows × columns in tasks; the last vector of a row that is no multiple of the lanes overlaps the one before, so
/// that no code is needed for remainders.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &MapSchedule) -> Result<(), Refusal> {
    let Kind::Map { values } = &l.stage.kind else { return Ok(()) };
    let axes = &l.axes;
    let columns = s.lane.map_or(1, |a| axes.extents[a]);
    let outer: Vec<usize> = (0..axes.space).filter(|a| Some(*a) != s.lane).collect();
    let outer_extents: Vec<i64> = outer.iter().map(|&a| axes.extents[a]).collect();
    let rows: i64 = outer_extents.iter().product();
    if rows * columns == 0 {
        return Ok(());
    }
    let column_blocks = (columns + s.columns_per_task - 1) / s.columns_per_task;
    let row_blocks = (rows + s.rows_per_task - 1) / s.rows_per_task;
    let task = cx.b.open_phase();
    let blocks = cx.delinearize(task, &[row_blocks, column_blocks]);
    let (first_row, end_row) = block(cx, blocks[0], s.rows_per_task, rows);
    let (first_column, end_column) = block(cx, blocks[1], s.columns_per_task, columns);
    cx.for_loop((first_row, end_row, 1), &[], |cx, row, _| {
        let mut at = vec![row; axes.extents.len()];
        let indices = cx.delinearize(row, &outer_extents);
        outer.iter().zip(indices).for_each(|(&a, i)| at[a] = i);
        let mut point = Point::new(axes, at);
        let Some(lane) = s.lane else {
            let v = evaluate(cx, &mut point, values)?;
            l.finish(cx, &mut point, &v, false)?;
            return Ok(Vec::new());
        };
        cx.hoist(&mut point, values, &[lane])?;
        cx.for_loop((first_column, end_column, s.lanes as i64), &[], |cx, column, _| {
            let column = within(cx, column, s.lanes, columns);
            let mut point = point.spread(l.region, lane, column, s.lanes);
            let v = evaluate(cx, &mut point, values)?;
            l.finish(cx, &mut point, &v, s.streaming)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(row_blocks * column_blocks, task);
    Ok(())
}

fn evaluate<'r>(cx: &mut Emit<'r>, point: &mut Point<'r>, values: &[NodeId]) -> Result<Vec<V>, Refusal> {
    values.iter().map(|&id| cx.value(point, id)).collect()
}

/// The bounds of block `n` of blocks of `size` in `0..extent`.
pub(super) fn block(cx: &mut Emit<'_>, n: V, size: i64, extent: i64) -> (V, V) {
    let size_v = cx.b.i64(size);
    let first = cx.b.mul(n, size_v);
    let end = cx.b.add(first, size_v);
    if extent % size == 0 {
        return (first, end);
    }
    let extent = cx.b.i64(extent);
    (first, cx.b.bin(Bin::SMin, end, extent))
}

/// A vector's first column, moved back so that the vector ends within the row.
pub(super) fn within(cx: &mut Emit<'_>, column: V, lanes: u32, columns: i64) -> V {
    if columns % lanes as i64 == 0 {
        return column;
    }
    let last = cx.b.i64(columns - lanes as i64);
    cx.b.bin(Bin::SMin, column, last)
}
