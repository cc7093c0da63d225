//! Several vectors that a network brings in order together. Every comparison is between numbers in the same lane of two vectors:
//! where those that are compared lie in the same vector, shuffles that pick from two vectors move them apart first, so that a
//! stage takes at most one shuffle and one comparison for each vector.
//!
//! The numbers have positions in the order that is wanted. Which vector and which lane a position is in is told bit by bit:
//! each bit of a position is a bit of the vector's number or a bit of the lane's. A stage compares positions that differ in
//! one bit, which must be one of the vector's number.

use crate::loop_ir::{Bin, Op, V};
use crate::lower::emit::Emit;
use std::mem::swap;

pub(super) struct Block {
    vectors: Vec<V>,
    places: Places,
}

/// The bits of a position that the bits of a vector's number, and those of a lane's, stand for.
#[derive(Clone)]
struct Places {
    vector: Vec<u32>,
    lane: Vec<u32>,
}

impl Block {
    /// Brings vectors of numbers in any order in order, the largest number first. Vectors and lanes are powers of two.
    pub(super) fn sort(cx: &mut Emit<'_>, vectors: Vec<V>, lanes: u32) -> Vec<V> {
        let (count, low) = (vectors.len(), vectors.len().ilog2());
        let all = low + lanes.ilog2();
        // Of numbers in no order it does not matter which has which position: what is in a lane stays together.
        let places = Places { vector: (0..low).collect(), lane: (low..all).collect() };
        let mut block = Block { vectors, places };
        odd_even_merge_sort(count, |a, b| block.compare(cx, a, b));
        (low + 1..=all).for_each(|bits| block.merge(cx, bits));
        block.in_line(cx)
    }

    /// Brings two vectors, both in order, in order.
    pub(super) fn merge_two(cx: &mut Emit<'_>, vectors: [V; 2], lanes: u32) -> [V; 2] {
        let bits = lanes.ilog2();
        let mut block = Block { vectors: vectors.to_vec(), places: Places::in_line(1, bits) };
        block.merge(cx, bits + 1);
        let vectors = block.in_line(cx);
        [vectors[0], vectors[1]]
    }

    /// Brings runs of so many bits of positions, of which either half is in order, in order. The first stage compares the first
    /// half with the second from its end on.
    fn merge(&mut self, cx: &mut Emit<'_>, bits: u32) {
        for bit in (0..bits).rev() {
            let mut places = self.places.clone();
            if let Some(lane) = places.lane.iter_mut().find(|b| **b == bit) {
                // The bit whose turn comes last makes room: bits above have had theirs.
                let later = |b: &&mut u32| (**b < bit, **b);
                if let Some(room) = places.vector.iter_mut().min_by_key(later) {
                    swap(lane, room);
                }
            }
            self.rearrange(cx, places, (bit + 1 == bits).then_some(bit));
            self.compare_all(cx, bit);
        }
    }

    /// Puts the larger of the numbers at positions that differ in this bit at the one without it.
    fn compare_all(&mut self, cx: &mut Emit<'_>, bit: u32) {
        let Some(slot) = self.places.vector.iter().position(|&b| b == bit) else { return };
        let other = 1 << slot;
        (0..self.vectors.len()).filter(|v| v & other == 0).for_each(|v| self.compare(cx, v, v | other));
    }

    fn compare(&mut self, cx: &mut Emit<'_>, a: usize, b: usize) {
        let (x, y) = (self.vectors[a], self.vectors[b]);
        self.vectors[a] = cx.b.bin(Bin::SMax, x, y);
        self.vectors[b] = cx.b.bin(Bin::SMin, x, y);
    }

    /// Moves the numbers to these places; those at positions with the bit `reversed` in the other order of the bits below.
    fn rearrange(&mut self, cx: &mut Emit<'_>, to: Places, reversed: Option<u32>) {
        let lanes = 1 << to.lane.len();
        let source = |vector: usize, lane: usize| {
            let position = to.position(vector, lane);
            let below = reversed.filter(|bit| position >> bit & 1 == 1).map_or(0, |bit| (1 << bit) - 1);
            self.places.of(position ^ below)
        };
        let moved = |vector: usize| {
            let sources: Vec<(usize, usize)> = (0..lanes).map(|lane| source(vector, lane)).collect();
            self.picked(cx, &sources)
        };
        self.vectors = (0..self.vectors.len()).map(moved).collect();
        self.places = to;
    }

