//! Loads and stores: where an address is, whether the access is allowed, and what it moves.

use super::block::{Block, Byte};
use super::traffic::{self, Touched};
use super::warp::Warp;
use super::{Machine, Step, stop};
use crate::fault::FaultKind;
use crate::memory::from_generic;
use crate::program::{Address, Load, Space, Store, Strength};
use crate::race::{Conflict, Order, Touch};

/// Where an access goes.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Device { allocation: usize, at: usize, address: u64 },
    Shared(usize),
    Local(usize),
    Param(usize),
}

/// The largest access of one lane.
pub const MAX_BYTES: usize = 32;

/// The lanes of a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |l| mask >> l & 1 == 1)
}

impl<'a> Machine<'a> {
    pub(super) fn load(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        l: &Load,
        mask: u32,
        line: u32,
    ) -> Step<()> {
        let total = l.size * l.to.len() as u32;
        let addresses = addresses(warp, &l.from);
        let mut touched = Touched::default();
        let module = self.module;
        let widths = &module.functions[warp.frame().function].widths;
        for lane in lanes(mask) {
            let address = addresses[lane as usize];
            let place = self.place(block, warp, l.from.space, address, total, lane)?;
            let mut bytes = [0; MAX_BYTES];
            let bytes = &mut bytes[..total as usize];
            self.read(block, warp, place, bytes, l.strength, lane, line)?;
            touched.add(lane, place);
            let frame = warp.frame();
            for (to, element) in l.to.iter().zip(bytes.chunks(l.size as usize)) {
                let Some(to) = *to else { continue };
                let mut value = [0; 8];
                value[..element.len()].copy_from_slice(element);
                let mut value = u64::from_le_bytes(value);
                if l.signed {
                    let above = 64 - 8 * l.size;
                    value = ((value << above) as i64 >> above) as u64;
                }
                frame.rows[to as usize][lane as usize] = value & widths[to as usize];
            }
        }
        self.count_access(block, &touched, total, false);
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        s: &Store,
        mask: u32,
        line: u32,
    ) -> Step<()> {
        let size = s.size as usize;
        let total = size * s.from.len();
        let addresses = addresses(warp, &s.to);
        let mut touched = Touched::default();
        for lane in lanes(mask) {
            let address = addresses[lane as usize];
            let place = self.place(block, warp, s.to.space, address, total as u32, lane)?;
            let mut bytes = [0; MAX_BYTES];
            let frame = warp.frame();
            for (element, &from) in bytes.chunks_mut(size).zip(&s.from) {
                let value = frame.rows[from as usize][lane as usize];
                element.copy_from_slice(&value.to_le_bytes()[..size]);
            }
            self.write(block, warp, place, &bytes[..total], s.strength, lane, line)?;
            touched.add(lane, place);
        }
        self.count_access(block, &touched, total as u32, true);
        Ok(())
    }

    pub(super) fn count_access(&mut self, block: &mut Block, touched: &Touched, bytes: u32, writes: bool) {
        if !touched.global.is_empty() {
            self.traffic.global(&touched.global, bytes, writes, &mut block.sectors);
        }
        traffic::shared(&mut self.counters.shared, &touched.shared, bytes, writes);
    }

    /// Where an address is, if so many bytes are there.
    pub(super) fn place(
        &self,
        block: &Block,
        warp: &Warp,
        space: Space,
        address: u64,
        bytes: u32,
        lane: u32,
    ) -> Step<Place> {
        if !address.is_multiple_of(bytes.into()) {
            return stop(lane, FaultKind::Misaligned { space, address, bytes });
        }
        let (space, at) = if space == Space::Generic { from_generic(address) } else { (space, address) };
        let size = bytes as usize;
        let within = |length: usize| at.checked_add(bytes.into()).is_some_and(|end| end <= length as u64);
        let found = match space {
            Space::Global | Space::Const | Space::Generic => {
                let found = self.memory.locate(address, size);
                let right = |&(a, _): &(usize, usize)| space != Space::Const || self.memory.get(a).constant;
                found.filter(right).map(|(allocation, at)| Place::Device { allocation, at, address })
            }
            Space::Shared => {
                let inside = within(block.bytes.len())
                    && block.bytes[at as usize..][..size].iter().all(|&b| b != Byte::Gap);
                inside.then_some(Place::Shared(at as usize))
            }
            Space::Local => within(warp.local.data.len()).then_some(Place::Local(at as usize)),
            Space::Param => {
                let bytes = warp.frames.last().map_or(0, |f| f.param_bytes);
                within(bytes).then_some(Place::Param(at as usize))
            }
        };
        match found {
            Some(place) => Ok(place),
            None => {
                let near = match space {
                    Space::Shared => self.describe_shared_near(at),
                    _ => self.memory.describe_near(address),
                };
                stop(lane, FaultKind::OutOfBounds { space, address, bytes, near })
            }
        }
    }

