//! Updates of which several may reach one element: where they go and what they bring is computed in vectors, a block of
//! points at a time, or by the tasks of a phase before; then each is combined after the other, in the order of the points.

use super::emit::Emit;
use super::home::Home;
use super::lowering::Lowering;
use super::point::Point;
use super::rows::{block, left};
use super::scalar;
use crate::loop_ir::{Access, Bin, Buf, Cmp, Elem, Type, V};
use crate::refusal::Refusal;
use crate::region::{Function, NodeId};
use lawson_hlo::index::Affine;
use lawson_hlo::{DType, Opcode};

/// Points of a block: their places and values stay in the first-level cache.
const BLOCK: i64 = 256;

/// The updates of a stage.
pub(super) struct InTurn<'u, 'r> {
    pub(super) l: &'r Lowering<'r>,
    pub(super) values: &'r [NodeId],
    pub(super) offset: &'r Affine,
    pub(super) combiner: Option<&'r Function>,
    /// What is updated, one array for each value.
    pub(super) targets: &'u [(Home<'r>, DType)],
    /// Points where it is false update nothing.
    pub(super) mask: Option<NodeId>,
    /// Updates that are loaded before the first of them happens; their number divides that of the lanes.
    pub(super) together: i64,
    /// A maximum or minimum by which an update is compared with the element first: most leave that as it is.
    pub(super) compared: Option<Opcode>,
}

/// What is known of the points of a block: where they update each target, less than zero where they do not, and what they
/// bring, unless all of them bring the same.
struct Found {
    places: Vec<Buf>,
    values: Vec<Option<Buf>>,
}

