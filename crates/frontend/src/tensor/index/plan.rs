//! An index on an array of known dimensions: which region it takes, and how that is shown.
//!
//! The region keeps all dimensions of the array, 1 where one element is taken, in the order of the array; the view
//! is the region reversed where steps are negative, without the dimensions that go, with the new ones.

use super::{Item, Part};
use crate::error::Fault;
use crate::fault;
use crate::graph::Emit;
use crate::tensor::Tensor;
use crate::tensor::slices::wrapped;
use lawson_hlo::attrs::SliceDim;
use lawson_hlo::{ArrayShape, Attrs, DType, InstrId, Opcode};

pub(super) struct Plan {
    /// Of each dimension of the array, what is taken before reversal; of a scalar index one element.
    pub ranges: Vec<SliceDim>,
    /// Dimensions whose index is a scalar tensor.
    pub scalars: Vec<(usize, Tensor)>,
    pub reversed: Vec<usize>,
    /// Of each dimension of the view, the extent.
    pub view: Vec<i64>,
    dims: Vec<i64>,
}

impl Plan {
    /// # Errors
    /// Too many items, an integer outside, a step of 0.
    pub fn new(items: &[Item], shape: &ArrayShape) -> Result<Plan, Fault> {
        let used = items.iter().filter(|i| !matches!(i, Item::New | Item::Rest)).count();
        let rests = items.iter().filter(|i| matches!(i, Item::Rest)).count();
        if used > shape.rank() || rests > 1 {
            return fault!("`index` of {shape} by {used} items and {rests} ellipses");
        }
        let (mut ranges, mut scalars, mut reversed, mut view) = (vec![], vec![], vec![], vec![]);
        let whole = |ranges: &mut Vec<SliceDim>, view: &mut Vec<i64>| {
            let extent = shape.dims[ranges.len()];
            ranges.push(SliceDim { start: 0, limit: extent, stride: 1 });
            view.push(extent);
        };
        for item in items {
            let dim = ranges.len();
            match item {
                Item::New => view.push(1),
                Item::Rest => (used..shape.rank()).for_each(|_| whole(&mut ranges, &mut view)),
                Item::One(at) => {
                    let extent = shape.dims[dim];
                    if !(-extent..extent).contains(at) {
                        return fault!("`index` {at} of dimension {dim} of {shape}");
                    }
                    let start = at.rem_euclid(extent);
                    ranges.push(SliceDim { start, limit: start + 1, stride: 1 });
                }
                Item::Scalar(t) => {
                    let index = t.shape().map_err(|e| Fault(e.message().into()))?;
                    if !index.is_scalar() || !index.dtype.is_integer() {
                        return fault!(
                            "`index` of {shape} by {index}: an index is a scalar integer; `take` and `gather` take many"
                        );
                    }
                    if shape.dims[dim] == 0 {
                        return fault!("`index` of {shape}, which has no element in dimension {dim}");
                    }
                    ranges.push(SliceDim { start: 0, limit: 1, stride: 1 });
                    scalars.push((dim, t.clone()));
                }
                Item::Part(part) => {
                    let Some((range, backward)) = part.of(shape.dims[dim]) else {
                        return fault!("`index` of {shape} with step 0 in dimension {dim}");
                    };
                    if backward {
                        reversed.push(dim);
                    }
                    view.push(count(&range));
                    ranges.push(range);
                }
            }
        }
        (ranges.len()..shape.rank()).for_each(|_| whole(&mut ranges, &mut view));
        Ok(Plan { ranges, scalars, reversed, view, dims: shape.dims.clone() })
    }

    /// The dimensions of the region.
    pub fn region_dims(&self) -> Vec<i64> {
        self.ranges.iter().map(count).collect()
    }

    /// The start of each dimension, where the index is a scalar tensor: `ids` are those of the scalars.
    pub fn starts(&self, e: &mut Emit<'_>, ids: &[InstrId]) -> Result<Vec<InstrId>, Fault> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut starts = Vec::with_capacity(self.dims.len());
        for dim in 0..self.dims.len() {
            starts.push(match self.scalars.iter().position(|(d, _)| *d == dim) {
                Some(n) => wrapped(e, ids[n], self.dims[dim])?,
                None => e.scalar(DType::S32, 0.0),
            });
        }
        Ok(starts)
    }

