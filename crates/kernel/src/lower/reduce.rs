//! Reductions, in the order the language fixes (DESIGN 6.5): chunks, joined by adjacent pairs, init applied last.
//!
//! Within a chunk either 64 lanes run along the reduced axis and are halved ([`across`]), or each lane folds the
//! elements of its own result ([`lane_wise`]). Chunks of one row are partial results in an array.

mod across;
mod identity;
mod lane_wise;

use super::*;
use crate::loop_ir::{Bin, Cast, Elem};
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

    /// What running values start from so that no element is special; `None` where the combiner has nothing such.
    fn identity(&self, cx: &mut Emit<'r>, lanes: u32) -> Option<Vec<V>> {
        let scalars = identity::of(cx, self.combiner)?;
        Some(scalars.into_iter().map(|v| cx.b.widen_to(v, lanes)).collect())
    }

    /// Vectors of running values in a chunk of `length`.
    fn vectors(&self, length: i64) -> i64 {
        let lanes = self.s.lanes as i64;
        (RUNNING.min(length) + lanes - 1) / lanes
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

    /// Joins the partial results of the chunks by adjacent pairs, an odd last one passing on as it is.
    ///
    /// What is joined goes to the front of `to`, which may be `from` where no other task reads that.
    fn join(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        from: Partials<'_>,
        to: Partials<'_>,
        lanes: u32,
    ) -> Result<Vec<V>, Refusal> {
        if self.s.chunks == 1 {
            return Ok(self.load_partials(cx, from.arrays, from.first, lanes));
        }
        let (pairs, rest) = (self.s.chunks / 2, self.s.chunks % 2);
        let count = cx.b.i64(pairs);
        self.join_pairs(cx, point, (from, to), count, lanes)?;
        if rest == 1 {
            let last = cx.b.i64(self.s.chunks - 1);
            self.pass_on(cx, (from, to), last, count, lanes);
        }
        // The other rounds are one loop, so that the code does not grow with the number of chunks.
        let left = pairs + rest;
        let rounds = (left as u64).next_power_of_two().trailing_zeros() as i64;
        if rounds > 0 {
            let (zero, rounds, left) = (cx.b.i64(0), cx.b.i64(rounds), cx.b.i64(left));
            cx.for_loop((zero, rounds, 1), &[left], |cx, _, left| {
                let one = cx.b.i64(1);
                let pairs = cx.b.bin(Bin::AShr, left[0], one);
                self.join_pairs(cx, point, (to, to), pairs, lanes)?;
                // Without an odd one this copies what is joined already to where nothing is read again.
                let last = cx.b.sub(left[0], one);
                self.pass_on(cx, (to, to), last, pairs, lanes);
                let rest = cx.b.bin(Bin::And, left[0], one);
                Ok(vec![cx.b.add(pairs, rest)])
            })?;
        }
        Ok(self.load_partials(cx, to.arrays, to.first, lanes))
    }

    /// Joins `pairs` pairs of `from` to the front of `to`.
    fn join_pairs(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (from, to): (Partials<'_>, Partials<'_>),
        pairs: V,
        lanes: u32,
    ) -> Result<(), Refusal> {
        let (zero, one, two) = (cx.b.i64(0), cx.b.i64(1), cx.b.i64(2));
        cx.for_loop((zero, pairs, 1), &[], |cx, pair, _| {
            let even = cx.b.mul(pair, two);
            let odd = cx.b.add(even, one);
            let (a, b) = (from.at(cx, even), from.at(cx, odd));
            let a = self.load_partials(cx, from.arrays, a, lanes);
            let b = self.load_partials(cx, from.arrays, b, lanes);
            let joined = self.combine(cx, point, &a, &b)?;
            let target = to.at(cx, pair);
            self.store_partials(cx, to.arrays, target, &joined);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Copies partial result `i` of `from` to place `k` of `to`.
    fn pass_on(&self, cx: &mut Emit<'r>, (from, to): (Partials<'_>, Partials<'_>), i: V, k: V, lanes: u32) {
        let source = from.at(cx, i);
        let kept = self.load_partials(cx, from.arrays, source, lanes);
        let target = to.at(cx, k);
        self.store_partials(cx, to.arrays, target, &kept);
    }

    /// The point of a row of the space that the loops run over, all inner indices zero.
    fn row_point(&self, cx: &mut Emit<'r>, row: V) -> Point<'r> {
        let mut point = self.l.start(cx);
        self.l.loops(&[]).place(cx, row, &mut point.at);
        point
    }

    fn inner_axes(&self) -> Vec<usize> {
        (self.l.axes.space..self.l.axes.extents.len()).collect()
    }
}

/// Partial results of one row, or of a vector of them: element `i` lies at `first + i·stride`.
#[derive(Clone, Copy)]
struct Partials<'a> {
    arrays: &'a [(Buf, DType)],
    first: V,
    stride: i64,
}

impl Partials<'_> {
    fn at(&self, cx: &mut Emit<'_>, i: V) -> V {
        let stride = cx.b.i64(self.stride);
        let along = cx.b.mul(i, stride);
        cx.b.add(self.first, along)
    }
}

/// `lane < count`; `None` where that is known of every lane.
fn first_lanes(cx: &mut Emit<'_>, lanes: u32, count: V) -> Option<V> {
    let known = cx.b.const_i64(count);
    if known.is_some_and(|n| n >= lanes as i64) {
        return None;
    }
    let ty = crate::loop_ir::Type::vector(Elem::I32, lanes);
    let count = cx.b.cast(Cast::Trunc, count, Elem::I32);
    let count = cx.b.widen_to(count, lanes);
    let lane = if lanes == 1 { cx.b.constant(ty, 0) } else { cx.b.op(crate::loop_ir::Op::Iota(ty)) };
    Some(cx.b.cmp(crate::loop_ir::Cmp::Slt, lane, count))
}

/// `min(a, b)` of indices.
fn min(cx: &mut Emit<'_>, a: V, b: V) -> V {
    cx.b.bin(Bin::SMin, a, b)
}
