//! Memory of a device that is kept for reuse, so that steady runs ask the driver for none.
//!
//! A block that is given back can be handed out at once: all work of a device is done in the order in which it was submitted
//! ([`crate::Device`]). Used and kept memory together never exceed the most that was in use at once.

use crate::driver::Address;
use std::collections::BTreeMap;

/// What is kept, by size.
#[derive(Default)]
pub struct Pool {
    kept: BTreeMap<usize, Vec<Address>>,
    stats: Stats,
}

/// What a pool holds, in bytes of whole blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub used: usize,
    /// Free, kept for reuse.
    pub kept: usize,
    /// The most in use at once so far.
    pub peak: usize,
    /// Blocks that came from the driver so far, because none was kept that fits.
    pub fresh: u64,
}

const SMALLEST: usize = 256;
const LARGE: usize = 1 << 20;
/// Of a block that is handed out this part may be left over.
const SLACK: usize = 8;

/// The bytes of the block for so many.
pub fn block_bytes(bytes: usize) -> usize {
    match bytes.max(SMALLEST) {
        few if few < LARGE => few.next_power_of_two(),
        many => many.next_multiple_of(LARGE),
    }
}

impl Pool {
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// A kept block for so many bytes, whole blocks: its address and size.
    pub fn take(&mut self, bytes: usize) -> Option<(Address, usize)> {
        // A list that becomes empty stays: steady runs fill it again.
        let mut fitting = self.kept.range_mut(bytes..=bytes + bytes / SLACK);
        let (size, at) = fitting.find_map(|(&size, blocks)| Some((size, blocks.pop()?)))?;
        self.stats.kept -= size;
        self.count(size);
        Some((at, size))
    }

    /// A block that came from the driver.
    pub fn add(&mut self, size: usize) {
        self.stats.fresh += 1;
        self.count(size);
    }

    fn count(&mut self, size: usize) {
        self.stats.used += size;
        self.stats.peak = self.stats.peak.max(self.stats.used);
    }

    /// Takes a block back; gives those that are too many.
    pub fn give(&mut self, at: Address, size: usize) -> Vec<Address> {
        self.kept.entry(size).or_default().push(at);
        self.stats.used -= size;
        self.stats.kept += size;
        let mut out = Vec::new();
        while self.stats.used + self.stats.kept > self.stats.peak {
            out.extend(self.release_one());
        }
        out
    }

    /// All that is kept.
    pub fn release(&mut self) -> Vec<Address> {
        std::iter::from_fn(|| self.release_one()).collect()
    }

    /// The largest block that is kept.
    fn release_one(&mut self) -> Option<Address> {
        loop {
            let mut last = self.kept.last_entry()?;
            let size = *last.key();
            if let Some(at) = last.get_mut().pop() {
                self.stats.kept -= size;
                return Some(at);
            }
            last.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_kept_for_those_who_need_about_as_much() {
        let mut pool = Pool::default();
        assert_eq!([1, 256, 257, (1 << 20) + 1].map(block_bytes), [256, 256, 512, 2 << 20]);
        assert_eq!(pool.take(512), None);
        pool.add(512);
        assert!(pool.give(7, 512).is_empty());
        assert_eq!(pool.take(256), None, "half of it would be left over");
        assert_eq!(pool.take(512), Some((7, 512)));
        assert_eq!(pool.stats(), Stats { used: 512, kept: 0, peak: 512, fresh: 1 });
    }

    #[test]
    fn used_and_kept_blocks_never_exceed_the_peak() {
        let mut pool = Pool::default();
        pool.add(1 << 20);
        assert!(pool.give(1, 1 << 20).is_empty());
        // Nothing that is kept fits, so the kept block makes room when this one comes back.
        pool.add(512);
        assert_eq!(pool.give(2, 512), [1]);
        assert_eq!((pool.stats().kept, pool.release()), (512, vec![2]));
        assert_eq!(pool.stats().kept, 0);
    }
}
