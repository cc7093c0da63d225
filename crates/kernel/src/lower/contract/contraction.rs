//! A contraction being emitted: its operands, its shape, and the points of its register tile.

use super::sums::Sums;
use crate::loop_ir::{Buf, Elem, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::rows::{Rows, within};
use crate::lower::scalar;
use crate::plan::{ContractSchedule, point_dependence};
use crate::refusal::Refusal;
use crate::region::NodeId;

pub(super) struct Contraction<'r> {
    pub(super) l: &'r Lowering<'r>,
    pub(super) s: &'r ContractSchedule,
    /// The operand that varies along the lanes, and the other.
    pub(super) vector: NodeId,
    pub(super) scalar: NodeId,
    pub(super) sums: Sums<'r>,
    /// Elements of k.
    pub(super) length: i64,
    pub(super) columns: i64,
    pub(super) rows: i64,
    /// The space but for lanes, rows, and the axis that tasks run over.
    pub(super) outer: Rows,
}

/// The arrays that a task works with: its own, or those that a phase before has filled for all tasks.
#[derive(Clone, Copy, Default)]
pub(super) struct TaskArrays {
    /// The vector operand of one block of k and one tile of columns, by k; or all of it.
    pub(super) vectors: Option<Buf>,
    /// The other operand of one block of k, by row of the task; or all of it.
    pub(super) scalars: Option<Buf>,
    /// Accumulators between blocks of k, by tile of columns and row of the task.
    pub(super) resting: Option<Buf>,
    /// What is added to the accumulators of the tile's columns before a block of k of bytes.
    pub(super) begin: Option<Buf>,
    /// The sums of a tile by tile registers, row by row.
    pub(super) sums: Option<Buf>,
}

/// What one task works on.
pub(super) struct Task<'r> {
    /// The first of its columns.
    pub(super) start: Point<'r>,
    pub(super) rows: (V, V),
    /// The axis it runs over with what it packed, and the points.
    pub(super) over: Option<(usize, V, V)>,
    /// Rows for which there is room.
    pub(super) height: i64,
    /// The most columns it has; the last task of a row of tasks has fewer.
    pub(super) width: i64,
    /// Which of the independent products it belongs to.
    pub(super) outer: V,
    pub(super) arrays: TaskArrays,
}

/// A part of a task: a tile of columns and a block of k.
pub(super) struct Panel<'t, 'r> {
    pub(super) task: &'t Task<'r>,
    /// The first point of the tile, and how many rows of the task come before its block of rows.
    pub(super) point: Point<'r>,
    pub(super) before: V,
    /// The tile's first column, from the first of the task.
    pub(super) column: V,
    pub(super) k: (V, V),
    /// Where what is packed of it begins.
    pub(super) packed: V,
}

