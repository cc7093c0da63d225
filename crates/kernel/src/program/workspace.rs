//! Where the memory lies that kernels need while they run: their scratch arrays, the private blocks of threads.
//!
//! A block is needed during launches of its kernel alone. It lies in the arena where no temporary lives at those
//! moments, else within a result that is not yet written then, else behind the arena. A result that may be the memory
//! of an argument is left alone: whether it is, each run decides.

use super::verify::ALIGN;
use super::{Lives, Place, Program};
use std::cmp::Reverse;

/// The begin of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// Of the run's own memory, which begins with the arena.
    Own(i64),
    /// Within an array leaf of the result.
    Output { n: usize, at: i64 },
}

/// The places of all blocks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Workspace {
    /// Bytes of the run's own memory: the arena, and what lies behind it.
    pub bytes: i64,
    /// Of each kernel its blocks, in order.
    pub spots: Vec<Vec<Spot>>,
}

impl Workspace {
    /// Places blocks of these sizes for each kernel of the program.
    pub fn of(program: &Program, blocks: &[Vec<i64>]) -> Workspace {
        let needed = |k: usize| blocks[k].iter().fold(0i64, |sum, &b| sum.saturating_add(aligned(b)));
        let mut order: Vec<usize> = (0..blocks.len()).filter(|&k| needed(k) > 0).collect();
        // Those that need most first: what they add behind the arena is there for the others.
        order.sort_by_key(|&k| (Reverse(needed(k)), k));
        let mut bytes = aligned(program.arena_bytes);
        let mut spots: Vec<Vec<Spot>> = blocks.iter().map(|b| vec![Spot::Own(0); b.len()]).collect();
        if order.is_empty() {
            return Workspace { bytes, spots };
        }
        let lives = Lives::of(program);
        let outputs = outputs(program, &lives);
        let mut taken = taken(program, &lives, blocks.len());
        for k in order {
            let mut gaps = Gaps::between(std::mem::take(&mut taken[k].ranges), bytes);
            gaps.add(outputs.iter().filter(|o| o.from > taken[k].until));
            let mut largest: Vec<usize> = (0..blocks[k].len()).collect();
            largest.sort_by_key(|&b| (Reverse(blocks[k][b]), b));
            for b in largest {
                spots[k][b] = gaps.take(aligned(blocks[k][b]));
            }
            bytes = gaps.end;
        }
        Workspace { bytes, spots }
    }
}

fn aligned(bytes: i64) -> i64 {
    bytes.max(0).saturating_add(ALIGN - 1) / ALIGN * ALIGN
}

/// A result in memory of its own, and the moment from which on it is needed.
struct Output {
    n: usize,
    bytes: i64,
    from: usize,
}

fn outputs(program: &Program, lives: &Lives) -> Vec<Output> {
    let mut found: Vec<Option<Output>> = Vec::new();
    for (slot, life) in program.buffers.iter().zip(&lives.of) {
        let (&Place::Output(n), &Some((from, _))) = (&slot.place, life) else { continue };
        if found.len() <= n {
            found.resize_with(n + 1, || None);
        }
        let from = found[n].as_ref().map_or(from, |known| known.from.min(from));
        found[n] = Some(Output { n, bytes: slot.bytes / ALIGN * ALIGN, from });
    }
    for donation in &program.donations {
        found[donation.output] = None;
    }
    found.into_iter().flatten().collect()
}

/// What is not free while a kernel runs.
#[derive(Clone, Default)]
struct Taken {
    /// Of the arena, from where to where.
    ranges: Vec<(i64, i64)>,
    /// The moment of its last launch.
    until: usize,
}

fn taken(program: &Program, lives: &Lives, kernels: usize) -> Vec<Taken> {
    let mut taken = vec![Taken::default(); kernels];
    let temporary = |(slot, life): (&super::BufferSlot, &Option<super::Life>)| match (&slot.place, life) {
        (&Place::Arena(at), &Some((from, until))) => Some((from, until, (at, at.saturating_add(slot.bytes)))),
        _ => None,
    };
    let mut temporaries: Vec<(usize, usize, (i64, i64))> =
        program.buffers.iter().zip(&lives.of).filter_map(temporary).collect();
    temporaries.sort_unstable();
    let mut coming = temporaries.into_iter().peekable();
    let mut alive: Vec<(usize, (i64, i64))> = Vec::new();
    for &(now, kernel) in &lives.launches {
        while let Some((_, until, range)) = coming.next_if(|&(from, ..)| from <= now) {
            alive.push((until, range));
        }
        alive.retain(|&(until, _)| until >= now);
        taken[kernel].ranges.extend(alive.iter().map(|&(_, range)| range));
        taken[kernel].until = now;
    }
    taken
}

/// Free memory: where it begins and how much it is, by size.
struct Gaps {
    own: Vec<(i64, i64)>,
    outputs: Vec<(usize, i64, i64)>,
    /// Where the run's own memory ends.
    end: i64,
}

impl Gaps {
    /// Between these ranges of the run's own memory.
    fn between(mut ranges: Vec<(i64, i64)>, end: i64) -> Gaps {
        ranges.sort_unstable();
        let (mut own, mut top) = (Vec::new(), 0);
        for (from, to) in ranges {
            if from > top {
                own.push((top, from - top));
            }
            top = top.max(aligned(to));
        }
        if end > top {
            own.push((top, end - top));
        }
        Gaps { own, outputs: Vec::new(), end }
    }

