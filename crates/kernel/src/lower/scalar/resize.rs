//! Integers of one width as integers of another.

use crate::loop_ir::{Cast, CodeBuilder, Elem, V};
use lawson_hlo::DType;

/// An integer in another width.
pub(super) fn resize(b: &mut CodeBuilder, from: DType, x: V, to: Elem) -> V {
    let have = b.ty_of(x).elem.bits();
    if have < to.bits() {
        b.cast(if from.is_signed() { Cast::Sext } else { Cast::Zext }, x, to)
    } else if have > to.bits() {
        b.cast(Cast::Trunc, x, to)
    } else {
        x
    }
}
