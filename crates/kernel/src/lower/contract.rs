//! Contractions: a register tile of rows × vectors, every accumulator one chain in increasing k.
//!
//! For each tile of columns the vector operand is first copied, block of k by block of k, to an array of exactly
//! the tile's shape; then all rows of the task run over it. Between blocks the accumulators rest in memory, which
//! keeps the chain.

use super::rows::{Rows, block, within};
use super::*;
use crate::loop_ir::Bin;
use crate::plan::ContractSchedule;

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &'r ContractSchedule,
) -> Result<(), Refusal> {
    let Kind::Contract { lhs, rhs, accumulator } = l.stage.kind else { return Ok(()) };
    if l.stage.points() == 0 {
        return Ok(());
    }
    let (vector, scalar) = if s.vector_is_rhs { (rhs, lhs) } else { (lhs, rhs) };
    let contraction = Contraction::new(l, s, vector, scalar, accumulator);
    if l.in_row() { contraction.block(cx) } else { contraction.phase(cx) }
}

struct Contraction<'r> {
    l: &'r Lowering<'r>,
    s: &'r ContractSchedule,
    /// The operand that varies along the lanes, and the other.
    vector: NodeId,
    scalar: NodeId,
    accumulator: DType,
    /// Elements of k.
    length: i64,
    columns: i64,
    rows: i64,
    /// The space but for lanes and rows.
    outer: Rows,
}

/// The arrays of one task.
#[derive(Clone, Copy)]
struct Private {
    packed: Option<Buf>,
    /// Accumulators between blocks of k, by row of the task.
    resting: Option<Buf>,
}

