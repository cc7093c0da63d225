//! `cp.async`: the source is read at once, the destination holds nothing until it was waited for.

use super::access::{Place, addresses, lanes};
use super::block::{Block, Byte};
use super::traffic::Touched;
use super::warp::Warp;
use super::{Machine, Step};
use crate::program::{Address, Row, Space, Strength};
use crate::race::Touch;
use std::collections::VecDeque;

struct Copy {
    to: usize,
    bytes: Vec<u8>,
    line: u32,
}

/// The copies under way, by lane.
#[derive(Default)]
pub struct Copies {
    open: [Vec<Copy>; 32],
    groups: [VecDeque<Vec<Copy>>; 32],
}

impl<'a> Machine<'a> {
    #[expect(clippy::too_many_arguments, reason = "a copy is all of this")]
    pub(super) fn copy_async(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        (to, from): (&Address, &Address),
        size: u32,
        source: Option<Row>,
        mask: u32,
        line: u32,
    ) -> Step<()> {
        let (targets, sources) = (addresses(warp, to), addresses(warp, from));
        let (mut read, mut written) = (Touched::default(), Touched::default());
        for lane in lanes(mask) {
            let l = lane as usize;
            let target = self.place(block, warp, Space::Shared, targets[l], size, lane)?;
            let Place::Shared(at) = target else { continue };
            // What is not copied is filled with zeros.
            let wanted = source.map_or(size, |row| (warp.frame().rows[row as usize][l] as u32).min(size));
            let mut bytes = vec![0; size as usize];
            if wanted > 0 {
                // The address has the alignment of the whole, the bytes that are read may be fewer.
                let place = if wanted == size {
                    self.place(block, warp, Space::Global, sources[l], size, lane)?
                } else {
                    self.place(block, warp, Space::Global, sources[l], 1, lane)?;
                    self.place(block, warp, Space::Global, sources[l] + u64::from(wanted) - 1, 1, lane)?;
                    self.place(block, warp, Space::Global, sources[l], 1, lane)?
                };
                let part = &mut bytes[..wanted as usize];
                self.read(block, warp, place, part, Strength::default(), lane, line)?;
                read.add(lane, place);
            }
            self.touch(block, warp, target, size as usize, lane, line, |_| Touch::Write { same: false })?;
            block.bytes[at..][..size as usize].fill(Byte::Unwritten);
            written.add(lane, target);
            warp.copies.get_or_insert_default().open[l].push(Copy { to: at, bytes, line });
        }
        self.count_access(block, &read, size, false);
        self.count_access(block, &written, size, true);
        Ok(())
    }

    pub(super) fn copy_commit(&mut self, warp: &mut Warp<'a>, mask: u32) {
        let copies = warp.copies.get_or_insert_default();
        for l in lanes(mask).map(|l| l as usize) {
            let group = std::mem::take(&mut copies.open[l]);
            copies.groups[l].push_back(group);
        }
    }

    /// Ends all groups of copies but the last `pending`, or all copies.
    pub(super) fn copy_wait(
        &mut self,
        block: &mut Block<'a>,
        warp: &mut Warp<'a>,
        pending: Option<u32>,
        mask: u32,
    ) -> Step<()> {
        for lane in lanes(mask) {
            let l = lane as usize;
            let mut done: Vec<Copy> = Vec::new();
            if let Some(copies) = &mut warp.copies {
                while copies.groups[l].len() > pending.unwrap_or(0) as usize {
                    done.extend(copies.groups[l].pop_front().unwrap_or_default());
                }
                if pending.is_none() {
                    done.append(&mut copies.open[l]);
                }
            }
            for copy in done {
                let place = Place::Shared(copy.to);
                self.write(block, warp, place, &copy.bytes, Strength::default(), lane, copy.line)?;
            }
        }
        Ok(())
    }
}
