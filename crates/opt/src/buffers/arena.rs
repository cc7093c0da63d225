//! Places of temporaries in the arena, by liveness.
//!
//! Steps are numbered in order. A temporary lives from its first to its last step; one that a loop uses and that
//! also lives outside the loop, or is read in a trip before it is written, lives through the whole loop. A sweep
//! gives each the smallest free block that fits.

use super::events::touches;
use lawson_kernel::program::{Place, Program, Step};
use std::collections::BTreeMap;

/// Blocks start at multiples of a cache line.
const ALIGN: i64 = 64;

pub fn place(program: &mut Program) {
    let mut walk = Walk { program, now: 0, uses: vec![Vec::new(); program.buffers.len()], loops: Vec::new() };
    walk.steps(&program.steps);
    let lives: Vec<Option<(usize, usize)>> = walk.uses.iter().map(|u| life(u, &walk.loops)).collect();
    let mut order: Vec<usize> = (0..program.buffers.len())
        .filter(|&b| matches!(program.buffers[b].place, Place::Arena(_)) && lives[b].is_some())
        .collect();
    order.sort_by_key(|&b| (lives[b], std::cmp::Reverse(program.buffers[b].bytes), b));
    let mut arena = Arena::default();
    let mut ends: BTreeMap<(usize, usize), (i64, i64)> = BTreeMap::new();
    for b in order {
        let Some((start, end)) = lives[b] else { continue };
        while let Some(entry) = ends.first_entry()
            && entry.key().0 < start
        {
            let (at, size) = entry.remove();
            arena.release(at, size);
        }
        let size = (program.buffers[b].bytes.max(1) + ALIGN - 1) / ALIGN * ALIGN;
        let at = arena.take(size);
        program.buffers[b].place = Place::Arena(at);
        ends.insert((end, b), (at, size));
    }
    // What no step names still needs a valid place.
    for (b, slot) in program.buffers.iter_mut().enumerate() {
        if lives[b].is_none() && matches!(slot.place, Place::Arena(_)) {
            slot.bytes = 0;
        }
    }
    program.arena_bytes = arena.end;
}

/// A use of a buffer: when, and whether it is a write that reads nothing.
type Use = (usize, bool);

struct Walk<'p> {
    program: &'p Program,
    now: usize,
    uses: Vec<Vec<Use>>,
    /// First and last step of each loop, inner ones first.
    loops: Vec<(usize, usize)>,
}

impl Walk<'_> {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::While { cond, pred, body, .. } => {
                    let start = self.now;
                    self.steps(cond);
                    self.uses[pred.index()].push((self.now, false));
                    self.now += 1;
                    self.steps(body);
                    self.loops.push((start, self.now));
                }
                Step::Conditional { selector, branches, .. } => {
                    self.uses[selector.index()].push((self.now, false));
                    self.now += 1;
                    branches.iter().for_each(|b| self.steps(b));
                }
                leaf => {
                    let mut found = Vec::new();
                    touches(self.program, leaf, &mut |b, r, w| found.push((b, w && !r)));
                    for (b, pure_write) in found {
                        self.uses[b.index()].push((self.now, pure_write));
                    }
                }
            }
            self.now += 1;
        }
    }
}

fn life(uses: &[Use], loops: &[(usize, usize)]) -> Option<(usize, usize)> {
    let (first, last) = (uses.first()?.0, uses.last()?.0);
    let (mut start, mut end) = (first, last);
    for &(s, e) in loops {
        let mut inside = uses.iter().filter(|u| u.0 >= s && u.0 <= e);
        let Some(&(_, written_first)) = inside.next() else { continue };
        let outside = first < s || last > e;
        if outside || !written_first {
            start = start.min(s);
            end = end.max(e);
        }
    }
    Some((start, end))
}

/// Free blocks by offset.
#[derive(Default)]
struct Arena {
    free: BTreeMap<i64, i64>,
    end: i64,
}

impl Arena {
    fn take(&mut self, size: i64) -> i64 {
        let best = self.free.iter().filter(|(_, s)| **s >= size).min_by_key(|(_, s)| **s);
        if let Some((&at, &have)) = best {
            self.free.remove(&at);
            if have > size {
                self.free.insert(at + size, have - size);
            }
            return at;
        }
        // The last block grows if it is free.
        if let Some((&at, &have)) = self.free.last_key_value()
            && at + have == self.end
        {
            self.free.remove(&at);
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
            self.free.remove(&before);
            (at, size) = (before, size + length);
        }
        if let Some(length) = self.free.remove(&(at + size)) {
            size += length;
        }
        self.free.insert(at, size);
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

    #[test]
    fn a_buffer_read_before_it_is_written_lives_through_the_loop() {
        assert_eq!(life(&[(3, true), (4, false)], &[(2, 9)]), Some((3, 4)));
        assert_eq!(life(&[(3, false), (4, true)], &[(2, 9)]), Some((2, 9)));
        assert_eq!(life(&[(0, true), (4, false)], &[(2, 9)]), Some((0, 9)));
    }
}
