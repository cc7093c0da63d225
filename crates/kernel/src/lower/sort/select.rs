//! The first elements of sorted rows, without sorting the rest, with lanes along the row.
//!
//! A first pass ([`KeyedRow::floor`]) keeps the keys of the row and the largest of each of as many parts as elements are wanted: the least of
//! those, the floor, is at most the last key wanted. A second pass puts the elements that reach the floor, and exceed the
//! last one once there are enough, in their place among those found, which stay sorted in registers.

use super::keyed_row::{KeyedRow, greatest, least};
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::lowering::Lowering;
use crate::lower::point::Point;
use crate::lower::rows::left;
use crate::lower::scalar::reg_elem;
use crate::plan::SortSchedule;
use crate::refusal::Refusal;

pub(super) fn lower<'r>(cx: &mut Emit<'r>, l: &'r Lowering<'r>, s: &SortSchedule) -> Result<(), Refusal> {
    let Some(row) = KeyedRow::new(cx, l, s, 0) else { return Ok(()) };
    let select = Select { row, vectors: (row.kept as usize).div_ceil(s.lanes as usize) };
    row.each(cx, s, |cx, point| {
        let floor = row.floor(cx, &point)?;
        let found = select.above(cx, floor)?;
        select.store(cx, &point, &found)
    })
}

#[derive(Clone, Copy)]
struct Select<'r> {
    row: KeyedRow<'r>,
    /// Vectors of elements that are wanted.
    vectors: usize,
}

/// The elements found so far, in order: vectors of keys and of places, and what decides about others.
struct Found {
    keys: Vec<V>,
    places: Vec<V>,
    count: V,
    /// Keys above it come in.
    limit: V,
}

impl Found {
    fn values(&self) -> Vec<V> {
        [&self.keys[..], &self.places[..], &[self.count, self.limit]].concat()
    }

    fn of(values: &[V], vectors: usize) -> Found {
        Found {
            keys: values[..vectors].to_vec(),
            places: values[vectors..2 * vectors].to_vec(),
            count: values[2 * vectors],
            limit: values[2 * vectors + 1],
        }
    }
}

impl<'r> Select<'r> {
    /// The first elements of the row, of those that reach the floor.
    fn above(&self, cx: &mut Emit<'r>, floor: V) -> Result<Found, Refusal> {
        let lanes = self.row.lanes as i64;
        let vectors = self.vectors;
        let scalar = Type::scalar(self.row.key.elem());
        let nothing = least(cx, scalar);
        // Nothing lies below the least key there is: then every element comes in until there are enough.
        let open = cx.b.cmp(Cmp::Eq, floor, nothing);
        let one = cx.b.constant(scalar, 1);
        let below = cx.b.sub(floor, one);
        let limit = cx.b.select(open, nothing, below);
        let none = least(cx, self.row.key_type());
        let place = cx.b.constant(Type::vector(Elem::I32, self.row.lanes), 0);
        let count = cx.b.constant(Type::scalar(Elem::I32), 0);
        let start = Found { keys: vec![none; vectors], places: vec![place; vectors], count, limit };
        let (zero, end) = (cx.b.i64(0), cx.b.i64(self.row.padded()));
        let found = cx.for_loop((zero, end, lanes), &start.values(), |cx, j, found| {
            let before = Found::of(found, vectors);
            let keys = cx.b.load(self.row.keys, j, self.row.lanes, None);
            let limit = cx.b.widen_to(before.limit, self.row.lanes);
            let higher = cx.b.cmp(Cmp::Slt, limit, keys);
            let some = cx.b.any(higher);
            let open = self.still_open(cx, open, before.count);
            let some = cx.b.bin(Bin::Or, some, open);
            cx.if_else(
                some,
                |cx| self.put_in(cx, (j, keys), open, before.values(), vectors),
                |_| Ok(found.to_vec()),
            )
        })?;
        Ok(Found::of(&found, vectors))
    }

    /// Whether every element comes in.
    fn still_open(&self, cx: &mut Emit<'r>, open: V, count: V) -> V {
        let kept = cx.b.constant(Type::scalar(Elem::I32), self.row.kept as u64);
        let few = cx.b.cmp(Cmp::Slt, count, kept);
        cx.b.bin(Bin::And, open, few)
    }

