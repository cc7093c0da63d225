//! A product with lanes along an axis that both operands have: every vector of a tile's columns times one of each row.

use super::contraction::Contraction;
use crate::loop_ir::{Bin, Buf, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::within;
use crate::lower::scalar;
use crate::refusal::Refusal;

impl<'r> Contraction<'r> {
    /// A task has some rows of the lanes of one vector, and all columns.
    pub(super) fn phase_of_batch(
        &self,
        cx: &mut Emit<'r>,
        (row, column, lane): (usize, usize, usize),
    ) -> Result<(), Refusal> {
        let extents = &self.l.axes.extents;
        let (lanes, batch) = (self.s.lanes as i64, extents[lane]);
        let outer = self.l.loops(&[Some(lane), Some(row), Some(column)]);
        let (height, tile) = (self.s.rows_per_task, [self.s.rows, self.s.tile as i64]);
        let blocks = [outer.count(), (batch + lanes - 1) / lanes, (self.rows + height - 1) / height];
        let elem = scalar::mem_elem(self.sums.accumulator);
        let elements = self.s.rows * self.length * lanes;
        let packed = self.s.ahead.then(|| cx.b.local_again("ahead", elem, elements));
        let task = cx.b.open_phase(blocks.iter().product());
        let at = cx.delinearize(task, &blocks);
        let start = Point::new(&self.l.axes, outer.at(cx, at[0]));
        let size = cx.b.i64(lanes);
        let first = cx.b.mul(at[1], size);
        // The last vector, the last rows and the last columns overlap those before them.
        let first = within(cx, first, lanes, batch);
        let mut start = start.spread(self.l.region, lane, first, self.s.lanes);
        self.l.hoist_epilogue(cx, &mut start)?;
        let size = cx.b.i64(height);
        let first = cx.b.mul(at[2], size);
        let first = within(cx, first, height, self.rows);
        let end = cx.b.add(first, size);
        cx.for_loop((first, end, tile[0]), &[], |cx, at, _| {
            let rows = cx.b.i64(tile[0]);
            let last = cx.b.sub(end, rows);
            let at = if height % tile[0] == 0 { at } else { cx.b.bin(Bin::SMin, at, last) };
            let start = start.moved(self.l.region, row, at);
            if let Some(packed) = packed {
                self.pack_rows(cx, &start, row, packed)?;
            }
            let (zero, all) = (cx.b.i64(0), cx.b.i64(extents[column]));
            cx.for_loop((zero, all, tile[1]), &[], |cx, at, _| {
                let whole = extents[column] % tile[1] == 0;
                let at = if whole { at } else { within(cx, at, tile[1], extents[column]) };
                let start = start.moved(self.l.region, column, at);
                self.tile_of_batch(cx, &start, [(row, tile[0]), (column, tile[1])], packed)?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        packed.into_iter().for_each(|array| cx.b.give_back(array));
        cx.b.close_phase(task);
        Ok(())
    }

    /// Copies what a tile reads of its rows to an array, by k: all tiles of columns read it again, and in memory it may lie such that
    /// its lines evict each other.
    fn pack_rows(
        &self,
        cx: &mut Emit<'r>,
        start: &Point<'r>,
        row: usize,
        packed: Buf,
    ) -> Result<(), Refusal> {
        let mut rows = self.neighbours(cx, start, (row, self.s.rows));
        for point in &mut rows {
            self.hoist(cx, point, self.scalar)?;
        }
        let (lo, hi) = (cx.b.i64(0), cx.b.i64(self.length));
        self.each_k(cx, ((lo, hi), &[self.scalar]), &[], &mut |cx, (from, indices), _| {
            for (m, point) in rows.iter().enumerate() {
                let mut point = self.at_k(point, indices);
                let x = cx.vector(&mut point, self.scalar)?;
                let raw = scalar::to_memory(&mut cx.b, x, self.sums.accumulator);
                let at = self.packed_row(cx, from, m);
                cx.b.store(packed, at, raw, None);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Where row `m` of a tile has its vector of an element of k.
    fn packed_row(&self, cx: &mut Emit<'r>, k: V, m: usize) -> V {
        let lanes = self.s.lanes as i64;
        let (each, offset) = (cx.b.i64(self.s.rows * lanes), cx.b.i64(m as i64 * lanes));
        let at = cx.b.mul(k, each);
        cx.b.add(at, offset)
    }

    /// So many points along an axis.
    fn neighbours(
        &self,
        cx: &mut Emit<'r>,
        start: &Point<'r>,
        (axis, count): (usize, i64),
    ) -> Vec<Point<'r>> {
        let points = (0..count).map(|n| {
            let n = cx.b.i64(n);
            let at = cx.b.add(start.at[axis], n);
            start.moved(self.l.region, axis, at)
        });
        points.collect()
    }

    /// The sums and results of so many rows and columns from a point on.
    fn tile_of_batch(
        &self,
        cx: &mut Emit<'r>,
        start: &Point<'r>,
        [(row, rows), (column, columns)]: [(usize, i64); 2],
        packed: Option<Buf>,
    ) -> Result<(), Refusal> {
        let mut down = self.neighbours(cx, start, (row, rows));
        let mut across = self.neighbours(cx, start, (column, columns));
        if packed.is_none() {
            for point in &mut down {
                self.hoist(cx, point, self.scalar)?;
            }
        }
        for point in &mut across {
            self.hoist(cx, point, self.vector)?;
        }
        let inits = vec![self.sums.initial(cx, self.s.lanes); (rows * columns) as usize];
        let (lo, hi) = (cx.b.i64(0), cx.b.i64(self.length));
        let in_place = [self.vector, self.scalar];
        let in_place = if packed.is_some() { &in_place[..1] } else { &in_place };
        let sums = self.each_k(cx, ((lo, hi), in_place), &inits, &mut |cx, (from, indices), sums| {
            let read = |cx: &mut Emit<'r>, point: &Point<'r>, operand| {
                let mut point = self.at_k(point, indices);
                cx.vector(&mut point, operand)
            };
            let vectors: Vec<V> =
                across.iter().map(|point| read(cx, point, self.vector)).collect::<Result<_, _>>()?;
            let mut next = Vec::new();
            for (m, (point, sums)) in down.iter().zip(sums.chunks(vectors.len())).enumerate() {
                let x = match packed {
                    Some(packed) => {
                        let at = self.packed_row(cx, from, m);
                        self.load(cx, packed, at, self.s.lanes)
                    }
                    None => read(cx, point, self.scalar)?,
                };
                for (&v, &sum) in vectors.iter().zip(sums) {
                    next.push(self.accumulate(cx, x, v, sum)?);
                }
            }
            Ok(next)
        })?;
        for (m, sums) in (0..).zip(sums.chunks(columns as usize)) {
            let m = cx.b.i64(m);
            let at = cx.b.add(start.at[row], m);
            let of_row = start.moved(self.l.region, row, at);
            for (n, &sum) in (0..).zip(sums) {
                let n = cx.b.i64(n);
                let at = cx.b.add(start.at[column], n);
                let mut point = of_row.moved(self.l.region, column, at);
                let rounded = self.rounded(cx, sum)?;
                self.l.finish(cx, &mut point, &[rounded], false)?;
            }
        }
        Ok(())
    }
}
