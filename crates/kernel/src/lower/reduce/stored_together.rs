//! Rows whose results are finished and stored by one vector: lane n has the result of row n.
//!
//! Rows that are folded side by side are halved together. Of two vectors, the lower halves of the rows in both make one, the
//! upper halves another, and combined they have a row in half as many lanes, in the order of the rows: 32 rows take 31
//! combinations instead of 160. Rows that are folded one after the other put their vectors into a local array until all are there
//! (on a graphics processor their totals to their lanes).

use super::across::{chunk, folded, folded_together, to_vector};
use super::chunk::Length;
use super::held::Held;
use super::reduction::Reduction;
use crate::loop_ir::{Bin, Elem, Op, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::left;
use crate::lower::scalar;
use crate::lower::to_lane::gathered;
use crate::refusal::Refusal;

/// Rows whose vectors are combined by code of their own; that of more is a loop over such.
const GROUP: i64 = 4;

pub(super) fn lower<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>) -> Result<(), Refusal> {
    let n = r.s.stored_together;
    if let Some(axis) = row_of_nest(r) {
        let mut start = r.l.start(cx);
        r.l.hoist_epilogue(cx, &mut start)?;
        let first = start.at[axis];
        return rows_from(cx, r, (&start, axis), first);
    }
    let Some(axis) = r.l.axes.space.checked_sub(1) else { return Ok(()) };
    let extent = r.l.axes.extents[axis];
    let (outer, groups) = (r.l.loops(&[Some(axis)]), (extent + n - 1) / n);
    r.l.each(cx, outer.count() * groups, r.s.rows_per_task / n, |cx, unit| {
        let at = cx.delinearize(unit, &[outer.count(), groups]);
        let mut start = r.l.start(cx);
        outer.place(cx, at[0], &mut start.at);
        r.l.hoist_epilogue(cx, &mut start)?;
        let size = cx.b.i64(n);
        let first = cx.b.mul(at[1], size);
        rows_from(cx, r, (&start, axis), first)
    })
}

/// The results of the rows along an axis from `first` on.
fn rows_from<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (start, axis): (&Point<'r>, usize),
    first: V,
) -> Result<(), Refusal> {
    let (n, extent) = (r.s.stored_together, r.l.axes.extents[axis]);
    let totals = match r.s.together {
        1 if cx.b.lanes_are_threads => in_turn(cx, r, (start, axis), first)?,
        1 => waiting(cx, r, (start, axis), first)?,
        _ => at_once(cx, r, (start, axis), first)?,
    };
    let mut rows = start.spread(r.l.region, axis, first, n as u32);
    rows.mask = (!all_exist(r, extent)).then(|| left(cx, first, extent, n as u32));
    r.finish(cx, &mut rows, Some(&totals))
}

/// The axis of the rows of a nest of which a block is halved together, where each has one result.
fn row_of_nest(r: &Reduction<'_>) -> Option<usize> {
    let rows = r.l.rows.filter(|rows| rows.len() == r.l.axes.space)?;
    rows.last().copied()
}

/// Whether each group has all of its rows: blocks of a nest overlap at the end.
fn all_exist(r: &Reduction<'_>, extent: i64) -> bool {
    row_of_nest(r).is_some() || extent % r.s.stored_together == 0
}

/// The totals of all rows from `first` on; where there are fewer, the last one takes the place of others.
fn at_once<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (start, axis): (&Point<'r>, usize),
    first: V,
) -> Result<Vec<V>, Refusal> {
    let mut points = Vec::new();
    for row in 0..r.s.stored_together {
        let row = cx.b.i64(row);
        let mut point = row_at(cx, r, (start, axis), (first, row));
        r.hoist(cx, &mut point, r.l.axes.space)?;
        points.push(point);
    }
    let (start, len) = whole_row(cx, r);
    let (running, count) = folded_together(cx, r, (&points, start), len)?;
    let mut vectors = Vec::new();
    for (running, point) in running.into_iter().zip(&points) {
        // All lanes exist: there are no more of them than a row has elements.
        vectors.push(to_vector(cx, r, point, running, count)?.0);
    }
    totals(cx, r, &points[0], (vectors, r.s.lanes))
}

