//! Maps that read some arrays along another axis than they write: square tiles, transposed on the way.
//!
//! A square of lanes × lanes elements is read as vectors along the row axis and kept transposed in a private array: by
//! log2(lanes) rounds of shuffles before, or by storing each vector down a column. Then each row of it is ordinary vectors of the map. Reads and writes both
//! touch whole cache lines, and in a block of squares some that follow each other. Where a vector is a line of the result, its
//! rows are evaluated from the registers they are in, without an array between.

use super::emit::Emit;
use super::lowering::Lowering;
use super::point::Point;
use super::rows::{Rows, block, within};
use super::scalar;
use super::under_way;
use crate::loop_ir::{Bin, Buf, Cmp, Elem, Op, Type, V};
use crate::plan::{BlockSquares, MapSchedule, Transpose, Turn};
use crate::refusal::Refusal;
use crate::region::{Kind, NodeId};

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
    // Blocks of squares: what is read and what is written both go some way along a line of their array.
    let (row_blocks, column_blocks) = ((rows + t.rows - 1) / t.rows, (columns + t.columns - 1) / t.columns);
    let order = Order { planes, blocks: [row_blocks, column_blocks], squares: t.squares };
    let units = order.units();
    let per_task = match t.squares {
        Some(squares) => squares.per_task,
        None => (s.rows_per_task * s.columns_per_task / (t.rows * t.columns)).clamp(1, units),
    };
    // Lines a power of two apart would fall into the same cache sets: one vector more spreads them.
    let squares = (!t.in_registers).then(|| Squares::new(cx, &t.loads, n, (t.rows, t.columns, n), t.turn));
    let task = cx.b.open_phase((units + per_task - 1) / per_task);
    let (first, end) = block(cx, task, per_task, units);
    cx.for_loop((first, end, 1), &[], |cx, unit, _| {
        order.visit(cx, unit, |cx, at| {
            let point = Point::new(axes, outer.at(cx, at[0]));
            let (first_row, end_row) = stretch(cx, at[1], (t.rows, n), rows);
            let (first_column, end_column) = stretch(cx, at[2], (t.columns, n), columns);
            let Some(squares) = &squares else {
                let lines = (first_column, first_row, end_row);
                return in_registers(cx, (l, s, t), &point, lines, values);
            };
            let place = |cx: &mut Emit<'r>, row: V, column: V| {
                (cx.b.sub(row, first_row), cx.b.sub(column, first_column))
            };
            cx.for_loop((first_column, end_column, n), &[], |cx, column, _| {
                let column = whole(cx, column, n, columns);
                cx.for_loop((first_row, end_row, n), &[], |cx, row, _| {
                    let row = whole(cx, row, n, rows);
                    let mut point = point.clone();
                    (point.at[lane], point.at[t.row]) = (column, row);
                    let to = place(cx, row, column);
                    squares.fill(cx, &point, (lane, t.row), to)?;
                    Ok(Vec::new())
                })
            })?;
            under_way::for_each(cx, (first_row, end_row), (1, s.ahead), &mut |cx, rows| {
                cx.for_loop((first_column, end_column, n), &[], |cx, column, _| {
                    let column = whole(cx, column, n, columns);
                    let mut points = Vec::new();
                    let (first, along) = place(cx, rows[0], column);
                    for (n, &row) in (0..).zip(rows) {
                        let line = point.moved(l.region, t.row, row);
                        let mut p = line.spread(l.region, lane, column, s.lanes);
                        let n = cx.b.i64(n);
                        let line = cx.b.add(first, n);
                        squares.put(cx, &mut p, (line, along));
                        points.push(p);
                    }
                    let results = under_way::evaluate(cx, &mut points, values)?;
                    for (p, results) in points.iter_mut().zip(results) {
                        l.finish(cx, p, &results, s.streaming && columns % n == 0)?;
                    }
                    Ok(Vec::new())
                })?;
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(Vec::new())
    })?;
    cx.b.close_phase(task);
    Ok(())
}

/// The order of the blocks of squares.
struct Order {
    planes: i64,
    /// Blocks down and across a plane.
    blocks: [i64; 2],
    squares: Option<BlockSquares>,
}

impl Order {
    /// Blocks down and across of those that a block of warps takes.
    fn areas(&self, s: BlockSquares) -> [i64; 2] {
        let [down, across] = self.blocks;
        [(down + s.rows - 1) / s.rows, (across + s.columns - 1) / s.columns]
    }

    fn units(&self) -> i64 {
        let per_plane = match self.squares {
            Some(s) => self.areas(s).iter().product::<i64>() * s.tasks * s.per_task,
            None => self.blocks.iter().product(),
        };
        self.planes * per_plane
    }

    /// `body` with the plane, row and column of a unit, unless that is past the end of its area or of the plane.
    fn visit<'r>(
        &self,
        cx: &mut Emit<'r>,
        unit: V,
        body: impl FnOnce(&mut Emit<'r>, &[V]) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let [down, across] = self.blocks;
        let Some(s) = self.squares else {
            let at = cx.delinearize(unit, &[self.planes, down, across]);
            return body(cx, &at);
        };
        let [areas_down, areas_across] = self.areas(s);
        let units = s.tasks * s.per_task;
        let at = cx.delinearize(unit, &[self.planes, areas_down, areas_across, units]);
        let within = cx.delinearize(at[3], &[(units + s.columns - 1) / s.columns, s.columns]);
        let mut place = |area: V, size: i64, within: V| {
            let size = cx.b.i64(size);
            let first = cx.b.mul(area, size);
            cx.b.add(first, within)
        };
        let (row, column) = (place(at[1], s.rows, within[0]), place(at[2], s.columns, within[1]));
        let mut inside = None;
        let bounds = [
            (units > s.rows * s.columns, within[0], s.rows),
            (down % s.rows != 0, row, down),
            (across % s.columns != 0, column, across),
        ];
        for (_, at, bound) in bounds.into_iter().filter(|b| b.0) {
            let bound = cx.b.i64(bound);
            let below = cx.b.cmp(Cmp::Slt, at, bound);
            inside = Some(inside.map_or(below, |all| cx.b.bin(Bin::And, all, below)));
        }
        let at = [at[0], row, column];
        let Some(inside) = inside else { return body(cx, &at) };
        cx.if_else(inside, |cx| body(cx, &at).map(|()| Vec::new()), |_| Ok(Vec::new()))?;
        Ok(())
    }
}

/// The squares of these columns, row after row: each line is evaluated from the register that it is in once the square is
/// turned.
fn in_registers<'r>(
    cx: &mut Emit<'r>,
    (l, s, t): (&'r Lowering<'r>, &MapSchedule, &Transpose),
    point: &Point<'r>,
    (column, first_row, end_row): (V, V, V),
    values: &'r [NodeId],
) -> Result<(), Refusal> {
    let Some(lane) = s.lane else { return Ok(()) };
    let n = s.lanes as i64;
    let (rows, columns) = (l.axes.extents[t.row], l.axes.extents[lane]);
    cx.for_loop((first_row, end_row, n), &[], |cx, row, _| {
        let row = whole(cx, row, n, rows);
        let mut corner = point.clone();
        (corner.at[lane], corner.at[t.row]) = (column, row);
        let mut turned = Vec::new();
        for &load in &t.loads {
            let lines = square(cx, &corner, load, (lane, t.row), n)?;
            turned.push((load, transposed(cx, lines)));
        }
        for u in 0..n {
            let step = cx.b.i64(u);
            let at = cx.b.add(row, step);
            let line = point.moved(l.region, t.row, at);
            let mut line = line.spread(l.region, lane, column, s.lanes);
            for (load, vectors) in &turned {
                let v = scalar::from_memory(&mut cx.b, vectors[u as usize], cx.region.dtype(*load));
                line.known.insert(*load, v);
            }
            let results = values.iter().map(|&id| cx.value(&mut line, id)).collect::<Result<Vec<_>, _>>()?;
            l.finish(cx, &mut line, &results, s.streaming && columns % n == 0)?;
        }
        Ok(Vec::new())
    })?;
    Ok(())
}

/// A square at the point as vectors along `row`, one for each lane along `lane`.
fn square<'r>(
    cx: &mut Emit<'r>,
    point: &Point<'r>,
    load: NodeId,
    (lane, row): (usize, usize),
    n: i64,
) -> Result<Vec<V>, Refusal> {
    let region = cx.region;
    let line = |u: i64| {
        let step = cx.b.i64(u);
        let column = cx.b.add(point.at[lane], step);
        let p = point.moved(region, lane, column);
        let mut p = p.spread(region, row, point.at[row], n as u32);
        Ok(cx.raw_load(&mut p, load)?.1)
    };
    (0..n).map(line).collect()
}

