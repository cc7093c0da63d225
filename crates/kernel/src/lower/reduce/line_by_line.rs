//! Reductions of several axes whose elements are folded as they lie in memory: line by line of the innermost axis, and of all rows of
//! a block one line after the other, where their lines lie side by side.
//!
//! The running values of [`across`](super::across), in a local array: what a line adds to them begins anywhere among them, so that
//! the first and the last vector of a line are masked. Where they begin is the same for all rows of a block.

use super::across::{halve, join_row};
use super::held::Held;
use super::reduction::{Reduction, min};
use crate::loop_ir::{Bin, Buf, Cast, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::block;
use crate::refusal::Refusal;

/// Rows of a block: where the axes stand at its first, and which they are along the innermost of their axes.
struct Block<'a, 'r> {
    start: &'a Point<'r>,
    rows: (V, V),
}

pub(super) fn lower<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, rows: i64) -> Result<(), Refusal> {
    let axis = r.l.axes.space.checked_sub(1);
    let extent = axis.map_or(1, |a| r.l.axes.extents[a]);
    let (outer, blocks) = (r.l.loops(&[axis]), (extent + rows - 1) / rows);
    let of_task = (r.s.rows_per_task / rows).max(1);
    let units = outer.count() * blocks;
    let start_of = |cx: &mut Emit<'r>, unit: V| {
        let at = cx.delinearize(unit, &[outer.count(), blocks]);
        let mut start = r.l.start(cx);
        outer.place(cx, at[0], &mut start.at);
        (start, block(cx, at[1], rows, extent), at[0])
    };
    if !r.s.two_phases {
        let partials = if r.s.chunks > 1 { r.partials(cx, rows * r.s.chunks, true) } else { Vec::new() };
        return r.l.each(cx, units, of_task, |cx, unit| {
            let [zero, chunks] = [0, r.s.chunks].map(|n| cx.b.i64(n));
            let (mut start, bounds, _) = start_of(cx, unit);
            r.l.hoist_epilogue(cx, &mut start)?;
            let of = Block { start: &start, rows: bounds };
            if r.s.chunks == 1 {
                return totals(cx, r, (&of, rows), zero, |cx, point, _, total| {
                    r.finish(cx, point, Some(total))
                });
            }
            cx.for_loop((zero, chunks, 1), &[], |cx, c, _| {
                totals(cx, r, (&of, rows), c, |cx, _, row, total| {
                    let first = cx.b.mul(row, chunks);
                    let at = cx.b.add(first, c);
                    r.store_partials(cx, &partials, at, total);
                    Ok(())
                })?;
                Ok(Vec::new())
            })?;
            each_row(cx, r, &of, |cx, point, row| {
                let first = cx.b.mul(row, chunks);
                join_row(cx, r, point, &partials, first)
            })
        });
    }
    let all = outer.count() * extent;
    let partials = r.partials(cx, all * r.s.chunks, false);
    let units = units * r.s.chunks;
    let task = cx.b.open_phase((units + of_task - 1) / of_task);
    let (first, end) = block(cx, task, of_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let at = cx.delinearize(unit, &[outer.count() * blocks, r.s.chunks]);
        let (start, bounds, outer_row) = start_of(cx, at[0]);
        let of = Block { start: &start, rows: bounds };
        totals(cx, r, (&of, rows), at[1], |cx, _, row, total| {
            let [extent, chunks] = [extent, r.s.chunks].map(|n| cx.b.i64(n));
            let first = cx.b.mul(outer_row, extent);
            let first = cx.b.add(first, bounds.0);
            let row = cx.b.add(first, row);
            let place = cx.b.mul(row, chunks);
            let place = cx.b.add(place, at[1]);
            r.store_partials(cx, &partials, place, total);
            Ok(())
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    r.l.each(cx, all, r.s.rows_per_task, |cx, row| {
        let mut point = r.row_point(cx, row);
        let chunks = cx.b.i64(r.s.chunks);
        let first = cx.b.mul(row, chunks);
        join_row(cx, r, &mut point, &partials, first)
    })
}

/// Each row of a block, with its number there.
fn each_row<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    of: &Block<'_, 'r>,
    body: impl FnOnce(&mut Emit<'r>, &mut Point<'r>, V) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let zero = cx.b.i64(0);
    let Some(axis) = r.l.axes.space.checked_sub(1) else { return body(cx, &mut of.start.clone(), zero) };
    let (first, end) = of.rows;
    cx.for_loop((first, end, 1), &[], |cx, row, _| {
        let mut point = of.start.moved(r.l.region, axis, row);
        let number = cx.b.sub(row, first);
        body(cx, &mut point, number).map(|()| Vec::new())
    })?;
    Ok(())
}

/// The total of chunk `c` of each row of a block.
fn totals<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (of, rows): (&Block<'_, 'r>, i64),
    c: V,
    body: impl FnOnce(&mut Emit<'r>, &mut Point<'r>, V, &[V]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let (lanes, all) = (r.s.lanes as i64, r.vectors(r.s.chunk) * r.s.lanes as i64);
    let arrays = r.partials(cx, rows * all, true);
    let Some(identity) = r.identity(cx, r.s.lanes) else { return Ok(()) };
    let [zero, row_size] = [0, all].map(|n| cx.b.i64(n));
    let number = cx.b.sub(of.rows.1, of.rows.0);
    let end = cx.b.mul(number, row_size);
    cx.for_loop((zero, end, lanes), &[], |cx, at, _| {
        r.store_partials(cx, &arrays, at, &identity);
        Ok(Vec::new())
    })?;
    each_line(cx, r, (of, c), &arrays)?;
    each_row(cx, r, of, |cx, point, row| {
        let first = cx.b.mul(row, row_size);
        let vectors = (0..all).step_by(r.s.halved as usize);
        let running = vectors.map(|at| {
            let at = cx.b.i64(at);
            let at = cx.b.add(first, at);
            r.load_partials(cx, &arrays, at, r.s.halved)
        });
        let running = running.collect();
        let count = cx.b.i64(all);
        let total = halve(cx, r, point, running, count)?;
        body(cx, point, row, &total)
    })
}

/// Folds all lines of chunk `c` into the running values.
fn each_line<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (of, c): (&Block<'_, 'r>, V),
    arrays: &[(Buf, Held)],
) -> Result<(), Refusal> {
    let (space, innermost) = (r.l.axes.space, r.l.axes.extents.len() - 1);
    let lanes = r.s.lanes;
    let [line, size, length, one] =
        [r.l.axes.extents[innermost], r.s.chunk, r.length, 1].map(|n| cx.b.i64(n));
    let first = cx.b.mul(c, size);
    let end = cx.b.add(first, size);
    let end = min(cx, end, length);
    let first_line = cx.b.bin(Bin::SDiv, first, line);
    let last = cx.b.sub(end, one);
    let last = cx.b.bin(Bin::SDiv, last, line);
    let end_line = cx.b.add(last, one);
    let changing: Vec<usize> = space.checked_sub(1).into_iter().chain([innermost]).collect();
    cx.for_loop((first_line, end_line, 1), &[], |cx, n, _| {
        let outer = cx.delinearize(n, &r.l.axes.extents[space..innermost]);
        let mut point = of.start.clone();
        outer.into_iter().enumerate().for_each(|(i, at)| point.at[space + i] = at);
        cx.hoist(&mut point, r.values, &changing)?;
        // From here on in elements of the chunk.
        let begins = cx.b.mul(n, line);
        let begins = cx.b.sub(begins, first);
        let ends = cx.b.add(begins, line);
        let now = cx.b.sub(end, first);
        let zero = cx.b.i64(0);
        let lo = cx.b.bin(Bin::SMax, begins, zero);
        let hi = min(cx, ends, now);
        let whole = cx.b.i64(-(lanes as i64));
        let k = cx.b.bin(Bin::And, lo, whole);
        cx.for_loop((k, hi, lanes as i64), &[], |cx, k, _| {
            let mut point = point.clone();
            (point.lane, point.lanes) = (Some(innermost), lanes);
            point.at[innermost] = cx.b.sub(k, begins);
            point.mask = Some(between(cx, (lo, hi), k, lanes));
            cx.hoist(&mut point, r.values, &changing[..changing.len() - 1])?;
            let below = cx.b.i64(r.order.running() - 1);
            let slot = cx.b.bin(Bin::And, k, below);
            let of = Block { start: &point, rows: of.rows };
            each_row(cx, r, &of, |cx, point, row| {
                let size = cx.b.i64(r.vectors(r.s.chunk) * lanes as i64);
                let at = cx.b.mul(row, size);
                let at = cx.b.add(at, slot);
                let before = r.load_partials(cx, arrays, at, lanes);
                let element = r.elements(cx, point)?;
                let after = r.append(cx, point, &before, &element)?;
                let mask = point.mask;
                let chosen = before.iter().zip(after).map(|(&before, after)| match mask {
                    Some(mask) => cx.b.select(mask, after, before),
                    None => after,
                });
                let chosen: Vec<V> = chosen.collect();
                r.store_partials(cx, arrays, at, &chosen);
                Ok(())
            })?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// Which of the lanes from `k` on lie from `lo` to before `hi`.
fn between(cx: &mut Emit<'_>, (lo, hi): (V, V), k: V, lanes: u32) -> V {
    let lane = cx.b.op(Op::Iota(Type::vector(Elem::I32, lanes)));
    let [lo, hi] = [lo, hi].map(|bound| {
        let bound = cx.b.sub(bound, k);
        let bound = cx.b.cast(Cast::Trunc, bound, Elem::I32);
        cx.b.widen_to(bound, lanes)
    });
    let (from, before) = (cx.b.cmp(Cmp::Sle, lo, lane), cx.b.cmp(Cmp::Slt, lane, hi));
    cx.b.bin(Bin::And, from, before)
}
