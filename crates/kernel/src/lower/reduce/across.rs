//! Reductions of the minor dimension: 64 running values along the reduced axis, halved at the end of a chunk.
//!
//! Running value j folds the elements k ≡ j (mod 64) of its chunk; then 32, 16, … 1. A value without elements
//! takes no part. The vectors that hold the 64 values are as wide as the plan says; the order does not show it.

use super::super::rows::block;
use super::*;
use crate::loop_ir::Op;

pub(super) fn lower<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>) -> Result<(), Refusal> {
    let rows = r.l.loops(&[]).count();
    if r.length == 0 {
        return each_row(cx, r, rows, |cx, point, _| r.finish(cx, point, None));
    }
    if !r.s.two_phases {
        let arrays = if r.s.chunks > 1 { r.partials(cx, r.s.chunks, true) } else { Vec::new() };
        return each_row(cx, r, rows, |cx, point, _| {
            cx.hoist(point, r.values, &r.inner_axes())?;
            if r.s.chunks == 1 {
                let zero = cx.b.i64(0);
                let total = chunk(cx, r, point, zero, r.length)?;
                return r.finish(cx, point, Some(&total));
            }
            let (zero, chunks) = (cx.b.i64(0), cx.b.i64(r.s.chunks));
            cx.for_loop((zero, chunks, 1), &[], |cx, c, _| {
                let partial = any_chunk(cx, r, point, c)?;
                r.store_partials(cx, &arrays, c, &partial);
                Ok(Vec::new())
            })?;
            let row = Partials { arrays: &arrays, first: zero, stride: 1 };
            let total = r.join(cx, point, row, row, 1)?;
            r.finish(cx, point, Some(&total))
        });
    }
    let arrays = r.partials(cx, rows * r.s.chunks, false);
    let task = cx.b.open_phase();
    let units = rows * r.s.chunks;
    let per_task = r.s.rows_per_task;
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let at = cx.delinearize(unit, &[rows, r.s.chunks]);
        let point = r.row_point(cx, at[0]);
        let partial = any_chunk(cx, r, &point, at[1])?;
        r.store_partials(cx, &arrays, unit, &partial);
        Ok(Vec::new())
    })?;
    cx.b.close_phase((units + per_task - 1) / per_task, task);
    each_row(cx, r, rows, |cx, point, row| {
        let chunks = cx.b.i64(r.s.chunks);
        let first = cx.b.mul(row, chunks);
        let row = Partials { arrays: &arrays, first, stride: 1 };
        let total = r.join(cx, point, row, row, 1)?;
        r.finish(cx, point, Some(&total))
    })
}

/// A phase over the rows, or the rows within one of a nest.
fn each_row<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    rows: i64,
    body: impl FnOnce(&mut Emit<'r>, &mut Point<'r>, V) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    r.l.each(cx, rows, r.s.rows_per_task, |cx, row| {
        let mut point = r.row_point(cx, row);
        body(cx, &mut point, row)
    })
}

/// The partial result of chunk `c`; the last may be shorter.
fn any_chunk<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, point: &Point<'r>, c: V) -> Result<Vec<V>, Refusal> {
    let size = cx.b.i64(r.s.chunk);
    let start = cx.b.mul(c, size);
    let rest = r.length - (r.s.chunks - 1) * r.s.chunk;
    if rest == r.s.chunk {
        return chunk(cx, r, point, start, rest);
    }
    let last = cx.b.i64(r.s.chunks - 1);
    let is_last = cx.b.cmp(crate::loop_ir::Cmp::Eq, c, last);
    cx.if_else(is_last, |cx| chunk(cx, r, point, start, rest), |cx| chunk(cx, r, point, start, r.s.chunk))
}

/// The combination of elements `start..start + len`.
fn chunk<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    start: V,
    len: i64,
) -> Result<Vec<V>, Refusal> {
    let lanes = r.s.lanes as i64;
    let vectors = (RUNNING.min(len) + lanes - 1) / lanes;
    // The first element of each running value.
    let mut running: Vec<Vec<V>> = Vec::new();
    for v in 0..vectors {
        let count = (len - v * lanes).min(lanes);
        running.push(vector_at(cx, r, point, start, v * lanes, count)?);
    }
    let blocks = len / RUNNING;
    if blocks > 1 {
        let inits: Vec<V> = running.iter().flatten().copied().collect();
        let first = cx.b.i64(RUNNING);
        let end = cx.b.i64(blocks * RUNNING);
        let width = r.values.len();
        let results = cx.for_loop((first, end, RUNNING), &inits, |cx, k, carried| {
            let base = cx.b.add(start, k);
            let mut next = Vec::new();
            for v in 0..vectors {
                let x = vector_at(cx, r, point, base, v * lanes, lanes)?;
                let acc = &carried[v as usize * width..][..width];
                next.extend(r.combine(cx, point, acc, &x)?);
            }
            Ok(next)
        })?;
        running = results.chunks(width).map(|c| c.to_vec()).collect();
    }
    let done = blocks.max(1) * RUNNING;
    for (v, acc) in running.iter_mut().enumerate() {
        let count = (len - done - v as i64 * lanes).min(lanes);
        if count <= 0 {
            break;
        }
        let x = vector_at(cx, r, point, start, done + v as i64 * lanes, count)?;
        let combined = r.combine(cx, point, acc, &x)?;
        *acc = choose_first(cx, count, lanes as u32, &combined, acc);
    }
    halve(cx, r, point, running, len.min(RUNNING))
}

