//! Reductions that keep the minor dimension, and windows: each lane folds the elements of its own result.

use super::join::Partials;
use super::reduction::{RUNNING, Reduction, min};
use crate::loop_ir::{Bin, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::{Rows, within};
use crate::lower::scalar;
use crate::lower::sums::Products;
use crate::plan::{Beside, Dependence};
use crate::refusal::Refusal;
use crate::region::FoldOrder;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    lane: Option<usize>,
    tile: u32,
) -> Result<(), Refusal> {
    let tiles = Tiles::new(r, lane, tile, r.s.beside);
    if r.length == 0 {
        return tiles
            .each(cx, r, 1, |cx, points, _| points.iter_mut().try_for_each(|p| r.finish(cx, p, None)));
    }
    if r.order == FoldOrder::Sequential {
        return tiles.each(cx, r, 1, |cx, points, _| {
            let totals = sequential(cx, r, points)?;
            points.iter_mut().zip(totals).try_for_each(|(p, t)| match r.keys() {
                Some(_) => r.finish(cx, p, Some(&t)),
                None => store_total(cx, r, p, t),
            })
        });
    }
    if r.s.chunks == 1 {
        return tiles.each(cx, r, 1, |cx, points, _| {
            let zero = cx.b.i64(0);
            let totals = match r.order {
                FoldOrder::MinorReduced => halved(cx, r, points)?,
                _ => fold(cx, r, points, zero, 1)?,
            };
            points.iter_mut().zip(totals).try_for_each(|(p, t)| r.finish(cx, p, Some(&t)))
        });
    }
    if r.l.in_row() {
        return tiles.each(cx, r, 1, |cx, points, _| whole(cx, r, points));
    }
    let count = r.l.stage.points();
    let arrays = r.partials(cx, count * r.s.chunks, false);
    let together = r.s.together;
    tiles.each(cx, r, r.s.chunks / together, |cx, points, group| {
        let size = cx.b.i64(together);
        let first = cx.b.mul(group, size);
        let totals = fold(cx, r, points, first, together)?;
        for (n, totals) in totals.chunks(points.len()).enumerate() {
            let n = cx.b.i64(n as i64);
            let chunk = cx.b.add(first, n);
            for (p, t) in points.iter_mut().zip(totals) {
                let offset = partial_offset(cx, r, p, chunk, count);
                r.store_partials(cx, &arrays, offset, t);
            }
        }
        Ok(())
    })?;
    // Neighbouring tiles may overlap, so what is joined stays with the task.
    let lanes = if lane.is_some() { r.s.lanes } else { 1 };
    let joined = (r.s.chunks + r.s.join.together - 1) / r.s.join.together;
    let own = r.partials(cx, joined * lanes as i64, true);
    // One vector at a time: joining is little work, and code for a whole tile would take long to compile.
    Tiles::new(r, lane, 1, None).each(cx, r, 1, |cx, points, zero| {
        for p in points.iter_mut() {
            let first = partial_offset(cx, r, p, zero, count);
            let from = Partials { arrays: &arrays, first, stride: count };
            let to = Partials { arrays: &own, first: zero, stride: lanes as i64 };
            let total = r.join(cx, p, from, to, p.lanes)?;
            r.finish(cx, p, Some(&total))?;
        }
        Ok(())
    })
}

/// All chunks at the points of a tile, one after the other.
fn whole<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, points: &mut [Point<'r>]) -> Result<(), Refusal> {
    let lanes = points[0].lanes as i64;
    let of_point = r.s.chunks * lanes;
    let arrays = r.partials(cx, of_point * points.len() as i64, true);
    let (zero, chunks) = (cx.b.i64(0), cx.b.i64(r.s.chunks));
    cx.for_loop((zero, chunks, 1), &[], |cx, chunk, _| {
        let totals = fold(cx, r, points, chunk, 1)?;
        let lanes = cx.b.i64(lanes);
        let within = cx.b.mul(chunk, lanes);
        for (n, total) in totals.iter().enumerate() {
            let first = cx.b.i64(n as i64 * of_point);
            let offset = cx.b.add(first, within);
            r.store_partials(cx, &arrays, offset, total);
        }
        Ok(Vec::new())
    })?;
    for (n, point) in points.iter_mut().enumerate() {
        let first = cx.b.i64(n as i64 * of_point);
        let all = Partials { arrays: &arrays, first, stride: lanes };
        let total = r.join(cx, point, all, all, point.lanes)?;
        r.finish(cx, point, Some(&total))?;
    }
    Ok(())
}