/// The bounds of block `k` of blocks of `size` in `0..extent`; one of less than `n` begins earlier.
fn stretch(cx: &mut Emit<'_>, k: V, (size, n): (i64, i64), extent: i64) -> (V, V) {
    let size_v = cx.b.i64(size);
    let first = cx.b.mul(k, size_v);
    let first = whole(cx, first, n, extent);
    let end = cx.b.add(first, size_v);
    if extent % size == 0 {
        return (first, end);
    }
    let extent = cx.b.i64(extent);
    (first, cx.b.bin(Bin::SMin, end, extent))
}

/// Where `n` elements that would start at `at`, a multiple of `n` unless moved, end within `extent`.
fn whole(cx: &mut Emit<'_>, at: V, n: i64, extent: i64) -> V {
    if extent % n == 0 { at } else { within(cx, at, n, extent) }
}

/// Squares of some loads, in arrays of lines.
pub(super) struct Squares {
    loads: Vec<Turned>,
    n: i64,
    turn: Turn,
}

/// The squares of a load, in an array whose lines are so far apart.
struct Turned {
    load: NodeId,
    buf: Buf,
    width: i64,
}

impl Squares {
    /// Of `n` × `n` elements, in arrays of so many lines of so many elements; where shuffles turn them, with so many between
    /// lines.
    pub(super) fn new(
        cx: &mut Emit<'_>,
        loads: &[NodeId],
        n: i64,
        (lines, columns, between): (i64, i64, i64),
        turn: Turn,
    ) -> Squares {
        let local = |(k, &load): (usize, &NodeId)| {
            let elem = scalar::mem_elem(cx.region.dtype(load));
            let width = columns
                + match turn {
                    Turn::Shuffles => between,
                    Turn::Stores => Turn::apart(elem.bytes()),
                };
            Turned { load, buf: cx.b.local(format!("tile{k}"), elem, lines * width), width }
        };
        Squares { loads: loads.iter().enumerate().map(local).collect(), n, turn }
    }

