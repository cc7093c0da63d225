//! The loops of a task of a contraction: over blocks of k, and in each over tiles of columns.

use super::contraction::{Contraction, Panel, Task};
use crate::loop_ir::{Bin, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::within;
use crate::refusal::Refusal;

impl<'r> Contraction<'r> {
    pub(super) fn phase(&self, cx: &mut Emit<'r>) -> Result<(), Refusal> {
        let outer = self.outer.count();
        let width = self.s.columns_per_task;
        let column_blocks = (self.columns + width - 1) / width;
        let height = self.s.rows_per_task.min(self.rows).max(1);
        let row_blocks = (self.rows + height - 1) / height;
        let mut arrays = self.task_arrays(cx, height, width);
        if let Some(rows) = self.s.ahead_once {
            arrays.scalars = Some(self.ahead_for_all(cx, rows)?);
        }
        let points = self.s.over.map_or(1, |over| self.l.axes.extents[over.axis]);
        let over_blocks = self.s.over.map_or(1, |over| (points + over.points - 1) / over.points.max(1));
        let task = cx.b.open_phase(outer * over_blocks * row_blocks * column_blocks);
        let at = cx.delinearize(task, &[outer, over_blocks, row_blocks, column_blocks]);
        let mut start = Point::new(&self.l.axes, self.outer.at(cx, at[0]));
        if let Some(lane) = self.s.lane {
            let width = cx.b.i64(width);
            start.at[lane] = cx.b.mul(at[3], width);
        }
        self.l.hoist_epilogue(cx, &mut start)?;
        let over = self.s.over.map(|over| {
            let (each, end) = (cx.b.i64(over.points), cx.b.i64(points));
            let first = cx.b.mul(at[1], each);
            let last = cx.b.add(first, each);
            (over.axis, first, cx.b.bin(Bin::SMin, last, end))
        });
        // The last block of rows overlaps the one before it. The rows of both are computed twice, with the same result.
        let size = cx.b.i64(height);
        let first = cx.b.mul(at[2], size);
        let first = within(cx, first, height, self.rows);
        let rows = (first, cx.b.add(first, size));
        self.task(cx, &Task { start, rows, over, height, width, outer: at[0], arrays })?;
        self.give_back(cx, arrays);
        cx.b.close_phase(task);
        Ok(())
    }

    /// The block of rows that a nest has come to, tile of columns by tile.
    pub(super) fn block(&self, cx: &mut Emit<'r>) -> Result<(), Refusal> {
        let (height, width) = (self.s.rows_per_task, self.width());
        let arrays = self.task_arrays(cx, height, width);
        let column_tiles = self.column_tiles();
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
            self.l.hoist_epilogue(cx, &mut start)?;
            let first = self.s.row.map_or(zero, |row| start.at[row]);
            let count = cx.b.i64(height);
            let end = cx.b.add(first, count);
            let rows = (first, end);
            let task = Task { start, rows, over: None, height, width, outer: at[0], arrays };
            self.task(cx, &task)?;
            Ok(Vec::new())
        })?;
        self.give_back(cx, arrays);
        Ok(())
    }

    /// All columns of a task, for one block of k after the other.
    fn task(&self, cx: &mut Emit<'r>, task: &Task<'r>) -> Result<(), Refusal> {
        let (zero, end) = (cx.b.i64(0), cx.b.i64(self.length));
        let Some(resting) = task.arrays.resting else { return self.columns_of(cx, task, (zero, end)) };
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
        self.each_tile(cx, task, |cx, point, column| {
            self.each_point(cx, task, &point, |cx, point, before| {
                self.finish_rested(cx, task, resting, (point, before, column))
            })
        })
    }

    /// All columns of a task over one block of k.
    fn columns_of(&self, cx: &mut Emit<'r>, task: &Task<'r>, k: (V, V)) -> Result<(), Refusal> {
        if let (Some(scalars), None) = (task.arrays.scalars, self.s.ahead_once) {
            match self.s.words {
                Some(words) => self.words_ahead(cx, task, scalars, k, words)?,
                None => self.compute_ahead(cx, task, scalars, k)?,
            }
        }
        self.each_tile(cx, task, |cx, point, column| {
            let packed = self.packed_begin(cx, &point, k.0);
            if let (Some(vectors), false) = (task.arrays.vectors, self.s.packed_once) {
                match self.s.words {
                    Some(words) => {
                        self.pack_words(cx, &point, (vectors, task.arrays.begin), k, words)?;
                    }
                    None => self.pack(cx, &point, (vectors, packed), k)?,
                }
            }
            self.each_point(cx, task, &point, |cx, point, before| {
                self.rows_of(cx, &Panel { task, point, before, column, k, packed })
            })
        })
    }

    /// Runs `body` at each point that the task runs over, with the rows of those before it.
    fn each_point(
        &self,
        cx: &mut Emit<'r>,
        task: &Task<'r>,
        point: &Point<'r>,
        body: impl FnOnce(&mut Emit<'r>, Point<'r>, V) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let Some((axis, first, end)) = task.over else {
            let none = cx.b.i64(0);
            return body(cx, point.clone(), none);
        };
        cx.for_loop((first, end, 1), &[], |cx, i, _| {
            let (points, height) = (cx.b.sub(i, first), cx.b.i64(task.height));
            let before = cx.b.mul(points, height);
            body(cx, point.moved(self.l.region, axis, i), before)?;
            Ok(Vec::new())
        })?;
        Ok(())
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
}
