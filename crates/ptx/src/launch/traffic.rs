//! Sectors of global memory and banks of shared memory that the accesses of warps touch.

use crate::counters::{Banks, Counters, Flow, Traffic};
use crate::memory::Memory;
use rustc_hash::FxHashSet;

const SECTOR: u64 = 32;

/// The places of one access of a warp, in the order of the lanes.
#[derive(Default)]
pub struct Touched {
    /// Allocation and address.
    pub global: Vec<(usize, u64)>,
    /// Lane and address.
    pub shared: Vec<(u32, u32)>,
}

/// The sectors that a block touched, with their allocations.
#[derive(Default)]
pub struct BlockSectors {
    read: FxHashSet<(usize, u64)>,
    written: FxHashSet<(usize, u64)>,
}

/// The traffic of each allocation.
pub struct Traffics {
    each: Vec<Traffic>,
}

impl Traffics {
    pub fn new(allocations: usize) -> Self {
        Self { each: vec![Traffic::default(); allocations] }
    }

    /// Counts an access of `bytes` for each lane, which never leaves its sector.
    pub fn global(&mut self, places: &[(usize, u64)], bytes: u32, writes: bool, block: &mut BlockSectors) {
        let mut seen = [(0usize, 0u64); 32];
        let mut n = 0;
        let mut counted = usize::MAX;
        for &(allocation, address) in places {
            let traffic = &mut self.each[allocation];
            let flow = if writes { &mut traffic.written } else { &mut traffic.read };
            flow.bytes += u64::from(bytes);
            if counted != allocation {
                flow.accesses += 1;
                counted = allocation;
            }
            let sector = (allocation, address / SECTOR);
            if seen[..n].iter().rev().all(|&s| s != sector) {
                seen[n] = sector;
                n += 1;
                flow.sectors += 1;
                if writes {
                    block.written.insert(sector)
                } else {
                    block.read.insert(sector)
                };
            }
        }
    }

    pub fn end_block(&mut self, block: &mut BlockSectors) {
        block.read.drain().for_each(|(a, _)| self.each[a].read.block_sectors += 1);
        block.written.drain().for_each(|(a, _)| self.each[a].written.block_sectors += 1);
    }

    pub fn report(&self, memory: &Memory, counters: &mut Counters) {
        for (i, traffic) in self.each.iter().enumerate() {
            if *traffic == Traffic::default() {
                continue;
            }
            add(&mut counters.global.read, &traffic.read);
            add(&mut counters.global.written, &traffic.written);
            counters.allocations.push((memory.get(i).name.clone(), *traffic));
        }
    }
}

fn add(to: &mut Flow, from: &Flow) {
    to.accesses += from.accesses;
    to.bytes += from.bytes;
    to.sectors += from.sectors;
    to.block_sectors += from.block_sectors;
}

/// Counts an access to shared memory: lanes are served 128 bytes at a time, words of one bank one after the other. Two such groups of
/// lanes that load 8 or 16 bytes each are served at once where each lane loads what its neighbour does, or each what the next but one
/// does, if their words lie in different banks together. (Processors with compute capability 9.0 count their accesses so.)
pub fn shared(banks: &mut Banks, places: &[(u32, u32)], bytes: u32, writes: bool) {
    if places.is_empty() {
        return;
    }
    *(if writes { &mut banks.stores } else { &mut banks.loads }) += 1;
    let lanes = (128 / bytes.max(4)).min(32);
    let twice = places.chunk_by(|a, b| a.0 / (2 * lanes) == b.0 / (2 * lanes));
    for group in twice {
        if !writes && lanes < 32 && are_pairs(group, 2 * lanes) && passes(group, bytes) == 1 {
            banks.passes += 1;
            continue;
        }
        for group in group.chunk_by(|a, b| a.0 / lanes == b.0 / lanes) {
            let passes = passes(group, bytes);
            banks.passes += passes;
            banks.conflicts += passes - 1;
        }
    }
}

/// Whether all of so many lanes are here, each with the place of its neighbour, or each with that of the next but one.
fn are_pairs(places: &[(u32, u32)], lanes: u32) -> bool {
    let apart = |by: usize| (0..places.len()).all(|n| places[n].1 == places[n ^ by].1);
    places.len() == lanes as usize && (apart(1) || apart(2))
}

/// How often the bank with the most different words is asked.
fn passes(places: &[(u32, u32)], bytes: u32) -> u64 {
    // Two groups of lanes want 256 bytes.
    let mut words = [0; 64];
    let mut n = 0;
    for word in places.iter().flat_map(|(_, at)| at / 4..at / 4 + bytes.div_ceil(4)) {
        words[n] = word;
        n += 1;
    }
    words[..n].sort_unstable();
    let mut of_bank = [0; 32];
    for same in words[..n].chunk_by(|a, b| a == b) {
        of_bank[(same[0] % 32) as usize] += 1;
    }
    of_bank.into_iter().max().unwrap_or(0)
}
