//! Select-and-scatter, the gradient of pooling: of each window the element that `select` keeps takes the source.

use super::emit::Emit;
use super::home::Home;
use super::lowering::Lowering;
use super::point::Point;
use super::rows::{Rows, block, left};
use super::scalar;
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Type, Un, V};
use crate::plan::SelectAndScatterSchedule;
use crate::refusal::Refusal;
use crate::region::{Kind, NodeId, SelectAndScatter};
use lawson_hlo::{DType, Scalar};

/// Elements of a window up to which there is code for each.
const MOST_UNROLLED: i64 = 16;

/// Each task fills its part of the result with init, where not every element is written by its window, and then visits its
/// windows in order, because they may overlap.
pub(super) fn lower<'r>(
    cx: &mut Emit<'r>,
    l: &'r Lowering<'r>,
    s: &SelectAndScatterSchedule,
) -> Result<(), Refusal> {
    let Kind::SelectAndScatter(of) = &l.stage.kind else { return Ok(()) };
    let Some(&home) = cx.arrays.results.get(&(l.index, 0)) else { return Ok(()) };
    let axes = &l.axes;
    let windows = Windows { l, of, s, target: (home, l.stage.results[0]) };
    let outer = Rows::except(axes, &[s.lane]);
    let empty = l.stage.points() == 0 || l.stage.inner_points() == 0;
    // The first loop is the slowest of the rows.
    let parts = if empty { 1 } else { s.rows_per_task.map_or(1, |_| axes.extents[0]) };
    let per_task = s.rows_per_task.unwrap_or(1).min(parts).max(1);
    // Of each part.
    let (elements, rows) = (l.stage.elements / parts.max(1), outer.count() / parts.max(1));
    let task = cx.b.open_phase((parts + per_task - 1) / per_task);
    let (first, end) = block(cx, task, per_task, parts);
    let times = |cx: &mut Emit<'r>, v: V, n: i64| {
        let n = cx.b.i64(n);
        cx.b.mul(v, n)
    };
    if !s.once || empty {
        let (from, to) = (times(cx, first, elements), times(cx, end, elements));
        windows.fill(cx, (from, to))?;
    }
    if !empty {
        let (from, to) = (times(cx, first, rows), times(cx, end, rows));
        cx.for_loop((from, to, 1), &[], |cx, row, _| {
            let point = Point::new(axes, outer.at(cx, row));
            let Some(lane) = s.lane else { return windows.window(cx, &point).map(|()| Vec::new()) };
            let (zero, columns) = (cx.b.i64(0), axes.extents[lane]);
            let end = cx.b.i64(columns);
            cx.for_loop((zero, end, s.lanes as i64), &[], |cx, column, _| {
                let mut point = point.spread(l.region, lane, column, s.lanes);
                if columns % s.lanes as i64 != 0 {
                    point.mask = Some(left(cx, column, columns, s.lanes));
                }
                windows.window(cx, &point).map(|()| Vec::new())
            })?;
            Ok(Vec::new())
        })?;
    }
    cx.b.close_phase(task);
    Ok(())
}