impl<'r> Contraction<'r> {
    pub(super) fn new(
        l: &'r Lowering<'r>,
        s: &'r ContractSchedule,
        vector: NodeId,
        scalar: NodeId,
        sums: Sums<'r>,
    ) -> Contraction<'r> {
        let extents = &l.axes.extents;
        Contraction {
            l,
            s,
            vector,
            scalar,
            sums,
            length: l.axes.inner_extents().iter().product(),
            columns: s.lane.map_or(1, |a| extents[a]),
            rows: s.row.map_or(1, |a| extents[a]),
            outer: l.loops(&[s.lane, s.row, s.over.map(|o| o.axis)]),
        }
    }

    pub(super) fn width(&self) -> i64 {
        self.s.lanes as i64 * self.s.tile as i64
    }

    /// The arrays of a task of so many rows and columns, but for what a phase has computed ahead.
    pub(super) fn task_arrays(&self, cx: &mut Emit<'r>, height: i64, width: i64) -> TaskArrays {
        let elem = scalar::mem_elem(self.sums.accumulator);
        let word = if self.s.words.is_some() { Elem::I32 } else { elem };
        let before = cx.arrays.packed.get(&self.l.index).copied();
        let mut of =
            |needed: bool, elem, name, elements| needed.then(|| cx.b.local_again(name, elem, elements));
        let packs = self.s.pack && !self.s.packed_once;
        let vectors = of(packs, word, "packed", self.steps() * self.width());
        let by_tasks = self.s.ahead && self.s.ahead_once.is_none();
        let scalars = of(by_tasks, word, "ahead", self.size_ahead(height));
        let mut array = |needed: bool, name, elements| of(needed, self.sums.elem(), name, elements);
        TaskArrays {
            vectors: vectors.or(before),
            scalars,
            begin: array(self.s.words.is_some_and(|w| w.is_shifted()), "begin", self.width()),
            sums: array(self.has_tiles(), "sums", self.s.rows * self.width()),
            resting: array(self.blocks() > 1, "resting", self.points() * height * width),
        }
    }

    /// The next product may have its arrays where the task's own are.
    pub(super) fn give_back(&self, cx: &mut Emit<'r>, arrays: TaskArrays) {
        let TaskArrays { vectors, scalars, resting, begin, sums } = arrays;
        let scalars = scalars.filter(|_| self.s.ahead_once.is_none());
        let vectors = vectors.filter(|_| !self.s.packed_once);
        [vectors, scalars, resting, begin, sums]
            .into_iter()
            .flatten()
            .for_each(|array| cx.b.give_back(array));
    }

    /// Points that a task runs over.
    pub(super) fn points(&self) -> i64 {
        self.s.over.map_or(1, |over| over.points)
    }

    /// Steps of a block of k, of an element or a word of several.
    pub(super) fn steps(&self) -> i64 {
        self.s.words.map_or(self.s.block, |words| words.count(self.s.block))
    }

    /// Whether tile registers multiply.
    pub(super) fn has_tiles(&self) -> bool {
        self.s.words.is_some_and(|words| words.tiles)
    }

    /// Blocks of k.
    pub(super) fn blocks(&self) -> i64 {
        (self.length + self.s.block - 1) / self.s.block.max(1)
    }

    /// The points of the tile's vectors, in the row of `point`.
    pub(super) fn vectors(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Vec<Point<'r>> {
        let Some(lane) = self.s.lane else { return vec![point.clone()] };
        (0..self.s.tile as i64)
            .map(|v| {
                let offset = cx.b.i64(v * self.s.lanes as i64);
                self.vector_at(cx, point, lane, offset)
            })
            .collect()
    }

    /// The vector of the tile that begins at this column of it.
    pub(super) fn vector_at(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        lane: usize,
        offset: V,
    ) -> Point<'r> {
        let column = self.column_at(cx, point, lane, offset);
        point.spread(self.l.region, lane, column, self.s.lanes)
    }

    /// Where it begins, with all of its lanes within the columns.
    pub(super) fn column_at(&self, cx: &mut Emit<'r>, point: &Point<'r>, lane: usize, offset: V) -> V {
        let column = cx.b.add(point.at[lane], offset);
        match self.columns % self.width() {
            0 => column,
            _ => within(cx, column, self.s.lanes as i64, self.columns),
        }
    }

    /// Makes known what all elements of k share, if there are any.
    pub(super) fn hoist(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        operand: NodeId,
    ) -> Result<(), Refusal> {
        let inner: Vec<usize> = (self.l.axes.space..self.l.axes.extents.len()).collect();
        if self.length > 0 { cx.hoist(point, &[operand], &inner) } else { Ok(()) }
    }

    pub(super) fn at_k(&self, point: &Point<'r>, indices: &[V]) -> Point<'r> {
        let mut point = point.clone();
        for (n, &i) in indices.iter().enumerate() {
            point = point.moved(self.l.region, self.l.axes.space + n, i);
        }
        point
    }

    /// Whether the scalar operand is the same in all lanes.
    pub(super) fn is_shared(&self) -> bool {
        self.s.lane.is_none_or(|a| !point_dependence(self.l.region, &self.l.axes, self.scalar, a))
    }
}
