//! Sorts a private array of keys, the largest first: blocks of vectors by a network in registers, then runs of doubling length,
//! two of which are merged a vector at a time.

use super::block::Block;
use super::keyed_row::up_to;
use crate::loop_ir::{Bin, Buf, Cache, Cmp, Elem, Type, V};
use crate::lower::emit::Emit;
use crate::refusal::Refusal;
use crate::target::LINE;

/// Most vectors that a network sorts in registers. Twice as many sort rows of 1024 floats in 0.88 of the time, and take 8 ms
/// more to compile.
const MOST: i64 = 8;

/// Bytes between the two copies: whole pages, about half a page and an odd number of lines.
const PAGE: i64 = 4096;
const SKEW: i64 = 31 * LINE;

/// How many bytes ahead of where a run is read it is asked for.
const AHEAD: i64 = 512;

/// An array with room for two copies of the keys of a row, or of several, whole blocks of vectors; the first copies are to be
/// sorted.
#[derive(Clone, Copy)]
pub(super) struct SortedKeys {
    pub(super) buf: Buf,
    pub(super) elem: Elem,
    pub(super) lanes: u32,
    pub(super) n: i64,
    /// Keys of the vectors that are sorted in registers.
    block: i64,
    /// Where the second copy begins.
    second: i64,
    /// Where the keys of another row begin.
    row: i64,
}

impl SortedKeys {
    /// An array for so many keys of each of so many rows.
    pub(super) fn new(
        cx: &mut Emit<'_>,
        (name, elem): (&str, Elem),
        lanes: u32,
        (keys, rows): (i64, i64),
    ) -> SortedKeys {
        let vectors = (up_to(keys, lanes as i64) / lanes as i64) as u64;
        let block = (vectors.next_power_of_two() as i64).clamp(2, MOST) * lanes as i64;
        let n = up_to(keys, block);
        // Places that are whole pages apart take turns in the same lines of a cache.
        let second = up_to(n, PAGE / elem.bytes()) + SKEW / elem.bytes();
        // The head of a run that is used up may be looked at.
        let row = second + n + lanes as i64;
        let buf = cx.b.local(name, elem, rows * row);
        SortedKeys { buf, elem, lanes, n, block, second, row }
    }

    /// Where the keys of a row begin.
    pub(super) fn row(&self, cx: &mut Emit<'_>, number: V) -> V {
        let row = cx.b.i64(self.row);
        cx.b.mul(number, row)
    }

    /// How often runs are merged until all keys are one.
    fn levels(&self) -> u32 {
        ((self.n / self.block) as u64).next_power_of_two().ilog2()
    }

    /// Where the sorted keys begin, of keys that began at `base`.
    pub(super) fn first_sorted(&self, cx: &mut Emit<'_>, base: V) -> V {
        let copy = cx.b.i64(if self.levels() % 2 == 1 { self.second } else { 0 });
        cx.b.add(base, copy)
    }

    /// A vector of the least key there is.
    pub(super) fn least(&self, cx: &mut Emit<'_>) -> V {
        let ty = Type::vector(self.elem, self.lanes);
        cx.b.constant(ty, 1 << (ty.elem.bits() - 1))
    }

    /// Makes the vectors after those of so many keys, from `base` on, the least.
    pub(super) fn fill(&self, cx: &mut Emit<'_>, base: V, keys: i64) {
        let lanes = self.lanes as i64;
        let least = self.least(cx);
        for from in (up_to(keys, lanes)..self.n).step_by(self.lanes as usize) {
            let at = cx.b.i64(from);
            let at = cx.b.add(base, at);
            cx.b.store(self.buf, at, least, None);
        }
    }

    /// The larger half of two vectors in order, and the smaller one.
    fn merged(&self, cx: &mut Emit<'_>, a: V, b: V) -> (V, V) {
        let [large, small] = Block::merge_two(cx, [a, b], self.lanes);
        (large, small)
    }

