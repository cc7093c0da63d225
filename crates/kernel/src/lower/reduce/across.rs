//! Reductions of the minor dimension: 64 running values along the reduced axis, halved at the end of a chunk; 256 where the
//! order is free and warps share the row.
//!
//! Running value j folds the elements k ≡ j (mod 64) of its chunk; then 32, 16, … 1. A value without elements
//! takes no part. The vectors that hold the 64 values are as wide as the plan says; the order does not show it.

use super::arg_extreme;
use super::chunk::{Chunk, Length, choose_first, each_line, left, part, point_at};
use super::held::Held;
use super::join::Partials;
use super::reduction::{Reduction, min};
use crate::loop_ir::{Bin, Buf, V};
use crate::lower::emit::Emit;
use crate::lower::inverses::Inverted;
use crate::lower::point::Point;
use crate::lower::rows::block;
use crate::lower::scalar::ProductSum;
use crate::lower::sums::Products;
use crate::plan::CHAINS;
use crate::refusal::Refusal;

pub(super) fn lower<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>) -> Result<(), Refusal> {
    let rows = r.l.loops(&[]).count();
    if r.length == 0 {
        return each_row(cx, r, rows, |cx, point, _| r.finish(cx, point, None));
    }
    if !r.s.two_phases {
        let each = |cx: &mut Emit<'r>| r.partials(cx, r.s.chunks, true);
        let arrays: Vec<_> = match r.s.chunks {
            1 => Vec::new(),
            _ => (0..r.s.together).map(|_| each(cx)).collect(),
        };
        return each_group(cx, r, rows, |cx, points| {
            for point in points.iter_mut() {
                r.hoist(cx, point, r.l.axes.space)?;
            }
            let zero = cx.b.i64(0);
            if r.s.chunks == 1 {
                let totals = any_chunk(cx, r, points, zero)?;
                return points
                    .iter_mut()
                    .zip(totals)
                    .try_for_each(|(point, t)| r.finish(cx, point, Some(&t)));
            }
            let chunks = cx.b.i64(r.s.chunks);
            cx.for_loop((zero, chunks, 1), &[], |cx, c, _| {
                for (partial, arrays) in any_chunk(cx, r, points, c)?.iter().zip(&arrays) {
                    r.store_partials(cx, arrays, c, partial);
                }
                Ok(Vec::new())
            })?;
            for (point, arrays) in points.iter_mut().zip(&arrays) {
                join_row(cx, r, point, arrays, zero)?;
            }
            Ok(())
        });
    }
    let arrays = r.partials(cx, rows * r.s.chunks, false);
    let units = rows * r.s.chunks;
    let per_task = r.s.rows_per_task;
    let task = cx.b.open_phase((units + per_task - 1) / per_task);
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let at = cx.delinearize(unit, &[rows, r.s.chunks]);
        let mut point = r.row_point(cx, at[0]);
        r.hoist(cx, &mut point, r.l.axes.space)?;
        for partial in any_chunk(cx, r, std::slice::from_ref(&point), at[1])? {
            r.store_partials(cx, &arrays, unit, &partial);
        }
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    each_row(cx, r, rows, |cx, point, row| {
        let chunks = cx.b.i64(r.s.chunks);
        let first = cx.b.mul(row, chunks);
        join_row(cx, r, point, &arrays, first)
    })?;
    cx.b.share_tasks(r.s.join.warps);
    Ok(())
}

/// Finishes a row with the partial results of its chunks, which follow each other from `first` on.
pub(super) fn join_row<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &mut Point<'r>,
    arrays: &[(Buf, Held)],
    first: V,
) -> Result<(), Refusal> {
    let row = Partials { arrays, first, stride: 1 };
    let total = r.join(cx, point, row, row, 1)?;
    r.finish(cx, point, Some(&total))
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

/// The same with the points of as many rows as are folded together.
fn each_group<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    rows: i64,
    body: impl FnOnce(&mut Emit<'r>, &mut [Point<'r>]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let together = r.s.together;
    r.l.each(cx, rows / together, r.s.rows_per_task / together, |cx, first| {
        let mut start = r.l.start(cx);
        r.l.hoist_epilogue(cx, &mut start)?;
        let mut points = vec![start; together as usize];
        let (factor, step) = if r.s.neighbours { (together, 1) } else { (1, rows / together) };
        let factor = cx.b.i64(factor);
        let first = cx.b.mul(first, factor);
        for (n, point) in points.iter_mut().enumerate() {
            let before = cx.b.i64(n as i64 * step);
            let row = cx.b.add(first, before);
            r.place(cx, point, row);
        }
        body(cx, &mut points)
    })
}

