//! Values of neighbouring rows, which are there one after the other, as the lanes of vectors: so all are stored by one access.

use super::emit::Emit;
use crate::loop_ir::{Bin, Cast, Cmp, Elem, Op, Type, V};
use crate::refusal::Refusal;

/// Vectors of a lane for each of `rows` rows from `first` on, of which those below `extent` exist. `values` gives the values of a
/// row, of these types.
pub(super) fn gathered<'r>(
    cx: &mut Emit<'r>,
    elems: &[Elem],
    (first, rows, extent): (V, i64, i64),
    values: impl FnOnce(&mut Emit<'r>, V) -> Result<Vec<V>, Refusal>,
) -> Result<Vec<V>, Refusal> {
    let (zero, mut end) = (cx.b.i64(0), cx.b.i64(rows));
    if extent % rows != 0 {
        let extent = cx.b.i64(extent);
        let rest = cx.b.sub(extent, first);
        end = cx.b.bin(Bin::SMin, end, rest);
    }
    let none = |&elem: &Elem| cx.b.constant(Type::vector(elem, rows as u32), 0);
    let inits: Vec<V> = elems.iter().map(none).collect();
    cx.for_loop((zero, end, 1), &inits, |cx, k, vectors| {
        let row = cx.b.add(first, k);
        let values = values(cx, row)?;
        let own = is_lane(cx, k, rows as u32);
        let put = |(&value, &vector): (&V, &V)| {
            let value = cx.b.widen_to(value, rows as u32);
            cx.b.select(own, value, vector)
        };
        Ok(values.iter().zip(vectors).map(put).collect())
    })
}

/// Whether a lane is this one.
fn is_lane(cx: &mut Emit<'_>, k: V, lanes: u32) -> V {
    let k = cx.b.cast(Cast::Trunc, k, Elem::I32);
    let k = cx.b.widen_to(k, lanes);
    let lane = cx.b.op(Op::Iota(Type::vector(Elem::I32, lanes)));
    cx.b.cmp(Cmp::Eq, lane, k)
}
