//! Contractions: a register tile of rows × vectors, every accumulator one chain in increasing k.
//!
//! A task goes through k block by block. For each block the operand that is the same along the lanes is computed
//! for all rows of the task, if the plan says so; then, for each tile of columns, the vector operand is copied to an
//! array of exactly the tile's shape and all rows run over it. Between blocks the accumulators rest in memory,
//! which keeps the chain.

mod pack;

use super::rows::{Rows, within};
use super::*;
use crate::loop_ir::Bin;
use crate::plan::{ContractSchedule, point_dependence};

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
    /// The vector operand of one block of k and one tile of columns, by k.
    vectors: Option<Buf>,
    /// The other operand of one block of k, by row of the task.
    scalars: Option<Buf>,
    /// Accumulators between blocks of k, by tile of columns and row of the task.
    resting: Option<Buf>,
}

/// What one task works on.
struct Task<'r> {
    /// The first of its columns.
    start: Point<'r>,
    rows: (V, V),
    /// Rows for which there is room.
    height: i64,
    /// Columns it may have: there are fewer at the end.
    width: i64,
    private: Private,
}

/// A part of a task: a tile of columns and a block of k.
struct Panel<'t, 'r> {
    task: &'t Task<'r>,
    /// The first point of the tile.
    point: Point<'r>,
    /// The tile's first column, from the first of the task.
    column: V,
    k: (V, V),
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
        let outer = self.outer.count();
        let width = self.s.columns_per_task;
        let column_blocks = (self.columns + width - 1) / width;
        let height = self.s.rows_per_task.min(self.rows).max(1);
        let row_blocks = (self.rows + height - 1) / height;
        let private = self.private(cx, height, width);
        let task = cx.b.open_phase();
        let at = cx.delinearize(task, &[outer, row_blocks, column_blocks]);
        let mut start = Point::new(&self.l.axes, self.outer.at(cx, at[0]));
        if let Some(lane) = self.s.lane {
            let width = cx.b.i64(width);
            start.at[lane] = cx.b.mul(at[2], width);
        }
        // The last block of rows moves back over its neighbour: what is computed twice is the same.
        let size = cx.b.i64(height);
        let first = cx.b.mul(at[1], size);
        let first = within(cx, first, height, self.rows);
        let rows = (first, cx.b.add(first, size));
        self.task(cx, &Task { start, rows, height, width, private })?;
        cx.b.close_phase(outer * row_blocks * column_blocks, task);
        Ok(())
    }

    /// The block of rows that a nest has come to, tile of columns by tile.
    fn block(&self, cx: &mut Emit<'r>) -> Result<(), Refusal> {
        let (height, width) = (self.s.rows_per_task, self.width());
        let private = self.private(cx, height, width);
        let column_tiles = (self.columns + width - 1) / width;
        let units = self.outer.count() * column_tiles;
        let (zero, units) = (cx.b.i64(0), cx.b.i64(units));
        cx.for_loop((zero, units, 1), &[], |cx, unit, _| {
            let at = cx.delinearize(unit, &[self.outer.count(), column_tiles]);
            let mut start = self.l.start(cx);
            self.outer.place(cx, at[0], &mut start.at);
            if let Some(lane) = self.s.lane {
                let width = cx.b.i64(width);
                start.at[lane] = cx.b.mul(at[1], width);
            }
            let first = self.s.row.map_or(zero, |row| start.at[row]);
            let count = cx.b.i64(height);
            let end = cx.b.add(first, count);
            self.task(cx, &Task { start, rows: (first, end), height, width, private })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The arrays of a task of so many rows and columns.
    fn private(&self, cx: &mut Emit<'r>, height: i64, width: i64) -> Private {
        let elem = scalar::mem_elem(self.accumulator);
        let mut array = |needed: bool, name, elements| needed.then(|| cx.b.local(name, elem, elements));
        Private {
            vectors: array(self.s.pack, "packed", self.s.block * self.width()),
            scalars: array(self.s.ahead, "ahead", self.s.block * height),
            resting: array(self.blocks() > 1, "resting", height * width),
        }
    }

    /// Blocks of k.
    fn blocks(&self) -> i64 {
        (self.length + self.s.block - 1) / self.s.block.max(1)
    }

    /// All columns of a task, for one block of k after the other.
    fn task(&self, cx: &mut Emit<'r>, task: &Task<'r>) -> Result<(), Refusal> {
        let (zero, end) = (cx.b.i64(0), cx.b.i64(self.length));
        let Some(resting) = task.private.resting else { return self.columns_of(cx, task, (zero, end)) };
        self.clear(cx, resting, task)?;
        cx.for_loop((zero, end, self.s.block), &[], |cx, lo, _| {
            let block = cx.b.i64(self.s.block);
            let mut hi = cx.b.add(lo, block);
            if self.length % self.s.block != 0 {
                hi = cx.b.bin(Bin::SMin, hi, end);
            }
            self.columns_of(cx, task, (lo, hi))?;
            Ok(Vec::new())
        })?;
        self.each_tile(cx, task, |cx, point, column| self.finish_rested(cx, task, resting, (point, column)))
    }

    /// All columns of a task over one block of k.
    fn columns_of(&self, cx: &mut Emit<'r>, task: &Task<'r>, k: (V, V)) -> Result<(), Refusal> {
        if let Some(scalars) = task.private.scalars {
            self.compute_ahead(cx, task, scalars, k)?;
        }
        self.each_tile(cx, task, |cx, point, column| {
            if let Some(vectors) = task.private.vectors {
                self.pack(cx, &point, vectors, k)?;
            }
            self.rows_of(cx, &Panel { task, point, column, k })
        })
    }

    /// Runs `body` at each tile of columns of a task: its first point, and its first column within the task.
    fn each_tile(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        body: impl FnOnce(&mut Emit<'r>, Point<'r>, V) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let zero = cx.b.i64(0);
        let Some(lane) = self.s.lane.filter(|_| task.width > self.width()) else {
            return body(cx, task.start.clone(), zero);
        };
        let mut end = cx.b.i64(task.width);
        if self.columns % task.width != 0 {
            let all = cx.b.i64(self.columns);
            let left = cx.b.sub(all, task.start.at[lane]);
            end = cx.b.bin(Bin::SMin, left, end);
        }
        cx.for_loop((zero, end, self.width()), &[], |cx, column, _| {
            let at = cx.b.add(task.start.at[lane], column);
            body(cx, task.start.moved(self.l.region, lane, at), column)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The points of the tile's vectors, in the row of `point`.
    fn vectors(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Vec<Point<'r>> {
        let Some(lane) = self.s.lane else { return vec![point.clone()] };
        (0..self.s.tile as i64)
            .map(|v| {
                let offset = cx.b.i64(v * self.s.lanes as i64);
                self.vector_at(cx, point, lane, offset)
            })
            .collect()
    }

    /// The vector of the tile that begins at this column of it.
    fn vector_at(&self, cx: &mut Emit<'r>, point: &Point<'r>, lane: usize, offset: V) -> Point<'r> {
        let mut column = cx.b.add(point.at[lane], offset);
        if self.columns % self.width() != 0 {
            column = within(cx, column, self.s.lanes as i64, self.columns);
        }
        point.spread(self.l.region, lane, column, self.s.lanes)
    }

    /// Makes known what all elements of k share, if there are any.
    fn hoist(&self, cx: &mut Emit<'r>, point: &mut Point<'r>, operand: NodeId) -> Result<(), Refusal> {
        let inner: Vec<usize> = (self.l.axes.space..self.l.axes.extents.len()).collect();
        if self.length > 0 { cx.hoist(point, &[operand], &inner) } else { Ok(()) }
    }

    fn at_k(&self, point: &Point<'r>, indices: &[V]) -> Point<'r> {
        let mut point = point.clone();
        for (n, &i) in indices.iter().enumerate() {
            point = point.moved(self.l.region, self.l.axes.space + n, i);
        }
        point
    }

    /// All rows of the task over one block of k: whole register tiles, then the rest one row at a time.
    fn rows_of(&self, cx: &mut Emit<'r>, panel: &Panel<'_, 'r>) -> Result<(), Refusal> {
        let Some(row_axis) = self.s.row else {
            let zero = cx.b.i64(0);
            return self.tile(cx, panel, std::slice::from_ref(&panel.point), zero);
        };
        let (first, end) = panel.task.rows;
        let all = panel.task.height;
        let height = self.s.rows.min(all);
        // The last tile moves back to end with the rows; what is computed twice is the same.
        let idempotent = panel.task.private.resting.is_none();
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
        let private = panel.task.private;
        let (tile, lanes, (lo, hi)) = (self.s.tile as usize, self.s.lanes, panel.k);
        let resting: Vec<V> = match private.resting {
            Some(_) => {
                (0..rows.len()).flat_map(|m| self.rest(cx, panel.task, panel.column, row, m)).collect()
            }
            None => Vec::new(),
        };
        let inits: Vec<V> = match private.resting {
            Some(buf) => resting.iter().map(|&offset| self.load(cx, buf, offset, lanes)).collect(),
            None => vec![self.zero(cx, lanes); rows.len() * tile],
        };
        let mut rows = rows.to_vec();
        if private.scalars.is_none() && self.is_shared() {
            for row in &mut rows {
                self.hoist(cx, row, self.scalar)?;
            }
        }
        let mut columns = self.vectors(cx, &rows[0]);
        if private.vectors.is_none() {
            for column in &mut columns {
                self.hoist(cx, column, self.vector)?;
            }
        }
        let ahead: Vec<V> = match private.scalars {
            Some(_) => (0..rows.len()).map(|m| self.line_ahead(cx, row, m)).collect(),
            None => Vec::new(),
        };
        let sums = cx.for_loop((lo, hi, 1), &inits, |cx, k, sums| {
            let indices = cx.delinearize(k, self.l.axes.inner_extents());
            let from = cx.b.sub(k, lo);
            let mut vectors = Vec::new();
            for (v, p) in columns.iter().enumerate() {
                vectors.push(match private.vectors {
                    Some(packed) => {
                        let offset = self.packed_at(cx, from, v);
                        self.load(cx, packed, offset, lanes)
                    }
                    None => {
                        let mut p = self.at_k(p, &indices);
                        cx.vector(&mut p, self.vector)?
                    }
                });
            }
            let mut next = Vec::new();
            for (m, p) in rows.iter().enumerate() {
                let a = match private.scalars {
                    Some(scalars) => {
                        let offset = cx.b.add(ahead[m], from);
                        Some(self.load(cx, scalars, offset, 1))
                    }
                    None if self.is_shared() => {
                        let mut p = self.at_k(p, &indices);
                        Some(cx.value(&mut p, self.scalar)?)
                    }
                    None => None,
                };
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
        if let Some(buf) = private.resting {
            for (&offset, &sum) in resting.iter().zip(&sums) {
                let raw = scalar::to_memory(&mut cx.b, sum, self.accumulator);
                cx.b.store(buf, offset, raw, None);
            }
            return Ok(());
        }
        for (m, p) in rows.iter().enumerate() {
            self.finish_row(cx, p, &sums[m * tile..(m + 1) * tile])?;
        }
        Ok(())
    }

    /// Rounds and stores the results of one row of a tile.
    fn finish_row(&self, cx: &mut Emit<'r>, row: &Point<'r>, sums: &[V]) -> Result<(), Refusal> {
        for (mut p, &sum) in self.vectors(cx, row).into_iter().zip(sums) {
            let rounded = scalar::convert(&mut cx.b, self.accumulator, self.l.stage.results[0], sum)?;
            self.l.finish(cx, &mut p, &[rounded], false)?;
        }
        Ok(())
    }

    /// The results of a tile of columns whose accumulators have rested for the last time.
    fn finish_rested(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        resting: Buf,
        (point, column): (Point<'r>, V),
    ) -> Result<(), Refusal> {
        let (first, end) = match self.s.row {
            Some(_) => task.rows,
            None => (cx.b.i64(0), cx.b.i64(1)),
        };
        cx.for_loop((first, end, 1), &[], |cx, row, _| {
            let from = cx.b.sub(row, first);
            let offsets = self.rest(cx, task, column, from, 0);
            let sums: Vec<V> = offsets.iter().map(|&o| self.load(cx, resting, o, self.s.lanes)).collect();
            let row = match self.s.row {
                Some(axis) => point.moved(self.l.region, axis, row),
                None => point.clone(),
            };
            self.finish_row(cx, &row, &sums)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Whether the scalar operand is the same in all lanes.
    fn is_shared(&self) -> bool {
        self.s.lane.is_none_or(|a| !point_dependence(self.l.region, &self.l.axes, self.scalar, a))
    }

    fn zero(&self, cx: &mut Emit<'r>, lanes: u32) -> V {
        let zero = cx.literal(self.accumulator, zero_of(self.accumulator));
        cx.b.widen_to(zero, lanes)
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
