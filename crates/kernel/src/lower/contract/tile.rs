//! The register tile of a contraction: its sums over a block of k, and its results.

use super::contraction::{Contraction, Panel, Task};
use crate::loop_ir::tiles::SIDE;
use crate::loop_ir::{Bin, Buf, Cache, Matrix, Op, TileProduct, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::rates::Rates;
use crate::refusal::Refusal;
use crate::region::{Node, NodeId, Source};
use crate::target::LINE;

/// Instructions of an epilogue, counted for each vector of a tile, beyond which it is a loop over the tile's rows.
const MOST_UNROLLED: i64 = 400;

impl<'r> Contraction<'r> {
    /// All rows of the task over one block of k: whole register tiles, then the rest one row at a time.
    pub(super) fn rows_of(&self, cx: &mut Emit<'r>, panel: &Panel<'_, 'r>) -> Result<(), Refusal> {
        let Some(row_axis) = self.s.row else {
            let zero = cx.b.i64(0);
            return self.tile(cx, panel, std::slice::from_ref(&panel.point), zero);
        };
        let (first, end) = panel.task.rows;
        let all = panel.task.height;
        let height = self.s.rows.min(all);
        // The last tile overlaps the one before it, where computing a row twice gives the same. Sums that are kept in
        // memory would be added to twice: there the rest goes row by row.
        let idempotent = panel.task.arrays.resting.is_none();
        let one_by_one = all % height != 0 && !idempotent;
        let count = cx.b.sub(end, first);
        let h = cx.b.i64(height);
        let whole = cx.b.bin(Bin::SDiv, count, h);
        let whole = cx.b.mul(whole, h);
        let whole_end = cx.b.add(first, whole);
        let loop_end = if one_by_one { whole_end } else { end };
        cx.for_loop((first, loop_end, height), &[], |cx, row, _| {
            let row = if all % height != 0 && !one_by_one {
                let last = cx.b.sub(end, h);
                cx.b.bin(Bin::SMin, row, last)
            } else {
                row
            };
            let rows: Vec<Point<'r>> = (0..height)
                .map(|m| {
                    let m = cx.b.i64(m);
                    let at = cx.b.add(row, m);
                    panel.point.moved(self.l.region, row_axis, at)
                })
                .collect();
            let from = cx.b.sub(row, first);
            self.tile(cx, panel, &rows, from)?;
            Ok(Vec::new())
        })?;
        if one_by_one {
            cx.for_loop((whole_end, end, 1), &[], |cx, row, _| {
                let rows = [panel.point.moved(self.l.region, row_axis, row)];
                let from = cx.b.sub(row, first);
                self.tile(cx, panel, &rows, from)?;
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }

    /// One register tile over one block of k. `row` is the tile's first row within the task.
    fn tile(
        &self,
        cx: &mut Emit<'r>,
        panel: &Panel<'_, 'r>,
        rows: &[Point<'r>],
        row: V,
    ) -> Result<(), Refusal> {
        let arrays = panel.task.arrays;
        if let Some(sums) = arrays.sums {
            return self.tile_of_registers(cx, panel, (&rows[0], row), sums);
        }
        let (tile, lanes, (lo, hi)) = (self.s.tile as usize, self.s.lanes, panel.k);
        let resting: Vec<V> = match arrays.resting {
            Some(_) => {
                let row = cx.b.add(panel.before, row);
                (0..rows.len()).flat_map(|m| self.rest(cx, panel.task, panel.column, row, m)).collect()
            }
            None => Vec::new(),
        };
        let mut inits: Vec<V> = match arrays.resting {
            Some(buf) => resting.iter().map(|&offset| self.load_sums(cx, buf, offset, lanes)).collect(),
            None => vec![self.sums.initial(cx, lanes); rows.len() * tile],
        };
        if let Some(begin) = arrays.begin {
            for (n, sum) in inits.iter_mut().enumerate() {
                let at = cx.b.i64((n % tile) as i64 * lanes as i64);
                let more = self.load_sums(cx, begin, at, lanes);
                *sum = cx.b.add(*sum, more);
            }
        }
        let mut rows = rows.to_vec();
        if arrays.scalars.is_none() && self.is_shared() {
            for row in &mut rows {
                self.hoist(cx, row, self.scalar)?;
            }
        }
        let mut columns = self.vectors(cx, &rows[0]);
        if arrays.vectors.is_none() {
            for column in &mut columns {
                self.hoist(cx, column, self.vector)?;
            }
        }
        let ahead: Vec<V> = match arrays.scalars {
            Some(_) => {
                let first = if self.s.ahead_once.is_some() { lo } else { cx.b.i64(0) };
                let line = |m| {
                    let line = self.line_ahead(cx, panel.task, row, m);
                    self.ahead_at(cx, panel.task, line, first)
                };
                (0..rows.len()).map(line).collect()
            }
            None => Vec::new(),
        };
        let next = self.next_rows(cx, &rows)?;
        let in_place = [
            arrays.vectors.is_none().then_some(self.vector),
            arrays.scalars.is_none().then_some(self.scalar),
        ];
        let in_place: Vec<NodeId> = in_place.into_iter().flatten().collect();
        let sums = self.each_k(cx, ((lo, hi), &in_place), &inits, &mut |cx, (from, indices), sums| {
            self.bring_near(cx, &columns, indices)?;
            if let Some((buf, first)) = next {
                let height = cx.b.i64(rows.len() as i64);
                let along = cx.b.mul(from, height);
                let at = cx.b.add(first, along);
                cx.b.prefetch(buf, at, Cache::First);
            }
            let mut vectors = Vec::new();
            for (v, p) in columns.iter().enumerate() {
                vectors.push(match arrays.vectors {
                    Some(packed) => {
                        let offset = self.packed_at(cx, panel.packed, from, v);
                        self.load(cx, packed, offset, lanes)
                    }
                    None => {
                        let mut p = self.at_k(p, indices);
                        cx.vector(&mut p, self.vector)?
                    }
                });
            }
            let mut next = Vec::new();
            for (m, p) in rows.iter().enumerate() {
                let a = match arrays.scalars {
                    Some(scalars) => {
                        let offset = self.ahead_at(cx, panel.task, ahead[m], from);
                        Some(self.load(cx, scalars, offset, 1))
                    }
                    None if self.is_shared() => {
                        let mut p = self.at_k(p, indices);
                        Some(cx.value(&mut p, self.scalar)?)
                    }
                    None => None,
                };
                for v in 0..tile {
                    let a = match a {
                        Some(a) => cx.b.widen_to(a, lanes),
                        None => {
                            let mut p = self.at_k(&columns[v], indices);
                            cx.vector(&mut p, self.scalar)?
                        }
                    };
                    next.push(self.accumulate(cx, a, vectors[v], sums[m * tile + v])?);
                }
            }
            Ok(next)
        })?;
        if let Some(buf) = arrays.resting {
            for (&offset, &sum) in resting.iter().zip(&sums) {
                let raw = self.sums.stored(cx, sum);
                cx.b.store(buf, offset, raw, None);
            }
            return Ok(());
        }
        if let (Some(axis), true) = (self.s.row, self.s.turns_results) {
            return self.finish_turned(cx, &rows[0], axis, &sums);
        }
        if let (Some(axis), true) = (self.s.row, self.is_long_end(rows.len() * tile)) {
            return self.finish_in_turn(cx, &rows[0], axis, &sums);
        }
        for (m, p) in rows.iter().enumerate() {
            self.finish_row(cx, p, &sums[m * tile..(m + 1) * tile])?;
        }
        Ok(())
    }

    /// Where the rows after those of a tile begin that are brought near: as many, one after the other.
    fn next_rows(&self, cx: &mut Emit<'r>, rows: &[Point<'r>]) -> Result<Option<(Buf, V)>, Refusal> {
        let load = self.s.next_rows.map(|id| self.l.region.node(id));
        let (Some(Node::Load { source: Source::Input(input), offset, .. }), Some(row)) = (load, self.s.row)
        else {
            return Ok(None);
        };
        let count = cx.b.i64(rows.len() as i64);
        let row_after = cx.b.add(rows[0].at[row], count);
        let zeros = vec![cx.b.i64(0); self.l.axes.inner_extents().len()];
        let mut p = self.at_k(&rows[0].moved(self.l.region, row, row_after), &zeros);
        let first = cx.scalar_offset(&mut p, offset)?;
        Ok(Some((cx.arrays.inputs[*input as usize], first)))
    }

    /// Whether so many copies of the epilogue take longer to compile than they save, or crowd the instruction cache.
    pub(super) fn is_long_end(&self, vectors: usize) -> bool {
        let region = self.l.region;
        let nodes = region.reachable(self.l.epilogue_values()).into_iter();
        let each = nodes.map(|id| Rates::CPU.node(region, id).max(1)).sum::<i64>();
        vectors > self.s.tile as usize && vectors as i64 * each > MOST_UNROLLED
    }

    /// The sums of a tile in an array of the task, row by row.
    pub(super) fn sums_in_memory(&self, cx: &mut Emit<'r>, sums: &[V]) -> Buf {
        let lanes = self.s.lanes as i64;
        let buf = cx.b.local("sums", self.sums.elem(), sums.len() as i64 * lanes);
        for (n, &sum) in (0..).zip(sums) {
            let (raw, at) = (self.sums.stored(cx, sum), cx.b.i64(n * lanes));
            cx.b.store(buf, at, raw, None);
        }
        buf
    }

    /// The results of a tile row by row, in a loop: its sums go by memory. `row` is the first.
    fn finish_in_turn(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        axis: usize,
        sums: &[V],
    ) -> Result<(), Refusal> {
        let buf = self.sums_in_memory(cx, sums);
        self.finish_sums(cx, row, (axis, (sums.len() / self.s.tile as usize) as i64), buf)
    }

    /// The product of a tile's rows and columns by tile registers, and its results. `row` is the first row within the task.
    fn tile_of_registers(
        &self,
        cx: &mut Emit<'r>,
        panel: &Panel<'_, 'r>,
        (point, row): (&Point<'r>, V),
        sums: Buf,
    ) -> Result<(), Refusal> {
        let (Some(axis), Some(words), Some(packed)) = (self.s.row, self.s.words, panel.task.arrays.vectors)
        else {
            return Ok(());
        };
        let [of_vector, of_scalar] = words.factors;
        let left = match (panel.task.arrays.scalars, self.l.region.node(words.scalar)) {
            (Some(buf), _) => {
                Matrix { buf, offset: self.line_ahead(cx, panel.task, row, 0), line: self.steps() }
            }
            (None, Node::Load { source: Source::Input(input), offset, .. }) => {
                let line = self.l.axes.translate(offset).coefficient(axis).unwrap_or(0);
                let zero = cx.b.i64(0);
                let offset = cx.scalar_offset(&mut self.at_k(point, &[zero]), offset)?;
                Matrix { buf: cx.arrays.inputs[*input as usize], offset, line }
            }
            (None, _) => return Ok(()),
        };
        let (zero, count) = (cx.b.i64(0), cx.b.i64(self.steps()));
        cx.b.tile_product(TileProduct {
            factors: [of_scalar, of_vector],
            tiles: [self.s.rows / SIDE, self.s.tile as i64],
            words: count,
            left,
            right: Matrix { buf: packed, offset: zero, line: self.width() },
            sums: Matrix { buf: sums, offset: zero, line: self.width() },
        });
        self.finish_sums(cx, point, (axis, self.s.rows), sums)
    }

    /// The results of so many rows, whose sums are in an array. `row` is the first, along this axis.
    fn finish_sums(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        (axis, rows): (usize, i64),
        buf: Buf,
    ) -> Result<(), Refusal> {
        let (tile, lanes) = (self.s.tile as usize, self.s.lanes as i64);
        let (zero, end) = (cx.b.i64(0), cx.b.i64(rows));
        cx.for_loop((zero, end, 1), &[], |cx, m, _| {
            let width = cx.b.i64(tile as i64 * lanes);
            let first = cx.b.mul(m, width);
            let sum = |cx: &mut Emit<'r>, v: usize| {
                let offset = cx.b.i64(v as i64 * lanes);
                let at = cx.b.add(first, offset);
                self.load_sums(cx, buf, at, lanes as u32)
            };
            let sums: Vec<V> = (0..tile).map(|v| sum(cx, v)).collect();
            let at = cx.b.add(row.at[axis], m);
            self.finish_row(cx, &row.moved(self.l.region, axis, at), &sums)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Brings near what the tile's columns read one block of k later, after the other columns of the task: more than the
    /// first-level cache holds, whose sets rows at a distance of a power of two fill soonest.
    fn bring_near(&self, cx: &mut Emit<'r>, columns: &[Point<'r>], indices: &[V]) -> Result<(), Refusal> {
        for &id in &self.s.near {
            let (Node::Load { source: Source::Input(input), offset, .. }, &[k]) =
                (self.l.region.node(id), indices)
            else {
                continue;
            };
            let block = cx.b.i64(self.s.block);
            let later = cx.b.add(k, block);
            let line = LINE / self.l.region.dtype(id).size() as i64;
            for p in columns {
                let mut p = self.at_k(p, &[later]);
                let first = cx.scalar_offset(&mut p, offset)?;
                for from in (0..self.s.lanes as i64).step_by(line.max(1) as usize) {
                    let from = cx.b.i64(from);
                    let at = cx.b.add(first, from);
                    cx.b.prefetch(cx.arrays.inputs[*input as usize], at, Cache::Second);
                }
            }
        }
        Ok(())
    }

    /// Rounds and stores the results of one row of a tile.
    fn finish_row(&self, cx: &mut Emit<'r>, row: &Point<'r>, sums: &[V]) -> Result<(), Refusal> {
        for (mut p, &sum) in self.vectors(cx, row).into_iter().zip(sums) {
            let rounded = self.rounded(cx, sum)?;
            self.l.finish(cx, &mut p, &[rounded], false)?;
        }
        Ok(())
    }

    /// The results of a tile of columns, from its accumulators in memory after the last block of k.
    pub(super) fn finish_rested(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        resting: Buf,
        (point, before, column): (Point<'r>, V, V),
    ) -> Result<(), Refusal> {
        let (first, end) = match self.s.row {
            Some(_) => task.rows,
            None => (cx.b.i64(0), cx.b.i64(1)),
        };
        cx.for_loop((first, end, 1), &[], |cx, row, _| {
            let from = cx.b.sub(row, first);
            let from = cx.b.add(before, from);
            let offsets = self.rest(cx, task, column, from, 0);
            let sums: Vec<V> =
                offsets.iter().map(|&o| self.load_sums(cx, resting, o, self.s.lanes)).collect();
            let row = match self.s.row {
                Some(axis) => point.moved(self.l.region, axis, row),
                None => point.clone(),
            };
            self.finish_row(cx, &row, &sums)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The sum with the product of an element of the operand that has no lanes and of one that has.
    pub(super) fn accumulate(&self, cx: &mut Emit<'r>, a: V, b: V, sum: V) -> Result<V, Refusal> {
        if let Some(words) = self.s.words {
            let dot = if words.in_word() == 4 { Op::DotBytes } else { Op::DotBf16 };
            return Ok(cx.b.op(dot(a, b, sum)));
        }
        let factors = if self.s.vector_is_rhs { [a, b] } else { [b, a] };
        self.sums.with_product(cx, &self.l.axes, factors, sum)
    }

    /// A sum as a result of the stage.
    pub(super) fn rounded(&self, cx: &mut Emit<'r>, sum: V) -> Result<V, Refusal> {
        self.sums.rounded(cx, self.l.stage.results[0], sum)
    }

    /// Sums as they were stored.
    fn load_sums(&self, cx: &mut Emit<'r>, buf: Buf, offset: V, lanes: u32) -> V {
        let raw = cx.b.load(buf, offset, lanes, None);
        self.sums.loaded(cx, raw)
    }
}