/// Where the partial result of a chunk at a point lies: chunk-major, then loop order of the space.
fn partial_offset<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, point: &Point<'r>, chunk: V, count: i64) -> V {
    let count = cx.b.i64(count);
    let mut offset = cx.b.mul(chunk, count);
    // The lane axis runs fastest, so that lanes lie together.
    let lane = point.lane;
    let order: Vec<usize> = (0..r.l.axes.space).filter(|a| Some(*a) != lane).chain(lane).collect();
    let mut along = cx.b.i64(0);
    for a in order {
        let extent = cx.b.i64(r.l.axes.extents[a]);
        along = cx.b.mul(along, extent);
        along = cx.b.add(along, point.at[a]);
    }
    offset = cx.b.add(offset, along);
    offset
}

/// Folds a chunk, or so many that follow each other and have equal lengths, at each point of a tile, left to right. The
/// totals of the points of the first chunk come first.
fn fold<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &[Point<'r>],
    chunk: V,
    together: i64,
) -> Result<Vec<Vec<V>>, Refusal> {
    let size = cx.b.i64(r.s.chunk);
    let start = cx.b.mul(chunk, size);
    let length = cx.b.i64(r.length);
    let end = cx.b.add(start, size);
    let end = if r.length % r.s.chunk == 0 { end } else { min(cx, end, length) };
    let width = r.values.len();
    let lanes = points[0].lanes;
    if let Some(products) = r.products(cx).filter(|_| together == 1) {
        return summed(cx, r, points, (start, end), &products);
    }
    // Elements `k` of the first chunk and those at the same place of the others.
    let elements = |cx: &mut Emit<'r>, k: V| -> Result<Vec<Vec<V>>, Refusal> {
        let mut all = Vec::new();
        for n in 0..together {
            let before = cx.b.i64(n * r.s.chunk);
            let k = cx.b.add(k, before);
            all.extend(elements_at(cx, r, points, k)?);
        }
        Ok(all)
    };
    let (first, inits) = match r.identity(cx, lanes) {
        Some(identity) if r.length > 1 => (start, vec![identity; points.len() * together as usize].concat()),
        _ => {
            let first = elements(cx, start)?;
            let one = cx.b.i64(1);
            (cx.b.add(start, one), first.into_iter().flatten().collect::<Vec<V>>())
        }
    };
    // So many elements are loaded before the first is combined.
    let folded = |cx: &mut Emit<'r>, (first, end): (V, V), under_way: i64, inits: &[V]| {
        cx.for_loop((first, end, under_way), inits, |cx, k, carried| {
            let mut ahead = Vec::new();
            for u in 0..under_way {
                let step = cx.b.i64(u);
                let k = cx.b.add(k, step);
                ahead.push(elements(cx, k)?);
            }
            let mut next: Vec<Vec<V>> = carried.chunks(width).map(<[V]>::to_vec).collect();
            for x in ahead {
                for (n, p) in points.iter().cycle().take(x.len()).enumerate() {
                    next[n] = r.append(cx, p, &next[n], &x[n])?;
                }
            }
            Ok(next.concat())
        })
    };
    let mut from = (first, inits);
    if r.s.ahead > 1 {
        let below = cx.b.i64(-r.s.ahead);
        let length = cx.b.sub(end, first);
        let whole = cx.b.bin(Bin::And, length, below);
        let middle = cx.b.add(first, whole);
        from = (middle, folded(cx, (first, middle), r.s.ahead, &from.1)?);
    }
    let results = folded(cx, (from.0, end), 1, &from.1)?;
    Ok(results.chunks(width).map(|c| c.to_vec()).collect())
}

