//! Joining the partial results of chunks: by adjacent pairs, an odd last one passing on as it is.
//!
//! A processor goes through the pairs one by one. Threads of a graphics processor load a group of neighbours before they join
//! them, so that several rounds wait for memory once.

use super::held::Held;
use super::reduction::Reduction;
use crate::loop_ir::{Bin, Buf, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::refusal::Refusal;

impl<'r> Reduction<'r> {
    /// Joins the partial results of the chunks by adjacent pairs, an odd last one passing on as it is.
    ///
    /// The joined values go to the front of `to`, which may be `from` where no other task reads it.
    pub(super) fn join(
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
        if self.s.join.together > 2 {
            return self.join_groups(cx, point, (from, to), lanes);
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
                // Where no value is left over this copies one that is not read again, which saves a branch.
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
        if lanes == 1 && self.s.join.lanes > 1 {
            return self.side_by_side(cx, point, (from, to), (pairs, 2));
        }
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

    /// Joins so many groups of so many neighbours, a vector of groups at a time. Lanes beyond the last group join it too, and
    /// store nothing.
    fn side_by_side(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (from, to): (Partials<'_>, Partials<'_>),
        (groups, of): (V, i64),
    ) -> Result<(), Refusal> {
        let lanes = self.s.join.lanes;
        let (zero, one, of_each) = (cx.b.i64(0), cx.b.i64(1), cx.b.i64(of));
        let last = cx.b.sub(groups, one);
        let [of_each, last] = [of_each, last].map(|v| cx.b.widen_to(v, lanes));
        cx.for_loop((zero, groups, lanes as i64), &[], |cx, first, _| {
            let order = cx.b.op(Op::Iota(Type::vector(Elem::I64, lanes)));
            let first = cx.b.widen_to(first, lanes);
            let group = cx.b.add(first, order);
            let exists = cx.b.cmp(Cmp::Sle, group, last);
            let group = cx.b.bin(Bin::SMin, group, last);
            // A multiple of the group's size, so that a thread's neighbours are loaded at once.
            let start = cx.b.mul(group, of_each);
            let mut all = Vec::new();
            for k in 0..of {
                let k = cx.b.i64(k);
                let k = cx.b.widen_to(k, lanes);
                let i = cx.b.add(start, k);
                let at = from.each_at(cx, i, lanes);
                all.push(self.load_partials(cx, from.arrays, at, lanes));
            }
            let joined = self.by_pairs(cx, point, all)?;
            let target = to.each_at(cx, group, lanes);
            for (&(buf, held), v) in to.arrays.iter().zip(joined) {
                let raw = held.stored(&mut cx.b, v);
                cx.b.store(buf, target, raw, Some(exists));
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Several rounds at once: a group of partial results, as many as are a power of two, is loaded before it is joined, by the
    /// same pairs. Pairs never cross the groups, and where the last group is not whole the odd ones pass on as they would.
    fn join_groups(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (mut from, to): (Partials<'_>, Partials<'_>),
        lanes: u32,
    ) -> Result<Vec<V>, Refusal> {
        let of = self.s.join.together;
        let mut count = self.s.chunks;
        // Each round leaves a share of so many, so there are few.
        while count > of {
            let (groups, rest) = (count / of, count % of);
            let whole = cx.b.i64(groups);
            if lanes == 1 && self.s.join.lanes > 1 {
                self.side_by_side(cx, point, (from, to), (whole, of))?;
            } else {
                let zero = cx.b.i64(0);
                cx.for_loop((zero, whole, 1), &[], |cx, group, _| {
                    let size = cx.b.i64(of);
                    let start = cx.b.mul(group, size);
                    let joined = self.joined_from(cx, point, from, (start, of), lanes)?;
                    let target = to.at(cx, group);
                    self.store_partials(cx, to.arrays, target, &joined);
                    Ok(Vec::new())
                })?;
            }
            if rest > 0 {
                let start = cx.b.i64(groups * of);
                let joined = self.joined_from(cx, point, from, (start, rest), lanes)?;
                let target = to.at(cx, whole);
                self.store_partials(cx, to.arrays, target, &joined);
            }
            (from, count) = (to, groups + (rest > 0) as i64);
        }
        let zero = cx.b.i64(0);
        self.joined_from(cx, point, from, (zero, count), lanes)
    }

    /// So many partial results from one on, joined in registers.
    fn joined_from(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        from: Partials<'_>,
        (start, count): (V, i64),
        lanes: u32,
    ) -> Result<Vec<V>, Refusal> {
        let mut all = Vec::new();
        for k in 0..count {
            let k = cx.b.i64(k);
            let i = cx.b.add(start, k);
            let at = from.at(cx, i);
            all.push(self.load_partials(cx, from.arrays, at, lanes));
        }
        self.by_pairs(cx, point, all)
    }

    /// Values joined by adjacent pairs, an odd last one passing on as it is.
    fn by_pairs(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        mut all: Vec<Vec<V>>,
    ) -> Result<Vec<V>, Refusal> {
        while all.len() > 1 {
            let mut next = Vec::new();
            for pair in all.chunks(2) {
                next.push(match pair {
                    [a, b] => self.combine(cx, point, a, b)?,
                    odd => odd.concat(),
                });
            }
            all = next;
        }
        Ok(all.concat())
    }

    /// Copies partial result `i` of `from` to place `k` of `to`.
    fn pass_on(&self, cx: &mut Emit<'r>, (from, to): (Partials<'_>, Partials<'_>), i: V, k: V, lanes: u32) {
        let source = from.at(cx, i);
        let kept = self.load_partials(cx, from.arrays, source, lanes);
        let target = to.at(cx, k);
        self.store_partials(cx, to.arrays, target, &kept);
    }
}

/// Partial results of one row, or of a vector of them: element `i` lies at `first + i·stride`.
#[derive(Clone, Copy)]
pub(super) struct Partials<'a> {
    pub(super) arrays: &'a [(Buf, Held)],
    pub(super) first: V,
    pub(super) stride: i64,
}

impl Partials<'_> {
    pub(super) fn at(&self, cx: &mut Emit<'_>, i: V) -> V {
        let stride = cx.b.i64(self.stride);
        let along = cx.b.mul(i, stride);
        cx.b.add(self.first, along)
    }

    /// The same of a vector of numbers.
    fn each_at(&self, cx: &mut Emit<'_>, i: V, lanes: u32) -> V {
        let stride = cx.b.i64(self.stride);
        let [stride, first] = [stride, self.first].map(|v| cx.b.widen_to(v, lanes));
        let along = cx.b.mul(i, stride);
        cx.b.add(first, along)
    }
}