impl<'r> InTurn<'_, 'r> {
    /// The updates of the row of `point` along this axis, at which what they share is known already.
    pub(super) fn row(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (lane, lanes): (usize, u32),
    ) -> Result<(), Refusal> {
        let columns = self.l.axes.extents[lane];
        let found = self.arrays(cx, point, |cx, name, elem| cx.b.local(name, elem, BLOCK));
        let (zero, end) = (cx.b.i64(0), cx.b.i64(columns));
        cx.for_loop((zero, end, BLOCK), &[], |cx, first, _| {
            let mut count = cx.b.i64(BLOCK);
            if columns % BLOCK != 0 {
                let left = cx.b.sub(end, first);
                count = cx.b.bin(Bin::SMin, left, count);
            }
            cx.for_loop((zero, count, lanes as i64), &[], |cx, at, _| {
                let column = cx.b.add(first, at);
                let mut p = point.spread(self.l.region, lane, column, lanes);
                p.mask = (columns % lanes as i64 != 0).then(|| left(cx, column, columns, lanes));
                self.find(cx, &mut p, &found, at)
            })?;
            self.each(cx, point, &found, (count, columns % lanes as i64 == 0))
        })?;
        Ok(())
    }

    /// The updates of the only row, along this axis, which a phase finds in tasks of `per_task` points before one task makes them.
    /// `start` gives a point of the row at which what all share is known.
    pub(super) fn in_two_phases(
        &self,
        cx: &mut Emit<'r>,
        start: &dyn Fn(&mut Emit<'r>) -> Result<Point<'r>, Refusal>,
        (lane, lanes): (usize, u32),
        per_task: i64,
    ) -> Result<(), Refusal> {
        let columns = self.l.axes.extents[lane];
        let width = lanes as i64;
        let vectors = (columns + width - 1) / width;
        let task = cx.b.open_phase((columns + per_task - 1) / per_task);
        let point = start(cx)?;
        let found = self.arrays(cx, &point, |cx, name, elem| {
            let name = format!("{}.{name}", self.l.stage.name);
            cx.b.buffer(name, elem, vectors * width, Access::Scratch)
        });
        let (first, end) = block(cx, task, per_task, columns);
        cx.for_loop((first, end, width), &[], |cx, column, _| {
            let mut p = point.spread(self.l.region, lane, column, lanes);
            p.mask = (columns % width != 0).then(|| left(cx, column, columns, lanes));
            self.find(cx, &mut p, &found, column)
        })?;
        cx.b.close_phase(task);
        let task = cx.b.open_phase(1);
        let point = start(cx)?;
        let count = cx.b.i64(columns);
        self.each(cx, &point, &found, (count, columns % width == 0))?;
        cx.b.close_phase(task);
        Ok(())
    }

    /// Arrays for what is found of the points of a row.
    fn arrays(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        mut array: impl FnMut(&mut Emit<'r>, &str, Elem) -> Buf,
    ) -> Found {
        let places = self.targets.iter().map(|_| array(cx, "places", Elem::I64)).collect();
        let mut values = Vec::new();
        for (id, &(_, dtype)) in self.values.iter().zip(self.targets) {
            let shared = point.known.contains_key(id);
            values.push((!shared).then(|| array(cx, "values", scalar::mem_elem(dtype))));
        }
        Found { places, values }
    }

    /// Makes the updates of so many points. `whole`: they are whole vectors, so that all points exist; what is beyond the last point in
    /// its vector goes nowhere.
    fn each(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        found: &Found,
        (count, whole): (V, bool),
    ) -> Result<Vec<V>, Refusal> {
        let some = self.mask.is_some() || !whole;
        let zero = cx.b.i64(0);
        cx.for_loop((zero, count, self.together), &[], |cx, first, _| {
            let updates = (0..self.together).map(|n| {
                let shift = cx.b.i64(n);
                let at = cx.b.add(first, shift);
                self.loaded(cx, point, found, at)
            });
            for (places, new) in updates.collect::<Vec<_>>() {
                let is_some = if some { cx.b.cmp(Cmp::Sle, zero, places[0]) } else { cx.b.bool(true) };
                let update = |cx: &mut Emit<'r>| self.combine(cx, point, &places, new);
                cx.if_else(is_some, update, |_| Ok(Vec::new()))?;
            }
            Ok(Vec::new())
        })
    }

    /// Finds the places and values of a vector of points, `at` points after the first of the block.
    fn find(&self, cx: &mut Emit<'r>, p: &mut Point<'r>, found: &Found, at: V) -> Result<Vec<V>, Refusal> {
        let inside = self.mask.map(|m| cx.vector(p, m)).transpose()?;
        let inside = cx.both(inside, p.mask, p.lanes);
        for (&(home, _), &buf) in self.targets.iter().zip(&found.places) {
            let mut place = cx.places(p, home, self.offset)?;
            if let Some(inside) = inside {
                let nowhere = cx.b.constant(Type::vector(Elem::I64, p.lanes), -1i64 as u64);
                place = cx.b.select(inside, place, nowhere);
            }
            cx.b.store(buf, at, place, None);
        }
        for ((&id, &(_, dtype)), buf) in self.values.iter().zip(self.targets).zip(&found.values) {
            let Some(buf) = *buf else { continue };
            let value = cx.vector(p, id)?;
            let raw = scalar::to_memory(&mut cx.b, value, dtype);
            cx.b.store(buf, at, raw, None);
        }
        Ok(Vec::new())
    }

    /// Where an update goes in each target, and what it brings.
    fn loaded(&self, cx: &mut Emit<'r>, point: &Point<'r>, found: &Found, at: V) -> (Vec<V>, Vec<V>) {
        let places = found.places.iter().map(|&buf| cx.b.load(buf, at, 1, None)).collect();
        let values = self.values.iter().zip(self.targets).zip(&found.values);
        let new = values.map(|((id, &(_, dtype)), buf)| match *buf {
            Some(buf) => load(cx, (buf, dtype), at),
            None => point.known[id],
        });
        (places, new.collect())
    }

    /// Combines one update with what the targets hold.
    fn combine(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        places: &[V],
        new: Vec<V>,
    ) -> Result<Vec<V>, Refusal> {
        let Some(f) = self.combiner else { return self.store(cx, places, new) };
        let old = self.targets.iter().zip(places);
        let old: Vec<V> = old.map(|(&(home, dtype), &place)| load(cx, (home.buf, dtype), place)).collect();
        let update = |cx: &mut Emit<'r>| {
            let combined = cx.call(point, f, &[&old[..], &new[..]].concat())?;
            self.store(cx, places, combined)
        };
        let Some(opcode) = self.compared else { return update(cx) };
        // Of equal numbers zeros have signs; what is not-a-number is not less than anything.
        let stays = match opcode {
            Opcode::Maximum => cx.b.cmp(Cmp::FLt, new[0], old[0]),
            _ => cx.b.cmp(Cmp::FLt, old[0], new[0]),
        };
        cx.if_else(stays, |_| Ok(Vec::new()), update)
    }

    /// Writes what targets hold from now on.
    fn store(&self, cx: &mut Emit<'r>, places: &[V], new: Vec<V>) -> Result<Vec<V>, Refusal> {
        for ((&(home, dtype), &place), v) in self.targets.iter().zip(places).zip(new) {
            let raw = scalar::to_memory(&mut cx.b, v, dtype);
            cx.b.store(home.buf, place, raw, None);
        }
        Ok(Vec::new())
    }
}

fn load(cx: &mut Emit<'_>, (buf, dtype): (Buf, DType), at: V) -> V {
    let raw = cx.b.load(buf, at, 1, None);
    scalar::from_memory(&mut cx.b, raw, dtype)
}