/// The partial results of chunk `c` of some rows; the last may be shorter.
fn any_chunk<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &[Point<'r>],
    c: V,
) -> Result<Vec<Vec<V>>, Refusal> {
    let size = cx.b.i64(r.s.chunk);
    let start = cx.b.mul(c, size);
    let last = r.length - (r.s.chunks - 1) * r.s.chunk;
    if last == r.s.chunk {
        return chunk(cx, r, points, start, Length { now: size, full: last, last });
    }
    let length = cx.b.i64(r.length);
    let left = cx.b.sub(length, start);
    let now = min(cx, size, left);
    chunk(cx, r, points, start, Length { now, full: r.s.chunk, last })
}

/// The combinations of elements `start..start + len.now` of some rows, each of which has a total.
pub(super) fn chunk<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &[Point<'r>],
    start: V,
    len: Length,
) -> Result<Vec<Vec<V>>, Refusal> {
    if let (Some(of), [point]) = (r.s.by_blocks, points) {
        return Ok(vec![arg_extreme::chunk(cx, r, Chunk::new(point, start), len, of)?]);
    }
    if let [point] = points {
        let (running, count) = folded(cx, r, (point, start), len)?;
        return Ok(vec![halve(cx, r, point, running, count)?]);
    }
    let (running, count) = folded_together(cx, r, (points, start), len)?;
    running.into_iter().zip(points).map(|(row, point)| halve(cx, r, point, row, count)).collect()
}

/// The running values of elements `start..start + len.now` of several rows, and how many of them exist in each.
pub(super) fn folded_together<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (points, start): (&[Point<'r>], V),
    len: Length,
) -> Result<(Vec<Vec<Vec<V>>>, V), Refusal> {
    let (identity, count) = beginning(cx, r, len);
    let rows: Vec<Chunk<'_, 'r>> = points.iter().map(|point| Chunk::new(point, start)).collect();
    let started = identity.map(|one| one.repeat(rows.len() * r.vectors(len.full) as usize));
    Ok((unrolled(cx, r, &rows, len, started.as_deref())?, count))
}

/// What the running values of a chunk start from, if not from its first elements, and how many of them exist in the end.
fn beginning<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, len: Length) -> (Option<Vec<V>>, V) {
    let all_running = r.order.running();
    // A second block pays for starting from the identity; then every running value exists.
    let identity = if len.full >= 2 * all_running { r.identity(cx, r.s.lanes) } else { None };
    let all = cx.b.i64(all_running);
    let count = match len.last >= all_running || identity.is_some() {
        true => all,
        false => min(cx, len.now, all),
    };
    (identity, count)
}

/// The running values of elements `start..start + len.now` of one row, and how many of them exist.
pub(super) fn folded<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (point, start): (&Point<'r>, V),
    len: Length,
) -> Result<(Vec<Vec<V>>, V), Refusal> {
    let (identity, count) = beginning(cx, r, len);
    let mut from = Chunk::new(point, start);
    let inverses = &r.s.inverses;
    let inverted = match inverses.is_empty() {
        true => None,
        false => Some(Inverted::of_block(cx, inverses, len.now, r.s.lanes, &mut |cx, k| {
            let beyond = !len.is_multiple_of(CHAINS * r.s.lanes as i64);
            let count = beyond.then(|| cx.b.sub(len.now, k));
            point_at(cx, r, from, k, (r.s.lanes, count))
        })?),
    };
    from.inverted = inverted.as_ref();
    let one = match (r.products(cx), &identity) {
        (Some(products), _) => Some(summed(cx, r, from, len, &products)?),
        (None, Some(identity)) if r.s.rolled && r.is_exact(cx) => Some(carried(cx, r, from, len, identity)?),
        (None, _) => None,
    };
    if let Some(one) = one {
        return Ok((vec![one], cx.b.i64(r.s.lanes as i64)));
    }
    let running = match r.s.rolled {
        true => rolled(cx, r, from, len, identity)?,
        false => in_registers(cx, r, from, len, identity)?,
    };
    Ok((running, count))
}

