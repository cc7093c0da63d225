//! A block: its warps, its shared memory, and its barriers.

use super::traffic::BlockSectors;
use super::warp::{State, Warp};
use super::{Machine, coordinates};
use crate::fault::{Fault, FaultKind};
use crate::program::BarrierVote;
use crate::race::{Release, Seen, Shadow};

/// What a byte of shared memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byte {
    /// Of no variable.
    Gap,
    Unwritten,
    Written,
}

#[derive(Default)]
pub struct Block<'a> {
    pub number: u64,
    pub warps: Vec<Warp<'a>>,
    pub shared: Vec<u8>,
    pub bytes: Vec<Byte>,
    pub shadow: Shadow,
    /// The barriers that were gone through.
    pub epoch: u32,
    /// The epoch behind the last one in which all threads had a fence.
    pub all_fenced: u32,
    /// What it knows of other blocks, and what it read and has not fenced yet.
    pub seen: Seen,
    pub acquired: Vec<(u32, Release)>,
    pub sectors: BlockSectors,
}

impl<'a> Block<'a> {
    pub fn new(machine: &Machine<'a>, number: u64) -> Self {
        let threads = machine.counters.threads as u32;
        let warps = (0..threads.div_ceil(32)).map(|w| Warp::new(machine, w, (threads - 32 * w).min(32)));
        let mut bytes = vec![Byte::Gap; machine.shared_bytes as usize];
        for &(start, length) in &machine.shared_places {
            bytes[start as usize..(start + length) as usize].fill(Byte::Unwritten);
        }
        // Dynamic memory may be there without a variable that names it.
        let dynamic = machine.options.dynamic_shared.min(machine.shared_bytes);
        bytes[(machine.shared_bytes - dynamic) as usize..].fill(Byte::Unwritten);
        Self {
            number,
            warps: warps.collect(),
            shared: vec![0; machine.shared_bytes as usize],
            bytes,
            ..Self::default()
        }
    }

    /// The number by which races tell blocks apart.
    pub fn actor(&self) -> u32 {
        (self.number % u64::from(u32::MAX - 1)) as u32 + 1
    }
}

impl<'a> Machine<'a> {
    /// No warp can run: either all have ended, or all wait at one barrier, which opens. False at the end.
    pub(super) fn all_wait(&mut self, block: &mut Block<'a>) -> Result<bool, Fault> {
        let waits = |w: &&Warp| matches!(w.state, State::AtBarrier { .. });
        let Some(first) = block.warps.iter().find(waits) else { return Ok(false) };
        let State::AtBarrier { id, place, vote } = first.state else { return Ok(false) };
        let line = first.line(self.module);
        let fault = |machine: &Self, warp: &Warp, why| {
            let lane = warp.full.trailing_zeros();
            let line = if warp.state == State::Done { line } else { warp.line(machine.module) };
            Err(machine.fault(block, warp.index, lane, line, why))
        };
        for w in &block.warps {
            match w.state {
                State::Done => {
                    let why = format!("thread {:?} has ended", self.thread(w.index, 0));
                    return fault(self, first, FaultKind::DivergentBarrier(why));
                }
                _ if w.live != w.full => {
                    let lane = (w.full & !w.live).trailing_zeros();
                    let why = format!("thread {:?} has ended", self.thread(w.index, lane));
                    return fault(self, w, FaultKind::DivergentBarrier(why));
                }
                State::AtBarrier { id: other, .. } if other != id => {
                    let why = format!("warps wait at barriers {id} and {other}");
                    return fault(self, w, FaultKind::Deadlock(why));
                }
                State::AtBarrier { place: other, .. } if other != place => {
                    let why = format!("warps wait at lines {line} and {}", w.line(self.module));
                    return fault(self, w, FaultKind::DivergentBarrier(why));
                }
                _ => {}
            }
        }
        self.counters.barriers += 1;
        block.epoch += 1;
        if block.warps.iter().all(|w| w.fenced == w.full) {
            block.all_fenced = block.epoch;
        }
        let votes: u32 = block.warps.iter().map(|w| w.votes.count_ones()).sum();
        let threads: u32 = block.warps.iter().map(|w| w.full.count_ones()).sum();
        for w in &mut block.warps {
            match vote {
                Some(BarrierVote::Count { to }) => w.write_all(to, votes.into()),
                Some(BarrierVote::All { to }) => w.write_pred(to, votes == threads),
                Some(BarrierVote::Any { to }) => w.write_pred(to, votes > 0),
                None => {}
            }
            w.state = State::Ready;
            w.fenced = 0;
            w.pass();
        }
        Ok(true)
    }

    pub(super) fn thread(&self, warp: u32, lane: u32) -> [u32; 3] {
        coordinates(u64::from(warp * 32 + lane), self.dims)
    }
}
