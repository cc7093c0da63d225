//! Where the values of I64 scalars lie: what follows from the number of tasks and the bounds of loops. Divisions, minima and
//! comparisons whose result it decides are not emitted, nor are loops of one trip.

use super::CodeBuilder;
use super::interval::Interval;
use crate::loop_ir::{Bin, Cmp, Op, V};

impl CodeBuilder {
    pub(super) fn range(&self, v: V) -> Interval {
        self.ranges[v.0 as usize]
    }

    /// That of the result of an operation on I64 scalars.
    pub(super) fn range_of(&self, op: &Op) -> Interval {
        match *op {
            Op::Const { bits, .. } => Interval { least: bits as i64, greatest: bits as i64 },
            Op::Bin(op, a, b) => Interval::of(op, self.range(a), self.range(b)),
            _ => Interval::ALL,
        }
    }

    /// The operand that is the result, where it is one of them whatever they are.
    pub(super) fn decided(&self, op: Bin, a: V, b: V) -> Option<V> {
        let (x, y) = (self.range(a), self.range(b));
        match op {
            Bin::SRem if x.least >= 0 && x.greatest < y.least => Some(a),
            Bin::SMin if x.greatest <= y.least => Some(a),
            Bin::SMin if y.greatest <= x.least => Some(b),
            Bin::SMax if x.greatest <= y.least => Some(b),
            Bin::SMax if y.greatest <= x.least => Some(a),
            _ => None,
        }
    }

    /// What comparing two I64 scalars gives, where it is decided.
    pub(super) fn compared(&self, op: Cmp, a: V, b: V) -> Option<bool> {
        let (x, y) = (self.range(a), self.range(b));
        match op {
            Cmp::Slt if x.greatest < y.least => Some(true),
            Cmp::Slt if x.least >= y.greatest => Some(false),
            Cmp::Sle if x.greatest <= y.least => Some(true),
            Cmp::Sle if x.least > y.greatest => Some(false),
            _ => None,
        }
    }

    /// That of the index of a loop.
    pub(super) fn between(&self, lo: V, hi: V) -> Interval {
        Interval::below(self.range(lo).least, self.range(hi).greatest)
    }

