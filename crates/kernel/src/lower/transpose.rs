//! Maps that read some arrays along another axis than they write: square tiles, turned in registers.
//!
//! A tile of lanes × lanes elements is read as vectors along the row axis, transposed by log2(lanes) rounds of
//! shuffles, and kept in a private array; then each row of the tile is an ordinary vector of the map. Reads and
//! writes both touch whole cache lines.

use super::rows::{Rows, block, within};
use super::*;
use crate::loop_ir::Op;
use crate::plan::{MapSchedule, Transpose};

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &MapSchedule,
    t: &Transpose,
) -> Result<(), Refusal> {
    let (Kind::Map { values }, Some(lane)) = (&l.stage.kind, s.lane) else { return Ok(()) };
    let axes = &l.axes;
    let n = s.lanes as i64;
    let (rows, columns) = (axes.extents[t.row], axes.extents[lane]);
    let outer = Rows::except(axes, &[s.lane, Some(t.row)]);
    let planes = outer.count();
    if planes * rows * columns == 0 {
        return Ok(());
    }
    let (row_tiles, column_tiles) = ((rows + n - 1) / n, (columns + n - 1) / n);
    // A strip of tiles along the columns, as many strips to a task as make the task worth its while.
    let strips = planes * row_tiles;
    let per_task = (s.rows_per_task / n).clamp(1, strips);
    let squares = Squares::new(cx, &t.loads, n);
    let task = cx.b.open_phase();
    let (first, end) = block(cx, task, per_task, strips);
    cx.for_loop((first, end, 1), &[], |cx, strip, _| {
        let at = cx.delinearize(strip, &[planes, row_tiles]);
        let mut base = outer.at(cx, at[0]);
        base[t.row] = tile_start(cx, at[1], n, rows);
        let point = Point::new(axes, base);
        let (zero, count) = (cx.b.i64(0), cx.b.i64(column_tiles));
        cx.for_loop((zero, count, 1), &[], |cx, tile, _| {
            let column = tile_start(cx, tile, n, columns);
            let mut point = point.clone();
            point.at[lane] = column;
            squares.fill(cx, &point, (lane, t.row))?;
            let (zero, count) = (cx.b.i64(0), cx.b.i64(n));
            cx.for_loop((zero, count, 1), &[], |cx, j, _| {
                let row = cx.b.add(point.at[t.row], j);
                let mut p = point.moved(l.region, t.row, row).spread(l.region, lane, column, s.lanes);
                squares.put(cx, &mut p, j);
                let results = values.iter().map(|&id| cx.value(&mut p, id)).collect::<Result<Vec<_>, _>>()?;
                l.finish(cx, &mut p, &results, s.streaming && columns % n == 0)?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase((strips + per_task - 1) / per_task, task);
    Ok(())
}

/// Where tile `k` starts.
fn tile_start(cx: &mut Emit<'_>, k: V, n: i64, extent: i64) -> V {
    let size = cx.b.i64(n);
    let start = cx.b.mul(k, size);
    if extent % n == 0 { start } else { within(cx, start, n, extent) }
}

/// Square tiles of some loads.
pub(super) struct Squares {
    loads: Vec<(NodeId, Buf)>,
    n: i64,
}

impl Squares {
    pub(super) fn new(cx: &mut Emit<'_>, loads: &[NodeId], n: i64) -> Squares {
        let local = |(k, &id): (usize, &NodeId)| {
            let elem = scalar::mem_elem(cx.region.dtype(id));
            (id, cx.b.local(format!("tile{k}"), elem, n * n))
        };
        Squares { loads: loads.iter().enumerate().map(local).collect(), n }
    }

    /// Reads the tiles at the point along `row`, one vector for each lane along `lane`, and stores them turned.
    pub(super) fn fill<'r>(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (lane, row): (usize, usize),
    ) -> Result<(), Refusal> {
        let region = cx.region;
        for &(id, buf) in &self.loads {
            let mut vectors = Vec::new();
            for u in 0..self.n {
                let step = cx.b.i64(u);
                let column = cx.b.add(point.at[lane], step);
                let p = point.moved(region, lane, column);
                let mut p = p.spread(region, row, point.at[row], self.n as u32);
                vectors.push(cx.raw_load(&mut p, id)?.1);
            }
            for (j, v) in transposed(cx, vectors).into_iter().enumerate() {
                let offset = cx.b.i64(j as i64 * self.n);
                cx.b.store(buf, offset, v, None);
            }
        }
        Ok(())
    }

    /// Makes the loads known at a point `j` steps along `row`, whose lanes run along `lane`.
    pub(super) fn put(&self, cx: &mut Emit<'_>, point: &mut Point<'_>, j: V) {
        let width = cx.b.i64(self.n);
        let offset = cx.b.mul(j, width);
        for &(id, buf) in &self.loads {
            let raw = cx.b.load(buf, offset, self.n as u32, None);
            let v = scalar::from_memory(&mut cx.b, raw, cx.region.dtype(id));
            point.known.insert(id, v);
        }
    }
}

/// The transpose of a square of vectors, by exchanging ever smaller blocks (Eklundh, 1972).
pub(super) fn transposed(cx: &mut Emit<'_>, mut vectors: Vec<V>) -> Vec<V> {
    let n = vectors.len();
    let mut half = n / 2;
    while half >= 1 {
        for i in (0..n).filter(|i| i & half == 0) {
            let (a, b) = (vectors[i], vectors[i + half]);
            // Lane k of `a` with bit `half` set changes place with lane k - half of `b`.
            let low = (0..n).map(|k| if k & half == 0 { k } else { n + k - half } as u32).collect();
            let high = (0..n).map(|k| if k & half == 0 { k + half } else { n + k } as u32).collect();
            vectors[i] = cx.b.op(Op::Shuffle { a, b, lanes: low });
            vectors[i + half] = cx.b.op(Op::Shuffle { a, b, lanes: high });
        }
        half /= 2;
    }
    vectors
}
