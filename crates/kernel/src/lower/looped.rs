//! Loops inside a kernel: state in registers from the first trip to the last.
//!
//! What is the same in every trip is computed before the first. What depends on no lane is a scalar, computed once
//! for all vectors in flight.

use super::rows::{Rows, block, within};
use super::*;
use crate::loop_ir::{Bin, Op, Un};
use crate::plan::{Branch, LoopSchedule};
use crate::region::{Element, Looped};

pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &LoopSchedule) -> Result<(), Refusal> {
    let Kind::Loop(looped) = &l.stage.kind else { return Ok(()) };
    let axes = &l.axes;
    let columns = s.lane.map_or(1, |a| axes.extents[a]);
    let outer = Rows::except(axes, &[s.lane]);
    let rows = outer.count();
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
        let point = Point::new(axes, outer.at(cx, row));
        let Some(lane) = s.lane else {
            run(cx, l, (looped, s), &[point])?;
            return Ok(Vec::new());
        };
        let width = s.lanes as i64 * s.vectors as i64;
        cx.for_loop((first_column, end_column, width), &[], |cx, first, _| {
            let mut points = Vec::new();
            for n in 0..s.vectors as i64 {
                let shift = cx.b.i64(n * s.lanes as i64);
                let mut column = cx.b.add(first, shift);
                if columns % width != 0 {
                    column = within(cx, column, s.lanes as i64, columns);
                }
                points.push(point.spread(l.region, lane, column, s.lanes));
            }
            run(cx, l, (looped, s), &points)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(row_blocks * column_blocks, task);
    Ok(())
}

/// All trips at these points.
fn run<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    (looped, s): (&'r Looped, &LoopSchedule),
    points: &[Point<'r>],
) -> Result<(), Refusal> {
    let varying = varying(l, looped, points[0].lane);
    let mut outside = points.to_vec();
    for point in &mut outside {
        cx.hoist(point, &looped.step_roots(), &[])?;
    }
    let mut inits = Vec::new();
    for (n, carry) in looped.carries.iter().enumerate() {
        match varying[n] {
            true => {
                for point in &mut outside {
                    inits.push(cx.vector(point, carry.init)?);
                }
            }
            false => inits.push(cx.value(&mut outside[0], carry.init)?),
        }
    }
    let carried = cx.b.open_while(&inits);
    let params: Vec<V> = carried.iter().map(|c| c.param).collect();
    let mut inside = outside.clone();
    set(&mut inside, looped, &varying, &params);
    let again = again(cx, looped, &mut inside)?;
    let condition = cx.b.close_condition(again);
    prefetch::prefetch(cx, l.region, (looped, &s.prefetch), &outside, &inside[0])?;
    // Vectors take turns, so that one's chain fills the gaps of another's.
    for id in l.region.reachable(&looped.step_roots()) {
        if s.branches.iter().any(|b| b.inside.binary_search(&id).is_ok()) {
            continue;
        }
        let branch = s.branches.iter().find(|b| b.selects.contains(&id));
        for point in &mut inside {
            match branch {
                Some(b) if !point.known.contains_key(&id) => decide(cx, l.region, point, b)?,
                _ => {
                    cx.value(point, id)?;
                }
            }
        }
    }
    elements(cx, l, &looped.stores, &mut inside)?;
    let mut nexts = Vec::new();
    for (n, carry) in looped.carries.iter().enumerate() {
        match varying[n] {
            true => {
                for point in &mut inside {
                    nexts.push(cx.vector(point, carry.next)?);
                }
            }
            false => nexts.push(cx.value(&mut inside[0], carry.next)?),
        }
    }
    let results = cx.b.close_while(carried, condition, nexts);
    set(&mut outside, looped, &varying, &results);
    elements(cx, l, &looped.finals, &mut outside)
}

/// All selects of a branch at a point.
fn decide<'r>(
    cx: &mut Emit<'r>,
    region: &Region,
    point: &mut Point<'r>,
    branch: &Branch,
) -> Result<(), Refusal> {
    let mask = cx.value(point, branch.mask)?;
    let lanes = cx.b.ty_of(mask).lanes;
    if lanes == 1 {
        return branch.selects.iter().try_for_each(|&s| cx.value(point, s).map(drop));
    }
    let mut others = Vec::new();
    for &select in &branch.selects {
        let Node::Select { x, y, .. } = *region.node(select) else { continue };
        others.push(cx.vector(point, if branch.when { y } else { x })?);
    }
    let taken = if branch.when { mask } else { cx.b.un(Un::Not, mask) };
    let any = cx.b.op(Op::Any(taken));
    let mut inner = point.clone();
    let results = cx.if_else(
        any,
        |cx| branch.selects.iter().map(|&s| cx.vector(&mut inner, s)).collect(),
        |_| Ok(others),
    )?;
    branch.selects.iter().zip(results).for_each(|(&s, v)| {
        point.known.insert(s, v);
    });
    Ok(())
}

/// Which carries differ between the lanes of a vector.
fn varying(l: &Lowering<'_>, looped: &Looped, lane: Option<usize>) -> Vec<bool> {
    let varying = looped.varying(l.region, |node| match node {
        Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
            lane.is_some_and(|lane| l.axes.translate(e).uses_axis(lane))
        }
        _ => false,
    });
    looped.carries.iter().map(|c| varying[c.node.0 as usize]).collect()
}

/// Gives the carries their values: one for all points where it does not vary, else one for each.
fn set(points: &mut [Point<'_>], looped: &Looped, varying: &[bool], values: &[V]) {
    let mut values = values.iter();
    for (n, carry) in looped.carries.iter().enumerate() {
        let mut last = None;
        for point in &mut *points {
            if varying[n] || last.is_none() {
                last = values.next();
            }
            if let Some(&v) = last {
                point.known.insert(carry.node, v);
            }
        }
    }
}

/// Whether another trip follows.
fn again<'r>(cx: &mut Emit<'r>, looped: &Looped, points: &mut [Point<'r>]) -> Result<V, Refusal> {
    let mut again = cx.b.bool(true);
    if let Some(condition) = looped.condition {
        again = cx.value(&mut points[0], condition)?;
    }
    let Some(any) = looped.any else { return Ok(again) };
    let mut some: Option<V> = None;
    for point in points {
        let p = cx.vector(point, any)?;
        some = Some(some.map_or(p, |s| cx.b.bin(Bin::Or, s, p)));
    }
    let Some(p) = some else { return Ok(again) };
    let any = if cx.b.ty_of(p).lanes == 1 { p } else { cx.b.op(Op::Any(p)) };
    Ok(cx.b.bin(Bin::And, again, any))
}

/// Stores elements at each point.
fn elements<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    elements: &[Element],
    points: &mut [Point<'r>],
) -> Result<(), Refusal> {
    for element in elements {
        let dtype = l.region.outputs[element.output as usize].dtype;
        let buf = l.outputs[element.output as usize];
        for point in &mut *points {
            let value = cx.value(point, element.value)?;
            let along = point.lane.filter(|&lane| l.axes.translate(&element.offset).uses_axis(lane));
            if along.is_some() || cx.b.ty_of(value).lanes > 1 {
                cx.store(point, (buf.into(), dtype), &element.offset, value, None, false)?;
                continue;
            }
            // One element for all lanes.
            let mut single = point.clone();
            (single.lane, single.lanes) = (None, 1);
            cx.store(&mut single, (buf.into(), dtype), &element.offset, value, None, false)?;
            break;
        }
    }
    Ok(())
}
