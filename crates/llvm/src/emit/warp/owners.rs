//! Which thread accesses an element, where the offset alone decides it, and how accesses are aligned.
//!
//! An access to L lanes, as many as the task has threads or more, at a multiple of L reaches element e by thread
//! (e mod L) / k, whatever the offset: so two such accesses never meet in different threads.

use crate::blocks::WARP;
use lawson_kernel::loop_ir::{Bin, Elem, Kernel, Op, Phase, Stmt, V};

/// Of each integer, in all lanes, how many of its lowest bits are known to be zero.
#[derive(Default)]
pub(in crate::emit) struct Owners {
    zeros: Vec<u32>,
    /// Threads that share the task.
    threads: u32,
}

/// Zero has this many; more do not matter.
const MOST: u32 = 32;

impl Owners {
    pub fn of(kernel: &Kernel, phase: &Phase) -> Owners {
        let mut owners = Owners { zeros: vec![0; kernel.types.len()], threads: phase.warps * WARP };
        owners.stmts(kernel, &phase.body);
        owners
    }

    /// The lanes of an access, where they and the element decide the thread.
    pub fn lanes(&self, kernel: &Kernel, offset: V, lanes: u32) -> Option<u32> {
        let decides = kernel.ty(offset).lanes == 1 && lanes >= self.threads;
        (decides && self.zeros(offset) >= lanes.trailing_zeros()).then_some(lanes)
    }

    /// A power of two that the offset is a multiple of, in every lane.
    pub fn multiple(&self, offset: V) -> u32 {
        1 << self.zeros(offset).min(MOST - 1)
    }

    fn zeros(&self, v: V) -> u32 {
        self.zeros.get(v.0 as usize).copied().unwrap_or(0)
    }

    fn stmts(&mut self, kernel: &Kernel, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let(v, op) => {
                    self.zeros[v.0 as usize] = self.of_op(kernel, *v, op).min(MOST);
                }
                Stmt::For { var, lo, step, .. } => {
                    self.zeros[var.0 as usize] = self.zeros(*lo).min(step.trailing_zeros());
                }
                _ => {}
            }
            stmt.blocks().for_each(|block| self.stmts(kernel, &block.stmts));
        }
    }

    fn of_op(&self, kernel: &Kernel, v: V, op: &Op) -> u32 {
        let both = |a: &V, b: &V| self.zeros(*a).min(self.zeros(*b));
        match op {
            Op::Const { bits, .. } if kernel.ty(v).elem == Elem::I64 => bits.trailing_zeros(),
            Op::Bin(Bin::Add | Bin::Sub | Bin::SMin | Bin::SMax, a, b) => both(a, b),
            Op::Bin(Bin::Mul, a, b) => self.zeros(*a) + self.zeros(*b),
            Op::Bin(Bin::And, a, b) => self.zeros(*a).max(self.zeros(*b)),
            // What is left is the dividend less a multiple of the divisor.
            Op::Bin(Bin::SRem | Bin::URem, a, b) => both(a, b),
            Op::Select(_, a, b) => both(a, b),
            Op::Splat { scalar, .. } => self.zeros(*scalar),
            Op::Table { table, .. } => {
                let words = kernel.tables[*table as usize].iter();
                words.map(|word| word.trailing_zeros()).min().unwrap_or(MOST)
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lawson_kernel::loop_ir::{Access, CodeBuilder};

    #[test]
    fn multiples_of_the_lanes_have_an_owner() {
        let mut b = CodeBuilder::new("k");
        let y = b.buffer("y", Elem::F32, 1 << 20, Access::ReadWrite);
        let mut offsets = Vec::new();
        b.phase(4, |b, task| {
            let (chunk, odd, below) = (b.i64(1024), b.i64(40), b.i64(63));
            let lo = b.mul(task, chunk);
            let hi = b.add(lo, chunk);
            b.for_loop(lo, hi, 32, &[], |b, i, _| {
                let (cut, shifted) = (b.bin(Bin::And, i, below), b.add(i, odd));
                offsets = vec![i, cut, shifted, lo, task];
                let v = b.load(y, i, 32, None);
                b.store(y, cut, v, None);
                Vec::new()
            });
        });
        let kernel = b.finish();
        let owners = Owners::of(&kernel, &kernel.phases[0]);
        let of = |n: usize, lanes| owners.lanes(&kernel, offsets[n], lanes);
        assert_eq!([of(0, 32), of(1, 32), of(3, 64)], [Some(32), Some(32), Some(64)]);
        assert_eq!([of(0, 64), of(2, 32), of(4, 32), of(0, 16)], [None; 4]);
    }
}
