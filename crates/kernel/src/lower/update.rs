//! In-place updates: dynamic-update-slice and scatter.

use super::emit::Emit;
use super::home::Home;
use super::in_turn::InTurn;
use super::lowering::Lowering;
use super::point::Point;
use super::rows::{Rows, block, left, within};
use crate::plan::{Dependence, UpdateSchedule, lanes_within};
use crate::refusal::Refusal;
use crate::region::{Kind, NodeId, all_roots_of, in_place};
use lawson_hlo::DType;

/// A unique update writes like a map, elsewhere. Any other one runs its rows one after the other.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &UpdateSchedule) -> Result<(), Refusal> {
    let Kind::Update { values, offset, mask, combiner, .. } = &l.stage.kind else { return Ok(()) };
    let axes = &l.axes;
    let once = combiner.is_some() || in_place::reads_its_target(l.region, l.index);
    let roots = all_roots_of(l.region, l.stage);
    let columns = s.lane.map_or(1, |a| axes.extents[a]);
    let outer = Rows::except(axes, &[s.lane]);
    let rows = outer.count();
    if rows * columns == 0 || l.stage.elements == 0 {
        return Ok(());
    }
    // A mask that all points of a row share is one branch around them; others are those of the loads and stores.
    let varies = |m: NodeId| s.lane.is_some_and(|lane| Dependence::default().on(l.region, axes, m, lane));
    let (around, each) = (mask.filter(|m| !varies(*m)), mask.filter(|m| varies(*m)));
    let targets: Vec<(Home<'r>, DType)> =
        (0..values.len()).map(|n| (cx.arrays.results[&(l.index, n as u32)], l.stage.results[n])).collect();
    if let (Some(lane), Some(together), Some(per_task)) = (s.lane, s.in_turn, s.found_before) {
        let (targets, combiner) = (&targets[..], combiner.as_ref());
        let updates =
            InTurn { l, values, offset, combiner, targets, mask: *mask, together, compared: s.compared };
        let start = |cx: &mut Emit<'r>| {
            let zero = cx.b.i64(0);
            let mut point = Point::new(axes, outer.at(cx, zero));
            cx.hoist(&mut point, &roots, &[lane])?;
            Ok(point)
        };
        return updates.in_two_phases(cx, &start, (lane, s.lanes), per_task);
    }
    let tasks = if s.parallel { (rows + s.rows_per_task - 1) / s.rows_per_task } else { 1 };
    let task = cx.b.open_phase(tasks);
    let (first, end) = block(cx, task, if s.parallel { s.rows_per_task } else { rows }, rows);
    cx.for_loop((first, end, 1), &[], |cx, row, _| {
        let mut point = Point::new(axes, outer.at(cx, row));
        let update = |cx: &mut Emit<'r>, point: &mut Point<'r>| -> Result<(), Refusal> {
            let inside = each.map(|m| cx.value(point, m)).transpose()?;
            let mut new = values.iter().map(|&v| cx.vector(point, v)).collect::<Result<Vec<_>, _>>()?;
            if let Some(f) = combiner {
                let mut arguments = Vec::new();
                for &(buf, dtype) in &targets {
                    arguments.push(cx.load_element(point, (buf, dtype), offset, inside)?);
                }
                arguments.extend(new);
                new = cx.call(point, f, &arguments)?;
            }
            for (&target, v) in targets.iter().zip(new) {
                cx.store(point, target, offset, v, inside, false)?;
            }
            Ok(())
        };
        let inside = match around {
            Some(m) => cx.value(&mut point, m)?,
            None => cx.b.bool(true),
        };
        let all = |cx: &mut Emit<'r>| {
            let Some(lane) = s.lane else { return update(cx, &mut point).map(|()| Vec::new()) };
            cx.hoist(&mut point, &roots, &[lane])?;
            if let Some(together) = s.in_turn {
                let (l, targets, combiner) = (l, &targets[..], combiner.as_ref());
                let updates = InTurn {
                    l,
                    values,
                    offset,
                    combiner,
                    targets,
                    mask: each,
                    together,
                    compared: s.compared,
                };
                return updates.row(cx, &point, (lane, s.lanes)).map(|()| Vec::new());
            }
            for (from, to, lanes) in ranges(columns, s.lanes, once && !cx.b.lanes_are_threads) {
                let (first, end, width) = (cx.b.i64(from), cx.b.i64(to), lanes as i64);
                let exact = (to - from) % width == 0;
                cx.for_loop((first, end, width), &[], |cx, column, _| {
                    let at = if exact || once { column } else { within(cx, column, width, columns) };
                    let mut point = point.spread(l.region, lane, at, lanes);
                    if !exact && once {
                        // An element that depends on what was there must be visited once: the remainder is masked.
                        point.mask = Some(left(cx, column, columns, lanes));
                    }
                    update(cx, &mut point).map(|()| Vec::new())
                })?;
            }
            Ok(Vec::new())
        };
        cx.if_else(inside, all, |_| Ok(Vec::new()))?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

/// The columns of a row in ranges of one number of lanes: all of them in one, or in whole vectors and shorter ones for what is left.
/// A masked store and the load of the same elements that follows it wait for each other.
fn ranges(columns: i64, lanes: u32, whole: bool) -> Vec<(i64, i64, u32)> {
    let mut from = if whole { 0 } else { columns };
    let mut all = if whole { Vec::new() } else { vec![(0, columns, lanes)] };
    while from < columns {
        let lanes = lanes_within(columns - from, lanes);
        let to = columns - (columns - from) % lanes as i64;
        all.push((from, to, lanes));
        from = to;
    }
    all
}
