//! Executes a kernel: blocks and warps in a random order that a seed gives.

mod access;
mod atomics;
mod block;
mod collect;
mod copies;
mod setup;
mod step;
mod traffic;
mod warp;

use crate::counters::Counters;
use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::module::Module;
use crate::program::Special;
use crate::race::{Release, Shadow};
use block::Block;
use rustc_hash::FxHashMap;
use setup::Frames;
use traffic::Traffics;
use warp::State;

/// The value of a parameter of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    Pointer(u64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    /// Of parameters of any size, halves and structs.
    Bytes(Vec<u8>),
}

impl Param {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Pointer(x) | Self::U64(x) => x.to_le_bytes().into(),
            Self::U8(x) => vec![*x],
            Self::U16(x) => x.to_le_bytes().into(),
            Self::U32(x) => x.to_le_bytes().into(),
            Self::F32(x) => x.to_le_bytes().into(),
            Self::F64(x) => x.to_le_bytes().into(),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// How a kernel is executed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Of the order of blocks and warps, and of what registers hold before they are written.
    pub seed: u64,
    /// Instructions of warps, after which the launch is given up.
    pub max_steps: u64,
    /// Blocks that are under way at once.
    pub resident_blocks: u32,
    /// Bytes behind the static shared variables.
    pub dynamic_shared: u32,
    /// Bytes of shared memory that a block may have.
    pub max_shared: u32,
    /// Plain reads may meet atomics without an order: loops around `atom.cas` begin with such a read in LLVM's code.
    pub relaxed_reads: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            max_steps: 1 << 32,
            resident_blocks: 4,
            dynamic_shared: 0,
            max_shared: 227 << 10,
            relaxed_reads: false,
        }
    }
}

impl Module {
    /// Runs a kernel to its end. A fault leaves the memory as it was at that moment.
    pub fn launch(
        &self,
        entry: &str,
        grid: [u32; 3],
        block: [u32; 3],
        params: &[Param],
        memory: &mut Memory,
        options: &Options,
    ) -> Result<Counters, Fault> {
        let refuse = |why: String| Fault {
            kernel: entry.into(),
            line: 0,
            block: [0; 3],
            thread: [0; 3],
            kind: FaultKind::Launch(why),
        };
        let mut machine =
            setup::machine(self, entry, grid, block, params, memory, options).map_err(refuse)?;
        machine.run()
    }
}

/// Why a thread cannot go on. The lane is of the warp that runs.
pub(crate) struct Stop {
    pub lane: u32,
    pub kind: FaultKind,
}

pub(crate) type Step<T> = Result<T, Stop>;

pub(crate) fn stop<T>(lane: u32, kind: FaultKind) -> Step<T> {
    Err(Stop { lane, kind })
}

/// A launch under way.
pub(crate) struct Machine<'a> {
    pub module: &'a Module,
    pub memory: &'a mut Memory,
    pub options: &'a Options,
    pub entry: usize,
    pub grid: [u32; 3],
    pub dims: [u32; 3],
    /// The start of a frame of each function that the kernel can reach.
    pub frames: Frames,
    pub params: Vec<u8>,
    pub counters: Counters,
    pub traffic: Traffics,
    pub shadows: Vec<Shadow>,
    /// By address, what was let known there.
    pub released: FxHashMap<u64, Vec<(u32, Release)>>,
    pub random: Random,
    pub shared_bytes: u32,
    pub shared_places: Vec<(u32, u32)>,
}

impl<'a> Machine<'a> {
    fn run(&mut self) -> Result<Counters, Fault> {
        let total: u64 = self.grid.iter().map(|&n| u64::from(n)).product();
        let mut waiting = BlockOrder { next: 0, total, pool: Vec::new() };
        let mut resident: Vec<Block<'a>> = Vec::new();
        loop {
            while resident.len() < self.options.resident_blocks.max(1) as usize {
                let Some(number) = waiting.next(&mut self.random) else { break };
                resident.push(Block::new(self, number));
            }
            if resident.is_empty() {
                break;
            }
            let chosen = self.random.below(resident.len() as u64) as usize;
            let mut block = std::mem::take(&mut resident[chosen]);
            let going = self.turn(&mut block)?;
            if going {
                resident[chosen] = block;
            } else {
                self.traffic.end_block(&mut block.sectors);
                resident.swap_remove(chosen);
            }
        }
        let mut counters = std::mem::take(&mut self.counters);
        self.traffic.report(self.memory, &mut counters);
        Ok(counters)
    }

    /// Lets one warp of the block run for a while; false when the block has ended.
    fn turn(&mut self, block: &mut Block<'a>) -> Result<bool, Fault> {
        let ready: Vec<usize> =
            (0..block.warps.len()).filter(|&w| block.warps[w].state == State::Ready).collect();
        if ready.is_empty() {
            return self.all_wait(block);
        }
        let chosen = ready[self.random.below(ready.len() as u64) as usize];
        let mut warp = std::mem::take(&mut block.warps[chosen]);
        let quantum = 1 + self.random.below(96);
        let result = self.advance(block, &mut warp, quantum);
        let at = warp.line(self.module);
        let index = warp.index;
        block.warps[chosen] = warp;
        result.map_err(|s| self.fault(block, index, s.lane, at, s.kind))?;
        Ok(true)
    }

    pub(crate) fn fault(&self, block: &Block, warp: u32, lane: u32, line: u32, kind: FaultKind) -> Fault {
        Fault {
            kernel: self.module.functions[self.entry].name.clone(),
            line,
            block: coordinates(block.number, self.grid),
            thread: coordinates(u64::from(warp * 32 + lane), self.dims),
            kind,
        }
    }

    /// A special register of a lane.
    pub(crate) fn special(&self, what: Special, block: &Block, warp: u32, lane: u32) -> u64 {
        let thread = u64::from(warp * 32 + lane);
        let below = (1u64 << lane) - 1;
        let own = 1u64 << lane;
        let all = u64::from(u32::MAX);
        match what {
            Special::Thread(i) => coordinates(thread, self.dims)[i].into(),
            Special::Threads(i) => self.dims[i].into(),
            Special::Block(i) => coordinates(block.number, self.grid)[i].into(),
            Special::Blocks(i) => self.grid[i].into(),
            Special::Lane => lane.into(),
            Special::Warp => warp.into(),
            Special::Warps => block.warps.len() as u64,
            Special::LanesEqual => own,
            Special::LanesBelow => below,
            Special::LanesUpTo => below | own,
            Special::LanesAbove => all & !(below | own),
            Special::LanesFrom => all & !below,
            Special::DynamicShared => self.options.dynamic_shared.into(),
        }
    }
}

pub(crate) fn coordinates(number: u64, dims: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = dims.map(u64::from);
    [(number % x) as u32, (number / x % y) as u32, (number / (x * y)) as u32]
}

/// The blocks in a random order, near their natural one so that no list of all is needed.
struct BlockOrder {
    next: u64,
    total: u64,
    pool: Vec<u64>,
}

impl BlockOrder {
    const POOL: usize = 64;

    fn next(&mut self, random: &mut Random) -> Option<u64> {
        while self.pool.len() < Self::POOL && self.next < self.total {
            self.pool.push(self.next);
            self.next += 1;
        }
        if self.pool.is_empty() {
            return None;
        }
        let chosen = random.below(self.pool.len() as u64) as usize;
        Some(self.pool.swap_remove(chosen))
    }
}

/// SplitMix64.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}
