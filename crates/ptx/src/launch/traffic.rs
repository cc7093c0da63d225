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

/// Counts an access to shared memory: lanes are served 128 bytes at a time, words of one bank one after the other.
pub fn shared(banks: &mut Banks, places: &[(u32, u32)], bytes: u32, writes: bool) {
    if places.is_empty() {
        return;
    }
    *(if writes { &mut banks.stores } else { &mut banks.loads }) += 1;
    let lanes = (128 / bytes.max(4)).min(32);
    let mut at = 0;
    while at < places.len() {
        let group = places[at].0 / lanes;
        let mut words = [0u32; 32];
        let mut n = 0;
        let mut load = [0u8; 32];
        let mut most = 0;
        while at < places.len() && places[at].0 / lanes == group {
            let first = places[at].1 / 4;
            for word in first..first + bytes.div_ceil(4) {
                let new = words[..n].iter().rev().all(|&w| w != word);
                if new {
                    words[n] = word;
                    n += 1;
                    let bank = &mut load[(word % 32) as usize];
                    *bank += 1;
                    most = most.max(*bank);
                }
            }
            at += 1;
        }
        banks.passes += u64::from(most);
        banks.conflicts += u64::from(most) - 1;
    }
}
