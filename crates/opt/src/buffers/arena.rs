//! Places of temporaries in the arena, by liveness.
//!
//! Steps are numbered in order. A temporary lives from its first to its last step; one that a loop uses and that
//! also lives outside the loop, or is read in a trip before it is written, lives through the whole loop. [`super::pack`]
//! finds offsets for these lives.

use super::events::touches;
use super::pack::{Block, pack};
use lawson_kernel::program::{Place, Program, Step};

/// Blocks start at multiples of a cache line.
const ALIGN: i64 = 64;

pub fn place(program: &mut Program) {
    let mut walk = Walk { program, now: 0, uses: vec![Vec::new(); program.buffers.len()], loops: Vec::new() };
    walk.steps(&program.steps);
    let lives: Vec<Option<(usize, usize)>> = walk.uses.iter().map(|u| life(u, &walk.loops)).collect();
    let temporary = |b: &usize| matches!(program.buffers[*b].place, Place::Arena(_));
    let placed: Vec<(usize, Block)> = (0..program.buffers.len())
        .filter(temporary)
        .filter_map(|b| {
            let bytes = (program.buffers[b].bytes.max(1) + ALIGN - 1) / ALIGN * ALIGN;
            Some((b, Block { bytes, life: lives[b]? }))
        })
        .collect();
    let (at, end) = pack(&placed.iter().map(|(_, block)| *block).collect::<Vec<_>>());
    for ((b, _), at) in placed.into_iter().zip(at) {
        program.buffers[b].place = Place::Arena(at);
    }
    // What no step names still needs a valid place.
    for (b, slot) in program.buffers.iter_mut().enumerate() {
        if lives[b].is_none() && matches!(slot.place, Place::Arena(_)) {
            slot.bytes = 0;
        }
    }
    program.arena_bytes = end;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_read_before_it_is_written_lives_through_the_loop() {
        assert_eq!(life(&[(3, true), (4, false)], &[(2, 9)]), Some((3, 4)));
        assert_eq!(life(&[(3, false), (4, true)], &[(2, 9)]), Some((2, 9)));
        assert_eq!(life(&[(0, true), (4, false)], &[(2, 9)]), Some((0, 9)));
    }
}