/// One vector of running values in registers, where the order of the elements does not show: what is computed of an element
/// hides how long one combination waits for the one before.
fn carried<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    from: Chunk<'_, 'r>,
    len: Length,
    identity: &[V],
) -> Result<Vec<V>, Refusal> {
    let lanes = r.s.lanes as i64;
    let zero = cx.b.i64(0);
    each_line(cx, r, (from, len), identity, |cx, from, len, carried| {
        cx.for_loop((zero, len.now, lanes), carried, |cx, k, carried| {
            let count = count_from(cx, len, k, len.is_multiple_of(lanes));
            let x = vector_at(cx, r, from, k, count)?;
            let combined = r.append(cx, from.point, carried, &x)?;
            Ok(choose_first(cx, count, &combined, carried))
        })
    })
}

/// Sums of products in one vector for each value, reduced at the end.
fn summed<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    from: Chunk<'_, 'r>,
    len: Length,
    products: &[Products],
) -> Result<Vec<V>, Refusal> {
    let empty = Products::empty(products, &mut cx.b, r.s.lanes);
    let carried = each_line(cx, r, (from, len), &empty, |cx, from, len, carried| {
        added_products(cx, r, (from, len), products, carried)
    })?;
    let sums = Products::of_carried(products, &carried);
    Ok(sums.into_iter().filter_map(|s| s.total(&mut cx.b)).collect())
}

/// The sums with the products of these elements.
fn added_products<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (from, len): (Chunk<'_, 'r>, Length),
    products: &[Products],
    carried: &[V],
) -> Result<Vec<V>, Refusal> {
    let all_running = r.order.running();
    let lanes = r.s.lanes as i64;
    let (zero, below) = (cx.b.i64(0), cx.b.i64(-all_running));
    let whole = cx.b.bin(Bin::And, len.now, below);
    let step = |cx: &mut Emit<'r>, sums: &mut [ProductSum], k: V, count: Option<V>| {
        let mut point = point_at(cx, r, from, k, (r.s.lanes, count));
        if let Some(inverted) = from.inverted {
            inverted.enter(cx, &mut point, k, r.s.lanes);
        }
        products.iter().zip(sums).try_for_each(|(p, sum)| cx.accumulate(&mut point, p, sum))
    };
    let carry = |cx: &mut Emit<'r>, sums: Vec<ProductSum>| -> Vec<V> {
        sums.into_iter().flat_map(|s| s.carried(&mut cx.b, r.s.lanes)).collect()
    };
    let carried = cx.for_loop((zero, whole, all_running), carried, |cx, base, carried| {
        let mut sums = Products::of_carried(products, carried);
        for v in 0..all_running / lanes {
            let offset = cx.b.i64(v * lanes);
            let k = cx.b.add(base, offset);
            step(cx, &mut sums, k, None)?;
        }
        Ok(carry(cx, sums))
    })?;
    if len.is_multiple_of(all_running) {
        return Ok(carried);
    }
    cx.for_loop((whole, len.now, lanes), &carried, |cx, k, carried| {
        let mut sums = Products::of_carried(products, carried);
        let count = count_from(cx, len, k, len.is_multiple_of(lanes));
        step(cx, &mut sums, k, count)?;
        Ok(carry(cx, sums))
    })
}

/// The running values of one row in registers.
fn in_registers<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    from: Chunk<'_, 'r>,
    len: Length,
    identity: Option<Vec<V>>,
) -> Result<Vec<Vec<V>>, Refusal> {
    let Some(identity) = identity else { return Ok(unrolled(cx, r, &[from], len, None)?.concat()) };
    let started = identity.repeat(r.vectors(len.full) as usize);
    let running = each_line(cx, r, (from, len), &started, |cx, from, len, started| {
        Ok(unrolled(cx, r, &[from], len, Some(started))?.concat().concat())
    })?;
    Ok(running.chunks(identity.len()).map(<[V]>::to_vec).collect())
}

