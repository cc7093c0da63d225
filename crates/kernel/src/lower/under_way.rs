//! Points whose loads are all under way before the first of them is finished.

use super::emit::Emit;
use super::point::Point;
use crate::loop_ir::{Bin, V};
use crate::refusal::Refusal;
use crate::region::{Node, NodeId};

/// The values of all points, after what any of them loads.
pub(super) fn evaluate<'r>(
    cx: &mut Emit<'r>,
    points: &mut [Point<'r>],
    values: &[NodeId],
) -> Result<Vec<Vec<V>>, Refusal> {
    if let [first, _, ..] = points {
        let axes = first.axes;
        let mut loads = cx.region.live(values, &|value, lo, hi| axes.holds(value, lo, hi));
        loads.retain(|&id| matches!(cx.region.node(id), Node::Load { .. }));
        for point in points.iter_mut() {
            for &id in &loads {
                cx.value(point, id)?;
            }
        }
    }
    points.iter_mut().map(|point| values.iter().map(|&id| cx.value(point, id)).collect()).collect()
}

/// Where so many steps of `step` begin, the first of them at `at`.
pub(super) fn steps(cx: &mut Emit<'_>, at: V, (step, count): (i64, i64)) -> Vec<V> {
    let step = |n: i64| {
        let n = cx.b.i64(n * step);
        cx.b.add(at, n)
    };
    (0..count).map(step).collect()
}

/// A loop in steps of `step`, a power of two, so many of them at once; `body` gets where they begin. The last, fewer than these,
/// come one by one.
pub(super) fn for_each<'r>(
    cx: &mut Emit<'r>,
    (first, end): (V, V),
    (step, ahead): (i64, i64),
    body: &mut dyn FnMut(&mut Emit<'r>, &[V]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut from = first;
    if ahead > 1 {
        let (below, length) = (cx.b.i64(-step * ahead), cx.b.sub(end, first));
        from = match cx.b.const_i64(length).is_some_and(|n| n % (step * ahead) == 0) {
            true => end,
            false => {
                let whole = cx.b.bin(Bin::And, length, below);
                cx.b.add(first, whole)
            }
        };
        cx.for_loop((first, from, step * ahead), &[], |cx, at, _| {
            let steps = steps(cx, at, (step, ahead));
            body(cx, &steps).map(|()| Vec::new())
        })?;
    }
    if from != end {
        cx.for_loop((from, end, step), &[], |cx, at, _| body(cx, &[at]).map(|()| Vec::new()))?;
    }
    Ok(())
}
