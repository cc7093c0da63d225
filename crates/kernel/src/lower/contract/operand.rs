//! Operands of a tile of a block on their way to the arrays of the task, and numbers that each of its threads has.

use super::contraction::Contraction;
use crate::loop_ir::{Bin, Buf, Elem, Factor, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::region::NodeId;

/// An operand of a tile on its way to the array of the task.
pub(super) struct Copied<'r> {
    pub(super) operand: NodeId,
    /// The factors of its words; `None` where elements are copied for themselves.
    pub(super) factor: Option<Factor>,
    /// The array that it is copied from in pieces, and whether it lies along k.
    pub(super) pieces: Option<(Buf, bool)>,
    pub(super) buf: Buf,
    pub(super) side: i64,
    /// Elements of a half of the array.
    pub(super) half: i64,
    /// For each element that a thread copies: the point at the first element of k, which element of k of the block it is, and
    /// its place in the half of the array, as vectors.
    pub(super) elements: Vec<(Point<'r>, V, V)>,
}

/// A block of k that is copied.
pub(super) struct BlockOfK {
    pub(super) first: V,
    /// The half of the arrays that it goes to.
    pub(super) half: V,
    /// Whether it ends before a whole one would.
    pub(super) is_rest: bool,
}

impl<'r> Contraction<'r> {
    /// Elements of k, or the last one where they are beyond it.
    pub(super) fn not_beyond(&self, cx: &mut Emit<'r>, k: V) -> V {
        let last = cx.b.i64(self.length - 1);
        let last = cx.b.widen_to(last, self.s.lanes);
        cx.b.bin(Bin::SMin, k, last)
    }

    /// Where a half of an operand's array begins.
    pub(super) fn half(&self, cx: &mut Emit<'r>, copied: &Copied<'r>, half: V) -> V {
        let size = cx.b.i64(copied.half);
        cx.b.mul(half, size)
    }

    /// The number of each thread of the task.
    pub(super) fn threads(&self, cx: &mut Emit<'r>) -> V {
        cx.b.op(Op::Iota(Type::vector(Elem::I64, self.s.lanes)))
    }

    /// Remainders by a power of two.
    pub(super) fn low_bits(&self, cx: &mut Emit<'r>, v: V, n: i64) -> V {
        let mask = cx.b.i64(n - 1);
        let mask = cx.b.widen_to(mask, self.s.lanes);
        cx.b.bin(Bin::And, v, mask)
    }

    /// Quotients by a power of two.
    pub(super) fn shifted_right(&self, cx: &mut Emit<'r>, v: V, n: i64) -> V {
        let by = cx.b.i64(n.trailing_zeros() as i64);
        let by = cx.b.widen_to(by, self.s.lanes);
        cx.b.bin(Bin::LShr, v, by)
    }

    /// A vector, with a scalar and a constant added to each lane.
    pub(super) fn offset(&self, cx: &mut Emit<'r>, v: V, scalar: V, constant: i64) -> V {
        let constant = cx.b.i64(constant);
        let both = cx.b.add(scalar, constant);
        let both = cx.b.widen_to(both, self.s.lanes);
        cx.b.add(v, both)
    }
}