/// The sums of products of one chunk, reduced at the end.
fn summed<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &[Point<'r>],
    (start, end): (V, V),
    products: &[Products],
) -> Result<Vec<Vec<V>>, Refusal> {
    let lanes = points[0].lanes;
    let empty = Products::empty(products, &mut cx.b, lanes);
    let inits: Vec<V> = points.iter().flat_map(|_| empty.clone()).collect();
    let each =
        |carried: &[V], n: usize| Products::of_carried(products, &carried[n * empty.len()..][..empty.len()]);
    let carried = cx.for_loop((start, end, 1), &inits, |cx, k, carried| {
        let indices = r.inner_indices(cx, k);
        let mut next = Vec::new();
        at_each(cx, r, points, &indices, |cx, n, point| {
            let mut sums = each(carried, n);
            for (products, sum) in products.iter().zip(&mut sums) {
                cx.accumulate(point, products, sum)?;
            }
            next.extend(sums.into_iter().flat_map(|s| s.carried(&mut cx.b, lanes)));
            Ok(())
        })?;
        Ok(next)
    })?;
    let total = |n| each(&carried, n).into_iter().filter_map(|s| s.total(&mut cx.b)).collect();
    Ok((0..points.len()).map(total).collect())
}

/// The few elements of a minor reduction, halved like the 64 running values they are.
fn halved<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, points: &[Point<'r>]) -> Result<Vec<Vec<V>>, Refusal> {
    let mut totals = Vec::new();
    for p in points {
        let mut running = few_elements(cx, r, p)?;
        let mut half = RUNNING as usize / 2;
        while half >= 1 {
            for j in half..running.len() {
                running[j - half] = r.combine(cx, p, &running[j - half], &running[j])?;
            }
            running.truncate(half);
            half /= 2;
        }
        totals.push(running.swap_remove(0));
    }
    Ok(totals)
}

/// All elements of a point; where they are long, their code is in a loop.
fn few_elements<'r>(cx: &mut Emit<'r>, r: &Reduction<'r>, point: &Point<'r>) -> Result<Vec<Vec<V>>, Refusal> {
    if !r.s.rolled {
        let mut rows = Vec::new();
        for id in r.l.region.reachable(r.values) {
            rows.extend(cx.row_within(point, id)?.map(|row| (id, row)));
        }
        let mut all = Vec::new();
        for k in 0..r.length {
            let at = cx.b.i64(k);
            let indices = r.inner_indices(cx, at);
            let mut p = inner_point(r, point, &indices);
            p.known.extend(rows.iter().map(|(id, row)| (*id, row[k as usize])));
            all.push(r.elements(cx, &mut p)?);
        }
        return Ok(all);
    }
    let at = |cx: &mut Emit<'r>, k: V| Ok(elements_at(cx, r, std::slice::from_ref(point), k)?.swap_remove(0));
    let arrays = r.partials(cx, r.length * point.lanes as i64, true);
    let (zero, end, lanes) = (cx.b.i64(0), cx.b.i64(r.length), cx.b.i64(point.lanes as i64));
    cx.for_loop((zero, end, 1), &[], |cx, k, _| {
        let x = at(cx, k)?;
        let offset = cx.b.mul(k, lanes);
        r.store_partials(cx, &arrays, offset, &x);
        Ok(Vec::new())
    })?;
    let mut out = Vec::new();
    for k in 0..r.length {
        let offset = cx.b.i64(k * point.lanes as i64);
        out.push(r.load_partials(cx, &arrays, offset, point.lanes));
    }
    Ok(out)
}