    /// Whether a loop has one trip: its bounds are a constant apart, or lie so.
    pub(super) fn has_one_trip(&self, lo: V, hi: V, step: i64) -> bool {
        let ((from, c), (to, d)) = (self.sum_of(lo), self.sum_of(hi));
        let (x, y) = (self.range(lo), self.range(hi));
        let is_one = |apart: Option<i64>| apart.is_some_and(|n| 0 < n && n <= step);
        from == to && is_one(d.checked_sub(c))
            || is_one(y.least.checked_sub(x.greatest)) && is_one(y.greatest.checked_sub(x.least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loop_ir::{Access, Elem, Stmt, evaluate};

    /// An expression of the task and the index of a loop, drawn from a seed; emitted, or computed.
    struct Drawn(u64);

    impl Drawn {
        fn next(&mut self, below: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % below
        }

        fn emit(&mut self, b: &mut CodeBuilder, leaves: [V; 2], depth: u64) -> V {
            if depth == 0 || self.next(5) == 0 {
                let constant = self.next(9) as i64 - 3;
                return match self.next(3) {
                    2 => b.i64(constant),
                    n => leaves[n as usize],
                };
            }
            let kind = self.next(8);
            let x = self.emit(b, leaves, depth - 1);
            match kind {
                0 | 1 => {
                    let by = b.i64(1 + self.next(6) as i64);
                    b.bin([Bin::SDiv, Bin::SRem][kind as usize], x, by)
                }
                2 => {
                    let y = self.emit(b, leaves, depth - 1);
                    let op = [Cmp::Slt, Cmp::Sle][self.next(2) as usize];
                    let mask = b.cmp(op, x, y);
                    b.select(mask, x, y)
                }
                kind => {
                    let y = self.emit(b, leaves, depth - 1);
                    b.bin([Bin::Add, Bin::Sub, Bin::Mul, Bin::SMin, Bin::SMax][kind as usize - 3], x, y)
                }
            }
        }

        fn compute(&mut self, leaves: [i64; 2], depth: u64) -> i64 {
            if depth == 0 || self.next(5) == 0 {
                let constant = self.next(9) as i64 - 3;
                return match self.next(3) {
                    2 => constant,
                    n => leaves[n as usize],
                };
            }
            let kind = self.next(8);
            let x = self.compute(leaves, depth - 1);
            if kind < 2 {
                let by = 1 + self.next(6) as i64;
                return if kind == 0 { x / by } else { x % by };
            }
            let y = self.compute(leaves, depth - 1);
            match kind {
                2 => match self.next(2) {
                    0 if x < y => x,
                    1 if x <= y => x,
                    _ => y,
                },
                3 => x.wrapping_add(y),
                4 => x.wrapping_sub(y),
                5 => x.wrapping_mul(y),
                6 => x.min(y),
                _ => x.max(y),
            }
        }
    }

    #[test]
    fn arithmetic_of_places_keeps_its_values() {
        for seed in 0..2000 {
            let mut shape = Drawn(seed);
            let (tasks, trips) = (1 + shape.next(4) as i64, 1 + shape.next(5) as i64);
            let (start, depth) = (shape.next(7) as i64 - 3, 1 + shape.next(4));
            let mut b = CodeBuilder::new("places");
            let out = b.buffer("out", Elem::I64, tasks * trips, Access::Write);
            b.phase(tasks, |b, task| {
                let (lo, hi) = (b.i64(start), b.i64(start + trips));
                b.for_loop(lo, hi, 1, &[], |b, i, _| {
                    let value = Drawn(seed + 7).emit(b, [task, i], depth);
                    let [trips, start] = [trips, start].map(|n| b.i64(n));
                    let row = b.mul(task, trips);
                    let at = b.sub(i, start);
                    let at = b.add(row, at);
                    b.store(out, at, value, None);
                    Vec::new()
                });
            });
            let mut arrays = vec![vec![0; (8 * tasks * trips) as usize]];
            evaluate(&b.finish(), &mut arrays).expect("it runs");
            let found =
                arrays[0].chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("a word")));
            let at = |n: i64| [n / trips, start + n % trips];
            let expected = (0..tasks * trips).map(|n| Drawn(seed + 7).compute(at(n), depth));
            assert!(found.eq(expected), "seed {seed}");
        }
    }

    /// The statements of a phase whose only code is this, and a store of the value that it gives.
    fn statements(tasks: i64, body: impl FnOnce(&mut CodeBuilder, V) -> V) -> Vec<Stmt> {
        let mut b = CodeBuilder::new("k");
        let out = b.buffer("out", Elem::I64, 64, Access::Write);
        b.phase(tasks, |b, task| {
            let value = body(b, task);
            b.store(out, task, value, None);
        });
        let mut stmts = b.finish().phases.remove(0).body;
        stmts.retain(|s| !matches!(s, Stmt::Let(_, Op::Const { .. })));
        stmts
    }

    #[test]
    fn a_row_of_tasks_needs_no_division() {
        let at = |rows: i64, blocks: i64| {
            let of_task = |b: &mut CodeBuilder, task: V| {
                let n = b.i64(blocks);
                let (row, column) = (b.bin(Bin::SDiv, task, n), b.bin(Bin::SRem, task, n));
                let one = b.i64(1);
                let next = b.add(row, one);
                b.for_loop(row, next, 1, &[], |b, row, _| {
                    let sum = b.add(row, column);
                    b.for_loop(sum, next, 1, &[], |_, _, _| Vec::new());
                    Vec::new()
                });
                column
            };
            statements(rows * blocks, of_task).len()
        };
        // A loop of unknown trips and the store; two divisions and two sums more where there are rows.
        assert_eq!((at(1, 21), at(3, 21)), (2, 6));
    }

    #[test]
    fn masked_vectors_that_may_lie_far_from_their_array_begin_in_it() {
        // Arrays have 64 elements; the vector of a task begins so many before or behind it.
        let statements_of = |distance: i64| {
            let of_task = |b: &mut CodeBuilder, task: V| {
                let distance = b.i64(distance);
                let first = b.add(task, distance);
                b.start_of_masked(crate::loop_ir::Buf::Global(0), first, 8)
            };
            statements(64, of_task)
        };
        let chooses =
            |distance: i64| statements_of(distance).iter().any(|s| matches!(s, Stmt::Let(_, Op::Select(..))));
        assert_eq!([0, 4, -4, 9, -9].map(chooses), [false, false, false, true, true]);
        // Of those that lie outside anyway nothing is left to choose.
        assert_eq!([900, -900].map(chooses), [false, false]);
    }

    #[test]
    fn loops_of_more_or_no_trips_stay() {
        let is_loop = |lo: i64, hi: i64, step: i64| {
            let of_task = |b: &mut CodeBuilder, task: V| {
                let (lo, hi) = (b.i64(lo), b.i64(hi));
                let (lo, hi) = (b.add(task, lo), b.add(task, hi));
                b.for_loop(lo, hi, step, &[], |_, _, _| Vec::new());
                task
            };
            statements(5, of_task).iter().any(|s| matches!(s, Stmt::For { .. }))
        };
        assert!(is_loop(0, 0, 1) && is_loop(2, 1, 1) && is_loop(0, 2, 1) && is_loop(0, 17, 16));
        assert!(!is_loop(0, 1, 1) && !is_loop(3, 4, 16) && !is_loop(0, 16, 16));
    }
}