    fn describe_shared_near(&self, at: u64) -> String {
        let before = |&v: &usize| u64::from(self.shared_places[v].0) <= at && self.shared_places[v].1 > 0;
        let near = (0..self.shared_places.len()).filter(before).max_by_key(|&v| self.shared_places[v].0);
        near.map_or(String::new(), |v| {
            let (start, bytes) = self.shared_places[v];
            format!(
                ": byte {} of {}, which has {bytes}",
                at - u64::from(start),
                self.module.variables[v].name
            )
        })
    }

    /// For messages: a byte of global or shared memory.
    fn describe(&self, place: Place, by: usize) -> String {
        match place {
            Place::Device { allocation, at, .. } => {
                format!("byte {} of {}", at + by, self.memory.get(allocation).name)
            }
            Place::Shared(at) => {
                let at = (at + by) as u32;
                let holds = |&v: &usize| {
                    let (start, bytes) = self.shared_places[v];
                    at >= start && at - start < bytes
                };
                match (0..self.shared_places.len()).find(holds) {
                    Some(v) => {
                        let name = &self.module.variables[v].name;
                        format!("byte {} of {name}", at - self.shared_places[v].0)
                    }
                    None => format!("byte {at}"),
                }
            }
            Place::Local(at) => format!("byte {}", at + by),
            Place::Param(at) => format!("byte {}", at + by),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an access is all of this")]
    pub(super) fn read(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        place: Place,
        into: &mut [u8],
        strength: Strength,
        lane: u32,
        line: u32,
    ) -> Step<()> {
        let unwritten = match place {
            Place::Device { allocation, at, .. } => {
                let a = self.memory.get(allocation);
                into.copy_from_slice(&a.data[at..][..into.len()]);
                a.written[at..][..into.len()].iter().position(|w| !w).map(|i| (Space::Global, i))
            }
            Place::Shared(at) => {
                into.copy_from_slice(&block.shared[at..][..into.len()]);
                let states = &block.bytes[at..][..into.len()];
                states.iter().position(|&b| b != Byte::Written).map(|i| (Space::Shared, i))
            }
            Place::Local(at) => {
                for (i, byte) in into.iter_mut().enumerate() {
                    *byte = warp.local.data[at + i][lane as usize];
                }
                self.counters.local_read += into.len() as u64;
                let written = |i: &usize| warp.local.written[at + i] >> lane & 1 == 0;
                (0..into.len()).find(written).map(|i| (Space::Local, i))
            }
            Place::Param(at) => {
                let frame = warp.frame();
                into.copy_from_slice(&frame.params[lane as usize * frame.param_bytes + at..][..into.len()]);
                return Ok(());
            }
        };
        if let Some((space, i)) = unwritten {
            return stop(lane, FaultKind::Unwritten { space, what: self.describe(place, i) });
        }
        let touch = match (strength.strong, strength.constant) {
            (true, _) => Touch::Strong { writes: false },
            (_, true) => Touch::ReadConstant,
            _ => Touch::Read,
        };
        self.touch(block, warp, place, into.len(), lane, line, |_| touch)?;
        if strength.strong {
            self.acquire(block, place, strength.acquire);
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "an access is all of this")]
    pub(super) fn write(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        place: Place,
        from: &[u8],
        strength: Strength,
        lane: u32,
        line: u32,
    ) -> Step<()> {
        match place {
            Place::Device { allocation, at, .. } => {
                let a = self.memory.get(allocation);
                if a.constant {
                    let what = self.describe(place, 0);
                    return stop(lane, FaultKind::ReadOnly { what });
                }
                let same = differing(&a.data[at..][..from.len()], from);
                self.touch(block, warp, place, from.len(), lane, line, |range| {
                    touched(strength, same, range)
                })?;
                let a = self.memory.get_mut(allocation);
                a.data[at..][..from.len()].copy_from_slice(from);
                a.written[at..][..from.len()].fill(true);
            }
            Place::Shared(at) => {
                let same = differing(&block.shared[at..][..from.len()], from);
                self.touch(block, warp, place, from.len(), lane, line, |range| {
                    touched(strength, same, range)
                })?;
                block.shared[at..][..from.len()].copy_from_slice(from);
                block.bytes[at..][..from.len()].fill(Byte::Written);
            }
            Place::Local(at) => {
                for (i, byte) in from.iter().enumerate() {
                    warp.local.data[at + i][lane as usize] = *byte;
                    warp.local.written[at + i] |= 1 << lane;
                }
                self.counters.local_written += from.len() as u64;
                return Ok(());
            }
            Place::Param(at) => {
                let frame = warp.frame();
                frame.params[lane as usize * frame.param_bytes + at..][..from.len()].copy_from_slice(from);
                return Ok(());
            }
        }
        if strength.strong {
            self.release(block, warp, place, lane, strength.release);
        }
        Ok(())
    }

    /// Notes an access and finds what it races with.
    #[expect(clippy::too_many_arguments, reason = "an access is all of this")]
    pub(super) fn touch(
        &mut self,
        block: &mut Block<'a>,
        warp: &Warp<'a>,
        place: Place,
        bytes: usize,
        lane: u32,
        line: u32,
        touch: impl FnMut(std::ops::Range<usize>) -> Touch,
    ) -> Step<()> {
        let actor = warp.actor(block.actor(), block.epoch, lane, line);
        let order = Order {
            full: warp.full_time,
            pairs: warp.pairs.as_deref(),
            seen: &block.seen,
            relaxed_reads: self.options.relaxed_reads,
        };
        let result = match place {
            Place::Device { allocation, at, .. } => {
                if self.memory.get(allocation).constant {
                    return Ok(());
                }
                self.shadows[allocation].access(at, bytes, &actor, &order, touch)
            }
            Place::Shared(at) => block.shadow.access(at, bytes, &actor, &order, touch),
            Place::Local(_) | Place::Param(_) => return Ok(()),
        };
        let Err(Conflict { agents, how }) = result else { return Ok(()) };
        let (other_block, other_warp, other_lane, other_line) = agents.describe(&actor);
        let thread = match other_warp {
            Some(w) => format!("thread {:?}", self.thread(w, other_lane)),
            None => "threads of several warps".into(),
        };
        let of = match other_block {
            Some(b) if b + 1 == actor.block => String::new(),
            Some(b) => format!(" of block {:?}", super::coordinates(b.into(), self.grid)),
            None => " of several blocks".into(),
        };
        let other = format!("{thread}{of}, which {how} it at line {other_line}");
        stop(lane, FaultKind::Race { what: self.describe(place, 0), other })
    }
}

impl Touched {
    pub fn add(&mut self, lane: u32, place: Place) {
        match place {
            Place::Device { allocation, address, .. } => self.global.push((allocation, address)),
            Place::Shared(at) => self.shared.push((lane, at as u32)),
            Place::Local(_) | Place::Param(_) => {}
        }
    }
}

/// The address of each lane.
pub fn addresses(warp: &mut Warp, a: &Address) -> [u64; 32] {
    let mut found = warp.frame().rows[a.base as usize];
    if a.offset != 0 {
        found.iter_mut().for_each(|x| *x = x.wrapping_add(a.offset as u64));
    }
    found
}

/// A mask of the bytes that change.
fn differing(old: &[u8], new: &[u8]) -> u64 {
    old.iter().zip(new).enumerate().fold(0, |mask, (i, (x, y))| mask | u64::from(x != y) << i)
}

fn touched(strength: Strength, differing: u64, range: std::ops::Range<usize>) -> Touch {
    if strength.strong {
        return Touch::Strong { writes: true };
    }
    let bits = crate::types::mask((range.end - range.start) as u32) << range.start;
    Touch::Write { same: differing & bits == 0 }
}
