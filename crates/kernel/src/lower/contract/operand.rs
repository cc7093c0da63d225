//! Operands of a tile of a block on their way to the arrays of the task, and numbers that each of its threads has.

use super::contraction::Contraction;
use crate::loop_ir::{Bin, Buf, Cast, Elem, Factor, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::plan::Gathered;
use crate::region::NodeId;

/// An operand of a tile on its way to the array of the task.
pub(super) struct Copied<'r> {
    pub(super) operand: NodeId,
    /// The factors of its words; `None` where elements are copied for themselves.
    pub(super) factor: Option<Factor>,
    /// The array that it is copied from in pieces, and whether it lies along k.
    pub(super) pieces: Option<(Gathered<'r>, bool)>,
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
    /// The index of the first along each axis of the sum, where all others differ from it along the innermost one alone.
    at: Option<Vec<V>>,
    /// The half of the arrays that it goes to.
    pub(super) half: V,
    /// Whether it ends before a whole one would.
    pub(super) is_rest: bool,
}

impl<'r> Contraction<'r> {
    /// The block of k from this element on.
    pub(super) fn block_of_k(&self, cx: &mut Emit<'r>, first: V, half: V, is_rest: bool) -> BlockOfK {
        let inner = self.l.axes.inner_extents();
        let whole = inner.len() > 1 && self.innermost() % self.s.block == 0;
        BlockOfK { first, at: whole.then(|| cx.delinearize(first, inner)), half, is_rest }
    }

    /// Elements along the innermost axis of the sum.
    pub(super) fn innermost(&self) -> i64 {
        self.l.axes.inner_extents().last().copied().unwrap_or(1)
    }

    /// For each thread the point at an element of k of the block, so many `within` it; of so many `together` beyond the last one at
    /// the last ones instead.
    pub(super) fn in_block(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (block, within): (&BlockOfK, V),
        together: Option<i64>,
    ) -> Point<'r> {
        if let Some(at) = &block.at {
            let mut at = at.clone();
            if let Some(last) = at.last_mut() {
                *last = self.offset(cx, within, *last, 0);
            }
            return self.at_k(point, &at);
        }
        let mut k = self.offset(cx, within, block.first, 0);
        if let (Some(n), true) = (together, block.is_rest) {
            let last = cx.b.i64(self.length - n);
            let last = cx.b.widen_to(last, self.s.lanes);
            k = cx.b.bin(Bin::SMin, k, last);
        }
        let at = self.along_axes_of_k(cx, k);
        self.at_k(point, &at)
    }

    /// The index of elements of k along each axis of the sum.
    fn along_axes_of_k(&self, cx: &mut Emit<'r>, k: V) -> Vec<V> {
        let inner = self.l.axes.inner_extents();
        if inner.len() == 1 {
            return vec![k];
        }
        // Half as wide, and division takes a quarter of the time.
        let mut rest = cx.b.cast(Cast::Trunc, k, Elem::I32);
        let mut at = vec![k; inner.len()];
        for (d, &extent) in inner.iter().enumerate().rev() {
            let mut index = rest;
            if d > 0 {
                let extent = cx.b.constant(Type::vector(Elem::I32, self.s.lanes), extent as u64);
                rest = cx.b.bin(Bin::UDiv, index, extent);
                let whole = cx.b.mul(rest, extent);
                index = cx.b.sub(index, whole);
            }
            at[d] = cx.b.cast(Cast::Zext, index, Elem::I64);
        }
        at
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