struct Windows<'r, 's> {
    l: &'r Lowering<'r>,
    of: &'r SelectAndScatter,
    s: &'s SelectAndScatterSchedule,
    target: (Home<'r>, DType),
}

impl<'r> Windows<'r, '_> {
    /// Stores init in these elements of the result.
    fn fill(&self, cx: &mut Emit<'r>, (from, to): (V, V)) -> Result<(), Refusal> {
        let (home, dtype) = self.target;
        let zero = cx.b.i64(0);
        let mut point = Point::new(&self.l.axes, vec![zero; self.l.axes.extents.len()]);
        let init = cx.value(&mut point, self.of.init)?;
        let raw = scalar::to_memory(&mut cx.b, init, dtype);
        let lanes = self.s.lanes as i64;
        let (count, width) = (cx.b.sub(to, from), cx.b.i64(lanes));
        let vectors = cx.b.bin(Bin::SDiv, count, width);
        let whole = cx.b.mul(vectors, width);
        let between = cx.b.add(from, whole);
        let vector = cx.b.widen_to(raw, self.s.lanes);
        for (bounds, value) in [((from, between, lanes), vector), ((between, to, 1), raw)] {
            cx.for_loop(bounds, &[], |cx, i, _| {
                cx.b.store(home.buf, i, value, None);
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }

    /// The window at a point, or those at its lanes.
    fn window(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<(), Refusal> {
        let mut point = point.clone();
        let value = cx.vector(&mut point, self.of.value)?;
        let found = self.selected(cx, &point)?;
        match self.s.lane {
            Some(_) => self.scatter_in_lanes(cx, &mut point, value, found),
            None => self.scatter(cx, &point, value, found),
        }
    }

    /// Which element of its window is selected, in order; −1 where none is inside.
    fn selected(&self, cx: &mut Emit<'r>, point: &Point<'r>) -> Result<V, Refusal> {
        let (of, lanes) = (self.of, point.lanes);
        let dtype = self.l.region.dtype(of.operand);
        let none = self.number(cx, -1, lanes);
        let nothing = cx.literal(dtype, Scalar::zero(dtype));
        let nothing = cx.b.widen_to(nothing, lanes);
        let best = self.each_element(cx, point, &[nothing, none], &mut |cx, (k, p), best| {
            let x = cx.vector(p, of.operand)?;
            let keeps = cx.call(p, &of.select, &[best[0], x])?[0];
            let replaces = cx.b.un(Un::Not, keeps);
            let zero = self.number(cx, 0, lanes);
            let empty = cx.b.cmp(Cmp::Slt, best[1], zero);
            let mut replaces = cx.b.bin(Bin::Or, replaces, empty);
            if let Some(inside) = self.inside(cx, p)? {
                replaces = cx.b.bin(Bin::And, replaces, inside);
            }
            Ok(vec![cx.b.select(replaces, x, best[0]), cx.b.select(replaces, k, best[1])])
        })?;
        Ok(best[1])
    }

    /// The selected element of one window takes the value.
    fn scatter(&self, cx: &mut Emit<'r>, point: &Point<'r>, value: V, found: V) -> Result<(), Refusal> {
        let zero = self.number(cx, 0, 1);
        let any = cx.b.cmp(Cmp::Sle, zero, found);
        let (target, of) = (self.target, self.of);
        cx.if_else(
            any,
            |cx| {
                let k = cx.b.cast(Cast::Sext, found, Elem::I64);
                let mut p = self.element(cx, point, k);
                let old = cx.load_element(&mut p, target, &of.offset, None)?;
                let new = cx.call(&p, &of.scatter, &[old, value])?[0];
                cx.store(&mut p, target, &of.offset, new, None, false)?;
                Ok(Vec::new())
            },
            |_| Ok(Vec::new()),
        )?;
        Ok(())
    }

    /// Every element of the windows, in the lanes that have selected it.
    fn scatter_in_lanes(
        &self,
        cx: &mut Emit<'r>,
        point: &mut Point<'r>,
        value: V,
        found: V,
    ) -> Result<(), Refusal> {
        let (target, of) = (self.target, self.of);
        let init = cx.vector(point, of.init)?;
        let first = if self.s.once { Some(cx.call(point, &of.scatter, &[init, value])?[0]) } else { None };
        self.each_element(cx, point, &[], &mut |cx, (k, p), _| {
            let here = cx.b.cmp(Cmp::Eq, found, k);
            if let Some(first) = first {
                let new = cx.b.select(here, first, init);
                cx.store(p, target, &of.offset, new, None, false)?;
                return Ok(Vec::new());
            }
            // What is outside has no place in memory.
            let mask = of.mask.map(|_| here);
            let old = cx.load_element(p, target, &of.offset, mask)?;
            let new = cx.call(p, &of.scatter, &[old, value])?[0];
            let new = cx.b.select(here, new, old);
            cx.store(p, target, &of.offset, new, mask, false)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The mask of the lanes whose element is inside; `None` where all are.
    fn inside(&self, cx: &mut Emit<'r>, p: &mut Point<'r>) -> Result<Option<V>, Refusal> {
        self.of.mask.map(|m: NodeId| cx.vector(p, m)).transpose()
    }

    /// The number of an element in all lanes.
    fn number(&self, cx: &mut Emit<'r>, n: i64, lanes: u32) -> V {
        cx.b.constant(Type::vector(Elem::I32, lanes), n as u64)
    }

    /// The point at an element of its window.
    fn element(&self, cx: &mut Emit<'r>, point: &Point<'r>, k: V) -> Point<'r> {
        let axes = &self.l.axes;
        let indices = cx.delinearize(k, axes.inner_extents());
        let along = (axes.space..axes.extents.len()).zip(indices);
        along.fold(point.clone(), |p, (axis, i)| p.moved(self.l.region, axis, i))
    }

    /// What `body` makes of these values at one element of the window after the other: it has the element's number in all
    /// lanes, and the point.
    fn each_element(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        inits: &[V],
        body: &mut Step<'_, 'r>,
    ) -> Result<Vec<V>, Refusal> {
        let (size, lanes) = (self.l.stage.inner_points(), point.lanes);
        if size <= MOST_UNROLLED {
            return (0..size).try_fold(inits.to_vec(), |values, k| {
                let at = cx.b.i64(k);
                let mut p = self.element(cx, point, at);
                let k = self.number(cx, k, lanes);
                body(cx, (k, &mut p), &values)
            });
        }
        let (zero, end) = (cx.b.i64(0), cx.b.i64(size));
        cx.for_loop((zero, end, 1), inits, |cx, at, values| {
            let mut p = self.element(cx, point, at);
            let k = cx.b.cast(Cast::Trunc, at, Elem::I32);
            let k = cx.b.widen_to(k, lanes);
            body(cx, (k, &mut p), values)
        })
    }
}

/// The number of an element and its point, and the values so far; the values after it.
type Step<'s, 'r> = dyn FnMut(&mut Emit<'r>, (V, &mut Point<'r>), &[V]) -> Result<Vec<V>, Refusal> + 's;
