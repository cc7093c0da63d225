//! Scans: a running combination along one axis, its values in registers.

use super::emit::Emit;
use super::lowering::Lowering;
use super::point::Point;
use super::rows::{Rows, block, within};
use super::scalar;
use crate::plan::ScanSchedule;
use crate::refusal::Refusal;
use crate::region::Kind;

/// Rows × one vector of lanes in tasks; along the scanned axis one step after the other.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &ScanSchedule) -> Result<(), Refusal> {
    let Kind::Scan { values, inits, combiner, position } = &l.stage.kind else { return Ok(()) };
    let axes = &l.axes;
    let columns = s.lane.map_or(1, |a| axes.extents[a]);
    let vectors = (columns + s.lanes as i64 - 1) / s.lanes as i64;
    let outer = Rows::except(axes, &[s.lane]);
    let units = outer.count() * vectors;
    let length = l.stage.inner_points();
    if units == 0 || length == 0 {
        return Ok(());
    }
    let inner: Vec<usize> = (axes.space..axes.extents.len()).collect();
    let per_task = s.rows_per_task.min(units);
    let task = cx.b.open_phase();
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let at = cx.delinearize(unit, &[outer.count(), vectors]);
        let mut point = Point::new(axes, outer.at(cx, at[0]));
        if let Some(lane) = s.lane {
            let width = cx.b.i64(s.lanes as i64);
            let column = cx.b.mul(at[1], width);
            let exact = columns % s.lanes as i64 == 0;
            let column = if exact { column } else { within(cx, column, s.lanes as i64, columns) };
            point = point.spread(l.region, lane, column, s.lanes);
        }
        cx.hoist(&mut point, values, &inner)?;
        let start = inits.iter().map(|&i| cx.vector(&mut point, i)).collect::<Result<Vec<_>, _>>()?;
        let (zero, n) = (cx.b.i64(0), cx.b.i64(length));
        cx.for_loop((zero, n, 1), &start, |cx, j, running| {
            let mut p = point.clone();
            let indices = cx.delinearize(j, axes.inner_extents());
            for (k, i) in indices.into_iter().enumerate() {
                p = p.moved(l.region, axes.space + k, i);
            }
            let mut arguments = running.to_vec();
            for &v in values {
                arguments.push(cx.vector(&mut p, v)?);
            }
            let next = cx.call(&p, combiner, &arguments)?;
            let mut rounded = Vec::new();
            for ((&v, &id), &dtype) in next.iter().zip(values).zip(&l.stage.results) {
                rounded.push(scalar::convert(&mut cx.b, l.region.dtype(id), dtype, v)?);
            }
            l.store(cx, &mut p, l.index, &l.stage.results, position, &rounded, false)?;
            Ok(next)
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase((units + per_task - 1) / per_task, task);
    Ok(())
}
