//! Two vectors that networks bring in order together. Comparisons are between numbers in the same lane of the two, so that before
//! each stage two shuffles pick from both vectors, and a stage takes as many instructions for two vectors as it would take for
//! one whose lanes are compared with each other.

use crate::loop_ir::{Bin, Op, V};
use crate::lower::emit::Emit;

/// Two vectors, and where the number of each position is: positions count through both vectors in the order that is wanted.
pub(super) struct Pair {
    vectors: [V; 2],
    /// The lane of a position, those of the second vector after those of the first.
    lane_of: Vec<usize>,
}

impl Pair {
    /// Vectors in no order: which number has which position does not matter, so that the first stage finds its numbers where
    /// they are.
    pub(super) fn unordered(vectors: [V; 2], lanes: u32) -> Pair {
        let lanes = lanes as usize;
        Pair { vectors, lane_of: (0..2 * lanes).map(|p| p / 2 + p % 2 * lanes).collect() }
    }

    /// Vectors whose positions follow each other.
    pub(super) fn in_line(vectors: [V; 2], lanes: u32) -> Pair {
        Pair { vectors, lane_of: (0..2 * lanes as usize).collect() }
    }

    /// Brings runs of `run` positions, of which either half is in order, in order: the largest number first.
    pub(super) fn merge(&mut self, cx: &mut Emit<'_>, run: usize) {
        self.stage(cx, run / 2, |p| p ^ (run - 1));
        let mut apart = run / 4;
        while apart > 0 {
            self.stage(cx, apart, |p| p ^ apart);
            apart /= 2;
        }
    }

    /// Puts the larger of the numbers at each position without the bit `high` and at its partner, which has it, at the first.
    fn stage(&mut self, cx: &mut Emit<'_>, high: usize, partner: impl Fn(usize) -> usize) {
        let mut first: Vec<usize> = (0..self.lane_of.len()).filter(|p| p & high == 0).collect();
        first.sort_unstable_by_key(|&p| self.lane_of[p]);
        let second: Vec<usize> = first.iter().map(|&p| partner(p)).collect();
        let [a, b] = [&first, &second].map(|positions| self.picked(cx, positions));
        self.vectors = [cx.b.bin(Bin::SMax, a, b), cx.b.bin(Bin::SMin, a, b)];
        for (n, (&p, &q)) in first.iter().zip(&second).enumerate() {
            (self.lane_of[p], self.lane_of[q]) = (n, first.len() + n);
        }
    }

    /// A vector of the numbers at these positions.
    fn picked(&self, cx: &mut Emit<'_>, positions: &[usize]) -> V {
        let [a, b] = self.vectors;
        let lanes = positions.iter().map(|&p| self.lane_of[p] as u32).collect();
        cx.b.op(Op::Shuffle { a, b, lanes })
    }

    /// The vectors with the numbers at their positions.
    pub(super) fn vectors(&self, cx: &mut Emit<'_>) -> [V; 2] {
        let half = self.lane_of.len() / 2;
        let all: Vec<usize> = (0..2 * half).collect();
        let (first, second) = all.split_at(half);
        [self.picked(cx, first), self.picked(cx, second)]
    }
}