/// The elements `k` of every point of a tile.
fn elements_at<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &[Point<'r>],
    k: V,
) -> Result<Vec<Vec<V>>, Refusal> {
    let indices = r.inner_indices(cx, k);
    let mut out = Vec::new();
    at_each(cx, r, points, &indices, |cx, _, point| {
        out.push(r.elements(cx, point)?);
        Ok(())
    })?;
    Ok(out)
}

/// Evaluates something at these inner indices of every point of a tile. Points beside each other know what they have in common.
fn at_each<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &[Point<'r>],
    indices: &[V],
    mut evaluate: impl FnMut(&mut Emit<'r>, usize, &mut Point<'r>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut done: Vec<Point<'r>> = Vec::new();
    for (n, p) in points.iter().enumerate() {
        let mut point = inner_point(r, p, indices);
        share(r, &done, &mut point, points.len());
        evaluate(cx, n, &mut point)?;
        done.push(point);
    }
    Ok(())
}

/// What the point beside knows, which comes before in a tile of so many, and is the same at both.
fn share<'r>(r: &Reduction<'r>, before: &[Point<'r>], point: &mut Point<'r>, count: usize) {
    let Some(Beside { axis, points }) = r.s.beside else { return };
    let Some(beside) = before.len().checked_sub((count / points as usize).max(1)) else { return };
    let mut along = Dependence::default();
    for (&id, &known) in &before[beside].known {
        if !along.on(r.l.region, &r.l.axes, id, axis) {
            point.known.entry(id).or_insert(known);
        }
    }
}

fn inner_point<'r>(r: &Reduction<'r>, point: &Point<'r>, indices: &[V]) -> Point<'r> {
    let mut point = point.clone();
    for (n, &i) in indices.iter().enumerate() {
        point = point.moved(r.l.region, r.l.axes.space + n, i);
    }
    point
}

/// Windows: init first, or at the end where the order does not show, then each element in turn, those outside left out.
fn sequential<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    points: &mut [Point<'r>],
) -> Result<Vec<Vec<V>>, Refusal> {
    let mut inits = Vec::new();
    for p in points.iter_mut() {
        match r.keys() {
            Some(keys) => inits.extend(keys.iter().map(|k| k.identity(&mut cx.b, p.lanes))),
            None => {
                for &i in r.inits {
                    inits.push(cx.vector(p, i)?);
                }
            }
        }
    }
    let extents = r.l.axes.inner_extents().to_vec();
    let totals = nest_carrying(cx, &extents, &mut Vec::new(), inits, &mut |cx, indices, carried| {
        let width = r.values.len();
        let mut next = Vec::new();
        for (n, p) in points.iter().enumerate() {
            let acc = &carried[n * width..][..width];
            let mut p = inner_point(r, p, indices);
            let inside = r.mask.map(|m| cx.value(&mut p, m)).transpose()?;
            let x = r.elements(cx, &mut p)?;
            let combined = r.combine(cx, &p, acc, &x)?;
            for (&new, &old) in combined.iter().zip(acc) {
                next.push(match inside {
                    Some(m) => cx.b.select(m, new, old),
                    None => new,
                });
            }
        }
        Ok(next)
    })?;
    Ok(totals.chunks(r.values.len()).map(|c| c.to_vec()).collect())
}

type NestBody<'a, 'r> = dyn FnMut(&mut Emit<'r>, &[V], &[V]) -> Result<Vec<V>, Refusal> + 'a;

/// Nested loops over a box that carry values through.
fn nest_carrying<'r>(
    cx: &mut Emit<'r>,
    extents: &[i64],
    at: &mut Vec<V>,
    carried: Vec<V>,
    body: &mut NestBody<'_, 'r>,
) -> Result<Vec<V>, Refusal> {
    let Some((&extent, rest)) = extents.split_first() else { return body(cx, at, &carried) };
    let (lo, hi) = (cx.b.i64(0), cx.b.i64(extent));
    cx.for_loop((lo, hi, 1), &carried, |cx, i, carried| {
        at.push(i);
        let next = nest_carrying(cx, rest, at, carried.to_vec(), body);
        at.pop();
        next
    })
}

fn store_total<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    point: &mut Point<'r>,
    total: Vec<V>,
) -> Result<(), Refusal> {
    let mut rounded = Vec::new();
    for ((v, &id), &dtype) in total.into_iter().zip(r.values).zip(&r.l.stage.results) {
        rounded.push(scalar::convert(&mut cx.b, r.l.region.dtype(id), dtype, v)?);
    }
    r.l.finish(cx, point, &rounded, false)
}

