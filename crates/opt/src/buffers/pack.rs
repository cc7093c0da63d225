//! Packing: offsets for blocks that live for a while, such that no two that live at the same time overlap, and the
//! end is low.
//!
//! No end can be below the most bytes in use at one moment. A sweep over time mostly comes to just that; where it does
//! not, the sweep is tried backwards, and then blocks are placed from the largest to the smallest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes, and the first and last moment they are needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    pub bytes: i64,
    pub life: (usize, usize),
}

/// More blocks are not placed by size: each is held against all others.
const MAX_BY_SIZE: usize = 2000;

/// The offset of each block, and the end of all.
pub fn pack(blocks: &[Block]) -> (Vec<i64>, i64) {
    let least = in_use(blocks);
    let last = blocks.iter().map(|b| b.life.1).max().unwrap_or(0);
    let mirrored = |b: &Block| Block { life: (last - b.life.1, last - b.life.0), ..*b };
    let ways: [&dyn Fn() -> Vec<i64>; 3] =
        [&|| sweep(blocks), &|| sweep(&blocks.iter().map(mirrored).collect::<Vec<_>>()), &|| {
            if blocks.len() <= MAX_BY_SIZE { by_size(blocks) } else { Vec::new() }
        }];
    let mut best: Option<(Vec<i64>, i64)> = None;
    for way in ways {
        let at = way();
        if at.len() != blocks.len() {
            continue;
        }
        let end = at.iter().zip(blocks).map(|(at, b)| at + b.bytes).max().unwrap_or(0);
        if best.as_ref().is_none_or(|(_, known)| end < *known) {
            best = Some((at, end));
        }
        if end <= least {
            break;
        }
    }
    best.unwrap_or_default()
}

/// The most bytes that live at one moment.
fn in_use(blocks: &[Block]) -> i64 {
    let starts = blocks.iter().map(|b| (b.life.0, b.bytes));
    let ends = blocks.iter().map(|b| (b.life.1 + 1, -b.bytes));
    let mut events: Vec<(usize, i64)> = starts.chain(ends).collect();
    events.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, bytes) in events {
        now += bytes;
        most = most.max(now);
    }
    most
}

/// In the order of their beginnings, each in the smallest free block that fits.
fn sweep(blocks: &[Block]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&b| (blocks[b].life, Reverse(blocks[b].bytes), b));
    let mut arena = Arena::default();
    let mut ends: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    let mut at = vec![0; blocks.len()];
    for b in order {
        let Block { bytes, life: (start, end) } = blocks[b];
        while let Some(entry) = ends.first_entry()
            && entry.key().0 < start
        {
            let (_, gone) = *entry.key();
            arena.release(entry.remove(), blocks[gone].bytes);
        }
        at[b] = arena.take(bytes);
        ends.insert((end, b), at[b]);
    }
    at
}

/// From the largest to the smallest, each in the smallest gap that fits among those that live with it.
fn by_size(blocks: &[Block]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&b| (Reverse(blocks[b].bytes), blocks[b].life, b));
    let mut at = vec![0; blocks.len()];
    // Offset and end of those that are placed, with their block.
    let mut placed: Vec<(i64, i64, usize)> = Vec::new();
    for b in order {
        let Block { bytes, life: (start, end) } = blocks[b];
        let (mut top, mut best) = (0, None);
        for &(from, to, other) in &placed {
            let (first, last) = blocks[other].life;
            if first > end || last < start {
                continue;
            }
            let gap = from - top;
            if gap >= bytes && best.is_none_or(|(known, _)| gap < known) {
                best = Some((gap, top));
            }
            top = top.max(to);
        }
        at[b] = best.map_or(top, |(_, at)| at);
        let place = (at[b], at[b] + bytes, b);
        let position = placed.partition_point(|p| *p < place);
        placed.insert(position, place);
    }
    at
}

/// Free blocks.
#[derive(Default)]
struct Arena {
    /// By offset.
    free: BTreeMap<i64, i64>,
    /// By size, then offset.
    sizes: BTreeSet<(i64, i64)>,
    end: i64,
}

impl Arena {
    fn take(&mut self, size: i64) -> i64 {
        if let Some(&(have, at)) = self.sizes.range((size, 0)..).next() {
            self.remove(at, have);
            if have > size {
                self.insert(at + size, have - size);
            }
            return at;
        }
        // The last block grows if it is free.
        if let Some((&at, &have)) = self.free.last_key_value()
            && at + have == self.end
        {
            self.remove(at, have);
            self.end = at + size;
            return at;
        }
        self.end += size;
        self.end - size
    }

    fn release(&mut self, at: i64, size: i64) {
        let (mut at, mut size) = (at, size);
        if let Some((&before, &length)) = self.free.range(..at).next_back()
            && before + length == at
        {
            self.remove(before, length);
            (at, size) = (before, size + length);
        }
        if let Some(&length) = self.free.get(&(at + size)) {
            self.remove(at + size, length);
            size += length;
        }
        self.insert(at, size);
    }

    fn insert(&mut self, at: i64, size: i64) {
        self.free.insert(at, size);
        self.sizes.insert((size, at));
    }

    fn remove(&mut self, at: i64, size: i64) {
        self.free.remove(&at);
        self.sizes.remove(&(size, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_reused_and_joined() {
        let mut a = Arena::default();
        let (x, y) = (a.take(64), a.take(128));
        a.release(x, 64);
        a.release(y, 128);
        assert_eq!(a.take(192), 0);
        assert_eq!(a.end, 192);
    }

    /// Whatever is tried, nothing that lives together overlaps; the ends stay near what is in use.
    #[test]
    fn random_blocks_do_not_overlap_and_waste_little() {
        let mut state = 1u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        let (mut ends, mut least) = (0, 0);
        for _ in 0..200 {
            let mut block = || {
                let start = below(40) as usize;
                Block { bytes: 64 * (1 + below(9) as i64), life: (start, start + below(12) as usize) }
            };
            let blocks: Vec<Block> = (0..30).map(|_| block()).collect();
            for at in [sweep(&blocks), by_size(&blocks), pack(&blocks).0] {
                for (i, a) in blocks.iter().enumerate() {
                    for (j, b) in blocks.iter().enumerate().take(i) {
                        let together = a.life.0 <= b.life.1 && b.life.0 <= a.life.1;
                        let apart = at[i] + a.bytes <= at[j] || at[j] + b.bytes <= at[i];
                        assert!(apart || !together, "{a:?} at {} and {b:?} at {}", at[i], at[j]);
                    }
                }
            }
            let end = pack(&blocks).1;
            assert!(end >= in_use(&blocks));
            (ends, least) = (ends + end, least + in_use(&blocks));
        }
        assert!(ends * 100 <= least * 104, "{ends} bytes for {least} in use");
    }
}