    /// The array but for what scalar indices leave out: `starts` are those of [`Plan::starts`].
    pub fn block(&self, e: &mut Emit<'_>, x: InstrId, starts: &[InstrId]) -> Result<InstrId, Fault> {
        if starts.is_empty() {
            return Ok(x);
        }
        let mut sizes = self.dims.clone();
        self.scalars.iter().for_each(|(d, _)| sizes[*d] = 1);
        let operands: Vec<InstrId> = std::iter::once(x).chain(starts.iter().copied()).collect();
        e.op(Opcode::DynamicSlice, &operands, Attrs::DynamicSlice(sizes))
    }

    /// The region of an array, in the order of the array.
    pub fn region(&self, e: &mut Emit<'_>, x: InstrId, starts: &[InstrId]) -> Result<InstrId, Fault> {
        let block = self.block(e, x, starts)?;
        let dims = e.dims(block)?;
        let whole = |(r, &d): (&SliceDim, &i64)| (r.start, r.limit, r.stride) == (0, d, 1);
        match self.ranges.iter().zip(&dims).all(whole) {
            true => Ok(block),
            false => e.slice(block, self.ranges.clone()),
        }
    }

    /// The view of a region.
    pub fn view(&self, e: &mut Emit<'_>, region: InstrId) -> Result<InstrId, Fault> {
        let forward = e.reverse(region, &self.reversed)?;
        e.reshape(forward, &self.view)
    }

    /// The region of a view: what [`Plan::view`] does, undone.
    pub fn unview(&self, e: &mut Emit<'_>, view: InstrId) -> Result<InstrId, Fault> {
        let region = e.reshape(view, &self.region_dims())?;
        e.reverse(region, &self.reversed)
    }
}

fn count(range: &SliceDim) -> i64 {
    let span = range.limit - range.start;
    span / range.stride + (span % range.stride != 0) as i64
}

impl Part {
    /// The elements of a dimension in ascending order, and whether they are taken backward; `None` of step 0.
    fn of(&self, extent: i64) -> Option<(SliceDim, bool)> {
        // From the end, then into lowest..=highest, as Python has it.
        let at = |end: i64, lowest: i64, highest: i64| {
            let from_start = if end < 0 { end.saturating_add(extent) } else { end };
            from_start.clamp(lowest, highest)
        };
        if self.step > 0 {
            let start = self.start.map_or(0, |s| at(s, 0, extent));
            let limit = self.stop.map_or(extent, |s| at(s, 0, extent)).max(start);
            return Some((SliceDim { start, limit, stride: self.step }, false));
        }
        let stride = self.step.checked_neg().filter(|&s| s > 0)?;
        let first = self.start.map_or(extent - 1, |s| at(s, -1, extent - 1));
        let before = self.stop.map_or(-1, |s| at(s, -1, extent - 1));
        if first <= before {
            return Some((SliceDim { start: 0, limit: 0, stride: 1 }, true));
        }
        let last = first - (first - before - 1) / stride * stride;
        Some((SliceDim { start: last, limit: first + 1, stride }, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices that a part takes, as Python's `range(*slice(start, stop, step).indices(extent))`.
    fn taken(part: Part, extent: i64) -> Vec<i64> {
        let (range, backward) = part.of(extent).unwrap();
        let mut all: Vec<i64> = (range.start..range.limit).step_by(range.stride as usize).collect();
        if backward {
            all.reverse();
        }
        all
    }

    fn by_definition(part: Part, extent: i64) -> Vec<i64> {
        let (low, high) = if part.step > 0 { (0, extent) } else { (-1, extent - 1) };
        let end = |e: i64| if e < 0 { (e + extent).max(low) } else { e.min(high) };
        let start = part.start.map_or(if part.step > 0 { low } else { high }, end);
        let stop = part.stop.map_or(if part.step > 0 { high } else { low }, end);
        let mut found = Vec::new();
        let mut at = start;
        while (part.step > 0 && at < stop) || (part.step < 0 && at > stop) {
            found.push(at);
            at += part.step;
        }
        found
    }

    #[test]
    fn parts_are_those_of_python() {
        let ends: Vec<Option<i64>> = std::iter::once(None).chain((-7..=7).map(Some)).collect();
        for extent in 0..=5 {
            for &start in &ends {
                for &stop in &ends {
                    for step in [-6, -3, -2, -1, 1, 2, 3, 6] {
                        let part = Part { start, stop, step };
                        assert_eq!(taken(part, extent), by_definition(part, extent), "{part:?} of {extent}");
                    }
                }
            }
        }
        assert!(Part { start: None, stop: None, step: 0 }.of(3).is_none());
    }
}
