//! Scans: a running combination along one axis, its values in registers, in the order of [`ScanOrder`].

use super::emit::Emit;
use super::identity;
use super::lowering::Lowering;
use super::point::Point;
use super::rows::{Rows, block, left, within};
use super::scalar;
use crate::loop_ir::{Bin, Buf, Cmp, Op, V};
use crate::plan::ScanSchedule;
use crate::refusal::Refusal;
use crate::region::{Function, GROUP, Kind, NodeId, ScanOrder};
use lawson_hlo::DType;
use lawson_hlo::index::Affine;

/// Rows × one vector of lanes in tasks; along the scanned axis one step after the other, of one element or one group.
pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &ScanSchedule) -> Result<(), Refusal> {
    let Kind::Scan { values, inits, combiner, order, position } = &l.stage.kind else { return Ok(()) };
    let axes = &l.axes;
    // Lanes side by side in the space; those along the scanned axis are in each row.
    let across = s.lane.filter(|&a| a < axes.space);
    let width = if across.is_some() { s.lanes as i64 } else { 1 };
    let columns = across.map_or(1, |a| axes.extents[a]);
    let vectors = (columns + width - 1) / width;
    let outer = Rows::except(axes, &[across]);
    let units = outer.count() * vectors;
    let length = l.stage.inner_points();
    if units == 0 || length == 0 {
        return Ok(());
    }
    let inner: Vec<usize> = (axes.space..axes.extents.len()).collect();
    let per_task = s.rows_per_task.min(units);
    let chunks = Chunks::new(cx, l, (*order, values), width as u32);
    let task = cx.b.open_phase((units + per_task - 1) / per_task);
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        let at = cx.delinearize(unit, &[outer.count(), vectors]);
        let mut point = Point::new(axes, outer.at(cx, at[0]));
        if let Some(lane) = across {
            let lanes = cx.b.i64(width);
            let column = cx.b.mul(at[1], lanes);
            let exact = columns % width == 0;
            let column = if exact { column } else { within(cx, column, width, columns) };
            point = point.spread(l.region, lane, column, s.lanes);
        }
        cx.hoist(&mut point, values, &inner)?;
        let init = inits.iter().map(|&i| cx.vector(&mut point, i)).collect::<Result<Vec<_>, _>>()?;
        let scan = Scan { l, values, combiner, position, point };
        match order {
            ScanOrder::Sequential => scan.in_sequence(cx, &init, length),
            ScanOrder::KeptBlocked | ScanOrder::MinorBlocked => {
                scan.in_chunks(cx, &init, &chunks, *order == ScanOrder::MinorBlocked)
            }
        }?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

/// The scan of one row, or of rows side by side in lanes.
struct Scan<'r, 's> {
    l: &'r Lowering<'r>,
    values: &'s [NodeId],
    combiner: &'s Function,
    position: &'s Affine,
    /// Where the row begins.
    point: Point<'r>,
}

impl<'r> Scan<'r, '_> {
    fn in_sequence(&self, cx: &mut Emit<'r>, init: &[V], length: i64) -> Result<Vec<V>, Refusal> {
        let (zero, n) = (cx.b.i64(0), cx.b.i64(length));
        cx.for_loop((zero, n, 1), init, |cx, j, running| {
            let mut p = self.at(cx, j);
            let element = self.elements(cx, &mut p)?;
            let next = self.combined(cx, running, &element)?;
            self.store(cx, &mut p, &next)?;
            Ok(next)
        })
    }

    fn in_chunks(
        &self,
        cx: &mut Emit<'r>,
        init: &[V],
        chunks: &Chunks,
        grouped: bool,
    ) -> Result<Vec<V>, Refusal> {
        let (zero, count) = (cx.b.i64(0), cx.b.i64(chunks.count()));
        cx.for_loop((zero, count, 1), &[], |cx, chunk, _| {
            let before = chunks.before(cx, self, chunk, init)?;
            let (first, end) = block(cx, chunk, chunks.size, chunks.length);
            let step = if grouped { chunks.group } else { 1 };
            let identity = self.identity(cx, if grouped { chunks.group as u32 } else { chunks.lanes });
            let last = cx.for_loop((first, end, step), &identity, |cx, j, carry| {
                let mut p = if grouped { self.group(cx, j, chunks) } else { self.at(cx, j) };
                let mut element = self.elements(cx, &mut p)?;
                if grouped {
                    element = self.within_group(cx, element, &identity)?;
                }
                let running = self.combined(cx, carry, &element)?;
                let results = self.combined(cx, &before, &running)?;
                self.store(cx, &mut p, &results)?;
                if !grouped {
                    return Ok(running);
                }
                // The last lane in all lanes.
                let top = vec![chunks.group as u32 - 1; chunks.group as usize];
                let carried = running.into_iter().map(|v| Op::Shuffle { a: v, b: v, lanes: top.clone() });
                Ok(carried.map(|op| cx.b.op(op)).collect())
            })?;
            let last = match grouped {
                true => last.into_iter().map(|v| cx.b.op(Op::Extract(v, 0))).collect(),
                false => last,
            };
            chunks.keep(cx, self, chunk, last)?;
            Ok(Vec::new())
        })
    }

    /// The point at element `j` of the row.
    fn at(&self, cx: &mut Emit<'r>, j: V) -> Point<'r> {
        let axes = &self.l.axes;
        let mut p = self.point.clone();
        let indices = cx.delinearize(j, axes.inner_extents());
        for (k, i) in indices.into_iter().enumerate() {
            p = p.moved(self.l.region, axes.space + k, i);
        }
        p
    }

    /// The lanes from element `j` of the row on.
    fn group(&self, cx: &mut Emit<'r>, j: V, chunks: &Chunks) -> Point<'r> {
        let lanes = chunks.group as u32;
        let mut p = self.point.spread(self.l.region, self.l.axes.space, j, lanes);
        if chunks.length % chunks.group != 0 {
            p.mask = Some(left(cx, j, chunks.length, lanes));
        }
        p
    }

    fn elements(&self, cx: &mut Emit<'r>, p: &mut Point<'r>) -> Result<Vec<V>, Refusal> {
        self.values.iter().map(|&v| cx.vector(p, v)).collect()
    }

    fn combined(&self, cx: &mut Emit<'r>, first: &[V], second: &[V]) -> Result<Vec<V>, Refusal> {
        cx.call(&self.point, self.combiner, &[first, second].concat())
    }

    /// The running combinations of the lanes: each with the one 1, 2, 4, … lanes before it, or with the identity where there is
    /// none. A lane that stayed undefined instead could hold anything, and arithmetic on subnormal numbers is slow.
    fn within_group(
        &self,
        cx: &mut Emit<'r>,
        mut running: Vec<V>,
        identity: &[V],
    ) -> Result<Vec<V>, Refusal> {
        let lanes = cx.b.ty_of(running[0]).lanes;
        for distance in (0..lanes.trailing_zeros()).map(|k| 1 << k) {
            let up: Vec<u32> = (0..lanes).map(|i| if i < distance { lanes } else { i - distance }).collect();
            let pairs = running.iter().zip(identity);
            let earlier: Vec<V> =
                pairs.map(|(&a, &b)| cx.b.op(Op::Shuffle { a, b, lanes: up.clone() })).collect();
            running = self.combined(cx, &earlier, &running)?;
        }
        Ok(running)
    }

    /// The identity of the combiner in every lane; those of blocked orders have one (region/verify).
    fn identity(&self, cx: &mut Emit<'r>, lanes: u32) -> Vec<V> {
        let scalars = identity::of(cx, self.combiner).unwrap_or_default();
        scalars.into_iter().map(|v| cx.b.widen_to(v, lanes)).collect()
    }

    fn store(&self, cx: &mut Emit<'r>, p: &mut Point<'r>, running: &[V]) -> Result<(), Refusal> {
        let stage = self.l.stage;
        let mut rounded = Vec::new();
        for ((&v, &id), &dtype) in running.iter().zip(self.values).zip(&stage.results) {
            rounded.push(scalar::convert(&mut cx.b, self.l.region.dtype(id), dtype, v)?);
        }
        self.l.store(cx, p, self.l.index, &stage.results, self.position, &rounded, false)
    }
}

/// The chunks of a blocked scan, and the totals of runs of them in arrays of the task: entry k is that of the 2^k chunks
/// before the highest multiple of 2^k, while bit k of the number of chunks so far is set.
struct Chunks {
    length: i64,
    size: i64,
    group: i64,
    /// For each value.
    totals: Vec<(Buf, DType)>,
    /// Of a total: rows side by side.
    lanes: u32,
}

impl Chunks {
    fn new(
        cx: &mut Emit<'_>,
        l: &Lowering<'_>,
        (order, values): (ScanOrder, &[NodeId]),
        lanes: u32,
    ) -> Chunks {
        let length = l.stage.inner_points();
        let mut chunks =
            Chunks { length, size: order.chunk().min(length), group: GROUP, totals: Vec::new(), lanes };
        if order == ScanOrder::Sequential {
            return chunks;
        }
        let entries = chunks.runs().max(1) * lanes as i64;
        for (n, &id) in values.iter().enumerate() {
            let dtype = l.region.dtype(id);
            let name = format!("{}.totals{n}", l.stage.name);
            chunks.totals.push((cx.b.local(name, scalar::mem_elem(dtype), entries), dtype));
        }
        chunks
    }

    fn count(&self) -> i64 {
        (self.length + self.size - 1) / self.size
    }

    /// Lengths of runs that end before the last chunk.
    fn runs(&self) -> i64 {
        (64 - (self.count() - 1).leading_zeros()) as i64
    }

    /// What stands before a chunk: init and the runs that make up its number, the longest first.
    fn before<'r>(
        &self,
        cx: &mut Emit<'r>,
        scan: &Scan<'r, '_>,
        chunk: V,
        init: &[V],
    ) -> Result<Vec<V>, Refusal> {
        if self.runs() == 0 {
            return Ok(init.to_vec());
        }
        let (zero, runs) = (cx.b.i64(0), cx.b.i64(self.runs()));
        cx.for_loop((zero, runs, 1), init, |cx, k, all| {
            let longest = cx.b.i64(self.runs() - 1);
            let run = cx.b.sub(longest, k);
            let one = cx.b.i64(1);
            let bit = cx.b.bin(Bin::LShr, chunk, run);
            let bit = cx.b.bin(Bin::And, bit, one);
            let set = cx.b.cmp(Cmp::Eq, bit, one);
            cx.if_else(
                set,
                |cx| {
                    let total = self.total(cx, run);
                    scan.combined(cx, all, &total)
                },
                |_| Ok(all.to_vec()),
            )
        })
    }

    /// Keeps the total of a chunk: runs of equal lengths that end with it become one.
    fn keep<'r>(
        &self,
        cx: &mut Emit<'r>,
        scan: &Scan<'r, '_>,
        chunk: V,
        total: Vec<V>,
    ) -> Result<(), Refusal> {
        if self.runs() == 0 {
            return Ok(());
        }
        let (zero, runs) = (cx.b.i64(0), cx.b.i64(self.runs()));
        cx.for_loop((zero, runs, 1), &total, |cx, run, total| {
            let one = cx.b.i64(1);
            // All shorter runs are there, and have become part of this one.
            let bit = cx.b.bin(Bin::Shl, one, run);
            let shorter = cx.b.sub(bit, one);
            let low = cx.b.bin(Bin::And, chunk, shorter);
            let ends = cx.b.cmp(Cmp::Eq, low, shorter);
            cx.if_else(
                ends,
                |cx| {
                    let set = cx.b.bin(Bin::And, chunk, bit);
                    let zero = cx.b.i64(0);
                    let none = cx.b.cmp(Cmp::Eq, set, zero);
                    cx.if_else(
                        none,
                        |cx| {
                            self.set_total(cx, run, total);
                            Ok(total.to_vec())
                        },
                        |cx| {
                            let first = self.total(cx, run);
                            scan.combined(cx, &first, total)
                        },
                    )
                },
                |_| Ok(total.to_vec()),
            )
        })?;
        Ok(())
    }

    fn total(&self, cx: &mut Emit<'_>, run: V) -> Vec<V> {
        let at = self.place(cx, run);
        let loaded = self.totals.iter().map(|&(buf, dtype)| {
            let raw = cx.b.load(buf, at, self.lanes, None);
            scalar::from_memory(&mut cx.b, raw, dtype)
        });
        loaded.collect()
    }

    fn set_total(&self, cx: &mut Emit<'_>, run: V, total: &[V]) {
        let at = self.place(cx, run);
        for (&(buf, dtype), &v) in self.totals.iter().zip(total) {
            let raw = scalar::to_memory(&mut cx.b, v, dtype);
            cx.b.store(buf, at, raw, None);
        }
    }

    fn place(&self, cx: &mut Emit<'_>, run: V) -> V {
        let lanes = cx.b.i64(self.lanes as i64);
        cx.b.mul(run, lanes)
    }
}