impl<'r> Contraction<'r> {
    fn new(
        l: &'r Lowering<'r>,
        s: &'r ContractSchedule,
        vector: NodeId,
        scalar: NodeId,
        accumulator: DType,
    ) -> Contraction<'r> {
        let extents = &l.axes.extents;
        Contraction {
            l,
            s,
            vector,
            scalar,
            accumulator,
            length: l.axes.inner_extents().iter().product(),
            columns: s.lane.map_or(1, |a| extents[a]),
            rows: s.row.map_or(1, |a| extents[a]),
            outer: l.loops(&[s.lane, s.row]),
        }
    }

    fn width(&self) -> i64 {
        self.s.lanes as i64 * self.s.tile as i64
    }

    fn phase(&self, cx: &mut Emit<'r>) -> Result<(), Refusal> {
        let axes = &self.l.axes;
        let outer = self.outer.count();
        let column_tiles = (self.columns + self.width() - 1) / self.width();
        let rows_per_task = self.s.rows_per_task.min(self.rows).max(1);
        let row_blocks = (self.rows + rows_per_task - 1) / rows_per_task;
        let private = self.private(cx, rows_per_task);
        let task = cx.b.open_phase();
        let at = cx.delinearize(task, &[outer, row_blocks, column_tiles]);
        let mut point = Point::new(axes, self.outer.at(cx, at[0]));
        if let Some(lane) = self.s.lane {
            let width = cx.b.i64(self.width());
            point.at[lane] = cx.b.mul(at[2], width);
        }
        let rows = block(cx, at[1], rows_per_task, self.rows);
        self.columns_of(cx, &point, rows, private)?;
        cx.b.close_phase(outer * row_blocks * column_tiles, task);
        Ok(())
    }

    /// The arrays of a task of so many rows.
    fn private(&self, cx: &mut Emit<'r>, rows: i64) -> Private {
        let elem = scalar::mem_elem(self.accumulator);
        let packed = self.s.pack.then(|| cx.b.local("packed", elem, self.s.block * self.width()));
        let resting = (self.blocks() > 1).then(|| cx.b.local("resting", elem, rows * self.width()));
        Private { packed, resting }
    }

    /// Blocks of k.
    fn blocks(&self) -> i64 {
        (self.length + self.s.block - 1).max(1) / self.s.block.max(1)
    }

    /// The block of rows that a nest has come to, tile of columns by tile.
    fn block(&self, cx: &mut Emit<'r>) -> Result<(), Refusal> {
        let rows = self.s.rows_per_task;
        let private = self.private(cx, rows);
        let column_tiles = (self.columns + self.width() - 1) / self.width();
        let units = self.outer.count() * column_tiles;
        let (zero, units) = (cx.b.i64(0), cx.b.i64(units));
        cx.for_loop((zero, units, 1), &[], |cx, unit, _| {
            let at = cx.delinearize(unit, &[self.outer.count(), column_tiles]);
            let mut point = self.l.start(cx);
            self.outer.place(cx, at[0], &mut point.at);
            if let Some(lane) = self.s.lane {
                let width = cx.b.i64(self.width());
                point.at[lane] = cx.b.mul(at[1], width);
            }
            let first = self.s.row.map_or(zero, |row| point.at[row]);
            let count = cx.b.i64(rows);
            let end = cx.b.add(first, count);
            self.columns_of(cx, &point, (first, end), private)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// A tile of columns for these rows, one block of k after the other.
    fn columns_of(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (first, end): (V, V),
        private: Private,
    ) -> Result<(), Refusal> {
        let blocks = self.blocks();
        let (k_zero, k_end) = (cx.b.i64(0), cx.b.i64(self.length));
        if self.length == 0 {
            self.rows_of(cx, point, (first, end), (k_zero, k_end), private, (true, true))?;
        }
        for n in 0..if self.length == 0 { 0 } else { blocks } {
            let lo = cx.b.i64(n * self.s.block);
            let hi = cx.b.i64(((n + 1) * self.s.block).min(self.length));
            if let Some(packed) = private.packed {
                self.pack(cx, point, packed, (lo, hi))?;
            }
            let place = (n == 0, n + 1 == blocks);
            self.rows_of(cx, point, (first, end), (lo, hi), private, place)?;
        }
        Ok(())
    }

    /// The points of the tile's vectors, in the row of `point`.
    fn vectors(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Vec<Point<'r>> {
        let Some(lane) = self.s.lane else { return vec![point.clone()] };
        (0..self.s.tile as i64)
            .map(|v| {
                let offset = cx.b.i64(v * self.s.lanes as i64);
                let mut column = cx.b.add(point.at[lane], offset);
                if self.columns % self.width() != 0 {
                    column = within(cx, column, self.s.lanes as i64, self.columns);
                }
                point.spread(self.l.region, lane, column, self.s.lanes)
            })
            .collect()
    }

    fn at_k(&self, point: &Point<'r>, indices: &[V]) -> Point<'r> {
        let mut point = point.clone();
        for (n, &i) in indices.iter().enumerate() {
            point = point.moved(self.l.region, self.l.axes.space + n, i);
        }
        point
    }

    /// Copies elements `lo..hi` of the vector operand for the tile's columns.
    fn pack(
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
            let width = cx.b.i64(self.width());
            let row = cx.b.mul(from, width);
            for (v, p) in vectors.iter().enumerate() {
                let mut p = self.at_k(p, &indices);
                let x = cx.vector(&mut p, self.vector)?;
                let raw = scalar::to_memory(&mut cx.b, x, self.accumulator);
                let offset = cx.b.i64(v as i64 * self.s.lanes as i64);
                let offset = cx.b.add(row, offset);
                cx.b.store(packed, offset, raw, None);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// All rows of the task over one block of k: whole register tiles, then the rest one row at a time.
    fn rows_of(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (first, end): (V, V),
        k: (V, V),
        private: Private,
        place: (bool, bool),
    ) -> Result<(), Refusal> {
        let Some(row_axis) = self.s.row else {
            let zero = cx.b.i64(0);
            return self.tile(cx, std::slice::from_ref(point), zero, k, private, place);
        };
        // Rows in all: of the block, or of all tasks, whose blocks are of whole tiles.
        let all = if self.l.in_row() { self.s.rows_per_task } else { self.rows };
        let height = self.s.rows.min(all);
        // The last tile of a row block moves back to end with it; its rows are computed twice, the same.
        let idempotent = private.resting.is_none();
        let count = cx.b.sub(end, first);
        let heights: &[i64] = if all % height == 0 || idempotent { &[0] } else { &[0, 1] };
        let h = cx.b.i64(height);
        let whole = cx.b.bin(Bin::SDiv, count, h);
        let whole = cx.b.mul(whole, h);
        let whole_end = cx.b.add(first, whole);
        let loop_end = if heights.len() == 1 { end } else { whole_end };
        cx.for_loop((first, loop_end, height), &[], |cx, row, _| {
            let row = if heights.len() == 1 && all % height != 0 {
                let h = cx.b.i64(height);
                let last = cx.b.sub(end, h);
                cx.b.bin(Bin::SMin, row, last)
            } else {
                row
            };
            let rows: Vec<Point<'r>> = (0..height)
                .map(|m| {
                    let m = cx.b.i64(m);
                    let at = cx.b.add(row, m);
                    point.moved(self.l.region, row_axis, at)
                })
                .collect();
            let from = cx.b.sub(row, first);
            self.tile(cx, &rows, from, k, private, place)?;
            Ok(Vec::new())
        })?;
        if heights.len() > 1 {
            cx.for_loop((whole_end, end, 1), &[], |cx, row, _| {
                let rows = [point.moved(self.l.region, row_axis, row)];
                let from = cx.b.sub(row, first);
                self.tile(cx, &rows, from, k, private, place)?;
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }

    /// One register tile over one block of k. `row` is the tile's first row within the task.
    fn tile(
        &self,
        cx: &mut Emit<'r>,
        rows: &[Point<'r>],
        row: V,
        (lo, hi): (V, V),
        private: Private,
        (is_first, is_last): (bool, bool),
    ) -> Result<(), Refusal> {
        let tile = self.s.tile as usize;
        let lanes = self.s.lanes;
        let mut resting = Vec::new();
        for m in 0..rows.len() {
            for v in 0..tile {
                let width = cx.b.i64(self.width());
                let m = cx.b.i64(m as i64);
                let line = cx.b.add(row, m);
                let line = cx.b.mul(line, width);
                let offset = cx.b.i64(v as i64 * lanes as i64);
                resting.push(cx.b.add(line, offset));
            }
        }
        let zero = cx.literal(self.accumulator, zero_of(self.accumulator));
        let zero = cx.b.widen_to(zero, lanes);
        let inits: Vec<V> = match private.resting {
            Some(buf) if !is_first => resting
                .iter()
                .map(|&offset| {
                    let raw = cx.b.load(buf, offset, lanes, None);
                    scalar::from_memory(&mut cx.b, raw, self.accumulator)
                })
                .collect(),
            _ => vec![zero; resting.len()],
        };
        let columns = self.vectors(cx, &rows[0]);
        let sums = cx.for_loop((lo, hi, 1), &inits, |cx, k, sums| {
            let indices = cx.delinearize(k, self.l.axes.inner_extents());
            let mut vectors = Vec::new();
            for (v, p) in columns.iter().enumerate() {
                vectors.push(match private.packed {
                    Some(packed) => {
                        let from = cx.b.sub(k, lo);
                        let width = cx.b.i64(self.width());
                        let line = cx.b.mul(from, width);
                        let offset = cx.b.i64(v as i64 * lanes as i64);
                        let offset = cx.b.add(line, offset);
                        let raw = cx.b.load(packed, offset, lanes, None);
                        scalar::from_memory(&mut cx.b, raw, self.accumulator)
                    }
                    None => {
                        let mut p = self.at_k(p, &indices);
                        cx.vector(&mut p, self.vector)?
                    }
                });
            }
            let mut next = Vec::new();
            for (m, p) in rows.iter().enumerate() {
                let mut p = self.at_k(p, &indices);
                let shared = self
                    .s
                    .lane
                    .is_none_or(|a| !point_dependence(self.l.region, &self.l.axes, self.scalar, a));
                let a = if shared { Some(cx.value(&mut p, self.scalar)?) } else { None };
                for v in 0..tile {
                    let a = match a {
                        Some(a) => cx.b.widen_to(a, lanes),
                        None => {
                            let mut p = self.at_k(&columns[v], &indices);
                            cx.vector(&mut p, self.scalar)?
                        }
                    };
                    next.push(self.accumulate(cx, a, vectors[v], sums[m * tile + v])?);
                }
            }
            Ok(next)
        })?;
        if !is_last {
            if let Some(buf) = private.resting {
                for (&offset, &sum) in resting.iter().zip(&sums) {
                    let raw = scalar::to_memory(&mut cx.b, sum, self.accumulator);
                    cx.b.store(buf, offset, raw, None);
                }
            }
            return Ok(());
        }
        for (m, p) in rows.iter().enumerate() {
            for (v, mut p) in self.vectors(cx, p).into_iter().enumerate() {
                let sum = sums[m * tile + v];
                let rounded = scalar::convert(&mut cx.b, self.accumulator, self.l.stage.results[0], sum)?;
                self.l.finish(cx, &mut p, &[rounded], false)?;
            }
        }
        Ok(())
    }

    /// sum + a·b: one fused multiply-add on floats.
    fn accumulate(&self, cx: &mut Emit<'r>, a: V, b: V, sum: V) -> Result<V, Refusal> {
        if self.accumulator.is_float() {
            return Ok(cx.b.op(crate::loop_ir::Op::Fma(a, b, sum)));
        }
        let product = scalar::binary(&mut cx.b, lawson_hlo::Opcode::Multiply, self.accumulator, a, b)?;
        scalar::binary(&mut cx.b, lawson_hlo::Opcode::Add, self.accumulator, sum, product)
    }
}

fn zero_of(dtype: DType) -> lawson_hlo::Scalar {
    use lawson_hlo::Scalar;
    match dtype {
        DType::Pred => Scalar::Pred(false),
        d if d.is_float() => Scalar::Float(0.0),
        _ => Scalar::Signed(0),
    }
}