    /// Puts those of a vector of keys that come in, one after the other, in their place.
    fn put_in(
        &self,
        cx: &mut Emit<'r>,
        (j, keys): (V, V),
        open: V,
        found: Vec<V>,
        vectors: usize,
    ) -> Result<Vec<V>, Refusal> {
        let lanes = self.row.lanes;
        let is_whole = self.row.n % lanes as i64 == 0;
        let coming = |cx: &mut Emit<'r>, found: &Found| {
            let limit = cx.b.widen_to(found.limit, lanes);
            let higher = cx.b.cmp(Cmp::Slt, limit, keys);
            let open = self.still_open(cx, open, found.count);
            let open = cx.b.widen_to(open, lanes);
            cx.b.bin(Bin::Or, higher, open)
        };
        let mut first = coming(cx, &Found::of(&found, vectors));
        if !is_whole {
            let inside = left(cx, j, self.row.n, lanes);
            first = cx.b.bin(Bin::And, first, inside);
        }
        let mut inits = found;
        inits.push(first);
        let carried = cx.b.open_while(&inits);
        let params: Vec<V> = carried.iter().map(|c| c.param).collect();
        let (mask, before) = (params[params.len() - 1], Found::of(&params, vectors));
        let more = cx.b.any(mask);
        let cond = cx.b.close_condition(more);
        let lane = cx.b.op(Op::First(mask));
        let at = cx.b.add(j, lane);
        let key = cx.b.load(self.row.keys, at, 1, None);
        let after = self.inserted(cx, &before, key, at);
        let coming = coming(cx, &after);
        let lane = cx.b.cast(Cast::Trunc, lane, Elem::I32);
        let lane = cx.b.widen_to(lane, lanes);
        let each = cx.b.op(Op::Iota(Type::vector(Elem::I32, lanes)));
        let later = cx.b.cmp(Cmp::Slt, lane, each);
        let later = cx.b.bin(Bin::And, later, mask);
        let next = cx.b.bin(Bin::And, later, coming);
        let mut yields = after.values();
        yields.push(next);
        let mut found = cx.b.close_while(carried, cond, yields);
        found.pop();
        Ok(found)
    }

    /// The elements found with one more: after those that do not come later, the others one place on.
    fn inserted(&self, cx: &mut Emit<'r>, found: &Found, key: V, at: V) -> Found {
        let lanes = self.row.lanes;
        let width = Type::vector(Elem::I32, lanes);
        let at = cx.b.cast(Cast::Trunc, at, Elem::I32);
        let (at, x) = (cx.b.widen_to(at, lanes), cx.b.widen_to(key, lanes));
        let count = cx.b.widen_to(found.count, lanes);
        // Before the first stands what nothing comes before.
        let mut before = (greatest(cx, self.row.key_type()), found.places[0]);
        let (mut keys, mut places) = (Vec::new(), Vec::new());
        for (v, (&key, &place)) in found.keys.iter().zip(&found.places).enumerate() {
            let each = cx.b.op(Op::Iota(width));
            let first = cx.b.constant(width, v as u64 * lanes as u64);
            let each = cx.b.add(each, first);
            let order: Vec<u32> = (lanes - 1..2 * lanes - 1).collect();
            let one_on = |cx: &mut Emit<'r>, a: V, b: V| cx.b.op(Op::Shuffle { a, b, lanes: order.clone() });
            let (moved_key, moved_place) = (one_on(cx, before.0, key), one_on(cx, before.1, place));
            let not_after = |cx: &mut Emit<'r>, other: V, there: Cmp| {
                let order = cx.b.cmp(Cmp::Sle, x, other);
                let exists = cx.b.cmp(there, each, count);
                cx.b.bin(Bin::And, order, exists)
            };
            let (stays, comes) = (not_after(cx, key, Cmp::Slt), not_after(cx, moved_key, Cmp::Sle));
            let new_key = cx.b.select(comes, x, moved_key);
            let new_place = cx.b.select(comes, at, moved_place);
            keys.push(cx.b.select(stays, key, new_key));
            places.push(cx.b.select(stays, place, new_place));
            before = (key, place);
        }
        let one = cx.b.constant(Type::scalar(Elem::I32), 1);
        let count = cx.b.add(found.count, one);
        let last = self.row.kept - 1;
        let (vector, lane) = ((last / lanes as i64) as usize, (last % lanes as i64) as u32);
        let least = cx.b.op(Op::Extract(keys[vector], lane));
        let kept = cx.b.constant(Type::scalar(Elem::I32), self.row.kept as u64);
        let enough = cx.b.cmp(Cmp::Sle, kept, count);
        let limit = cx.b.select(enough, least, found.limit);
        Found { keys, places, count, limit }
    }

    fn store(&self, cx: &mut Emit<'r>, point: &Point<'r>, found: &Found) -> Result<(), Refusal> {
        let (l, lanes) = (self.row.l, self.row.lanes as i64);
        for (v, (&key, &place)) in found.keys.iter().zip(&found.places).enumerate() {
            let first = v as i64 * lanes;
            let at = cx.b.i64(first);
            let mut p = point.spread(l.region, l.axes.space, at, self.row.lanes);
            p.mask = (first + lanes > self.row.kept).then(|| left(cx, at, self.row.kept, self.row.lanes));
            let mut values = vec![self.row.key.element(&mut cx.b, key)];
            for &id in &self.row.values[1..] {
                values.push(cx.b.cast(Cast::Sext, place, reg_elem(l.region.dtype(id))));
            }
            l.store(cx, &mut p, l.index, &l.stage.results, self.row.position, &values, false)?;
        }
        Ok(())
    }
}
