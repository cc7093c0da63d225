//! When the memory of each buffer is needed.
//!
//! Steps are numbered in order. A buffer lives from its first to its last step; one that a loop uses and that also
//! lives outside the loop, or is read in a trip before it is written, lives through the whole loop. Buffers that
//! exchange their memory live together. Who runs the program reads its results: they live to the end.

use super::exchanges::Exchanges;
use super::{Place, Program, Step};

/// The first and the last moment.
pub type Life = (usize, usize);

/// The lives of a program's buffers.
#[derive(Default)]
pub struct Lives {
    /// Of a buffer that no step names, and is no result, none.
    pub of: Vec<Option<Life>>,
    /// Each launch: its moment, and the kernel's position in the program. In order.
    pub launches: Vec<(usize, usize)>,
}

impl Lives {
    pub fn of(program: &Program) -> Lives {
        let mut walk = Walk {
            program,
            now: 0,
            uses: vec![Vec::new(); program.buffers.len()],
            launches: Vec::new(),
            loops: Loops::default(),
            inside: None,
        };
        walk.steps(&program.steps);
        for (id, slot) in program.buffers.iter().enumerate() {
            if let Place::Output(_) = slot.place {
                walk.used(id, false);
            }
        }
        let Walk { uses, mut loops, launches, .. } = walk;
        let mut of: Vec<Option<Life>> = uses.iter().map(|u| loops.life(u)).collect();
        live_together(&mut of, &Exchanges::of(program));
        Lives { of, launches }
    }
}

/// Of buffers that exchange their memory all places are needed as long as one of them is.
fn live_together(lives: &mut [Option<Life>], exchanges: &Exchanges) {
    let mut of_class: Vec<Option<Life>> = vec![None; lives.len()];
    for (id, life) in lives.iter().enumerate() {
        let of = &mut of_class[exchanges.class(id)];
        *of = match (*of, *life) {
            (Some(x), Some(y)) => Some((x.0.min(y.0), x.1.max(y.1))),
            (x, y) => x.or(y),
        };
    }
    for (id, life) in lives.iter_mut().enumerate() {
        *life = of_class[exchanges.class(id)];
    }
}

/// A use of a buffer.
#[derive(Clone, Copy)]
struct Use {
    at: usize,
    /// It is a write that reads nothing.
    writes_only: bool,
    /// The innermost loop around it.
    inside: Option<u32>,
}

struct Walk<'p> {
    program: &'p Program,
    now: usize,
    /// Of each buffer, in order.
    uses: Vec<Vec<Use>>,
    launches: Vec<(usize, usize)>,
    loops: Loops,
    /// The loop that the walk is in.
    inside: Option<u32>,
}

impl Walk<'_> {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::While { cond, pred, body, .. } => {
                    let outer = self.inside;
                    let number = self.loops.enter(self.now, outer);
                    self.inside = Some(number);
                    self.steps(cond);
                    self.used(pred.index(), false);
                    self.now += 1;
                    self.steps(body);
                    self.loops.all[number as usize].last = self.now;
                    self.inside = outer;
                }
                Step::Conditional { selector, branches, .. } => {
                    self.used(selector.index(), false);
                    self.now += 1;
                    branches.iter().for_each(|b| self.steps(b));
                }
                leaf => {
                    if let Step::Launch { kernel, .. } = leaf {
                        self.launches.push((self.now, *kernel));
                    }
                    leaf.uses(self.program, &mut |u| self.used(u.buffer.index(), u.writes && !u.reads));
                }
            }
            self.now += 1;
        }
    }

    fn used(&mut self, buffer: usize, writes_only: bool) {
        self.uses[buffer].push(Use { at: self.now, writes_only, inside: self.inside });
    }
}

/// Loops, outer ones first.
#[derive(Default)]
struct Loops {
    all: Vec<Loop>,
    /// Lives asked for.
    asked: u32,
}

struct Loop {
    first: usize,
    last: usize,
    outer: Option<u32>,
    /// The last question that met this loop.
    met: u32,
}

impl Loops {
    fn enter(&mut self, first: usize, outer: Option<u32>) -> u32 {
        self.all.push(Loop { first, last: first, outer, met: 0 });
        self.all.len() as u32 - 1
    }

    /// From when to when a buffer with these uses is needed.
    fn life(&mut self, uses: &[Use]) -> Option<(usize, usize)> {
        let (first, last) = (uses.first()?.at, uses.last()?.at);
        let (mut start, mut end) = (first, last);
        self.asked += 1;
        // The first use in each loop around any of them.
        for used in uses {
            let mut around = used.inside;
            while let Some(number) = around {
                let l = &mut self.all[number as usize];
                if std::mem::replace(&mut l.met, self.asked) == self.asked {
                    break;
                }
                let outside = first < l.first || last > l.last;
                if outside || !used.writes_only {
                    start = start.min(l.first);
                    end = end.max(l.last);
                }
                around = l.outer;
            }
        }
        Some((start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BufId, BufferSlot};

    #[test]
    fn a_buffer_read_before_it_is_written_lives_through_the_loop() {
        let mut loops = Loops::default();
        let outer = loops.enter(2, None);
        loops.all[0].last = 9;
        let at = |at: usize, writes_only: bool| Use {
            at,
            writes_only,
            inside: (2..=9).contains(&at).then_some(outer),
        };
        assert_eq!(loops.life(&[at(3, true), at(4, false)]), Some((3, 4)));
        assert_eq!(loops.life(&[at(3, false), at(4, true)]), Some((2, 9)));
        assert_eq!(loops.life(&[at(0, true), at(4, false)]), Some((0, 9)));
    }

    #[test]
    fn places_that_are_exchanged_are_needed_together() {
        let mut lives = vec![Some((0, 9)), Some((3, 4)), None, Some((5, 12))];
        let swap = |a, b| Step::Swap { a: BufId(a), b: BufId(b) };
        let slot = || BufferSlot { bytes: 4, place: Place::Arena(0) };
        let program = Program {
            buffers: (0..4).map(|_| slot()).collect(),
            steps: vec![swap(1, 0), swap(3, 1)],
            ..Program::default()
        };
        live_together(&mut lives, &Exchanges::of(&program));
        assert_eq!(lives, [Some((0, 12)), Some((0, 12)), None, Some((0, 12))]);
    }

    /// One that a loop writes anew in each trip is needed after it too.
    #[test]
    fn results_live_to_the_end() {
        let slot = |place| BufferSlot { bytes: 4, place };
        let copy = |from, to| Step::Copy { from: BufId(from), to: BufId(to) };
        let program = Program {
            buffers: [Place::Input(0), Place::Output(0), Place::Output(1), Place::Arena(0)].map(slot).into(),
            steps: vec![
                copy(0, 2),
                Step::While { cond: vec![], pred: BufId(0), body: vec![copy(0, 3), copy(3, 1)], trips: None },
            ],
            ..Program::default()
        };
        let lives = Lives::of(&program);
        assert_eq!(lives.of, [Some((0, 4)), Some((1, 5)), Some((0, 5)), Some((2, 3))]);
    }
}
