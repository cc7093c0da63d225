//! A warp: 32 lanes with their frames, and where they go on together.

use super::Machine;
use super::copies::Copies;
use crate::module::Module;
use crate::program::{BarrierVote, Call, NOWHERE, Pred, Row};
use crate::race::Actor;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    Ready,
    AtBarrier {
        id: u64,
        /// Function and instruction.
        place: (usize, u32),
        vote: Option<BarrierVote>,
    },
    Done,
}

/// Lanes that go on together from `pc` until `until`, where they join the level below.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub pc: u32,
    pub until: u32,
    pub mask: u32,
}

/// A call under way.
pub struct Frame<'a> {
    pub function: usize,
    pub rows: Vec<[u64; 32]>,
    pub preds: Vec<u32>,
    pub carry: u32,
    pub levels: Vec<Level>,
    /// Parameter memory, that of lane 0 first.
    pub params: Vec<u8>,
    pub param_bytes: usize,
    pub local_base: usize,
    /// How the caller gets the results.
    pub call: Option<&'a Call>,
}

/// The local memory of the lanes, a byte of all lanes after the other.
#[derive(Default)]
pub struct Local {
    pub data: Vec<[u8; 32]>,
    /// A mask of lanes for each byte.
    pub written: Vec<u32>,
}

#[derive(Default)]
pub struct Warp<'a> {
    pub index: u32,
    /// The lanes that the block has, and those that have not ended.
    pub full: u32,
    pub live: u32,
    pub state: State,
    pub frames: Vec<Frame<'a>>,
    pub local: Local,
    /// The barriers of the warp, the time of the last of all its lanes, and those of pairs of lanes.
    pub time: u32,
    pub full_time: u32,
    pub pairs: Option<Box<[[u32; 32]; 32]>>,
    /// By lane: epoch and time of the last fence.
    pub fences: [Option<(u32, u32)>; 32],
    /// The lanes that had a fence since the last barrier of the block.
    pub fenced: u32,
    pub copies: Option<Box<Copies>>,
    /// What its lanes vote at a barrier.
    pub votes: u32,
}

impl<'a> Warp<'a> {
    pub fn new(machine: &Machine<'a>, index: u32, lanes: u32) -> Self {
        let full = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
        let mut warp = Self { index, full, live: full, ..Self::default() };
        warp.enter(machine, machine.entry, full, None);
        let frame = &mut warp.frames[0];
        for lane in frame.params.chunks_mut(frame.param_bytes.max(1)) {
            lane[..machine.params.len()].copy_from_slice(&machine.params);
        }
        warp
    }

    /// Begins a call.
    pub fn enter(&mut self, machine: &Machine<'a>, function: usize, mask: u32, call: Option<&'a Call>) {
        let f = &machine.module.functions[function];
        let local_base = self.local.data.len().next_multiple_of(16);
        self.local.data.resize(local_base + f.local_bytes as usize, [0; 32]);
        self.local.written.resize(local_base + f.local_bytes as usize, 0);
        let mut rows = Vec::new();
        if let Some(template) = &machine.frames[function] {
            rows.clone_from(&template.rows);
            for &(row, at) in &template.locals {
                rows[row as usize] = [(local_base as u64).wrapping_add(at as u64); 32];
            }
        }
        let param_bytes = f.param_bytes as usize;
        self.frames.push(Frame {
            function,
            rows,
            preds: vec![0; f.predicates as usize],
            carry: 0,
            levels: vec![Level { pc: 0, until: NOWHERE, mask }],
            params: vec![0; 32 * param_bytes],
            param_bytes,
            local_base,
            call,
        });
    }

    /// Ends the innermost call and hands over its results.
    pub fn leave(&mut self) {
        let Some(callee) = self.frames.pop() else { return };
        self.local.data.truncate(callee.local_base);
        self.local.written.truncate(callee.local_base);
        let Some(caller) = self.frames.last_mut() else { return };
        let Some(call) = callee.call else { return };
        let mask = caller.levels.last().map_or(0, |l| l.mask);
        for lane in (0..32).filter(|l| mask >> l & 1 == 1) {
            for &(from, to, bytes) in &call.results {
                let from = &callee.params[lane * callee.param_bytes + from as usize..][..bytes as usize];
                caller.params[lane * caller.param_bytes + to as usize..][..bytes as usize]
                    .copy_from_slice(from);
            }
        }
    }

    pub fn frame(&mut self) -> &mut Frame<'a> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The line of the instruction that it is at.
    pub fn line(&self, module: &Module) -> u32 {
        let Some(frame) = self.frames.last() else { return 0 };
        let pc = frame.levels.last().map_or(0, |l| l.pc);
        module.functions[frame.function].code.get(pc as usize).map_or(0, |i| i.line)
    }

    /// Goes on behind the instruction.
    pub fn pass(&mut self) {
        if let Some(level) = self.frames.last_mut().and_then(|f| f.levels.last_mut()) {
            level.pc += 1;
        }
    }

    pub fn write_all(&mut self, to: Row, value: u64) {
        let full = self.full;
        let row = &mut self.frame().rows[to as usize];
        (0..32).filter(|l| full >> l & 1 == 1).for_each(|l| row[l] = value);
    }

    pub fn write_pred(&mut self, to: Pred, value: bool) {
        let full = self.full;
        self.frame().preds[to as usize] = if value { full } else { 0 };
    }

    /// Lanes that end for good.
    pub fn end(&mut self, lanes: u32) {
        self.live &= !lanes;
        for frame in &mut self.frames {
            frame.levels.iter_mut().for_each(|l| l.mask &= !lanes);
        }
    }

    pub fn actor(&self, block: u32, epoch: u32, lane: u32, line: u32) -> Actor {
        Actor { block, epoch, warp: self.index, lane, time: self.time, line }
    }

    /// Orders what the lanes of the mask do from now on behind what they did.
    pub fn synchronise(&mut self, mask: u32) {
        self.time += 1;
        if mask == self.full {
            self.full_time = self.time;
            return;
        }
        let time = self.time;
        let pairs = self.pairs.get_or_insert_with(|| Box::new([[0; 32]; 32]));
        for a in (0..32).filter(|a| mask >> a & 1 == 1) {
            for b in (0..32).filter(|b| mask >> b & 1 == 1) {
                pairs[a][b] = time;
            }
        }
    }
}
