//! Operands of a tile of a block on their way to the arrays of the task, and numbers that each of its threads has.

use super::contraction::Contraction;
use super::places::Pieces;
use super::windows::{Window, Windows};
use crate::loop_ir::{Bin, Buf, Elem, Factor, Op, Type, V};
use crate::lower::emit::Emit;
use crate::lower::point::Point;
use crate::region::NodeId;

/// An operand of a tile on its way to the array of the task.
pub(super) struct Copied<'r> {
    pub(super) operand: NodeId,
    /// The factors of its words; `None` where elements are copied for themselves.
    pub(super) factor: Option<Factor>,
    /// How it is copied in pieces, if it is.
    pub(super) pieces: Option<Pieces>,
    /// What it is windows of.
    pub(super) windows: Option<Windows>,
    pub(super) buf: Buf,
    /// From one element of k to the next.
    pub(super) line: i64,
    /// Elements of a part of the array.
    pub(super) part: i64,
    pub(super) elements: Vec<Element<'r>>,
}

/// An element, a word or a piece that each thread copies, and its place in the part of the array.
pub(super) struct Element<'r> {
    pub(super) from: ReadAt<'r>,
    pub(super) place: V,
}

/// Where an element comes from.
pub(super) enum ReadAt<'r> {
    Window(Window<'r>),
    /// The point at the first element of k, and which element of k of the block it is.
    Point(Point<'r>, V),
}

impl<'r> Contraction<'r> {
    /// Where a part of an operand's array begins.
    pub(super) fn start_of_part(&self, cx: &mut Emit<'r>, copied: &Copied<'r>, part: V) -> V {
        let size = cx.b.i64(copied.part);
        cx.b.mul(part, size)
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