/// The running values of some rows in registers, where they have `started` or from the first elements on: code for each of their
/// vectors, for cheap elements.
fn unrolled<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    rows: &[Chunk<'_, 'r>],
    len: Length,
    started: Option<&[V]>,
) -> Result<Vec<Vec<Vec<V>>>, Refusal> {
    let all_running = r.order.running();
    let lanes = r.s.lanes as i64;
    let vectors = r.vectors(len.full) as usize;
    let width = r.values.len();
    let done = if started.is_some() { 0 } else { all_running };
    let mut running: Vec<Vec<V>> = started.unwrap_or_default().chunks(width).map(<[V]>::to_vec).collect();
    if started.is_none() {
        for &from in rows {
            for v in 0..vectors as i64 {
                let k = cx.b.i64(v * lanes);
                let count = count_from(cx, len, k, len.last >= all_running);
                running.push(vector_at(cx, r, from, k, count)?);
            }
        }
    }
    let below = cx.b.i64(-all_running);
    let end = cx.b.bin(Bin::And, len.now, below);
    if len.full - done >= all_running {
        let inits: Vec<V> = running.iter().flatten().copied().collect();
        let first = cx.b.i64(done);
        // Blocks of running values, of which so many are under way at once.
        let blocks = |cx: &mut Emit<'r>, (first, end): (V, V), ahead: i64, inits: &[V]| {
            cx.for_loop((first, end, ahead * all_running), inits, |cx, base, carried| {
                let mut next: Vec<Vec<V>> = carried.chunks(width).map(<[V]>::to_vec).collect();
                let mut waiting = Vec::new();
                for u in 0..ahead {
                    for v in 0..vectors {
                        let offset = cx.b.i64(u * all_running + v as i64 * lanes);
                        let k = cx.b.add(base, offset);
                        for (n, &from) in rows.iter().enumerate() {
                            let (at, x) = (n * vectors + v, vector_at(cx, r, from, k, None)?);
                            if ahead > 1 {
                                waiting.push((at, from.point, x));
                            } else {
                                next[at] = r.append(cx, from.point, &next[at], &x)?;
                            }
                        }
                    }
                }
                for (at, point, x) in waiting {
                    next[at] = r.append(cx, point, &next[at], &x)?;
                }
                Ok(next.concat())
            })
        };
        let unit = r.s.ahead * all_running;
        let mut from = (first, inits);
        if r.s.ahead > 1 && len.full - done >= unit {
            let below = cx.b.i64(-unit);
            let length = cx.b.sub(end, first);
            let whole = cx.b.bin(Bin::And, length, below);
            let middle = cx.b.add(first, whole);
            from = (middle, blocks(cx, (first, middle), r.s.ahead, &from.1)?);
        }
        let rest = r.s.ahead == 1 || (len.full - done) % unit != 0 || (len.last - done) % unit != 0;
        let results = if rest { blocks(cx, (from.0, end), 1, &from.1)? } else { from.1 };
        running = results.chunks(width).map(|c| c.to_vec()).collect();
    }
    if !(len.is_multiple_of(all_running) || len.full <= done) {
        let done = cx.b.i64(done);
        let done = cx.b.bin(Bin::SMax, end, done);
        for (&from, running) in rows.iter().zip(running.chunks_mut(vectors)) {
            for (v, acc) in running.iter_mut().enumerate() {
                let offset = cx.b.i64(v as i64 * lanes);
                let k = cx.b.add(done, offset);
                let Some(count) = left(cx, len.now, k) else { break };
                let x = vector_at(cx, r, from, k, Some(count))?;
                let combined = r.append(cx, from.point, acc, &x)?;
                *acc = choose_first(cx, Some(count), &combined, acc);
            }
        }
    }
    Ok(running.chunks(vectors).map(<[_]>::to_vec).collect())
}

/// The running values in a local array, a vector at a time: the code of an element once. Trips overlap in the
/// processor, so long elements lose nothing.
fn rolled<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    from: Chunk<'_, 'r>,
    len: Length,
    identity: Option<Vec<V>>,
) -> Result<Vec<Vec<V>>, Refusal> {
    let all_running = r.order.running();
    let lanes = r.s.lanes as i64;
    let vectors = r.vectors(len.full);
    let arrays = r.partials(cx, vectors * lanes, true);
    let whole = len.is_multiple_of(lanes);
    let (zero, all) = (cx.b.i64(0), cx.b.i64(all_running));
    let first = if let Some(identity) = identity {
        for v in 0..vectors {
            let at = cx.b.i64(v * lanes);
            r.store_partials(cx, &arrays, at, &identity);
        }
        zero
    } else {
        // A chunk that ends before leaves lanes without elements: they are stored all the same, since they are loaded.
        let end = vectors * lanes;
        let first_of_all = (zero, cx.b.i64(end), lanes);
        cx.for_loop(first_of_all, &[], |cx, k, _| {
            let count = count_from(cx, len, k, len.last >= end);
            let x = vector_at(cx, r, from, k, count)?;
            r.store_partials(cx, &arrays, k, &x);
            Ok(Vec::new())
        })?;
        all
    };
    if len.full > all_running {
        each_line(cx, r, (from, len), &[], |cx, from, len, _| {
            cx.for_loop((first, len.now, lanes), &[], |cx, k, _| {
                let below = cx.b.i64(all_running - 1);
                let at = cx.b.bin(Bin::And, k, below);
                let acc = r.load_partials(cx, &arrays, at, r.s.lanes);
                let count = count_from(cx, len, k, whole);
                let x = vector_at(cx, r, from, k, count)?;
                let combined = r.append(cx, from.point, &acc, &x)?;
                let chosen = choose_first(cx, count, &combined, &acc);
                r.store_partials(cx, &arrays, at, &chosen);
                Ok(Vec::new())
            })
        })?;
    }
    let vectors = (0..vectors * lanes).step_by(r.s.halved as usize);
    let running = vectors.map(|at| {
        let at = cx.b.i64(at);
        r.load_partials(cx, &arrays, at, r.s.halved)
    });
    Ok(running.collect())
}

