//! Phases before the tasks: what each of them would pack or compute ahead for itself is there for all.

use super::contraction::{Contraction, Task, TaskArrays};
use crate::loop_ir::{Access, Bin, Buf, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::lower::rows::block;
use crate::lower::scalar;
use crate::plan::point_dependence;
use crate::refusal::Refusal;

impl<'r> Contraction<'r> {
    /// Computes the other operand for all tasks, so many rows in each task of a phase of its own; gives the array.
    pub(super) fn ahead_for_all(&self, cx: &mut Emit<'r>, rows: i64) -> Result<Buf, Refusal> {
        let (outer, blocks) = (self.outer.count(), (self.rows + rows - 1) / rows);
        let elem = scalar::mem_elem(self.sums.accumulator);
        let ahead = cx.b.buffer("ahead", elem, outer * self.size_ahead(self.rows), Access::Scratch);
        let number = cx.b.open_phase(outer * blocks);
        let at = cx.delinearize(number, &[outer, blocks]);
        let start = Point::new(&self.l.axes, self.outer.at(cx, at[0]));
        let rows = block(cx, at[1], rows, self.rows);
        let arrays = TaskArrays::default();
        let k = (cx.b.i64(0), cx.b.i64(self.length));
        let task = Task { start, rows, over: None, height: self.rows, width: 0, outer: at[0], arrays };
        self.compute_ahead(cx, &task, ahead, k)?;
        cx.b.close_phase(number);
        Ok(ahead)
    }

    /// Packs the vector operand for all tasks, a tile of columns in each task of a phase of its own; gives the array.
    pub(super) fn packed_for_all(&self, cx: &mut Emit<'r>) -> Result<Buf, Refusal> {
        let (shared, tiles) = (self.axes_of_packed(), self.column_tiles());
        let (extents, each) = (&self.l.axes.extents, self.length * self.width());
        let mut of_tiles: Vec<i64> = shared.iter().map(|&axis| extents[axis]).collect();
        of_tiles.push(tiles);
        let count = of_tiles.iter().product::<i64>();
        let elem = scalar::mem_elem(self.sums.accumulator);
        let packed = cx.b.buffer("packed", elem, count * each, Access::Scratch);
        let number = cx.b.open_phase(count);
        let at = cx.delinearize(number, &of_tiles);
        let zero = cx.b.i64(0);
        let mut start = vec![zero; extents.len()];
        for (&axis, &at) in shared.iter().zip(&at) {
            start[axis] = at;
        }
        if let Some(lane) = self.s.lane {
            let width = cx.b.i64(self.width());
            start[lane] = cx.b.mul(at[shared.len()], width);
        }
        let start = Point::new(&self.l.axes, start);
        let (each, length) = (cx.b.i64(each), cx.b.i64(self.length));
        let begin = cx.b.mul(number, each);
        self.pack(cx, &start, (packed, begin), (zero, length))?;
        cx.b.close_phase(number);
        Ok(packed)
    }

    /// Where the tile of columns at a point is packed, from this element of k on.
    pub(super) fn packed_begin(&self, cx: &mut Emit<'r>, point: &Point<'r>, k: V) -> V {
        let mut tile = cx.b.i64(0);
        if !self.s.packed_once {
            return tile;
        }
        for axis in self.axes_of_packed() {
            let extent = cx.b.i64(self.l.axes.extents[axis]);
            let before = cx.b.mul(tile, extent);
            tile = cx.b.add(before, point.at[axis]);
        }
        let width = cx.b.i64(self.width());
        if let Some(lane) = self.s.lane {
            let tiles = cx.b.i64(self.column_tiles());
            let before = cx.b.mul(tile, tiles);
            let number = cx.b.bin(Bin::SDiv, point.at[lane], width);
            tile = cx.b.add(before, number);
        }
        let length = cx.b.i64(self.length);
        let line = cx.b.mul(tile, length);
        let line = cx.b.add(line, k);
        cx.b.mul(line, width)
    }

    /// The loops but for columns and k along which what is packed for all tasks changes.
    fn axes_of_packed(&self) -> Vec<usize> {
        let changes = |&axis: &usize| point_dependence(self.l.region, &self.l.axes, self.vector, axis);
        (0..self.l.axes.space).filter(|&axis| Some(axis) != self.s.lane).filter(changes).collect()
    }

    pub(super) fn column_tiles(&self) -> i64 {
        (self.columns + self.width() - 1) / self.width()
    }
}
