//! Blocks of k of a tile of a block, and the points at their elements: k goes along all axes of the sum.

use super::contraction::Contraction;
use crate::loop_ir::{Bin, Cast, Elem, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;

/// A block of k that is copied.
pub(super) struct BlockOfK {
    pub(super) first: V,
    /// The index of the first along each axis of the sum.
    at: Vec<V>,
    /// The part of the arrays that it goes to.
    pub(super) part: V,
    /// Whether it ends before a whole one would.
    pub(super) is_rest: bool,
}

impl<'r> Contraction<'r> {
    /// The block of k from this element on.
    pub(super) fn block_of_k(&self, cx: &mut Emit<'r>, first: V, part: V, is_rest: bool) -> BlockOfK {
        let at = cx.delinearize(first, self.l.axes.inner_extents());
        BlockOfK { first, at, part, is_rest }
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
}