/// The same, one row after the other with the code of one: the vector of each waits in a local array for the others.
fn waiting<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (start, axis): (&Point<'r>, usize),
    first: V,
) -> Result<Vec<V>, Refusal> {
    let (n, lanes) = (r.s.stored_together, r.s.lanes as i64);
    let arrays = r.partials(cx, n * lanes, true);
    let (zero, end) = (cx.b.i64(0), cx.b.i64(n));
    cx.for_loop((zero, end, 1), &[], |cx, row, _| {
        let mut point = row_at(cx, r, (start, axis), (first, row));
        r.hoist(cx, &mut point, r.l.axes.space)?;
        let (begin, len) = whole_row(cx, r);
        let (running, count) = folded(cx, r, (&point, begin), len)?;
        let (vector, _) = to_vector(cx, r, &point, running, count)?;
        let lanes = cx.b.i64(lanes);
        let at = cx.b.mul(row, lanes);
        r.store_partials(cx, &arrays, at, &vector);
        Ok(Vec::new())
    })?;
    let load = |cx: &mut Emit<'r>, first: V, rows: i64| -> Vec<Vec<V>> {
        let vectors = (0..rows).map(|row| {
            let at = cx.b.i64(row * lanes);
            let at = cx.b.add(first, at);
            r.load_partials(cx, &arrays, at, r.s.lanes)
        });
        vectors.collect()
    };
    if n <= GROUP {
        let vectors = load(cx, zero, n);
        return totals(cx, r, start, (vectors, r.s.lanes));
    }
    // The code of a few rows, whose vector takes the place of one that was combined before.
    let (end, place) = (cx.b.i64(n / GROUP), cx.b.i64(GROUP * lanes));
    cx.for_loop((zero, end, 1), &[], |cx, group, _| {
        let first = cx.b.mul(group, place);
        let vectors = load(cx, first, GROUP);
        let combined = merged(cx, r, start, (vectors, r.s.lanes))?;
        let lanes = cx.b.i64(lanes);
        let at = cx.b.mul(group, lanes);
        r.store_partials(cx, &arrays, at, &combined.0);
        Ok(Vec::new())
    })?;
    let vectors = load(cx, zero, n / GROUP);
    totals(cx, r, start, (vectors, r.s.lanes / GROUP as u32))
}

/// The point of a row after the first of a group; the last one where there are no more.
fn row_at<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (start, axis): (&Point<'r>, usize),
    (first, row): (V, V),
) -> Point<'r> {
    let extent = r.l.axes.extents[axis];
    let row = cx.b.add(first, row);
    let last = cx.b.i64(extent - 1);
    let row = if all_exist(r, extent) { row } else { cx.b.bin(Bin::SMin, row, last) };
    start.moved(r.l.region, axis, row)
}

/// The totals of vectors that have so many `lanes` of running values for each of their rows, in the order of the rows.
fn totals<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    vectors: (Vec<Vec<V>>, u32),
) -> Result<Vec<V>, Refusal> {
    let (mut totals, mut lanes) = merged(cx, r, point, vectors)?;
    while lanes > 1 {
        lanes /= 2;
        totals = halve(cx, r, point, (&totals, &totals), (r.s.stored_together as u32 * lanes, lanes))?;
    }
    Ok(totals)
}

/// One vector of all rows, and how many lanes it has of each.
fn merged<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    (mut vectors, mut lanes): (Vec<Vec<V>>, u32),
) -> Result<(Vec<V>, u32), Refusal> {
    while vectors.len() > 1 {
        lanes /= 2;
        let mut halved = Vec::new();
        for pair in vectors.chunks(2) {
            halved.push(halve(cx, r, point, (&pair[0], &pair[1]), (r.s.lanes, lanes))?);
        }
        vectors = halved;
    }
    Ok((vectors.swap_remove(0), lanes))
}

/// Of vectors that have rows in 2·`half` lanes each, one after the other, a vector of `lanes` lanes that has them in `half`.
fn halve<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    (a, b): (&[V], &[V]),
    (lanes, half): (u32, u32),
) -> Result<Vec<V>, Refusal> {
    let mut part = |upper: u32| -> Vec<V> {
        let lanes: Vec<u32> = (0..lanes).map(|l| l / half * 2 * half + upper * half + l % half).collect();
        let of = |(&a, &b): (&V, &V)| cx.b.op(Op::Shuffle { a, b, lanes: lanes.clone() });
        a.iter().zip(b).map(of).collect()
    };
    let (low, high) = (part(0), part(1));
    r.combine(cx, point, &low, &high)
}

/// The same, a row after the other: the code of a row once.
fn in_turn<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (start, axis): (&Point<'r>, usize),
    first: V,
) -> Result<Vec<V>, Refusal> {
    let elem = |held: &Held| match held {
        Held::Value(dtype) => scalar::reg_elem(*dtype),
        Held::Key(..) => held.elem(),
    };
    let elems: Vec<Elem> = r.held.iter().map(elem).collect();
    gathered(cx, &elems, (first, r.s.stored_together, r.l.axes.extents[axis]), |cx, row| {
        let mut point = start.moved(r.l.region, axis, row);
        r.hoist(cx, &mut point, r.l.axes.space)?;
        let (start, len) = whole_row(cx, r);
        Ok(chunk(cx, r, std::slice::from_ref(&point), start, len)?.swap_remove(0))
    })
}

/// A row is one chunk.
fn whole_row<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>) -> (V, Length) {
    let now = cx.b.i64(r.length);
    (cx.b.i64(0), Length { now, full: r.length, last: r.length })
}