/// The space cut into tiles of a few vectors along the lane axis, of each of the points beside.
struct Tiles {
    lane: Option<usize>,
    tile: i64,
    beside: Option<Beside>,
    /// Tiles in a row.
    per_row: i64,
    outer: Rows,
}

impl Tiles {
    fn new(r: &Reduction<'_>, lane: Option<usize>, tile: u32, beside: Option<Beside>) -> Tiles {
        let columns = lane.map_or(1, |a| r.l.axes.extents[a]);
        let width = r.s.lanes as i64 * tile as i64;
        let outer = r.l.loops(&[lane, beside.map(|b| b.axis)]);
        Tiles { lane, tile: tile as i64, beside, per_row: (columns + width - 1) / width, outer }
    }

    /// A phase, or loops within a row, over tiles × `chunks`; `body` gets the points of a tile and the chunk.
    fn each<'r>(
        &self,
        cx: &mut Emit<'r>,
        r: &Reduction<'r>,
        chunks: i64,
        body: impl FnOnce(&mut Emit<'r>, &mut [Point<'r>], V) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let rows = self.outer.count();
        let units = chunks * rows * self.per_row;
        r.l.each(cx, units, r.s.rows_per_task, |cx, unit| {
            let at = cx.delinearize(unit, &[chunks, rows, self.per_row]);
            let mut point = r.l.start(cx);
            self.outer.place(cx, at[1], &mut point.at);
            r.l.hoist_epilogue(cx, &mut point)?;
            let mut points = Vec::new();
            for point in self.beside(cx, r, point) {
                points.extend(self.points(cx, r, point, at[2]));
            }
            // What an empty loop would not read must not be read before it.
            for n in 0..if r.length > 0 { points.len() } else { 0 } {
                let (count, (before, rest)) = (points.len(), points.split_at_mut(n));
                if self.beside.is_some() {
                    share(r, before, &mut rest[0], count);
                }
                r.hoist(cx, &mut rest[0], r.l.axes.space)?;
            }
            body(cx, &mut points, at[0])
        })
    }

    /// The points beside each other, which the builder gives the same values where they have the same operations.
    fn beside<'r>(&self, cx: &mut Emit<'r>, r: &Reduction<'r>, point: Point<'r>) -> Vec<Point<'r>> {
        let Some(Beside { axis, points }) = self.beside else { return vec![point] };
        let moved = |n| {
            let at = cx.b.i64(n);
            point.moved(r.l.region, axis, at)
        };
        (0..points).map(moved).collect()
    }

    fn points<'r>(&self, cx: &mut Emit<'r>, r: &Reduction<'r>, point: Point<'r>, n: V) -> Vec<Point<'r>> {
        let Some(lane) = self.lane else { return vec![point] };
        let columns = r.l.axes.extents[lane];
        let lanes = r.s.lanes;
        let width = cx.b.i64(self.tile * lanes as i64);
        let first = cx.b.mul(n, width);
        (0..self.tile)
            .map(|v| {
                let offset = cx.b.i64(v * lanes as i64);
                let column = cx.b.add(first, offset);
                let column = if columns % (self.tile * lanes as i64) == 0 {
                    column
                } else {
                    within(cx, column, lanes as i64, columns)
                };
                point.spread(r.l.region, lane, column, lanes)
            })
            .collect()
    }
}
