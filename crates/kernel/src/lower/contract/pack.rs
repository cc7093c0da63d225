//! The arrays a task keeps beside its operands: what is packed, computed ahead, or rests between blocks of k.

use super::*;

impl<'r> Contraction<'r> {
    /// Copies elements `lo..hi` of the vector operand for the tile's columns.
    pub(super) fn pack(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        packed: Buf,
        (lo, hi): (V, V),
    ) -> Result<(), Refusal> {
        let vectors = self.vectors(cx, point);
        cx.for_loop((lo, hi, 1), &[], |cx, k, _| {
            let indices = cx.delinearize(k, self.l.axes.inner_extents());
            let from = cx.b.sub(k, lo);
            for (v, p) in vectors.iter().enumerate() {
                let mut p = self.at_k(p, &indices);
                let x = cx.vector(&mut p, self.vector)?;
                let raw = scalar::to_memory(&mut cx.b, x, self.accumulator);
                let offset = self.packed_at(cx, from, v);
                cx.b.store(packed, offset, raw, None);
            }
            Ok(Vec::new())
        })?;
        Ok(())
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
        let axis = self.l.axes.space + inner.len().saturating_sub(1);
        cx.for_loop((first, end, 1), &[], |cx, row, _| {
            let p = match self.s.row {
                Some(axis) => task.start.moved(self.l.region, axis, row),
                None => task.start.clone(),
            };
            let from_first = cx.b.sub(row, first);
            let line = self.line_ahead(cx, from_first, 0);
            cx.for_loop((lo, hi, lanes as i64), &[], |cx, k, _| {
                let width = cx.b.i64(lanes as i64);
                let latest = cx.b.sub(hi, width);
                let k = cx.b.bin(Bin::SMin, k, latest);
                let indices = cx.delinearize(k, inner);
                let mut p = self.at_k(&p, &indices);
                if lanes > 1 {
                    p = p.spread(self.l.region, axis, indices[inner.len() - 1], lanes);
                }
                let x = cx.value(&mut p, self.scalar)?;
                let x = cx.b.widen_to(x, lanes);
                let raw = scalar::to_memory(&mut cx.b, x, self.accumulator);
                let from = cx.b.sub(k, lo);
                let offset = cx.b.add(line, from);
                cx.b.store(ahead, offset, raw, None);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Where the elements of row `row + m` of a task begin that were computed ahead.
    pub(super) fn line_ahead(&self, cx: &mut Emit<'r>, row: V, m: usize) -> V {
        let (m, block) = (cx.b.i64(m as i64), cx.b.i64(self.s.block));
        let line = cx.b.add(row, m);
        cx.b.mul(line, block)
    }

    /// Where the accumulators of row `row + m` of a task rest, vector by vector.
    pub(super) fn rest(&self, cx: &mut Emit<'r>, task: &Task<'r>, column: V, row: V, m: usize) -> Vec<V> {
        let (height, width, m) = (cx.b.i64(task.height), cx.b.i64(self.width()), cx.b.i64(m as i64));
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
        let (zero, end) = (cx.b.i64(0), cx.b.i64(task.height * task.width));
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
