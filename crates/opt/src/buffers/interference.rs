//! Whether two buffers can be one: neither is written while the value of the other is needed, unless with that value.
//!
//! Steps are looked at from the last to the first, and of these only such that touch one of the two. What is needed
//! before a conditional is what any branch needs; before a loop, what another trip or the steps after it need.

use super::touches::{Parts, Span, Touches};
use lawson_kernel::program::BufId;

/// Which of the two values is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needed {
    pub a: bool,
    pub b: bool,
}

impl Needed {
    fn or(self, other: Needed) -> Needed {
        Needed { a: self.a || other.a, b: self.b || other.b }
    }
}

impl Touches {
    /// What of two buffers is needed before the steps of a list, this deep, if so much is after them; `None` where they
    /// cannot be one.
    pub fn needed_before(
        &self,
        pair: (BufId, BufId),
        list: Span,
        depth: usize,
        after: Needed,
    ) -> Option<Needed> {
        let (mut needed, mut rest) = (after, list);
        let last = |id, span| self.within(id, span).next_back();
        while let Some(touch) = last(pair.0, rest).into_iter().chain(last(pair.1, rest)).max_by_key(|t| t.at)
        {
            (needed, rest.end) = match self.parts(&touch, depth) {
                None => (self.needed_before_step(pair, touch.at, needed)?, touch.at),
                Some(parts) => (self.needed_before_parts(pair, parts, depth + 1, needed)?, parts.step.start),
            };
        }
        Some(needed)
    }

    fn needed_before_step(&self, (a, b): (BufId, BufId), at: u32, after: Needed) -> Option<Needed> {
        let now = Span { start: at, end: at + 1 };
        let [on_a, on_b] = [a, b].map(|id| self.within(id, now).next());
        let of = |copied: Option<BufId>| copied.map(|from| self.name(from));
        match (on_a, on_b) {
            // One is made of the other: after it they are equal.
            (Some(_), Some(to)) if of(to.copied_from) == Some(a) => {
                Some(Needed { a: after.a || after.b, b: false })
            }
            (Some(to), Some(_)) if of(to.copied_from) == Some(b) => {
                Some(Needed { a: false, b: after.a || after.b })
            }
            (Some(x), Some(y)) => (!x.writes && !y.writes).then_some(Needed { a: true, b: true }),
            (Some(x), None) if x.writes => (!after.b).then_some(Needed { a: x.reads, b: false }),
            (None, Some(y)) if y.writes => (!after.a).then_some(Needed { a: false, b: y.reads }),
            (x, y) => Some(after.or(Needed { a: x.is_some(), b: y.is_some() })),
        }
    }

    fn needed_before_parts(
        &self,
        pair: (BufId, BufId),
        parts: &Parts,
        depth: usize,
        after: Needed,
    ) -> Option<Needed> {
        if let [body] = parts.lists[..] {
            // A loop: before its first part that is needed which either way on from there needs.
            let mut between = after;
            loop {
                let first = self.needed_before(pair, parts.first, depth, between)?;
                let more = between.or(self.needed_before(pair, body, depth, first)?);
                if more == between {
                    return Some(first);
                }
                between = more;
            }
        }
        let mut between = Needed::default();
        for branch in &parts.lists {
            between = between.or(self.needed_before(pair, *branch, depth, after)?);
        }
        self.needed_before(pair, parts.first, depth, between)
    }
}

#[cfg(test)]
mod tests {
    use crate::buffers::{arena, coalesce, swap};
    use lawson_kernel::loop_ir::{Access, Bin, CodeBuilder, Elem, Type, V};
    use lawson_kernel::program::eval::Options;
    use lawson_kernel::program::walk::{count, is_copy};
    use lawson_kernel::program::{BufId, BufferSlot, NamedKernel, Place, Program, Step, evaluate};

    fn number(b: &mut CodeBuilder, n: usize) -> V {
        b.constant(Type::scalar(Elem::I32), n as u64)
    }

    /// The last array becomes the sum of the arrays, each times a number of its own, and one of the kernel's.
    fn kernel(name: &str, access: &[Access], length: i64) -> NamedKernel {
        let mut b = CodeBuilder::new(name);
        let arrays: Vec<_> = access.iter().map(|&a| b.buffer("x", Elem::I32, length, a)).collect();
        b.phase(length, |b, task| {
            let mut sum = number(b, arrays.len());
            let read = arrays.iter().zip(access).filter(|(_, a)| **a != Access::Write);
            for (n, (&array, _)) in read.enumerate() {
                let (value, factor) = (b.load(array, task, 1, None), number(b, 2 * n + 3));
                let product = b.bin(Bin::Mul, value, factor);
                sum = b.add(sum, product);
            }
            b.store(arrays[arrays.len() - 1], task, sum, None);
        });
        b.finish().into()
    }

    /// Elements of an array: enough for exchanges.
    const LENGTH: i64 = 80;
    /// Buffers: arguments (the second counts trips), results, carried values, and from there on those of a trip.
    const RESULTS: u32 = 2;
    const COUNTER: u32 = 4;
    const CARRIED: std::ops::Range<u32> = 5..9;

    fn copy(from: u32, to: u32) -> Step {
        Step::Copy { from: BufId(from), to: BufId(to) }
    }

