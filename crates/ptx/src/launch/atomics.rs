//! Atomics, and the order that fences and atomics make between blocks.
//!
//! A fence and then an atomic (or another strong write) lets others know what its thread did before the fence, and its
//! block before the last barrier. A strong read of that location and then a fence lets the reader's block know it.

use super::access::{MAX_BYTES, Place, addresses, lanes};
use super::block::Block;
use super::traffic::Touched;
use super::warp::Warp;
use super::{Machine, Step, stop};
use crate::fault::FaultKind;
use crate::program::{Atomic, Strength};
use crate::race::{Release, Seen};

impl<'a> Machine<'a> {
    pub(super) fn atomic(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        a: &Atomic,
        mask: u32,
        line: u32,
    ) -> Step<()> {
        let size = a.size as usize;
        let addresses = addresses(warp, &a.at);
        let mut touched = Touched::default();
        let strength = Strength { strong: true, acquire: a.acquire, release: a.release, constant: false };
        for lane in lanes(mask) {
            let l = lane as usize;
            let place = self.place(block, warp, a.at.space, addresses[l], a.size, lane)?;
            if matches!(place, Place::Local(_) | Place::Param(_)) {
                let kind = FaultKind::Unknown("an atomic on memory of one thread".into());
                return stop(lane, kind);
            }
            let mut bytes = [0; MAX_BYTES];
            self.read(block, warp, place, &mut bytes[..size], strength, lane, line)?;
            let mut old = [0; 8];
            old[..size].copy_from_slice(&bytes[..size]);
            let old = u64::from_le_bytes(old);
            let frame = warp.frame();
            let (b, c) = (frame.rows[a.b as usize][l], frame.rows[a.c as usize][l]);
            let new = (a.update)(old, b, c, 0);
            self.write(block, warp, place, &new.to_le_bytes()[..size], strength, lane, line)?;
            if let Some(to) = a.to {
                warp.frame().rows[to as usize][l] = old;
            }
            touched.add(lane, place);
        }
        self.count_access(block, &touched, a.size, false);
        self.count_access(block, &touched, a.size, true);
        Ok(())
    }

    /// A strong read finds what was let known at that place.
    pub(super) fn acquire(&mut self, block: &mut Block<'a>, place: Place, at_once: bool) {
        let Place::Device { address, .. } = place else { return };
        if let Some(found) = self.released.get(&address) {
            let own = block.actor();
            block.acquired.extend(found.iter().filter(|(other, _)| *other != own));
        }
        if at_once {
            learn(block);
        }
    }

    /// A strong write lets known what was fenced.
    pub(super) fn release(&mut self, block: &Block<'a>, warp: &Warp<'a>, place: Place, lane: u32, now: bool) {
        let Place::Device { address, .. } = place else { return };
        let fence = if now { Some((block.epoch, warp.time)) } else { warp.fences[lane as usize] };
        let Some((epoch, time)) = fence else { return };
        let epoch = epoch.max(block.all_fenced);
        let at = self.released.entry(address).or_default();
        add(at, block.actor(), Release { epoch, warp: warp.index, lane, time });
        for (&other, releases) in &block.seen {
            releases.iter().for_each(|&r| add(at, other, r));
        }
    }

    pub(super) fn fence(&mut self, block: &mut Block<'a>, warp: &mut Warp<'a>, mask: u32, device: bool) {
        if !device {
            return;
        }
        lanes(mask).for_each(|l| warp.fences[l as usize] = Some((block.epoch, warp.time)));
        warp.fenced |= mask;
        learn(block);
    }
}

fn learn(block: &mut Block) {
    for (other, release) in std::mem::take(&mut block.acquired) {
        insert(&mut block.seen, other, release);
    }
}

fn insert(seen: &mut Seen, other: u32, release: Release) {
    let known = seen.entry(other).or_default();
    if !known.iter().any(|k| covers(k, &release)) {
        known.retain(|k| !covers(&release, k));
        known.push(release);
    }
}

fn add(at: &mut Vec<(u32, Release)>, block: u32, release: Release) {
    if !at.iter().any(|(b, k)| *b == block && covers(k, &release)) {
        at.retain(|(b, k)| *b != block || !covers(&release, k));
        at.push((block, release));
    }
}

/// Whether all that one lets known the other does too.
fn covers(a: &Release, b: &Release) -> bool {
    a.warp == b.warp && a.lane == b.lane && (a.epoch, a.time) >= (b.epoch, b.time)
}
