//! Maps of bytes and of 16-bit integers alone: their vectors have as many lanes as fill a register, not as many as a vector of f32.

use super::Axes;
use crate::region::{Node, NodeId, Region, Source, Stage, roots_of};
use crate::target::Target;

/// Work of a point, at the most: wide vectors are for what waits for memory, and the code of others is longer.
const LONG: i64 = 16;
/// Vectors of f32 in a row, at the least: of short ones the last vector would overlap the one before by most of its elements.
const MANY: i64 = 4;

/// Elements of a map that fit in the place of one f32, where lanes lie along this loop axis: more than one where everything that a point
/// takes is as narrow, and lies in line or is the same for all lanes.
pub(super) fn elements(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    (lane, cost): (usize, i64),
    target: &Target,
) -> u32 {
    let nodes = region.live(&roots_of(stage), &|value, lo, hi| axes.holds(value, lo, hi));
    let sizes = nodes.iter().map(|&id| region.dtype(id)).chain(stage.results.iter().copied());
    let widest = sizes.map(|d| if d.is_integer() || d.is_pred() { d.size() } else { 4 }).max().unwrap_or(4);
    let in_line = |id: &NodeId| match region.node(*id) {
        Node::Load { source: Source::Input(_), offset, mask } => {
            let step = axes.translate(offset).coefficient(lane);
            mask.is_none_or(|m| axes.always_holds(region, m)) && matches!(step, Some(-1..=1))
        }
        Node::Load { .. } => false,
        Node::InRange { .. } if axes.always_holds(region, *id) => true,
        Node::Index(e) | Node::InRange { value: e, .. } => axes.translate(e).coefficient(lane) == Some(0),
        _ => true,
    };
    let plain = target.gpu.is_none() && cost <= LONG && lane + 1 == axes.extents.len();
    let plain = plain && axes.extents[lane] >= MANY * target.lanes() as i64;
    if plain && nodes.iter().all(in_line) { (4 / widest as u32).max(1) } else { 1 }
}
