//! Brings near what later trips of a loop load.

use super::emit::Emit;
use super::point::Point;
use super::scalar;
use crate::loop_ir::{Cache, Type};
use crate::plan::Prefetch;
use crate::refusal::Refusal;
use crate::region::{LoopStage, Node, Region, Source};

/// At the start of a trip: `outside` knows what is the same in all trips, `inside` the carries of this one.
pub(super) fn prefetch<'r>(
    cx: &mut Emit<'r>,
    region: &'r Region,
    (loop_stage, plan): (&LoopStage, &Prefetch),
    outside: &[Point<'r>],
    inside: &Point<'r>,
) -> Result<(), Refusal> {
    if plan.loads.is_empty() {
        return Ok(());
    }
    let mut later = outside.to_vec();
    for carry in &loop_stage.carries {
        let (Some(by), Some(&now)) =
            (loop_stage.increment(region, carry.node), inside.known.get(&carry.node))
        else {
            continue;
        };
        if cx.b.ty_of(now).lanes > 1 {
            continue;
        }
        let Node::Constant { bits } = region.node(by) else { continue };
        let dtype = region.dtype(carry.node);
        let Some(width) = dtype.integer_width() else { continue };
        let distance = bits[0].wrapping_mul(plan.trips as u64) & width.greatest_unsigned();
        let distance = cx.b.constant(Type::scalar(scalar::reg_elem(dtype)), distance);
        let then = cx.b.add(now, distance);
        later.iter_mut().for_each(|point| {
            point.known.insert(carry.node, then);
        });
    }
    for &load in &plan.loads {
        let Node::Load { source: Source::Input(input), offset, .. } = region.node(load) else { continue };
        let buf = cx.arrays.inputs[*input as usize];
        for point in &mut later {
            let at = cx.scalar_offset(point, offset)?;
            cx.b.prefetch(buf, at, Cache::First);
            let along = |lane| point.axes.translate(offset).uses_axis(lane);
            if !point.lane.is_some_and(along) {
                break;
            }
        }
    }
    Ok(())
}