    /// Sorts the keys from `base` on.
    ///
    /// After each block all runs are merged that are whole with it, as a number carries when one is added, so that runs are
    /// merged while they are in a near cache, whatever its size.
    pub(super) fn sort(&self, cx: &mut Emit<'_>, base: V) -> Result<(), Refusal> {
        let levels = self.levels();
        let (zero, one, second) = (cx.b.i64(0), cx.b.i64(1), cx.b.i64(self.second));
        let second = cx.b.add(base, second);
        let (count, block, n) = (cx.b.i64(1 << levels), cx.b.i64(self.block), cx.b.i64(self.n));
        // Runs that would begin behind the last key are empty.
        let within = |cx: &mut Emit<'_>, at: V| cx.b.bin(Bin::SMin, at, n);
        cx.for_loop((zero, count, 1), &[], |cx, number, _| {
            let start = cx.b.mul(number, block);
            let end = cx.b.add(start, block);
            let last = within(cx, end);
            self.sort_blocks(cx, base, (start, last))?;
            if levels == 0 {
                return Ok(Vec::new());
            }
            let after = cx.b.add(number, one);
            let carried = cx.b.open_while(&[after, block, base, second]);
            let [rest, width, from, to] = [0, 1, 2, 3].map(|n| carried[n].param);
            let odd = cx.b.bin(Bin::And, rest, one);
            let even = cx.b.cmp(Cmp::Eq, odd, zero);
            let whole = cx.b.cmp(Cmp::Slt, width, n);
            let more = cx.b.bin(Bin::And, even, whole);
            let cond = cx.b.close_condition(more);
            let middle = cx.b.sub(end, width);
            let start = cx.b.sub(middle, width);
            let runs = [start, middle, end].map(|at| within(cx, at));
            self.merge_runs(cx, (from, to), runs)?;
            let (rest, width) = (cx.b.bin(Bin::LShr, rest, one), cx.b.add(width, width));
            cx.b.close_while(carried, cond, vec![rest, width, to, from]);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The first place among the sorted keys, which begin at `first`, whose key is not above this one.
    pub(super) fn first_not_above(&self, cx: &mut Emit<'_>, first: V, key: V) -> Result<V, Refusal> {
        let (zero, one, n) = (cx.b.i64(0), cx.b.i64(1), cx.b.i64(self.n));
        let carried = cx.b.open_while(&[zero, n]);
        let (low, high) = (carried[0].param, carried[1].param);
        let more = cx.b.cmp(Cmp::Slt, low, high);
        let cond = cx.b.close_condition(more);
        let sum = cx.b.add(low, high);
        let middle = cx.b.bin(Bin::LShr, sum, one);
        let at = cx.b.add(first, middle);
        let found = cx.b.load(self.buf, at, 1, None);
        let above = cx.b.cmp(Cmp::Slt, key, found);
        let after = cx.b.add(middle, one);
        let (low, high) = (cx.b.select(above, after, low), cx.b.select(above, high, middle));
        Ok(cx.b.close_while(carried, cond, vec![low, high])[0])
    }

    /// Another key at this place among those from `first` on.
    pub(super) fn put(&self, cx: &mut Emit<'_>, first: V, place: V, key: V) {
        let at = cx.b.add(first, place);
        cx.b.store(self.buf, at, key, None);
    }

    /// Sorts blocks of vectors, where they are.
    fn sort_blocks(&self, cx: &mut Emit<'_>, base: V, (first, end): (V, V)) -> Result<(), Refusal> {
        cx.for_loop((first, end, self.block), &[], |cx, start, _| {
            let vectors = self.block / self.lanes as i64;
            let start = cx.b.add(base, start);
            let place = |cx: &mut Emit<'_>, v: i64| {
                let after = cx.b.i64(v * self.lanes as i64);
                cx.b.add(start, after)
            };
            let places: Vec<V> = (0..vectors).map(|v| place(cx, v)).collect();
            let loaded = places.iter().map(|&at| cx.b.load(self.buf, at, self.lanes, None)).collect();
            let sorted = Block::sort(cx, loaded, self.lanes);
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
        [start, middle, end]: [V; 3],
    ) -> Result<(), Refusal> {
        let lanes = cx.b.i64(self.lanes as i64);
        let [start_at, middle_at, end_at] = [start, middle, end].map(|at| cx.b.add(from, at));
        let runs = Runs { start_at, middle_at, end_at, to };
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
        self.ask(cx, [a, b], AHEAD);
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
        self.ask(cx, [a, b], -AHEAD);
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

    /// Which run is read next depends on what was read: what may come from far is asked for ahead in both.
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
}
