//! The arrays a task keeps beside its operands: what is packed, computed ahead, or rests between blocks of k.

use super::contraction::{Contraction, Task};
use crate::loop_ir::{Bin, Buf, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::scalar;
use crate::lower::transpose::Squares;
use crate::refusal::Refusal;

impl<'r> Contraction<'r> {
    /// Copies elements `lo..hi` of the vector operand for the tile's columns.
    pub(super) fn pack(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        packed: Buf,
        (lo, hi): (V, V),
    ) -> Result<(), Refusal> {
        let mut vectors = self.vectors(cx, point);
        for p in &mut vectors {
            self.hoist(cx, p, self.vector)?;
        }
        let (Some(lane), false) = (self.s.lane, self.s.turned.is_empty()) else {
            cx.for_loop((lo, hi, 1), &[], |cx, k, _| {
                self.pack_line(cx, &vectors, packed, (lo, k), |_, _, _| {})
            })?;
            return Ok(());
        };
        let n = self.s.lanes as i64;
        let inner = self.l.axes.inner_extents();
        let along = self.l.axes.extents.len() - 1;
        let tile = self.s.tile as i64;
        let squares = Squares::new(cx, &self.s.turned, n, (tile * n, n, 0), self.s.turn);
        cx.for_loop((lo, hi, n), &[], |cx, k, _| {
            let k = latest(cx, k, hi, n);
            let indices = cx.delinearize(k, inner);
            // A loop instead of unrolled code: a transposition in registers is long.
            let (zero, end) = (cx.b.i64(0), cx.b.i64(tile));
            cx.for_loop((zero, end, 1), &[], |cx, v, _| {
                let lanes = cx.b.i64(n);
                let offset = cx.b.mul(v, lanes);
                let p = self.vector_at(cx, point, lane, offset);
                let first = cx.b.i64(0);
                squares.fill(cx, &self.at_k(&p, &indices), (lane, along), (offset, first))?;
                Ok(Vec::new())
            })?;
            let (zero, lines) = (cx.b.i64(0), cx.b.i64(n));
            cx.for_loop((zero, lines, 1), &[], |cx, j, _| {
                let k = cx.b.add(k, j);
                self.pack_line(cx, &vectors, packed, (lo, k), |cx, v, p| {
                    let (square, first) = (cx.b.i64(v as i64 * n), cx.b.i64(0));
                    let line = cx.b.add(square, j);
                    squares.put(cx, p, (line, first))
                })
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Packs element `k` for the tile's columns; `put` makes loads of vector `v` known.
    fn pack_line(
        &self,
        cx: &mut Emit<'r>,
        vectors: &[Point<'r>],
        packed: Buf,
        (lo, k): (V, V),
        put: impl Fn(&mut Emit<'r>, usize, &mut Point<'r>),
    ) -> Result<Vec<V>, Refusal> {
        let indices = cx.delinearize(k, self.l.axes.inner_extents());
        let from = cx.b.sub(k, lo);
        for (v, p) in vectors.iter().enumerate() {
            let mut p = self.at_k(p, &indices);
            put(cx, v, &mut p);
            let x = cx.vector(&mut p, self.vector)?;
            let raw = scalar::to_memory(&mut cx.b, x, self.accumulator);
            let offset = self.packed_at(cx, from, v);
            cx.b.store(packed, offset, raw, None);
        }
        Ok(Vec::new())
    }

    /// Where vector `v` of the tile is packed, `from` elements of k after the first of the block.
    pub(super) fn packed_at(&self, cx: &mut Emit<'r>, from: V, v: usize) -> V {
        let width = cx.b.i64(self.width());
        let line = cx.b.mul(from, width);
        let offset = cx.b.i64(v as i64 * self.s.lanes as i64);
        cx.b.add(line, offset)
    }

    /// Computes elements `lo..hi` of the other operand for all rows of the task, with lanes along k: in the register
    /// tile it would be computed one by one, and again for each tile of columns.
    pub(super) fn compute_ahead(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        ahead: Buf,
        (lo, hi): (V, V),
    ) -> Result<(), Refusal> {
        let (first, end) = task.rows;
        let inner = self.l.axes.inner_extents();
        let lanes = self.s.lanes_ahead;
        let (Some(row_axis), false) = (self.s.row, self.s.turned_ahead.is_empty()) else {
            cx.for_loop((first, end, 1), &[], |cx, row, _| {
                let point = self.row_of(cx, task, row)?;
                cx.for_loop((lo, hi, lanes as i64), &[], |cx, k, _| {
                    let k = latest(cx, k, hi, lanes as i64);
                    self.ahead_line(cx, (task, &point), ahead, (row, lo, k), |_, _| {})
                })
            })?;
            return Ok(());
        };
        let n = lanes as i64;
        let along = self.l.axes.extents.len() - 1;
        let squares = Squares::new(cx, &self.s.turned_ahead, n, (n, n, 0), self.s.turn);
        cx.for_loop((first, end, n), &[], |cx, row, _| {
            let row = latest(cx, row, end, n);
            let p = task.start.moved(self.l.region, row_axis, row);
            cx.for_loop((lo, hi, n), &[], |cx, k, _| {
                let k = latest(cx, k, hi, n);
                let indices = cx.delinearize(k, inner);
                let top = cx.b.i64(0);
                squares.fill(cx, &self.at_k(&p, &indices), (along, row_axis), (top, top))?;
                let (zero, n) = (cx.b.i64(0), cx.b.i64(n));
                cx.for_loop((zero, n, 1), &[], |cx, j, _| {
                    let row = cx.b.add(row, j);
                    let point = self.row_of(cx, task, row)?;
                    self.ahead_line(cx, (task, &point), ahead, (row, lo, k), |cx, p| {
                        squares.put(cx, p, (j, zero))
                    })
                })
            })
        })?;
        Ok(())
    }

    /// A row of a task, with what its elements share.
    fn row_of(&self, cx: &mut Emit<'r>, task: &Task<'r>, row: V) -> Result<Point<'r>, Refusal> {
        let mut point = match self.s.row {
            Some(axis) => task.start.moved(self.l.region, axis, row),
            None => task.start.clone(),
        };
        self.hoist(cx, &mut point, self.scalar)?;
        Ok(point)
    }

    /// Computes a vector along k of the other operand ahead, in the row at `point`; `put` makes loads known.
    fn ahead_line(
        &self,
        cx: &mut Emit<'r>,
        (task, point): (&Task<'r>, &Point<'r>),
        ahead: Buf,
        (row, lo, k): (V, V, V),
        put: impl Fn(&mut Emit<'r>, &mut Point<'r>),
    ) -> Result<Vec<V>, Refusal> {
        let (inner, lanes) = (self.l.axes.inner_extents(), self.s.lanes_ahead);
        let indices = cx.delinearize(k, inner);
        let mut p = self.at_k(point, &indices);
        if lanes > 1 {
            let axis = self.l.axes.extents.len() - 1;
            p = p.spread(self.l.region, axis, indices[inner.len() - 1], lanes);
        }
        put(cx, &mut p);
        let x = cx.value(&mut p, self.scalar)?;
        let x = cx.b.widen_to(x, lanes);
        let raw = scalar::to_memory(&mut cx.b, x, self.accumulator);
        let from_first = cx.b.sub(row, task.rows.0);
        let line = self.line_ahead(cx, from_first, 0);
        let from = cx.b.sub(k, lo);
        let offset = cx.b.add(line, from);
        cx.b.store(ahead, offset, raw, None);
        Ok(Vec::new())
    }

    /// Where the elements of row `row + m` of a task begin that were computed ahead.
    pub(super) fn line_ahead(&self, cx: &mut Emit<'r>, row: V, m: usize) -> V {
        let (m, block) = (cx.b.i64(m as i64), cx.b.i64(self.steps()));
        let line = cx.b.add(row, m);
        cx.b.mul(line, block)
    }

    /// Where the accumulators of row `row + m` of a task rest, vector by vector.
    pub(super) fn rest(&self, cx: &mut Emit<'r>, task: &Task<'r>, column: V, row: V, m: usize) -> Vec<V> {
        let height = cx.b.i64(self.points() * task.height);
        let (width, m) = (cx.b.i64(self.width()), cx.b.i64(m as i64));
        let tile = cx.b.mul(column, height);
        let line = cx.b.add(row, m);
        let line = cx.b.mul(line, width);
        let line = cx.b.add(tile, line);
        (0..self.s.tile as i64)
            .map(|v| {
                let offset = cx.b.i64(v * self.s.lanes as i64);
                cx.b.add(line, offset)
            })
            .collect()
    }

    /// Sets the accumulators of a task to zero.
    pub(super) fn clear(&self, cx: &mut Emit<'r>, resting: Buf, task: &Task<'r>) -> Result<(), Refusal> {
        let (zero, end) = (cx.b.i64(0), cx.b.i64(self.points() * task.height * task.width));
        let value = self.zero(cx, self.s.lanes);
        let raw = scalar::to_memory(&mut cx.b, value, self.accumulator);
        cx.for_loop((zero, end, self.s.lanes as i64), &[], |cx, offset, _| {
            cx.b.store(resting, offset, raw, None);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Accumulators, or elements of an operand, as they were stored.
    pub(super) fn load(&self, cx: &mut Emit<'r>, buf: Buf, offset: V, lanes: u32) -> V {
        let raw = cx.b.load(buf, offset, lanes, None);
        scalar::from_memory(&mut cx.b, raw, self.accumulator)
    }
}

/// `at`, or where `n` elements still end before `end`: the last vector moves back over its neighbour.
pub(super) fn latest(cx: &mut Emit<'_>, at: V, end: V, n: i64) -> V {
    let n = cx.b.i64(n);
    let last = cx.b.sub(end, n);
    cx.b.bin(Bin::SMin, at, last)
}
