//! What is packed, computed ahead, or rests between blocks of k, and where it lies in its array.

use super::contraction::{Contraction, Task};
use crate::loop_ir::{Bin, Buf, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::left;
use crate::lower::scalar;
use crate::lower::transpose::Squares;
use crate::refusal::Refusal;

impl<'r> Contraction<'r> {
    /// Copies elements `lo..hi` of the vector operand for the tile's columns.
    pub(super) fn pack(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        packed: (Buf, V),
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
        (packed, begin): (Buf, V),
        (lo, k): (V, V),
        put: impl Fn(&mut Emit<'r>, usize, &mut Point<'r>),
    ) -> Result<Vec<V>, Refusal> {
        let indices = cx.delinearize(k, self.l.axes.inner_extents());
        let from = cx.b.sub(k, lo);
        for (v, p) in vectors.iter().enumerate() {
            let mut p = self.at_k(p, &indices);
            put(cx, v, &mut p);
            let x = cx.vector(&mut p, self.vector)?;
            let raw = scalar::to_memory(&mut cx.b, x, self.sums.accumulator);
            let offset = self.packed_at(cx, begin, from, v);
            cx.b.store(packed, offset, raw, None);
        }
        Ok(Vec::new())
    }

    /// Where vector `v` of the tile is packed, `from` elements of k after the first of the block, which is packed at `begin`.
    pub(super) fn packed_at(&self, cx: &mut Emit<'r>, begin: V, from: V, v: usize) -> V {
        let width = cx.b.i64(self.width());
        let line = cx.b.mul(from, width);
        let line = cx.b.add(begin, line);
        let offset = cx.b.i64(v as i64 * self.s.lanes as i64);
        cx.b.add(line, offset)
    }

    /// Computes elements `lo..hi` of the other operand for all rows of the task, with lanes along k or along the rows: in
    /// the register tile it would be computed one by one, and again for each tile of columns.
    pub(super) fn compute_ahead(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        ahead: Buf,
        (lo, hi): (V, V),
    ) -> Result<(), Refusal> {
        let ((first, end), lanes) = (task.rows, self.s.lanes_ahead as i64);
        if let (Some(row_axis), true) = (self.s.row, self.s.ahead_along_rows) {
            return self.panels_ahead(cx, task, ahead, (lo, hi), row_axis);
        }
        cx.for_loop((first, end, 1), &[], |cx, row, _| {
            let mut point = match self.s.row {
                Some(axis) => task.start.moved(self.l.region, axis, row),
                None => task.start.clone(),
            };
            self.hoist(cx, &mut point, self.scalar)?;
            cx.for_loop((lo, hi, lanes), &[], |cx, k, _| {
                let k = latest(cx, k, hi, lanes);
                let inner = self.l.axes.inner_extents();
                let indices = cx.delinearize(k, inner);
                let mut p = self.at_k(&point, &indices);
                if lanes > 1 {
                    let axis = self.l.axes.extents.len() - 1;
                    p = p.spread(self.l.region, axis, indices[inner.len() - 1], self.s.lanes_ahead);
                }
                let (row, from) = (cx.b.sub(row, first), cx.b.sub(k, lo));
                let line = self.line_ahead(cx, task, row, 0);
                let offset = self.ahead_at(cx, task, line, from);
                self.store_ahead(cx, ahead, offset, &mut p)
            })
        })?;
        Ok(())
    }

    /// The same with lanes along the rows: a panel for each tile of rows, k by k. A vector of more lanes than a tile has
    /// rows is stored over the next element of k, which is stored after it.
    fn panels_ahead(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        ahead: Buf,
        (lo, hi): (V, V),
        row_axis: usize,
    ) -> Result<(), Refusal> {
        let (rows, lanes) = (self.panel_rows(self.height_ahead(task)), self.s.lanes_ahead);
        let extent = self.l.axes.extents[row_axis];
        let zero = cx.b.i64(0);
        let panels = match self.s.ahead_once {
            // The last task may have fewer.
            Some(_) => {
                let (height, last) = (cx.b.i64(rows), cx.b.i64(rows - 1));
                let count = cx.b.sub(task.rows.1, task.rows.0);
                let count = cx.b.add(count, last);
                cx.b.bin(Bin::SDiv, count, height)
            }
            None => cx.b.i64(self.panels(task.height)),
        };
        let begin = self.line_ahead(cx, task, zero, 0);
        cx.for_loop((lo, hi, 1), &[], |cx, k, _| {
            let mut point = self.at_k(&task.start, &cx.delinearize(k, self.l.axes.inner_extents()));
            cx.hoist(&mut point, &[self.scalar], &[row_axis])?;
            let from = cx.b.sub(k, lo);
            cx.for_loop((zero, panels, 1), &[], |cx, panel, _| {
                let size = cx.b.i64(self.panel(self.height_ahead(task)));
                let line = cx.b.mul(panel, size);
                let line = cx.b.add(begin, line);
                let height = cx.b.i64(rows);
                let first = cx.b.mul(panel, height);
                let first = cx.b.add(task.rows.0, first);
                for v in (0..rows).step_by(lanes as usize) {
                    let v = cx.b.i64(v);
                    let row = cx.b.add(first, v);
                    let mut p = point.spread(self.l.region, row_axis, row, lanes);
                    p.mask = (lanes > 1).then(|| left(cx, row, extent, lanes));
                    let line = cx.b.add(line, v);
                    let offset = self.ahead_at(cx, task, line, from);
                    self.store_ahead(cx, ahead, offset, &mut p)?;
                }
                Ok(Vec::new())
            })
        })?;
        Ok(())
    }

    /// Stores the other operand at a point, computed ahead.
    fn store_ahead(
        &self,
        cx: &mut Emit<'r>,
        ahead: Buf,
        offset: V,
        point: &mut Point<'r>,
    ) -> Result<Vec<V>, Refusal> {
        let x = cx.value(point, self.scalar)?;
        let x = cx.b.widen_to(x, self.s.lanes_ahead);
        let raw = scalar::to_memory(&mut cx.b, x, self.sums.accumulator);
        cx.b.store(ahead, offset, raw, None);
        Ok(Vec::new())
    }

    /// Rows of which an array computed ahead has room for: those of the task, or all.
    fn height_ahead(&self, task: &Task<'r>) -> i64 {
        if self.s.ahead_once.is_some() { self.rows } else { task.height }
    }

    /// Steps of k that it has room for.
    fn steps_ahead(&self) -> i64 {
        if self.s.ahead_once.is_some() { self.length } else { self.steps() }
    }

    /// Elements of what is computed ahead for so many rows.
    pub(super) fn size_ahead(&self, height: i64) -> i64 {
        match self.s.ahead_along_rows {
            true => self.panel(height) * self.panels(height),
            false => self.steps_ahead() * height,
        }
    }

    /// Rows of a panel of a task of so many rows: those of a tile.
    fn panel_rows(&self, height: i64) -> i64 {
        self.s.rows.min(height)
    }

    fn panels(&self, height: i64) -> i64 {
        let rows = self.panel_rows(height);
        (height + rows - 1) / rows
    }

    /// Elements from one panel to the next: the last vector may end beyond its panel.
    fn panel(&self, height: i64) -> i64 {
        self.panel_rows(height) * self.steps_ahead() + self.s.lanes_ahead as i64
    }

    /// Where the elements of row `row + m` of a task begin that were computed ahead.
    pub(super) fn line_ahead(&self, cx: &mut Emit<'r>, task: &Task<'r>, row: V, m: usize) -> V {
        let all = self.height_ahead(task);
        let m = cx.b.i64(m as i64);
        let (begin, row) = match self.s.ahead_once {
            Some(_) => {
                let size = cx.b.i64(self.size_ahead(all));
                (cx.b.mul(task.outer, size), cx.b.add(task.rows.0, row))
            }
            None => (cx.b.i64(0), row),
        };
        if !self.s.ahead_along_rows {
            let (line, block) = (cx.b.add(row, m), cx.b.i64(self.steps_ahead()));
            let line = cx.b.mul(line, block);
            return cx.b.add(begin, line);
        }
        let rows = self.panel_rows(all);
        let (height, size) = (cx.b.i64(rows), cx.b.i64(self.panel(all)));
        // Tiles begin where panels do, unless the last one has been moved back.
        let are_whole = all % rows == 0 && task.height % rows == 0;
        let (first, beyond) = if are_whole { (row, m) } else { (cx.b.add(row, m), cx.b.i64(0)) };
        let (panel, within) = (cx.b.bin(Bin::SDiv, first, height), cx.b.bin(Bin::SRem, first, height));
        let line = cx.b.mul(panel, size);
        let line = cx.b.add(line, within);
        let line = cx.b.add(begin, line);
        cx.b.add(line, beyond)
    }

    /// Where the element `from` steps of k after the first lies, of the row that begins at `line`.
    pub(super) fn ahead_at(&self, cx: &mut Emit<'r>, task: &Task<'r>, line: V, from: V) -> V {
        if !self.s.ahead_along_rows {
            return cx.b.add(line, from);
        }
        let rows = cx.b.i64(self.panel_rows(self.height_ahead(task)));
        let from = cx.b.mul(from, rows);
        cx.b.add(line, from)
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

    /// Sets the accumulators of a task to what they begin with.
    pub(super) fn clear(&self, cx: &mut Emit<'r>, resting: Buf, task: &Task<'r>) -> Result<(), Refusal> {
        let (zero, end) = (cx.b.i64(0), cx.b.i64(self.points() * task.height * task.width));
        let value = self.sums.initial(cx, self.s.lanes);
        let raw = self.sums.stored(cx, value);
        cx.for_loop((zero, end, self.s.lanes as i64), &[], |cx, offset, _| {
            cx.b.store(resting, offset, raw, None);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Elements of an operand, as they were stored.
    pub(super) fn load(&self, cx: &mut Emit<'r>, buf: Buf, offset: V, lanes: u32) -> V {
        let raw = cx.b.load(buf, offset, lanes, None);
        scalar::from_memory(&mut cx.b, raw, self.sums.accumulator)
    }
}

/// `at`, or where `n` elements still end before `end`: the last vector moves back over its neighbour.
pub(super) fn latest(cx: &mut Emit<'_>, at: V, end: V, n: i64) -> V {
    let n = cx.b.i64(n);
    let last = cx.b.sub(end, n);
    cx.b.bin(Bin::SMin, at, last)
}