    fn add<'o>(&mut self, outputs: impl Iterator<Item = &'o Output>) {
        self.outputs.extend(outputs.map(|o| (o.n, 0, o.bytes)));
    }

    /// The smallest gap that fits, in the run's own memory if there is one; else that grows.
    fn take(&mut self, bytes: i64) -> Spot {
        if bytes == 0 {
            return Spot::Own(0);
        }
        let own = self.own.iter_mut().filter(|(_, size)| *size >= bytes).min_by_key(|(_, size)| *size);
        if let Some((at, size)) = own {
            let spot = Spot::Own(*at);
            (*at, *size) = (*at + bytes, *size - bytes);
            return spot;
        }
        let output = self.outputs.iter_mut().filter(|o| o.2 >= bytes).min_by_key(|o| o.2);
        if let Some((n, at, size)) = output {
            let spot = Spot::Output { n: *n, at: *at };
            (*at, *size) = (*at + bytes, *size - bytes);
            return spot;
        }
        // The last gap grows if it reaches the end.
        let at = match self.own.pop_if(|(at, size)| *at + *size == self.end) {
            Some((at, _)) => at,
            None => self.end,
        };
        self.end = at + bytes;
        Spot::Own(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{Access, CodeBuilder, Elem};
    use crate::program::{BufId, BufferSlot, Donation, Step};

    /// Kernels that read 256 bytes and write as many, launched one after the other.
    fn chain(places: &[Place], launches: &[(usize, u32, u32)]) -> Program {
        let kernel = |n: usize| {
            let mut b = CodeBuilder::new(format!("k{n}"));
            b.buffer("x", Elem::F32, 64, Access::Read);
            b.buffer("y", Elem::F32, 64, Access::Write);
            b.finish().into()
        };
        let launch =
            |&(kernel, x, y): &(usize, u32, u32)| Step::Launch { kernel, args: vec![BufId(x), BufId(y)] };
        Program {
            kernels: (0..3).map(kernel).collect(),
            buffers: places.iter().map(|p| BufferSlot { bytes: 256, place: p.clone() }).collect(),
            steps: launches.iter().map(launch).collect(),
            arena_bytes: 512,
            ..Program::default()
        }
    }

    /// 0 → 1 → 2 → 3, of which 1 and 2 are temporaries.
    fn steps() -> Program {
        let places = [Place::Input(0), Place::Arena(0), Place::Arena(256), Place::Output(0)];
        chain(&places, &[(0, 0, 1), (1, 1, 2), (2, 2, 3)])
    }

    fn own(kernel: &[Spot]) -> Vec<i64> {
        kernel.iter().map(|s| if let Spot::Own(at) = s { *at } else { -1 }).collect()
    }

    #[test]
    fn blocks_lie_where_no_temporary_lives() {
        let mut p = steps();
        // It may be the argument's memory.
        p.donations = vec![Donation { input: 0, output: 0 }];
        let w = Workspace::of(&p, &[vec![100, 128], vec![], vec![65, 64]]);
        assert_eq!((w.bytes, own(&w.spots[0]), own(&w.spots[2])), (512, vec![384, 256], vec![0, 128]));
        // Both temporaries live during the second launch; what is added there the others use.
        let w = Workspace::of(&p, &[vec![512], vec![512, 64], vec![64]]);
        assert_eq!((w.bytes, own(&w.spots[1])), (1088, vec![512, 1024]));
        assert_eq!((own(&w.spots[0]), own(&w.spots[2])), (vec![256], vec![0]));
    }

    #[test]
    fn results_that_are_not_written_yet_hold_blocks() {
        let w = Workspace::of(&steps(), &[vec![256, 192, 64], vec![192, 128], vec![320]]);
        let output = |at| Spot::Output { n: 0, at };
        assert_eq!(w.spots[0], [Spot::Own(256), output(0), output(192)]);
        assert_eq!(w.spots[1], [output(0), Spot::Own(512)]);
        // The last launch writes it; the first temporary is dead.
        assert_eq!((w.spots[2][0], w.bytes), (Spot::Own(512), 832));
    }

    #[test]
    fn a_loop_keeps_what_it_carries() {
        let mut p = steps();
        let body = std::mem::take(&mut p.steps);
        p.steps = vec![Step::While { cond: vec![], pred: BufId(0), body, trips: Some(2) }];
        let w = Workspace::of(&p, &[vec![256], vec![], vec![]]);
        assert_eq!(w.spots[0], [Spot::Own(256)], "written before it is read in each trip");
        let w = Workspace::of(&p, &[vec![256, 64], vec![], vec![]]);
        assert_eq!(w.spots[0][1], Spot::Own(512), "the result of a trip may be the last");
    }

    #[test]
    fn launches_of_one_kernel_share_their_blocks() {
        let places = [Place::Input(0), Place::Arena(0), Place::Arena(256), Place::Output(0)];
        let p = chain(&places, &[(0, 0, 1), (1, 1, 2), (0, 2, 3)]);
        assert_eq!(Workspace::of(&p, &[vec![64], vec![], vec![]]).spots[0], [Spot::Own(512)]);
    }

    #[test]
    fn programs_without_blocks_need_their_arena() {
        let w = Workspace::of(&steps(), &[vec![], vec![0], vec![]]);
        assert_eq!((w.bytes, own(&w.spots[1])), (512, vec![0]));
    }
}