    /// A vector of numbers out of at most two vectors.
    fn picked(&self, cx: &mut Emit<'_>, sources: &[(usize, usize)]) -> V {
        let first = sources[0].0;
        let second = sources.iter().map(|s| s.0).find(|&v| v != first).unwrap_or(first);
        let lane =
            |&(vector, lane): &(usize, usize)| if vector == first { lane } else { sources.len() + lane };
        let lanes: Vec<u32> = sources.iter().map(|s| lane(s) as u32).collect();
        let (a, b) = (self.vectors[first], self.vectors[second]);
        let stays = lanes.iter().enumerate().all(|(n, &lane)| n as u32 == lane);
        if stays { a } else { cx.b.op(Op::Shuffle { a, b, lanes }) }
    }

    /// The vectors with the numbers at their positions.
    fn in_line(mut self, cx: &mut Emit<'_>) -> Vec<V> {
        let line = Places::in_line(self.places.vector.len() as u32, self.places.lane.len() as u32);
        // One bit at a time moves to the lanes; the last move orders the lanes as well.
        loop {
            let mut places = self.places.clone();
            let low = line.lane.len() as u32;
            let mut wrong = places.vector.iter_mut().filter(|b| **b < low);
            let (first, more) = (wrong.next(), wrong.next().is_some());
            if let (Some(a), Some(b)) = (first, places.lane.iter_mut().find(|b| **b >= low)) {
                swap(a, b);
            }
            self.rearrange(cx, if more { places } else { line.clone() }, None);
            if !more {
                return self.vectors;
            }
        }
    }
}

impl Places {
    /// Positions that follow each other along the lanes of one vector after the other.
    fn in_line(vector: u32, lane: u32) -> Places {
        Places { vector: (lane..lane + vector).collect(), lane: (0..lane).collect() }
    }

    fn position(&self, vector: usize, lane: usize) -> usize {
        let bits = |places: &[u32], n: usize| -> usize {
            places.iter().enumerate().map(|(from, &to)| (n >> from & 1) << to).sum()
        };
        bits(&self.vector, vector) | bits(&self.lane, lane)
    }

    /// The vector and the lane of a position.
    fn of(&self, position: usize) -> (usize, usize) {
        let bits = |places: &[u32]| -> usize {
            places.iter().enumerate().map(|(to, &from)| (position >> from & 1) << to).sum()
        };
        (bits(&self.vector), bits(&self.lane))
    }
}

/// Batcher's network: 63 comparisons for 16 numbers (K. E. Batcher, "Sorting networks and their applications", 1968). For
/// numbers that are no power of two it is that of the next one without what is compared with the least there is.
pub(super) fn odd_even_merge_sort(count: usize, mut compare: impl FnMut(usize, usize)) {
    let mut run = 1;
    while run < count {
        let mut apart = run;
        while apart > 0 {
            // The first of a merge compares all pairs, a later one those between the halves of what it merges.
            for a in apart % run..count - apart {
                let from = (a - apart % run) / apart;
                if from % 2 == 0 && a / (2 * run) == (a + apart) / (2 * run) {
                    compare(a, a + apart);
                }
            }
            apart /= 2;
        }
        run *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_sort_all_zeros_and_ones() {
        // What sorts all sequences of zeros and ones sorts all sequences.
        for count in 1..=16 {
            let mut pairs = Vec::new();
            odd_even_merge_sort(count, |a, b| pairs.push((a, b)));
            for word in 0u32..1 << count {
                let sorted = pairs.iter().fold(word, |w, &(a, b)| {
                    let is_lower = w >> a & 1 < w >> b & 1;
                    if is_lower { w ^ (1 << a | 1 << b) } else { w }
                });
                assert_eq!(sorted, ((1u64 << word.count_ones()) - 1) as u32, "{word:b} of {count}");
            }
            assert!(count != 16 || pairs.len() == 63);
        }
    }
}
