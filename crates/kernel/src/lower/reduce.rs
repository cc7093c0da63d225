//! Reductions, in the order the language fixes (DESIGN 6.5): chunks, joined by adjacent pairs, init applied last.
//!
//! Within a chunk either 64 lanes run along the reduced axis and are halved ([`across`]), or each lane folds the
//! elements of its own result ([`lane_wise`]). Chunks of one row are partial results in an array, which is
//! halved in place.

mod across;
mod lane_wise;

use super::*;
use crate::loop_ir::{Bin, Elem};
use crate::plan::{ReduceSchedule, ReduceShape};
use crate::region::{Function, Order};

pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &'r ReduceSchedule,
) -> Result<(), Refusal> {
    let Kind::Reduce { values, inits, combiner, order, mask } = &l.stage.kind else { return Ok(()) };
    let length: i64 = l.axes.inner_extents().iter().product();
    let r = Reduction { l, s, values, inits, combiner, mask: *mask, length, order: *order };
    if l.stage.points() == 0 {
        return Ok(());
    }
    match s.shape {
        ReduceShape::AcrossLanes => across::lower(cx, &r),
        ReduceShape::LaneWise { lane, tile } => lane_wise::lower(cx, &r, lane, tile),
    }
}

/// Running values of a chunk of a minor reduction.
const RUNNING: i64 = 64;

/// A reduction being emitted.
struct Reduction<'r> {
    l: &'r Lowering<'r>,
    s: &'r ReduceSchedule,
    values: &'r [NodeId],
    inits: &'r [NodeId],
    combiner: &'r Function,
    mask: Option<NodeId>,
    /// Elements that one result combines.
    length: i64,
    order: Order,
}

impl<'r> Reduction<'r> {
    fn combine(&self, cx: &mut Emit<'r>, point: &Point<'r>, a: &[V], b: &[V]) -> Result<Vec<V>, Refusal> {
        let arguments: Vec<V> = a.iter().chain(b).copied().collect();
        cx.call(point, self.combiner, &arguments)
    }

    /// The elements at a point, in every lane.
    fn elements(&self, cx: &mut Emit<'r>, point: &mut Point<'r>) -> Result<Vec<V>, Refusal> {
        self.values.iter().map(|&v| cx.vector(point, v)).collect()
    }

    /// The inner indices of element `k`.
    fn inner_indices(&self, cx: &mut Emit<'r>, k: V) -> Vec<V> {
        cx.delinearize(k, self.l.axes.inner_extents())
    }

    /// Applies init to the total and finishes the results at the point.
    fn finish(&self, cx: &mut Emit<'r>, point: &mut Point<'r>, total: Option<&[V]>) -> Result<(), Refusal> {
        let mut inits = Vec::new();
        for &i in self.inits {
            inits.push(cx.vector(point, i)?);
        }
        let result = match total {
            Some(total) => self.combine(cx, point, &inits, total)?,
            None => inits,
        };
        let mut rounded = Vec::new();
        for ((v, &id), &dtype) in result.into_iter().zip(self.values).zip(&self.l.stage.results) {
            rounded.push(scalar::convert(&mut cx.b, self.l.region.dtype(id), dtype, v)?);
        }
        self.l.finish(cx, point, &rounded, false)
    }

    /// Arrays of `len` partial results, in accumulator types.
    fn partials(&self, cx: &mut Emit<'r>, len: i64, local: bool) -> Vec<(Buf, DType)> {
        self.values
            .iter()
            .enumerate()
            .map(|(n, &id)| {
                let dtype = self.l.region.dtype(id);
                let (name, elem) = (format!("{}.partial{n}", self.l.stage.name), scalar::mem_elem(dtype));
                let buf = match local {
                    true => cx.b.local(name, elem, len),
                    false => cx.b.buffer(name, elem, len, Access::Scratch),
                };
                (buf, dtype)
            })
            .collect()
    }

    fn load_partials(&self, cx: &mut Emit<'r>, arrays: &[(Buf, DType)], offset: V, lanes: u32) -> Vec<V> {
        arrays
            .iter()
            .map(|&(buf, dtype)| {
                let raw = cx.b.load(buf, offset, lanes, None);
                scalar::from_memory(&mut cx.b, raw, dtype)
            })
            .collect()
    }

    fn store_partials(&self, cx: &mut Emit<'r>, arrays: &[(Buf, DType)], offset: V, values: &[V]) {
        for (&(buf, dtype), &v) in arrays.iter().zip(values) {
            let raw = scalar::to_memory(&mut cx.b, v, dtype);
            cx.b.store(buf, offset, raw, None);
        }
    }

    /// Joins the partial results of the chunks, which lie `stride` apart from `first` on, by adjacent pairs.
    /// The total ends in the first.
    fn join(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        arrays: &[(Buf, DType)],
        (first, stride): (V, i64),
        lanes: u32,
    ) -> Result<Vec<V>, Refusal> {
        let mut width = 1;
        while width < self.s.chunks {
            let pairs = (self.s.chunks - width + 2 * width - 1) / (2 * width);
            let (zero, pairs) = (cx.b.i64(0), cx.b.i64(pairs));
            cx.for_loop((zero, pairs, 1), &[], |cx, pair, _| {
                let step = cx.b.i64(2 * width * stride);
                let along = cx.b.mul(pair, step);
                let left = cx.b.add(first, along);
                let apart = cx.b.i64(width * stride);
                let right = cx.b.add(left, apart);
                let a = self.load_partials(cx, arrays, left, lanes);
                let b = self.load_partials(cx, arrays, right, lanes);
                let joined = self.combine(cx, point, &a, &b)?;
                self.store_partials(cx, arrays, left, &joined);
                Ok(Vec::new())
            })?;
            width *= 2;
        }
        Ok(self.load_partials(cx, arrays, first, lanes))
    }

    /// The point of a row of the space, all inner indices zero.
    fn row_point(&self, cx: &mut Emit<'r>, row: V) -> Point<'r> {
        let zero = cx.b.i64(0);
        let mut at = cx.delinearize(row, self.l.axes.space_extents());
        at.resize(self.l.axes.extents.len(), zero);
        Point::new(&self.l.axes, at)
    }

    fn inner_axes(&self) -> Vec<usize> {
        (self.l.axes.space..self.l.axes.extents.len()).collect()
    }
}

/// `lane < count` as a constant mask.
fn first_lanes(cx: &mut Emit<'_>, lanes: u32, count: i64) -> V {
    let ty = crate::loop_ir::Type::vector(Elem::I32, lanes);
    let iota = cx.b.op(crate::loop_ir::Op::Iota(ty));
    let count = cx.b.constant(ty, count as u64);
    cx.b.cmp(crate::loop_ir::Cmp::Ult, iota, count)
}

/// `min(a, b)` of indices.
fn min(cx: &mut Emit<'_>, a: V, b: V) -> V {
    cx.b.bin(Bin::SMin, a, b)
}
