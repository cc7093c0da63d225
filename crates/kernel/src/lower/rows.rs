//! Loops over the space axes that a schedule does not treat specially.

use super::emit::Emit;
use crate::loop_ir::{Bin, Cmp, Elem, Op, Type, V};
use crate::plan::Axes;

/// The points of some space axes, counted as one row-major range.
pub struct Rows {
    axes: Vec<usize>,
    extents: Vec<i64>,
    /// Loop axes in all, those of the rows and the others.
    rank: usize,
}

impl Rows {
    /// All space axes but these.
    pub fn except(axes: &Axes, special: &[Option<usize>]) -> Rows {
        let kept: Vec<usize> = (0..axes.space).filter(|a| !special.contains(&Some(*a))).collect();
        let extents = kept.iter().map(|&a| axes.extents[a]).collect();
        Rows { axes: kept, extents, rank: axes.extents.len() }
    }

    /// The loop axes.
    pub fn axes(&self) -> &[usize] {
        &self.axes
    }

    pub fn count(&self) -> i64 {
        self.extents.iter().product()
    }

    /// Puts the loop indices of a row in their places.
    pub fn place(&self, cx: &mut Emit<'_>, row: V, at: &mut [V]) {
        let indices = cx.delinearize(row, &self.extents);
        self.axes.iter().zip(indices).for_each(|(&a, i)| at[a] = i);
    }

    /// The loop indices of a row; the other axes are at zero.
    pub fn at(&self, cx: &mut Emit<'_>, row: V) -> Vec<V> {
        let zero = cx.b.i64(0);
        let mut at = vec![zero; self.rank];
        self.place(cx, row, &mut at);
        at
    }
}

/// The bounds of block `n` of blocks of `size` in `0..extent`.
pub fn block(cx: &mut Emit<'_>, n: V, size: i64, extent: i64) -> (V, V) {
    let size_v = cx.b.i64(size);
    let first = cx.b.mul(n, size_v);
    let end = cx.b.add(first, size_v);
    if extent % size == 0 {
        return (first, end);
    }
    let extent = cx.b.i64(extent);
    (first, cx.b.bin(Bin::SMin, end, extent))
}

/// The start of `width` elements from `first` on, moved back so that they end within `extent`: the last vector of a row
/// overlaps the one before it instead of being masked. The elements of both are written twice, with the same values.
pub fn within(cx: &mut Emit<'_>, first: V, width: i64, extent: i64) -> V {
    let last = cx.b.i64(extent - width);
    cx.b.bin(Bin::SMin, first, last)
}

/// The mask of the lanes, from `first` on, that are left of an extent.
pub fn left(cx: &mut Emit<'_>, first: V, extent: i64, lanes: u32) -> V {
    let iota = cx.b.op(Op::Iota(Type::vector(Elem::I64, lanes)));
    let extent = cx.b.i64(extent);
    let left = cx.b.sub(extent, first);
    let left = cx.b.widen_to(left, lanes);
    cx.b.cmp(Cmp::Slt, iota, left)
}
