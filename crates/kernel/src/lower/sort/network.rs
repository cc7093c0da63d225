//! Sorts a private array of keys, the largest first: vectors two by two by a bitonic network, then runs of doubling length, two of
//! which are merged a vector at a time.

use super::keyed_row::up_to;
use super::pair::Pair;
use crate::loop_ir::{Bin, Buf, Cache, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::refusal::Refusal;
use crate::target::LINE;

/// Bytes of vectors from which lanes are picked two at a time.
const PICKED: i64 = 64;

/// Bytes of two copies of keys that stay in the second and in the first level of cache, on all machines.
const NEAR: [i64; 2] = [256 << 10, 16 << 10];

/// Bytes between the two copies: whole pages, about half a page and an odd number of lines.
const PAGE: i64 = 4096;
const SKEW: i64 = 31 * LINE;

/// How many bytes ahead of a run what is far is asked for.
const AHEAD: i64 = 512;

/// An array with room for two copies of keys, whole pairs of vectors; the first copy is to be sorted.
#[derive(Clone, Copy)]
pub(super) struct SortedKeys {
    pub(super) buf: Buf,
    pub(super) elem: Elem,
    pub(super) lanes: u32,
    pub(super) n: i64,
    /// Where the second copy begins.
    second: i64,
}

impl SortedKeys {
    /// An array for so many keys.
    pub(super) fn new(cx: &mut Emit<'_>, name: &str, elem: Elem, lanes: u32, keys: i64) -> SortedKeys {
        let n = up_to(keys, 2 * lanes as i64);
        // Places that are whole pages apart take turns in the same lines of a cache.
        let second = up_to(n, PAGE / elem.bytes()) + SKEW / elem.bytes();
        // The head of a run that is used up may be looked at.
        let buf = cx.b.local(name, elem, second + n + lanes as i64);
        SortedKeys { buf, elem, lanes, n, second }
    }

    /// A vector of the least key there is.
    pub(super) fn least(&self, cx: &mut Emit<'_>) -> V {
        let ty = Type::vector(self.elem, self.lanes);
        cx.b.constant(ty, 1 << (ty.elem.bits() - 1))
    }

    /// Makes the last vector the least, if there are keys for one less.
    pub(super) fn fill(&self, cx: &mut Emit<'_>, keys: i64) {
        let last = self.n - self.lanes as i64;
        if keys <= last {
            let (at, least) = (cx.b.i64(last), self.least(cx));
            cx.b.store(self.buf, at, least, None);
        }
    }

    /// A vector in order.
    fn vector(&self, cx: &mut Emit<'_>, mut v: V) -> V {
        let mut run = 2;
        while run <= self.lanes {
            v = self.stage(cx, v, run - 1, run / 2);
            v = self.clean(cx, v, run / 4);
            run *= 2;
        }
        v
    }

    /// Brings a vector in order that rises and falls at most once in each of its parts of twice `apart` lanes.
    fn clean(&self, cx: &mut Emit<'_>, mut v: V, mut apart: u32) -> V {
        while apart > 0 {
            v = self.stage(cx, v, apart, apart);
            apart /= 2;
        }
        v
    }

    /// Puts the larger of the lanes `i` and `i ^ other` in the one of the two without the bit `high`.
    fn stage(&self, cx: &mut Emit<'_>, v: V, other: u32, high: u32) -> V {
        let turned = cx.b.op(Op::Shuffle { a: v, b: v, lanes: (0..self.lanes).map(|i| i ^ other).collect() });
        let (a, b) = (cx.b.bin(Bin::SMax, v, turned), cx.b.bin(Bin::SMin, v, turned));
        let lanes = (0..self.lanes).map(|i| if i & high == 0 { i } else { self.lanes + i }).collect();
        cx.b.op(Op::Shuffle { a, b, lanes })
    }

    /// Whether instructions pick numbers from two vectors: those of 512 bits have them.
    fn in_pairs(&self) -> bool {
        i64::from(self.lanes) * self.elem.bytes() == PICKED
    }

    /// The larger half of two vectors, and the smaller one, both in order.
    fn sorted(&self, cx: &mut Emit<'_>, vectors: [V; 2]) -> [V; 2] {
        if !self.in_pairs() {
            let [a, b] = vectors.map(|v| self.vector(cx, v));
            let (large, small) = self.merged(cx, a, b);
            return [large, small];
        }
        let mut pair = Pair::unordered(vectors, self.lanes);
        let mut run = 2;
        while run <= 2 * self.lanes as usize {
            pair.merge(cx, run);
            run *= 2;
        }
        pair.vectors(cx)
    }

    /// The larger half of two vectors in order, and the smaller one.
    fn merged(&self, cx: &mut Emit<'_>, a: V, b: V) -> (V, V) {
        if self.in_pairs() {
            let mut pair = Pair::in_line([a, b], self.lanes);
            pair.merge(cx, 2 * self.lanes as usize);
            let [large, small] = pair.vectors(cx);
            return (large, small);
        }
        let turned = cx.b.op(Op::Shuffle { a: b, b, lanes: (0..self.lanes).rev().collect() });
        let (large, small) = (cx.b.bin(Bin::SMax, a, turned), cx.b.bin(Bin::SMin, a, turned));
        (self.clean(cx, large, self.lanes / 2), self.clean(cx, small, self.lanes / 2))
    }

    /// Sorts the keys; gives where they begin.
    pub(super) fn sort(&self, cx: &mut Emit<'_>) -> Result<V, Refusal> {
        let (zero, n) = (cx.b.i64(0), cx.b.i64(self.n));
        let second = self.sort_part(cx, (zero, n), self.n)?;
        Ok(cx.b.i64(if second { self.second } else { 0 }))
    }

    /// Sorts a part of at most `size` keys; gives whether it lies in the second copy. Parts of it are sorted while they are in
    /// a near cache.
    fn sort_part(&self, cx: &mut Emit<'_>, (first, end): (V, V), size: i64) -> Result<bool, Refusal> {
        let zero = cx.b.i64(0);
        let near = NEAR.iter().map(|bytes| bytes / (2 * self.elem.bytes())).find(|&keys| keys < size);
        let width = near.unwrap_or(2 * self.lanes as i64);
        // Parts take the same number of turns, however short, so that all lie in the same copy.
        let second = match near {
            Some(part) => {
                let carried = cx.b.open_while(&[first]);
                let start = carried[0].param;
                let more = cx.b.cmp(Cmp::Slt, start, end);
                let cond = cx.b.close_condition(more);
                let part = cx.b.i64(part);
                let next = cx.b.add(start, part);
                let next = cx.b.bin(Bin::SMin, next, end);
                let second = self.sort_part(cx, (start, next), width)?;
                cx.b.close_while(carried, cond, vec![next]);
                second
            }
            None => {
                self.sort_pairs(cx, (first, end))?;
                false
            }
        };
        let [from, to] = [second, !second].map(|second| cx.b.i64(if second { self.second } else { 0 }));
        let mut turns = 0;
        while width << turns < size {
            turns += 1;
        }
        let is_far = width == NEAR[0] / (2 * self.elem.bytes());
        let (count, width) = (cx.b.i64(turns), cx.b.i64(width));
        cx.for_loop((zero, count, 1), &[width, from, to], |cx, _, state| {
            let [width, from, to] = state[..] else { unreachable!("three values are carried") };
            let two = cx.b.i64(2);
            let wider = cx.b.mul(width, two);
            let carried = cx.b.open_while(&[first]);
            let start = carried[0].param;
            let more = cx.b.cmp(Cmp::Slt, start, end);
            let cond = cx.b.close_condition(more);
            let middle = cx.b.add(start, width);
            let middle = cx.b.bin(Bin::SMin, middle, end);
            let last = cx.b.add(start, wider);
            let last = cx.b.bin(Bin::SMin, last, end);
            self.merge_runs(cx, (from, to), (start, middle, last), is_far)?;
            cx.b.close_while(carried, cond, vec![last]);
            Ok(vec![wider, to, from])
        })?;
        Ok(second != (turns % 2 == 1))
    }

    /// Sorts vectors two by two, where they are.
    fn sort_pairs(&self, cx: &mut Emit<'_>, (first, end): (V, V)) -> Result<(), Refusal> {
        let lanes = self.lanes as i64;
        cx.for_loop((first, end, 2 * lanes), &[], |cx, at, _| {
            let width = cx.b.i64(lanes);
            let next = cx.b.add(at, width);
            let places = [at, next];
            let vectors = places.map(|at| cx.b.load(self.buf, at, self.lanes, None));
            let sorted = self.sorted(cx, vectors);
            places.into_iter().zip(sorted).for_each(|(at, v)| cx.b.store(self.buf, at, v, None));
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Merges the runs from `start` and from `middle` on, which ends at `end`, from the first keys on and from the last ones
    /// on at the same time: a step waits for the one before, but neither end for the other.
    fn merge_runs(
        &self,
        cx: &mut Emit<'_>,
        (from, to): (V, V),
        (start, middle, end): (V, V, V),
        is_far: bool,
    ) -> Result<(), Refusal> {
        let lanes = cx.b.i64(self.lanes as i64);
        let [start_at, middle_at, end_at] = [start, middle, end].map(|at| cx.b.add(from, at));
        let runs = Runs { start_at, middle_at, end_at, to, is_far };
        let first = cx.b.load(self.buf, start_at, self.lanes, None);
        let second_at = cx.b.add(start_at, lanes);
        let last_at = cx.b.sub(end_at, lanes);
        let last = cx.b.load(self.buf, last_at, self.lanes, None);
        // Without a second run the last vector is one of the first.
        let left_end = cx.b.bin(Bin::SMin, middle_at, last_at);
        let length = cx.b.sub(end, start);
        let two = cx.b.i64(2);
        let half = cx.b.bin(Bin::SDiv, length, two);
        let half_end = cx.b.add(start, half);
        let inits = [first, second_at, middle_at, last, left_end, last_at];
        cx.for_loop((start, half_end, self.lanes as i64), &inits, |cx, at, state| {
            let [kept, a, b, kept_last, a_end, b_end] = state[..] else {
                unreachable!("six values are carried")
            };
            let [kept, a, b] = self.merge_first(cx, &runs, at, [kept, a, b]);
            let after = cx.b.sub(at, start);
            let before_end = cx.b.sub(end, lanes);
            let place = cx.b.sub(before_end, after);
            let [kept_last, a_end, b_end] = self.merge_last(cx, &runs, place, [kept_last, a_end, b_end]);
            Ok(vec![kept, a, b, kept_last, a_end, b_end])
        })?;
        Ok(())
    }

    /// One more vector from the beginning, stored at `at`: of what is kept and the vector of the run whose next key is larger
    /// the larger half. The state is what is kept, the smaller half, and where the next vector of either run begins.
    fn merge_first(&self, cx: &mut Emit<'_>, runs: &Runs, at: V, [kept, a, b]: [V; 3]) -> [V; 3] {
        let lanes = cx.b.i64(self.lanes as i64);
        let (left, right) = (cx.b.load(self.buf, a, 1, None), cx.b.load(self.buf, b, 1, None));
        if runs.is_far {
            self.ask(cx, [a, b], AHEAD);
        }
        let larger = cx.b.cmp(Cmp::Sle, right, left);
        let has_left = cx.b.cmp(Cmp::Slt, a, runs.middle_at);
        let no_right = cx.b.cmp(Cmp::Sle, runs.end_at, b);
        let any = cx.b.bin(Bin::Or, larger, no_right);
        let takes_left = cx.b.bin(Bin::And, has_left, any);
        let next = cx.b.select(takes_left, a, b);
        let next = cx.b.load(self.buf, next, self.lanes, None);
        let (large, small) = self.merged(cx, kept, next);
        let place = cx.b.add(runs.to, at);
        cx.b.store(self.buf, place, large, None);
        let (a_after, b_after) = (cx.b.add(a, lanes), cx.b.add(b, lanes));
        let a = cx.b.select(takes_left, a_after, a);
        let b = cx.b.select(takes_left, b, b_after);
        [small, a, b]
    }

    /// The same from the end: the state is the larger half, and where what is left of either run ends.
    fn merge_last(&self, cx: &mut Emit<'_>, runs: &Runs, at: V, [kept, a, b]: [V; 3]) -> [V; 3] {
        let (lanes, one) = (cx.b.i64(self.lanes as i64), cx.b.i64(1));
        let tail = |cx: &mut Emit<'_>, end: V| {
            let last = cx.b.sub(end, one);
            let last = cx.b.bin(Bin::SMax, last, runs.start_at);
            cx.b.load(self.buf, last, 1, None)
        };
        let (left, right) = (tail(cx, a), tail(cx, b));
        if runs.is_far {
            self.ask(cx, [a, b], -AHEAD);
        }
        let smaller = cx.b.cmp(Cmp::Sle, right, left);
        let has_right = cx.b.cmp(Cmp::Slt, runs.middle_at, b);
        let no_left = cx.b.cmp(Cmp::Sle, a, runs.start_at);
        let any = cx.b.bin(Bin::Or, smaller, no_left);
        let takes_right = cx.b.bin(Bin::And, has_right, any);
        let (a_before, b_before) = (cx.b.sub(a, lanes), cx.b.sub(b, lanes));
        let next = cx.b.select(takes_right, b_before, a_before);
        let next = cx.b.load(self.buf, next, self.lanes, None);
        let (large, small) = self.merged(cx, kept, next);
        let place = cx.b.add(runs.to, at);
        cx.b.store(self.buf, place, small, None);
        let a = cx.b.select(takes_right, a, a_before);
        let b = cx.b.select(takes_right, b_before, b);
        [large, a, b]
    }

    /// Which run is read next depends on what was read: what comes from far is asked for ahead in both.
    fn ask(&self, cx: &mut Emit<'_>, heads: [V; 2], bytes: i64) {
        let ahead = cx.b.i64(bytes / self.elem.bytes());
        for head in heads {
            let later = cx.b.add(head, ahead);
            cx.b.prefetch(self.buf, later, Cache::First);
        }
    }
}

/// Two runs that are merged, one after the other in one copy of the keys: where they begin and end, and where the other copy
/// begins.
struct Runs {
    start_at: V,
    middle_at: V,
    end_at: V,
    to: V,
    is_far: bool,
}