/// Halves the running values, of which `count` exist, to one.
fn halve<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    mut running: Vec<Vec<V>>,
    mut count: i64,
) -> Result<Vec<V>, Refusal> {
    let lanes = r.s.lanes as i64;
    let mut half = RUNNING / 2;
    while half >= lanes && half >= 1 {
        let apart = (half / lanes) as usize;
        for v in 0..apart.min(running.len()) {
            let valid = (count - half - v as i64 * lanes).min(lanes);
            if valid > 0 {
                let combined = r.combine(cx, point, &running[v], &running[v + apart])?;
                running[v] = choose_first(cx, valid, lanes as u32, &combined, &running[v]);
            }
        }
        running.truncate(apart);
        count = count.min(half);
        half /= 2;
    }
    let mut last = running.swap_remove(0);
    while half >= 1 {
        let low: Vec<V> = last.iter().map(|&v| part(cx, v, 0, half)).collect();
        let valid = (count - half).min(half);
        last = if valid > 0 {
            let high: Vec<V> = last.iter().map(|&v| part(cx, v, half, half)).collect();
            let combined = r.combine(cx, point, &low, &high)?;
            choose_first(cx, valid, half as u32, &combined, &low)
        } else {
            low
        };
        count = count.min(half);
        half /= 2;
    }
    Ok(last)
}

/// Lanes `from..from + count` of a vector; a scalar for one lane.
fn part(cx: &mut Emit<'_>, v: V, from: i64, count: i64) -> V {
    if count == 1 {
        return cx.b.op(Op::Extract(v, from as u32));
    }
    let lanes = (from as u32..(from + count) as u32).collect();
    cx.b.op(Op::Shuffle { a: v, b: v, lanes })
}

/// `new` in the first `count` lanes, `old` in the others.
fn choose_first(cx: &mut Emit<'_>, count: i64, lanes: u32, new: &[V], old: &[V]) -> Vec<V> {
    if count >= lanes as i64 {
        return new.to_vec();
    }
    let mask = first_lanes(cx, lanes, count);
    new.iter().zip(old).map(|(&n, &o)| cx.b.select(mask, n, o)).collect()
}

/// Elements `start + offset ..` as a vector, of which the first `count` lanes exist.
fn vector_at<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    start: V,
    offset: i64,
    count: i64,
) -> Result<Vec<V>, Refusal> {
    let axes = &r.l.axes;
    let lanes = r.s.lanes;
    let offset = cx.b.i64(offset);
    let k = cx.b.add(start, offset);
    let inner = axes.inner_extents();
    let contiguous = inner.last().is_none_or(|n| n % lanes as i64 == 0);
    let mut point = point.clone();
    point.known.retain(|id, _| {
        let mut fixed = true;
        for axis in axes.space..axes.extents.len() {
            fixed &= !point_dependence(r.l.region, axes, *id, axis);
        }
        fixed
    });
    point.lanes = lanes;
    if inner.len() <= 1 || contiguous && lanes > 1 {
        let indices = r.inner_indices(cx, k);
        indices.into_iter().enumerate().for_each(|(n, i)| point.at[axes.space + n] = i);
        point.lane = (!inner.is_empty()).then(|| axes.extents.len() - 1);
    } else {
        // A vector crosses rows of the inner axes: each lane has indices of its own.
        let ty = crate::loop_ir::Type::vector(Elem::I64, lanes);
        let iota = cx.b.op(Op::Iota(ty));
        let base = cx.b.widen_to(k, lanes);
        let mut rest = if lanes > 1 { cx.b.add(base, iota) } else { k };
        if count < lanes as i64 {
            // Lanes that do not exist stay within the array's index range.
            let top = cx.b.i64(r.length - 1);
            let top = cx.b.widen_to(top, lanes);
            rest = cx.b.bin(Bin::SMin, rest, top);
        }
        for n in (0..inner.len()).rev() {
            let extent = cx.b.i64(inner[n]);
            let extent = cx.b.widen_to(extent, lanes);
            point.at[axes.space + n] = if n == 0 { rest } else { cx.b.bin(Bin::SRem, rest, extent) };
            if n > 0 {
                rest = cx.b.bin(Bin::SDiv, rest, extent);
            }
        }
    }
    if count < lanes as i64 {
        point.mask = Some(first_lanes(cx, lanes, count));
    }
    r.elements(cx, &mut point)
}
