//! Loops inside a kernel: state in registers from the first trip to the last.
//!
//! What is the same in every trip is computed before the first, but for elements that are too many to be kept. What depends
//! on no lane is a scalar, computed once for all vectors in flight. A loop within the loop is lowered in the same way, at the
//! place where one of the values it leaves is first needed.

use super::elements::elements;
use super::emit::Emit;
use super::lowering::Lowering;
use super::point::Point;
use super::prefetch;
use super::rows::{Rows, block, left, within};
use super::scalar::mem_elem;
use crate::loop_ir::{Bin, Op, Un, V};
use crate::plan::{Branch, LoopSchedule};
use crate::refusal::Refusal;
use crate::region::{Carried, Kind, LoopStage, Nesting, Node, NodeId, Region};

pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &LoopSchedule) -> Result<(), Refusal> {
    let Kind::Loop(loop_stage) = &l.stage.kind else { return Ok(()) };
    let axes = &l.axes;
    let columns = s.lane.map_or(1, |a| axes.extents[a]);
    let outer = Rows::except(axes, &[s.lane]);
    let rows = outer.count();
    if rows * columns == 0 {
        return Ok(());
    }
    let width = s.lanes as i64 * s.vectors as i64;
    let own =
        l.region.private.iter().map(|a| cx.b.local(a.name.clone(), mem_elem(a.dtype), a.elements * width));
    cx.arrays.private = (own.collect(), width);
    let once = l.region.updates_results(loop_stage);
    let column_blocks = (columns + s.columns_per_task - 1) / s.columns_per_task;
    let row_blocks = (rows + s.rows_per_task - 1) / s.rows_per_task;
    let task = cx.b.open_phase(row_blocks * column_blocks);
    let blocks = cx.delinearize(task, &[row_blocks, column_blocks]);
    let (first_row, end_row) = block(cx, blocks[0], s.rows_per_task, rows);
    let (first_column, end_column) = block(cx, blocks[1], s.columns_per_task, columns);
    cx.for_loop((first_row, end_row, 1), &[], |cx, row, _| {
        let point = Point::new(axes, outer.at(cx, row));
        let Some(lane) = s.lane else {
            run(cx, l, (loop_stage, s), &[point])?;
            return Ok(Vec::new());
        };
        cx.for_loop((first_column, end_column, width), &[], |cx, first, _| {
            let mut points = Vec::new();
            for n in 0..s.vectors as i64 {
                let shift = cx.b.i64(n * s.lanes as i64);
                let mut column = cx.b.add(first, shift);
                let mut mask = None;
                match columns % width != 0 {
                    // What is updated is updated once.
                    true if once => mask = Some(left(cx, column, columns, s.lanes)),
                    true => column = within(cx, column, s.lanes as i64, columns),
                    false => {}
                }
                let point = point.spread(l.region, lane, column, s.lanes);
                points.push(Point { first: n * s.lanes as i64, mask, ..point });
            }
            run(cx, l, (loop_stage, s), &points)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

/// What the code of the loops follows.
struct Loops<'r, 's> {
    l: &'r Lowering<'r>,
    s: &'s LoopSchedule,
    loop_stage: &'r LoopStage,
    /// Of each node whether it differs between the lanes of a vector.
    varying: Vec<bool>,
    nesting: Nesting,
}

impl<'r> Loops<'r, '_> {
    fn number(&self, n: usize) -> &'r LoopStage {
        if n == 0 { self.loop_stage } else { &self.l.region.loops[n - 1] }
    }

    /// Of each carry of a loop whether it differs between the lanes.
    fn varying(&self, loop_stage: &LoopStage) -> Vec<bool> {
        loop_stage.carries.iter().map(|c| self.varying[c.node.0 as usize]).collect()
    }
}

/// All trips at these points.
fn run<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    (loop_stage, s): (&'r LoopStage, &LoopSchedule),
    points: &[Point<'r>],
) -> Result<(), Refusal> {
    let varying = varying(l, loop_stage, points[0].lane);
    let loops = Loops { l, s, loop_stage, varying, nesting: Nesting::new(l.region, loop_stage) };
    let mut outside = points.to_vec();
    for point in &mut outside {
        let mut later = |id: NodeId| s.reloaded.binary_search(&id).is_ok();
        cx.hoist_but(point, &loop_stage.step_roots(), &mut later)?;
    }
    elements(cx, l, &loop_stage.before, &mut outside)?;
    let results = trips(cx, &loops, 0, &mut outside)?;
    set(&mut outside, &loops.varying(loop_stage), &results, |n| Some(loop_stage.carries[n].node));
    elements(cx, l, &loop_stage.finals, &mut outside)
}

/// All trips of one of the loops; gives the last values of its carries.
fn trips<'r>(
    cx: &mut Emit<'r>,
    loops: &Loops<'r, '_>,
    number: usize,
    outside: &mut [Point<'r>],
) -> Result<Vec<V>, Refusal> {
    let loop_stage = loops.number(number);
    if loop_stage.is_straight() {
        step(cx, loops, number, outside)?;
        elements(cx, loops.l, &loop_stage.stores, outside)?;
        return Ok(Vec::new());
    }
    let varying = loops.varying(loop_stage);
    let mut inits = Vec::new();
    for (n, carry) in loop_stage.carries.iter().enumerate() {
        match varying[n] {
            true => {
                for point in &mut *outside {
                    inits.push(cx.vector(point, carry.init)?);
                }
            }
            false => inits.push(cx.value(&mut outside[0], carry.init)?),
        }
    }
    let carried = cx.b.open_while(&inits);
    let params: Vec<V> = carried.iter().map(|c| c.param).collect();
    let mut inside = outside.to_vec();
    set(&mut inside, &varying, &params, |n| Some(loop_stage.carries[n].node));
    let again = again(cx, loop_stage, &mut inside)?;
    let condition = cx.b.close_condition(again);
    let plan = (loop_stage, &loops.s.prefetch[number]);
    prefetch::prefetch(cx, loops.l.region, plan, outside, &inside[0])?;
    step(cx, loops, number, &mut inside)?;
    elements(cx, loops.l, &loop_stage.stores, &mut inside)?;
    let mut nexts = Vec::new();
    for (n, carry) in loop_stage.carries.iter().enumerate() {
        match varying[n] {
            true => {
                for point in &mut inside {
                    nexts.push(cx.vector(point, carry.next)?);
                }
            }
            false => nexts.push(cx.value(&mut inside[0], carry.next)?),
        }
    }
    Ok(cx.b.close_while(carried, condition, nexts))
}

/// What one trip evaluates. The instructions of the vectors in flight alternate: while one waits for a result, another
/// has work.
fn step<'r>(
    cx: &mut Emit<'r>,
    loops: &Loops<'r, '_>,
    number: usize,
    inside: &mut [Point<'r>],
) -> Result<(), Refusal> {
    let (region, branches) = (loops.l.region, &loops.s.branches);
    let order = region.reachable(&loops.number(number).step_roots());
    for &id in order.iter().filter(|&&id| loops.nesting.is_known_in(id, number)) {
        if branches.iter().any(|b| b.inside.binary_search(&id).is_ok()) {
            continue;
        }
        if let Some(of) = loop_of_last(region, id) {
            within_step(cx, loops, (of, &order), id, inside)?;
            continue;
        }
        let branch = branches.iter().find(|b| b.selects.contains(&id));
        if let Some(b) = branch {
            // All its selects are decided at once: loops that the later ones wait for run before the first.
            for id in region.reachable(&b.selects) {
                if let Some(of) = loop_of_last(region, id).filter(|_| loops.nesting.is_known_in(id, number)) {
                    within_step(cx, loops, (of, &order), id, inside)?;
                }
            }
        }
        for point in &mut *inside {
            match branch {
                Some(b) if !point.known.contains_key(&id) => decide(cx, region, point, b)?,
                _ => {
                    cx.value(point, id)?;
                }
            }
        }
    }
    Ok(())
}

/// The loop whose last value a node is.
fn loop_of_last(region: &Region, id: NodeId) -> Option<usize> {
    match *region.node(id) {
        Node::Carry(Carried { of, last: true, .. }) => Some(of as usize),
        _ => None,
    }
}

/// All trips of a loop within a step of this order, unless this last value of it is known: then it has run, or stands
/// around this loop.
fn within_step<'r>(
    cx: &mut Emit<'r>,
    loops: &Loops<'r, '_>,
    (of, order): (usize, &[NodeId]),
    id: NodeId,
    inside: &mut [Point<'r>],
) -> Result<(), Refusal> {
    if inside[0].known.contains_key(&id) {
        return Ok(());
    }
    let (inner, last) = (loops.number(of), last_values(loops.l.region, order, of));
    elements(cx, loops.l, &inner.before, inside)?;
    let results = trips(cx, loops, of, inside)?;
    set(inside, &loops.varying(inner), &results, |n| last[n]);
    Ok(())
}

/// For each carry of a loop within the loop the node of its last value, if it is needed.
fn last_values(region: &Region, order: &[NodeId], of: usize) -> Vec<Option<NodeId>> {
    let mut last = vec![None; region.loops[of - 1].carries.len()];
    for &id in order {
        match *region.node(id) {
            Node::Carry(Carried { of: n, at, last: true }) if n as usize == of => {
                last[at as usize] = Some(id)
            }
            _ => {}
        }
    }
    last
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
    if lanes == 1 && point.lanes > 1 {
        return branch.selects.iter().try_for_each(|&s| cx.value(point, s).map(drop));
    }
    let (mut sides, mut others) = (Vec::new(), Vec::new());
    for &select in &branch.selects {
        let Node::Select { x, y, .. } = *region.node(select) else { continue };
        sides.push(if branch.when { x } else { y });
        others.push(cx.vector(point, if branch.when { y } else { x })?);
    }
    let taken = if branch.when { mask } else { cx.b.un(Un::Not, mask) };
    // Of one lane the side is the result.
    let (any, results) = match lanes {
        1 => (taken, &sides),
        _ => (cx.b.op(Op::Any(taken)), &branch.selects),
    };
    let mut inner = point.clone();
    let results =
        cx.if_else(any, |cx| results.iter().map(|&s| cx.vector(&mut inner, s)).collect(), |_| Ok(others))?;
    branch.selects.iter().zip(results).for_each(|(&s, v)| {
        point.known.insert(s, v);
    });
    Ok(())
}

/// Which nodes differ between the lanes of a vector.
fn varying(l: &Lowering<'_>, loop_stage: &LoopStage, lane: Option<usize>) -> Vec<bool> {
    loop_stage.varying(l.region, |node| match node {
        Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
            lane.is_some_and(|lane| l.axes.translate(e).uses_axis(lane))
        }
        _ => false,
    })
}

/// Gives nodes the values of carries: one for all points where it does not vary, else one for each.
fn set(points: &mut [Point<'_>], varying: &[bool], values: &[V], node: impl Fn(usize) -> Option<NodeId>) {
    let mut values = values.iter();
    for (n, &varies) in varying.iter().enumerate() {
        let mut last = None;
        for point in &mut *points {
            if varies || last.is_none() {
                last = values.next();
            }
            if let (Some(&v), Some(node)) = (last, node(n)) {
                point.known.insert(node, v);
            }
        }
    }
}

/// Whether another trip follows.
fn again<'r>(cx: &mut Emit<'r>, loop_stage: &LoopStage, points: &mut [Point<'r>]) -> Result<V, Refusal> {
    let mut again = cx.b.bool(true);
    if let Some(condition) = loop_stage.condition {
        again = cx.value(&mut points[0], condition)?;
    }
    let Some(any) = loop_stage.any else { return Ok(again) };
    let mut some: Option<V> = None;
    for point in points {
        let mut p = cx.vector(point, any)?;
        if let Some(mask) = point.mask {
            p = cx.b.bin(Bin::And, p, mask);
        }
        some = Some(some.map_or(p, |s| cx.b.bin(Bin::Or, s, p)));
    }
    let Some(p) = some else { return Ok(again) };
    let any = cx.b.any(p);
    Ok(cx.b.bin(Bin::And, again, any))
}
