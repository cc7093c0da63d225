//! Sorts a private array of keys, the largest first: vectors by a bitonic network, then runs of doubling length, two of
//! which are merged a vector at a time.

use super::keyed_row::up_to;
use crate::loop_ir::{Bin, Buf, Cache, Cmp, Elem, Op, Type, V};
use crate::lower::emit::Emit;
use crate::refusal::Refusal;
use crate::target::LINE;

/// Bytes of two copies of keys that stay in the second and in the first level of cache, on all machines.
const NEAR: [i64; 2] = [256 << 10, 16 << 10];

/// Bytes between the two copies: whole pages, about half a page and an odd number of lines.
const PAGE: i64 = 4096;
const SKEW: i64 = 31 * LINE;

/// How many bytes ahead of a run what is far is asked for.
const AHEAD: i64 = 512;

/// An array with room for two copies of so many keys, whole vectors; the first copy is to be sorted.
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
    /// An array for `n` keys.
    pub(super) fn new(cx: &mut Emit<'_>, name: &str, elem: Elem, lanes: u32, n: i64) -> SortedKeys {
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

    /// A vector in order.
    pub(super) fn vector(&self, cx: &mut Emit<'_>, mut v: V) -> V {
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

    /// The larger half of two vectors in order, and the smaller one.
    fn merged(&self, cx: &mut Emit<'_>, a: V, b: V) -> (V, V) {
        let turned = cx.b.op(Op::Shuffle { a: b, b, lanes: (0..self.lanes).rev().collect() });
        let (large, small) = (cx.b.bin(Bin::SMax, a, turned), cx.b.bin(Bin::SMin, a, turned));
        (self.clean(cx, large, self.lanes / 2), self.clean(cx, small, self.lanes / 2))
    }

    /// Merges the vectors, each in order, to one run; gives where it begins.
    pub(super) fn merge(&self, cx: &mut Emit<'_>) -> Result<V, Refusal> {
        let (zero, n) = (cx.b.i64(0), cx.b.i64(self.n));
        let second = self.merge_part(cx, (zero, n), self.n)?;
        Ok(cx.b.i64(if second { self.second } else { 0 }))
    }

    /// Merges the vectors of a part of at most `size` keys to one run; gives whether it lies in the second copy. Parts
    /// of it are merged while they are in a near cache.
    fn merge_part(&self, cx: &mut Emit<'_>, (first, end): (V, V), size: i64) -> Result<bool, Refusal> {
        let zero = cx.b.i64(0);
        let near = NEAR.iter().map(|bytes| bytes / (2 * self.elem.bytes())).find(|&keys| keys < size);
        let width = near.unwrap_or(self.lanes as i64);
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
                let second = self.merge_part(cx, (start, next), width)?;
                cx.b.close_while(carried, cond, vec![next]);
                second
            }
            None => false,
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

    /// Merges the runs from `start` and from `middle` on, which ends at `end`; `from` and `to` are the two copies. Which run
    /// is read next depends on what was read: what comes from far is asked for ahead in both.
    fn merge_runs(
        &self,
        cx: &mut Emit<'_>,
        (from, to): (V, V),
        (start, middle, end): (V, V, V),
        is_far: bool,
    ) -> Result<(), Refusal> {
        let lanes = cx.b.i64(self.lanes as i64);
        let [start_at, middle_at, end_at] = [start, middle, end].map(|at| cx.b.add(from, at));
        let first = cx.b.load(self.buf, start_at, self.lanes, None);
        let second = cx.b.add(start_at, lanes);
        let last = cx.b.sub(end, lanes);
        let kept =
            cx.for_loop((start, last, self.lanes as i64), &[first, second, middle_at], |cx, at, state| {
                let [kept, a, b] = state[..] else { unreachable!("three values are carried") };
                let (left, right) = (cx.b.load(self.buf, a, 1, None), cx.b.load(self.buf, b, 1, None));
                if is_far {
                    let ahead = cx.b.i64(AHEAD / self.elem.bytes());
                    for head in [a, b] {
                        let later = cx.b.add(head, ahead);
                        cx.b.prefetch(self.buf, later, Cache::First);
                    }
                }
                let larger = cx.b.cmp(Cmp::Sle, right, left);
                let has_left = cx.b.cmp(Cmp::Slt, a, middle_at);
                let no_right = cx.b.cmp(Cmp::Sle, end_at, b);
                let any = cx.b.bin(Bin::Or, larger, no_right);
                let takes_left = cx.b.bin(Bin::And, has_left, any);
                let next = cx.b.select(takes_left, a, b);
                let next = cx.b.load(self.buf, next, self.lanes, None);
                let (large, small) = self.merged(cx, kept, next);
                let place = cx.b.add(to, at);
                cx.b.store(self.buf, place, large, None);
                let (a_after, b_after) = (cx.b.add(a, lanes), cx.b.add(b, lanes));
                let a = cx.b.select(takes_left, a_after, a);
                let b = cx.b.select(takes_left, b, b_after);
                Ok(vec![small, a, b])
            })?;
        let place = cx.b.add(to, last);
        cx.b.store(self.buf, place, kept[0], None);
        Ok(())
    }
}
