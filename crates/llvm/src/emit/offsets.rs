//! How the offsets of accesses are made: what neighbours share is computed once, and what differs has its place in the
//! instruction.

use super::Emitter;
use lawson_kernel::loop_ir::{Bin, Cast, Elem, Kernel, Op, Phase, Stmt, V};

/// How offsets are made.
#[derive(Clone, Copy)]
pub(super) enum Made {
    Constant(i64),
    Splat(V),
    Sum(V, V),
    /// Of integers of 32 bits with a sign.
    Wider(V),
}

/// How the integers of a phase are made that offsets can consist of, by value.
pub(super) fn made(kernel: &Kernel, phase: &Phase) -> Vec<Option<Made>> {
    let mut found = vec![None; kernel.types.len()];
    visit(kernel, &phase.body, &mut found);
    found
}

fn visit(kernel: &Kernel, stmts: &[Stmt], found: &mut [Option<Made>]) {
    for stmt in stmts {
        match stmt {
            Stmt::Let(v, op) if kernel.ty(*v).elem == Elem::I64 => {
                found[v.0 as usize] = match *op {
                    Op::Const { ty, bits } if ty.lanes == 1 => Some(Made::Constant(bits as i64)),
                    Op::Splat { scalar, .. } => Some(Made::Splat(scalar)),
                    Op::Bin(Bin::Add, a, b) => Some(Made::Sum(a, b)),
                    Op::Cast { op: Cast::Sext, value, .. } if kernel.ty(value).elem == Elem::I32 => {
                        Some(Made::Wider(value))
                    }
                    _ => None,
                };
            }
            other => other.blocks().for_each(|block| visit(kernel, &block.stmts, found)),
        }
    }
}

impl Emitter<'_> {
    /// A number of elements as one that is computed and what is added to it. Neighbours share the former, and the latter
    /// has a place in the instruction: with an addition for each of a tile's accesses LLVM takes up to a seventh longer.
    pub(super) fn offset_from(&self, offset: V) -> (V, i64) {
        let made = |v: V| self.made.get(v.0 as usize).copied().flatten();
        let (mut from, mut distance) = (offset, 0i64);
        while let Some(Made::Sum(rest, last)) = made(from)
            && let Some(Made::Constant(n)) = made(last)
        {
            (from, distance) = (rest, distance.wrapping_add(n));
        }
        (from, distance)
    }
}
