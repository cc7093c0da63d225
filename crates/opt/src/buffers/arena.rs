//! Places of temporaries in the arena, by liveness.
//!
//! Steps are numbered in order. A temporary lives from its first to its last step; one that a loop uses and that
//! also lives outside the loop, or is read in a trip before it is written, lives through the whole loop. [`super::pack`]
//! finds offsets for these lives.

use super::exchanges::Exchanges;
use super::pack::{Block, pack};
use lawson_kernel::program::{Place, Program, Step};

/// Blocks start at multiples of a cache line.
const ALIGN: i64 = 64;

pub fn place(program: &mut Program) {
    let mut walk = Walk {
        program,
        now: 0,
        uses: vec![Vec::new(); program.buffers.len()],
        loops: Loops::default(),
        inside: None,
    };
    walk.steps(&program.steps);
    let Walk { uses, mut loops, .. } = walk;
    let mut lives: Vec<Option<(usize, usize)>> = uses.iter().map(|u| loops.life(u)).collect();
    live_together(&mut lives, &Exchanges::of(program));
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

/// Of buffers that exchange their memory all places are needed as long as one of them is.
fn live_together(lives: &mut [Option<(usize, usize)>], exchanges: &Exchanges) {
    let mut of_class: Vec<Option<(usize, usize)>> = vec![None; lives.len()];
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
                leaf => leaf.uses(self.program, &mut |u| self.used(u.buffer.index(), u.writes && !u.reads)),
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
    use lawson_kernel::program::{BufId, BufferSlot};

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
}
