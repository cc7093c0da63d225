//! How a product is divided into tasks.

use super::register_tile::times;
use crate::target::Target;

/// Rows for which packing is still worth it, where a kernel would have too few tasks otherwise.
pub(super) const LEAST_ROWS: i64 = 32;
/// Rows at all the points of another axis that a task runs over.
pub(super) const ROWS_OVER: i64 = 256;

/// Points of an axis that a task runs over, one block of rows at each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Over {
    pub axis: usize,
    pub points: i64,
}

/// The size of a product: independent products, rows, columns and elements that are summed; and what it costs to pack
/// or compute an element of each operand once more, as every task does for itself.
pub(super) struct Shape {
    pub(super) outer: i64,
    pub(super) height: i64,
    pub(super) columns: i64,
    pub(super) length: i64,
    pub(super) vector: i64,
    pub(super) scalar: i64,
    /// What a pair of factors weighs, where a multiply-add of their type is one.
    pub(super) pair: i64,
    /// Products in the time of one multiply-add of a vector of f32.
    pub(super) speed: i64,
}

impl Shape {
    /// How many points of an axis of the independent products a task of so many rows and columns runs over, for enough rows
    /// that packing is a small part of the work, and tasks enough.
    pub(super) fn over(
        &self,
        (axis, extent): (usize, i64),
        (tall, wide): (i64, i64),
        target: &Target,
    ) -> Option<Over> {
        let blocks = [times(self.height, tall), times(self.columns, wide)];
        let tasks = blocks.iter().fold(self.outer, |n, &e| n.saturating_mul(e));
        let most = (tasks / target.tasks()).min(extent).min(times(ROWS_OVER, tall));
        let points = times(extent, times(extent, most.max(1)));
        (points > 1).then_some(Over { axis, points })
    }

    /// Rows and columns of a task, at most so many. More tasks keep more cores busy, but each packs its operands again:
    /// the division with the least time is chosen. Rows and columns are multiples of the register tile's, or all there
    /// are.
    pub(super) fn divided(
        &self,
        (tall, wide): (i64, i64),
        (rows, width): (i64, i64),
        target: &Target,
    ) -> (i64, i64) {
        let products =
            [self.columns, self.height, self.length].iter().fold(self.outer, |n, &e| n.saturating_mul(e));
        let work = products.saturating_mul(self.pair) / self.speed;
        let tasks = target.tasks().min(work / target.task());
        let least = target.least_tasks();
        // For each number of blocks of columns the fewest blocks of rows that make tasks enough.
        let most_rows = times(self.height, LEAST_ROWS.max(rows));
        let (least_rows, least_columns) = (times(self.height, tall), times(self.columns, wide));
        // More blocks than tasks are of no use.
        let most_columns = times(self.columns, width).min(tasks).max(least_columns);
        let options = (least_columns..=most_columns).flat_map(|columns| {
            let wanted = |tasks: i64| {
                times(tasks, self.outer.saturating_mul(columns)).clamp(least_rows, most_rows.max(least_rows))
            };
            [wanted(tasks), wanted(tasks.min(least))].map(|rows| {
                let of_vector = self.columns.saturating_mul(rows).saturating_mul(self.vector);
                let of_scalar = self.height.saturating_mul(columns).saturating_mul(self.scalar);
                let copies = of_vector.saturating_add(of_scalar);
                let blocks = self.outer.saturating_mul(columns).saturating_mul(rows);
                let of_each = blocks.clamp(1, least.min(tasks.max(1)));
                let copies = copies.saturating_mul(self.length).saturating_mul(self.outer);
                let time = work.saturating_add(copies) / of_each;
                (time, columns, rows)
            })
        });
        let best = options.min().unwrap_or((0, least_columns, least_rows));
        let (tall, wide) = (times(self.height, best.2), times(self.columns, best.1));
        let tall = times(self.height, times(self.height, tall.max(rows)));
        let tall = (times(tall, rows) * rows).min(self.height).max(1);
        (tall, times(wide, width).max(1) * width)
    }
}