/// How many elements there are from `k` on, unless a whole vector is sure to be there.
fn count_from(cx: &mut Emit<'_>, len: Length, k: V, whole: bool) -> Option<V> {
    (!whole).then(|| cx.b.sub(len.now, k))
}

/// Halves the running values, of which `count` exist, to one.
pub(super) fn halve<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    running: Vec<Vec<V>>,
    count: V,
) -> Result<Vec<V>, Refusal> {
    let (mut last, mut count) = to_vector(cx, r, point, running, count)?;
    let mut half = r.s.halved as i64 / 2;
    while half >= 1 {
        let low: Vec<V> = last.iter().map(|&v| part(cx, v, 0, half)).collect();
        let taken = cx.b.i64(half);
        last = match left(cx, count, taken) {
            Some(valid) => {
                let high: Vec<V> = last.iter().map(|&v| part(cx, v, half, half)).collect();
                let combined = r.combine(cx, point, &low, &high)?;
                choose_first(cx, Some(valid), &combined, &low)
            }
            None => low,
        };
        count = at_most(cx, count, half);
        half /= 2;
    }
    Ok(last)
}

/// Halves them to one vector, and says how many of its lanes exist.
pub(super) fn to_vector<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &Point<'r>,
    mut running: Vec<Vec<V>>,
    mut count: V,
) -> Result<(Vec<V>, V), Refusal> {
    let all_running = r.order.running();
    let lanes = r.s.halved as i64;
    running = in_warp(cx, r, running);
    let mut half = all_running / 2;
    while half >= lanes && half >= 1 {
        let apart = (half / lanes) as usize;
        for v in 0..apart.min(running.len()) {
            let partner = running.get(v + apart).cloned();
            let taken = cx.b.i64(half + v as i64 * lanes);
            if let (Some(valid), Some(partner)) = (left(cx, count, taken), partner) {
                let combined = r.combine(cx, point, &running[v], &partner)?;
                running[v] = choose_first(cx, Some(valid), &combined, &running[v]);
            }
        }
        running.truncate(apart);
        count = at_most(cx, count, half);
        half /= 2;
    }
    Ok((running.swap_remove(0), count))
}

/// Running values as vectors that a warp has for itself.
fn in_warp<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, running: Vec<Vec<V>>) -> Vec<Vec<V>> {
    let halved = r.s.halved;
    let Some(lanes) = running.iter().flatten().next().map(|&v| cx.b.ty_of(v).lanes) else { return running };
    if lanes == halved {
        return running;
    }
    let count = running.len() as i64 * lanes as i64;
    let arrays = r.partials(cx, count, true);
    for (n, values) in (0..).zip(&running) {
        let at = cx.b.i64(n * lanes as i64);
        r.store_partials(cx, &arrays, at, values);
    }
    let at = (0..count).step_by(halved as usize);
    at.map(|at| {
        let at = cx.b.i64(at);
        r.load_partials(cx, &arrays, at, halved)
    })
    .collect()
}

fn at_most(cx: &mut Emit<'_>, count: V, bound: i64) -> V {
    let bound = cx.b.i64(bound);
    min(cx, count, bound)
}

/// Elements from `start + k` on as a vector, of which the first `count` lanes exist; all without a count.
fn vector_at<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    from: Chunk<'_, 'r>,
    k: V,
    count: Option<V>,
) -> Result<Vec<V>, Refusal> {
    let mut point = point_at(cx, r, from, k, (r.s.lanes, count));
    if let Some(inverted) = from.inverted {
        inverted.enter(cx, &mut point, k, r.s.lanes);
    }
    r.elements(cx, &mut point)
}
