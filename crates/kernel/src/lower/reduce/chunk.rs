//! A chunk of a row whose lanes run along the reduced axis: where its elements are, and which lanes have one.

use super::reduction::{Reduction, first_lanes};
use crate::loop_ir::{Bin, Elem, Op, V};
use crate::lower::emit::Emit;
use crate::lower::inverses::Inverted;
use crate::lower::point::Point;
use crate::plan::point_dependence;
use crate::refusal::Refusal;

/// Elements of a chunk: known at run time, `full` for every chunk but the last.
#[derive(Clone, Copy)]
pub(super) struct Length {
    pub(super) now: V,
    pub(super) full: i64,
    pub(super) last: i64,
}

impl Length {
    pub(super) fn is_multiple_of(self, n: i64) -> bool {
        self.full % n == 0 && self.last % n == 0
    }
}

/// Where the elements of a chunk begin, in the row of a point, and the inverses that they share. The elements go along the axes
/// from `first` on; the point is fixed along the others.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'a, 'r> {
    pub(super) point: &'a Point<'r>,
    pub(super) first: usize,
    pub(super) start: V,
    pub(super) inverted: Option<&'a Inverted>,
}

impl<'a, 'r> Chunk<'a, 'r> {
    /// Elements along all reduced axes.
    pub(super) fn new(point: &'a Point<'r>, start: V) -> Self {
        Chunk { point, first: point.axes.space, start, inverted: None }
    }
}

/// Folds a chunk with `body`, which carries running values from `inits` on: line by line, where the plan says so. What is the
/// same in all of a line is evaluated before it.
pub(super) fn each_line<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    (from, len): (Chunk<'_, 'r>, Length),
    inits: &[V],
    body: impl FnOnce(&mut Emit<'r>, Chunk<'_, 'r>, Length, &[V]) -> Result<Vec<V>, Refusal>,
) -> Result<Vec<V>, Refusal> {
    let Some(line) = r.s.line else { return body(cx, from, len, inits) };
    let (zero, size) = (cx.b.i64(0), cx.b.i64(line));
    cx.for_loop((zero, len.now, line), inits, |cx, k, carried| {
        let start = cx.b.add(from.start, k);
        let mut at = cx.delinearize(start, r.l.axes.inner_extents());
        let Some(start) = at.pop() else { return Ok(carried.to_vec()) };
        let mut point = from.point.clone();
        at.into_iter().enumerate().for_each(|(n, i)| point.at[from.first + n] = i);
        let first = r.l.axes.extents.len() - 1;
        r.hoist(cx, &mut point, first)?;
        let from = Chunk { point: &point, first, start, ..from };
        body(cx, from, Length { now: size, full: line, last: line }, carried)
    })
}

/// The point of so many elements from `start + k` on, of which the first `count` exist.
pub(super) fn point_at<'r>(
    cx: &mut Emit<'r>,
    r: &Reduction<'r>,
    Chunk { point, first, start, .. }: Chunk<'_, 'r>,
    k: V,
    (lanes, count): (u32, Option<V>),
) -> Point<'r> {
    let axes = &r.l.axes;
    let k = cx.b.add(start, k);
    let mask = count.and_then(|n| first_lanes(cx, lanes, n));
    let inner = &axes.extents[first..];
    let contiguous = inner.last().is_none_or(|n| n % lanes as i64 == 0);
    let mut point = point.clone();
    point.known.retain(|id, _| {
        let mut fixed = true;
        for axis in first..axes.extents.len() {
            fixed &= !point_dependence(r.l.region, axes, *id, axis);
        }
        fixed
    });
    point.lanes = lanes;
    if inner.len() <= 1 || contiguous && lanes > 1 {
        let indices = cx.delinearize(k, inner);
        indices.into_iter().enumerate().for_each(|(n, i)| point.at[first + n] = i);
        point.lane = (!inner.is_empty()).then(|| axes.extents.len() - 1);
    } else {
        // A vector crosses rows of the inner axes: each lane has indices of its own.
        let ty = crate::loop_ir::Type::vector(Elem::I64, lanes);
        let iota = cx.b.op(Op::Iota(ty));
        let base = cx.b.widen_to(k, lanes);
        let mut rest = if lanes > 1 { cx.b.add(base, iota) } else { k };
        if mask.is_some() {
            // Lanes that do not exist stay within the array's index range.
            let top = cx.b.i64(r.length - 1);
            let top = cx.b.widen_to(top, lanes);
            rest = cx.b.bin(Bin::SMin, rest, top);
        }
        for n in (0..inner.len()).rev() {
            let divided = |cx: &mut Emit<'_>, op| cx.divided(op, rest, inner[n], r.length);
            point.at[first + n] = if n == 0 { rest } else { divided(cx, Bin::SRem) };
            if n > 0 {
                rest = divided(cx, Bin::SDiv);
            }
        }
    }
    point.mask = mask;
    point
}

/// `count - taken`, unless that is known to be nothing.
pub(super) fn left(cx: &mut Emit<'_>, count: V, taken: V) -> Option<V> {
    let left = cx.b.sub(count, taken);
    cx.b.const_i64(left).is_none_or(|n| n > 0).then_some(left)
}

/// Lanes `from..from + count` of a vector; a scalar for one lane.
pub(super) fn part(cx: &mut Emit<'_>, v: V, from: i64, count: i64) -> V {
    if count == 1 {
        return cx.b.op(Op::Extract(v, from as u32));
    }
    let lanes = (from as u32..(from + count) as u32).collect();
    cx.b.op(Op::Shuffle { a: v, b: v, lanes })
}

/// `new` in the first `count` lanes, `old` in the others; `new` in all without a count.
pub(super) fn choose_first(cx: &mut Emit<'_>, count: Option<V>, new: &[V], old: &[V]) -> Vec<V> {
    let lanes = cx.b.ty_of(new[0]).lanes;
    match count.and_then(|n| first_lanes(cx, lanes, n)) {
        Some(mask) => new.iter().zip(old).map(|(&n, &o)| cx.b.select(mask, n, o)).collect(),
        None => new.to_vec(),
    }
}
