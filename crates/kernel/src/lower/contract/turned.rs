//! The results of a tile that lie in line along its rows: its sums are turned in squares, and each column is finished with lanes along
//! the rows.

use super::contraction::Contraction;
use crate::loop_ir::V;
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::left;
use crate::lower::transpose::transposed;
use crate::refusal::Refusal;

impl<'r> Contraction<'r> {
    /// Rounds and stores the results of a tile. `row` is its first row, along this axis.
    pub(super) fn finish_turned(
        &self,
        cx: &mut Emit<'r>,
        row: &Point<'r>,
        axis: usize,
        sums: &[V],
    ) -> Result<(), Refusal> {
        let (Some(lane), tile, lanes) = (self.s.lane, self.s.tile as usize, self.s.lanes as i64) else {
            return Ok(());
        };
        let (rows, width) = ((sums.len() / tile) as i64, self.width());
        let buf = self.sums_in_memory(cx, sums);
        let zero = cx.b.i64(0);
        let mask = (rows < lanes).then(|| left(cx, zero, rows, self.s.lanes));
        // A loop instead of unrolled code: a transposition in registers is long.
        let end = cx.b.i64(width);
        cx.for_loop((zero, end, lanes), &[], |cx, offset, _| {
            // Rows that a square has beyond those of the tile are the last one again.
            let line = |cx: &mut Emit<'r>, m: i64| {
                let line = cx.b.i64(m.min(rows - 1) * width);
                let at = cx.b.add(offset, line);
                cx.b.load(buf, at, self.s.lanes, None)
            };
            let square = (0..lanes).map(|m| line(cx, m)).collect();
            let columns = transposed(cx, square);
            let first = self.column_at(cx, row, lane, offset);
            let finish = |cx: &mut Emit<'r>, n: V, raw: V| {
                let column = cx.b.add(first, n);
                let mut p = row.moved(self.l.region, lane, column);
                p = p.spread(self.l.region, axis, row.at[axis], self.s.lanes);
                p.mask = mask;
                let sum = self.sums.loaded(cx, raw);
                let rounded = self.rounded(cx, sum)?;
                self.l.finish(cx, &mut p, &[rounded], false)
            };
            if !self.is_long_end(lanes as usize) {
                for (n, raw) in (0..).zip(columns) {
                    let n = cx.b.i64(n);
                    finish(cx, n, raw)?;
                }
                return Ok(Vec::new());
            }
            let turned = cx.b.local("turned", self.sums.elem(), lanes * lanes);
            for (n, raw) in (0..).zip(columns) {
                let at = cx.b.i64(n * lanes);
                cx.b.store(turned, at, raw, None);
            }
            let end = cx.b.i64(lanes);
            cx.for_loop((zero, end, 1), &[], |cx, n, _| {
                let line = cx.b.i64(lanes);
                let at = cx.b.mul(n, line);
                let raw = cx.b.load(turned, at, self.s.lanes, None);
                finish(cx, n, raw)?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
