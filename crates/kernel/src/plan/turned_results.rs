//! Products whose results lie in line along the rows of their tiles: lanes run along another axis than the last, and the sums of a tile
//! are turned before they are stored.
//!
//! A convolution with channels first has its pictures along the last axis, whose rows fill vectors badly or are read with a stride, and
//! channels of its results that fill them well. So have the gradients of a last layer's weights few columns and many rows.

use super::choice::Choice;
use super::dependence::Dependence;
use super::product_loops::Product;
use super::product_reads::lies_along;
use super::product_tasks::ROWS_OVER;
use super::register_tile::times;
use super::words::Words;
use crate::region::Stage;

/// Elements that are summed at least, beside which turning the sums is little.
const LEAST_LENGTH: i64 = 64;

impl<'r> Product<'r> {
    /// The same product with lanes along an axis that the other operand has, where that is clearly faster.
    pub(super) fn turning(&self, stage: &Stage, choice: Option<Choice>) -> Option<Product<'r>> {
        let (axes, region) = (self.axes, self.region);
        let last = self.lane.filter(|&lane| lane + 1 == axes.space)?;
        let fit = self.is_alone()
            && self.target.gpu.is_none()
            && !self.both
            && stage.results[0].accumulator().is_float()
            && self.length >= LEAST_LENGTH
            && self.is_stored_along(stage, last)
            && Words::of(region, stage, (self.vector, self.scalar), self.length).is_none();
        if !fit {
            return None;
        }
        let mut changes = Dependence::default();
        let mut is_of_other = |&axis: &usize| {
            changes.on(region, axes, self.scalar, axis) && !changes.on(region, axes, self.vector, axis)
        };
        let lane = (0..last).filter(|axis| is_of_other(axis)).max_by_key(|&axis| axes.extents[axis])?;
        let operands =
            if self.vector_is_rhs { (self.scalar, self.vector) } else { (self.vector, self.scalar) };
        let mut other = Product::along(Some(lane), (region, stage, axes), &[], operands, self.target);
        (other.turns_results, other.row, other.height) = (true, Some(last), self.columns);
        let (tile, rows) = other.tile(stage, choice);
        let width = tile * other.lanes as i64;
        let is_in_line = lies_along(region, axes, other.vector, lane);
        // Two transpositions take longer to compile than they save.
        let turns_both = !other.across(other.length, width).is_empty();
        let fits = other.length.saturating_mul(width * self.size) <= self.target.tile_bytes()
            && self.columns >= other.lanes as i64 / 2
            && other.has_near_steps()
            && other.ahead(rows).is_none()
            && !turns_both
            && (is_in_line || other.packing((width, rows), choice).pack);
        (fits && other.work(stage, choice) * 20 <= self.work(stage, choice) * 19).then_some(other)
    }

    /// Multiply-adds for each element of k, with what packing and turning cost beside them.
    fn work(&self, stage: &Stage, choice: Option<Choice>) -> i64 {
        let (tile, rows) = self.tile(stage, choice);
        let (width, rates) = (tile * self.lanes as i64, &self.target.rates);
        // A vector that is not full takes as long.
        let vectors = times(self.columns, width) * tile * times(self.height, rows) * rows;
        let products = vectors * self.max_lanes as i64;
        // What is packed serves a task, which may run over some points of another axis.
        let over = self.beside.map_or(1, |axis| self.axes.extents[axis].min(times(ROWS_OVER, self.height)));
        let served = self.height.min(self.target.product_rows) * over;
        let packed = self.columns * times(self.height * over, served) / over;
        let packed = if self.packing((width, rows), choice).pack { packed } else { 0 };
        let turned = match self.turns_results {
            true => times(self.columns, width) * width * times(self.height, rows) * self.lanes as i64,
            false => 0,
        };
        products + packed * (rates.pack + self.dear().0) + turned * rates.turn / self.length.max(1)
    }

    /// Whether results that follow each other along this axis do so in memory.
    fn is_stored_along(&self, stage: &Stage, axis: usize) -> bool {
        let index: Vec<_> = (0..stage.space.len()).map(lawson_hlo::index::Affine::axis).collect();
        let position = lawson_hlo::index::linearize(&index, &stage.space);
        self.axes.translate(&position).coefficient(axis) == Some(1)
    }
}