    /// Reads the squares at the point, of these two axes (see [`square`]), and stores them turned, to this line and element of
    /// the arrays.
    pub(super) fn fill<'r>(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        axes: (usize, usize),
        to: (V, V),
    ) -> Result<(), Refusal> {
        for turned in &self.loads {
            let vectors = square(cx, point, turned.load, axes, self.n)?;
            let to = turned.place(cx, to);
            store_turned(cx, vectors, (turned.buf, to, turned.width), self.turn);
        }
        Ok(())
    }

    /// Makes the loads known at a point whose lanes run along `lane`, from this line and element of the arrays.
    pub(super) fn put(&self, cx: &mut Emit<'_>, point: &mut Point<'_>, from: (V, V)) {
        for turned in &self.loads {
            let from = turned.place(cx, from);
            let raw = cx.b.load(turned.buf, from, self.n as u32, None);
            let v = scalar::from_memory(&mut cx.b, raw, cx.region.dtype(turned.load));
            point.known.insert(turned.load, v);
        }
    }
}

impl Turned {
    fn place(&self, cx: &mut Emit<'_>, (line, along): (V, V)) -> V {
        let width = cx.b.i64(self.width);
        let line = cx.b.mul(line, width);
        cx.b.add(line, along)
    }
}

/// Stores the transpose of a square of vectors, to lines that are so far apart.
pub(super) fn store_turned(cx: &mut Emit<'_>, vectors: Vec<V>, (buf, to, width): (Buf, V, i64), turn: Turn) {
    match turn {
        Turn::Shuffles => {
            for (j, v) in transposed(cx, vectors).into_iter().enumerate() {
                let line = cx.b.i64(j as i64 * width);
                let offset = cx.b.add(to, line);
                cx.b.store(buf, offset, v, None);
            }
        }
        Turn::Stores => {
            let lanes = vectors.len() as u32;
            let line = cx.b.op(Op::Iota(Type::vector(Elem::I64, lanes)));
            let width = cx.b.i64(width);
            let width = cx.b.widen_to(width, lanes);
            let lines = cx.b.mul(line, width);
            for (u, v) in (0..).zip(vectors) {
                let along = cx.b.i64(u);
                let first = cx.b.add(to, along);
                let first = cx.b.widen_to(first, lanes);
                let offsets = cx.b.add(lines, first);
                cx.b.store(buf, offsets, v, None);
            }
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
            // RowLanes k of `a` with bit `half` set changes place with lane k - half of `b`.
            let low = (0..n).map(|k| if k & half == 0 { k } else { n + k - half } as u32).collect();
            let high = (0..n).map(|k| if k & half == 0 { k + half } else { n + k } as u32).collect();
            vectors[i] = cx.b.op(Op::Shuffle { a, b, lanes: low });
            vectors[i + half] = cx.b.op(Op::Shuffle { a, b, lanes: high });
        }
        half /= 2;
    }
    vectors
}
