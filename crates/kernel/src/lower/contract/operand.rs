//! Operands of a tile of a block on their way to the arrays of the task, and numbers that each of its threads has.

use super::contraction::Contraction;
use super::windows::{Window, Windows};
use crate::loop_ir::{Bin, Buf, Cast, Elem, Factor, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::region::NodeId;

/// An operand of a tile on its way to the array of the task.
pub(super) struct Copied<'r> {
    pub(super) operand: NodeId,
    /// The factors of its words; `None` where elements are copied for themselves.
    pub(super) factor: Option<Factor>,
    /// Whether it is copied in pieces, and lies along k.
    pub(super) pieces: Option<bool>,
    /// What it is windows of, where matrix units multiply it.
    pub(super) windows: Option<Windows>,
    pub(super) buf: Buf,
    pub(super) side: i64,
    /// Elements of a half of the array.
    pub(super) half: i64,
    pub(super) elements: Vec<Element<'r>>,
}

/// An element, a word or a piece that each thread copies, and its place in the half of the array.
pub(super) struct Element<'r> {
    pub(super) from: From<'r>,
    pub(super) place: V,
}

/// Where an element comes from.
pub(super) enum From<'r> {
    Window(Window<'r>),
    /// The point at the first element of k, and which element of k of the block it is.
    Point(Point<'r>, V),
}

/// A block of k that is copied.
pub(super) struct BlockOfK {
    pub(super) first: V,
    /// The index of the first along each axis of the sum.
    at: Vec<V>,
    /// The half of the arrays that it goes to.
    pub(super) half: V,
    /// Whether it ends before a whole one would.
    pub(super) is_rest: bool,
}

impl<'r> Contraction<'r> {
    /// The block of k from this element on.
    pub(super) fn block_of_k(&self, cx: &mut Emit<'r>, first: V, half: V, is_rest: bool) -> BlockOfK {
        let at = cx.delinearize(first, self.l.axes.inner_extents());
        BlockOfK { first, at, half, is_rest }
    }

    /// For each thread the point at an element of k of the block, so many `within` it, the first of so many `together`; of such as are
    /// beyond the last one at the last ones.
    pub(super) fn in_block(
        &self,
        cx: &mut Emit<'r>,
        point: &Point<'r>,
        (block, within): (&BlockOfK, V),
        together: i64,
    ) -> Point<'r> {
        let inner = self.l.axes.inner_extents();
        // A block that leaves no axis but the innermost has one index along the others.
        let is_uniform = inner.len() > 1 && inner[inner.len() - 1] % self.s.block == 0;
        if let (Some((last, outer)), true) = (block.at.split_last(), is_uniform) {
            let mut at = outer.to_vec();
            at.push(self.offset(cx, within, *last, 0));
            return self.at_k(point, &at);
        }
        let mut k = self.offset(cx, within, block.first, 0);
        if block.is_rest {
            let last = cx.b.i64(self.length - together);
            let last = cx.b.widen_to(last, self.s.lanes);
            k = cx.b.bin(Bin::SMin, k, last);
        }
        let at = match inner.len() {
            1 => vec![k],
            _ => self.along_sum(cx, k).into_iter().map(|i| cx.b.cast(Cast::Zext, i, Elem::I64)).collect(),
        };
        self.at_k(point, &at)
    }

    /// The index of elements of k along each axis of the sum, in 32 bits.
    fn along_sum(&self, cx: &mut Emit<'r>, k: V) -> Vec<V> {
        let inner = self.l.axes.inner_extents();
        let mut rest = cx.b.cast(Cast::Trunc, k, Elem::I32);
        let mut at = vec![rest; inner.len()];
        for (d, &extent) in inner.iter().enumerate().skip(1).rev() {
            let extent = cx.b.constant(Type::vector(Elem::I32, self.s.lanes), extent as u64);
            let quotient = cx.b.bin(Bin::UDiv, rest, extent);
            let whole = cx.b.mul(quotient, extent);
            at[d] = cx.b.sub(rest, whole);
            rest = quotient;
        }
        at[0] = rest;
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