    fn launch(kernel: usize, args: &[u32]) -> Step {
        Step::Launch { kernel, args: args.iter().map(|&a| BufId(a)).collect() }
    }

    /// Makes programs as the schedule does: what a trip makes has a buffer of its own, the result of branches a copy in
    /// each, an update in place begins with a copy, and the carried values change at the end of a trip.
    struct Random {
        state: u64,
        buffers: u32,
    }

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((self.state >> 33) % n as u64) as u32
        }

        fn of(&mut self, all: &[u32]) -> u32 {
            all[self.below(all.len() as u32) as usize]
        }

        fn fresh(&mut self) -> u32 {
            self.buffers += 1;
            self.buffers - 1
        }

        /// Steps that read what is `known`, and add to it.
        fn steps(&mut self, known: &mut Vec<u32>, depth: u32) -> Vec<Step> {
            let mut steps = Vec::new();
            for _ in 0..1 + self.below(4) {
                let (x, y) = (self.of(known), self.of(known));
                let new = self.fresh();
                match self.below(if depth == 0 { 3 } else { 6 }) {
                    0 => steps.push(launch(0, &[x, new])),
                    1 => steps.push(launch(1, &[x, y, new])),
                    2 => steps.extend([copy(x, new), launch(2, &[new])]),
                    _ => {
                        let results = [new, self.fresh(), self.fresh()];
                        let branches = (0..2).map(|_| {
                            let mut inside = known.clone();
                            let mut branch = self.steps(&mut inside, depth - 1);
                            branch.extend(results.map(|to| copy(self.of(&inside), to)));
                            branch
                        });
                        let branches = branches.collect();
                        steps.push(Step::Conditional { selector: BufId(x), predicated: true, branches });
                        known.extend(&results[1..]);
                    }
                }
                known.push(new);
            }
            steps
        }

        fn program(&mut self) -> Program {
            self.buffers = CARRIED.end;
            let mut steps = vec![copy(1, COUNTER)];
            steps.extend(CARRIED.map(|b| copy(0, b)));
            let mut known: Vec<u32> = CARRIED.collect();
            let mut body = self.steps(&mut known, 2);
            let (mut first, mut last) = (Vec::new(), Vec::new());
            for to in CARRIED {
                let mut from = self.of(&known);
                if CARRIED.contains(&from) {
                    let between = self.fresh();
                    first.push(copy(from, between));
                    from = between;
                }
                last.push(copy(from, to));
            }
            body.extend(first.into_iter().chain(last));
            body.push(launch(3, &[COUNTER]));
            steps.push(Step::While { cond: vec![], pred: BufId(COUNTER), body, trips: None });
            steps.extend((0..2).map(|n| copy(CARRIED.start + n, RESULTS + n)));
            let slot = |place| BufferSlot { bytes: 4 * LENGTH, place };
            let mut places = vec![Place::Input(0), Place::Input(1), Place::Output(0), Place::Output(1)];
            places.extend((COUNTER..self.buffers).map(|b| Place::Arena(512 * (b - COUNTER) as i64)));
            let arena_bytes = 512 * (self.buffers - COUNTER) as i64;
            use Access::{Read, ReadWrite, Write};
            let mut kernels: Vec<NamedKernel> = [&[Read, Write][..], &[Read, Read, Write], &[ReadWrite]]
                .into_iter()
                .enumerate()
                .map(|(n, access)| kernel(&format!("k{n}"), access, LENGTH))
                .collect();
            let mut less = CodeBuilder::new("less");
            let counter = less.buffer("x", Elem::I32, 1, ReadWrite);
            less.phase(1, |b, task| {
                let (value, one) = (b.load(counter, task, 1, None), number(b, 1));
                let value = b.bin(Bin::Sub, value, one);
                b.store(counter, task, value, None);
            });
            kernels.push(less.finish().into());
            let buffers = places.into_iter().map(slot).collect();
            Program { kernels, buffers, steps, arena_bytes, ..Program::default() }
        }
    }

    #[test]
    fn random_programs_keep_their_values() {
        let array =
            |first: i32| (0..LENGTH as i32).flat_map(|i| (first + i).to_le_bytes()).collect::<Vec<u8>>();
        let arguments = [array(7), array(3)];
        let arguments = [&arguments[0][..], &arguments[1]];
        let (mut random, mut gone) = (Random { state: 1, buffers: 0 }, 0);
        for _ in 0..300 {
            let mut program = random.program();
            let expected =
                evaluate(&program, &arguments, Options::default()).unwrap_or_else(|e| panic!("{e}"));
            let before = count(&program.steps, &is_copy);
            // What exchanges need has a place only when all is placed.
            let placed = |p: &mut Program| {
                swap::run(p);
                arena::place(p);
            };
            for pass in [coalesce::run, placed] {
                let text = program.to_string();
                pass(&mut program);
                let found = evaluate(&program, &arguments, Options::default());
                let found = found.unwrap_or_else(|e| panic!("{e}\n{text}\nbecomes\n{program}"));
                assert!(found == expected, "{text}\nbecomes\n{program}");
            }
            gone += before - count(&program.steps, &is_copy);
        }
        assert!(gone > 300, "{gone} copies");
    }
}
