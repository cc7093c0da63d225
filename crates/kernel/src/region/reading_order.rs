//! Products whose results a map reads in another order: they are computed in that order where it ends with an axis along which
//! nothing is summed and both operands change, as they lie in memory then.
//!
//! ```text
//! stage 0: contract d0 < 32, d1 < 8, d2 < 9 over d3 < 5     stage 0: contract d0 < 8, d1 < 9, d2 < 32 over d3 < 5
//! stage 1: map d0 < 8, d1 < 9, d2 < 32: stage 0 at       →  stage 1: map d0 < 8, d1 < 9, d2 < 32: stage 0 at
//!          [72*d2 + 9*d0 + d1]                                       [288*d0 + 32*d1 + d2]
//! ```

use super::moved::moved;
use super::{Kind, Node, NodeId, Region, Source, all_roots_of};
use lawson_hlo::index::{Affine, delinearize, linearize};

/// The region with such products in that order.
pub fn in_reading_order(mut region: Region) -> Region {
    if !region.symbols.is_empty() || region.stages.len() < 2 {
        return region;
    }
    for s in 0..region.stages.len() {
        if let Some((load, map, places)) = reader(&region, s)
            && ends_with_batch(&region, s, &places)
        {
            reorder(&mut region, s, load, map, &places);
        }
    }
    region
}

/// The one load of a product's results, the map that has it, and which of the map's axes is each of the product's, in another order;
/// `None` for axes of one point.
fn reader(region: &Region, s: usize) -> Option<(NodeId, usize, Vec<Option<usize>>)> {
    let stage = &region.stages[s];
    let is_output = region.output_sources.iter().any(|&(stage, _)| stage as usize == s);
    if !matches!(stage.kind, Kind::Contract { .. }) || is_output {
        return None;
    }
    let of_product = |id: &NodeId| match region.node(*id) {
        Node::Load { source: Source::Stage { stage, .. }, .. } => *stage as usize == s,
        _ => false,
    };
    let mut loads = Vec::new();
    for (m, stage) in region.stages.iter().enumerate() {
        let own = region.loads(&all_roots_of(region, stage));
        loads.extend(own.into_iter().filter(of_product).map(|id| (id, m)));
    }
    let &[(load, map)] = &loads[..] else { return None };
    let Node::Load { offset, mask: None, .. } = region.node(load) else { return None };
    let to = &region.stages[map];
    if !matches!(to.kind, Kind::Map { .. }) || to.points() != stage.points() {
        return None;
    }
    let index = delinearize(offset, &stage.space, &region.space_of(&to.ranges()));
    let mut places = Vec::new();
    for (at, &extent) in index.iter().zip(&stage.space) {
        let axis = (0..to.space.len()).find(|&a| *at == Affine::axis(a) && to.space[a] == extent);
        // Each along an axis of its own: as many points are all points then.
        if extent != 1 && (axis.is_none() || places.contains(&axis)) {
            return None;
        }
        places.push(axis.filter(|_| extent != 1));
    }
    (!places.iter().flatten().is_sorted()).then_some((load, map, places))
}

/// Whether both operands change along the last axis of the new order.
fn ends_with_batch(region: &Region, s: usize, places: &[Option<usize>]) -> bool {
    let Kind::Contract { lhs, rhs, .. } = region.stages[s].kind else { return false };
    let last = places.iter().flatten().max();
    let Some(axis) = places.iter().position(|place| place.as_ref() == last) else { return false };
    let changes = |operand: NodeId| {
        region.reachable(&[operand]).into_iter().any(|id| match region.node(id) {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                e.uses_axis(axis)
            }
            _ => false,
        })
    };
    changes(lhs) && changes(rhs)
}

fn reorder(region: &mut Region, s: usize, load: NodeId, map: usize, places: &[Option<usize>]) {
    let Kind::Contract { lhs, rhs, .. } = region.stages[s].kind else { return };
    let before = places.len();
    region.stages[s].space = region.stages[map].space.clone();
    let rank = region.stages[s].space.len();
    let space = region.space_of(&region.stages[s].ranges());
    let new = moved(region, &[lhs, rhs], &space, &|axis| match places.get(axis as usize) {
        Some(Some(place)) => Affine::axis(*place),
        Some(None) => Affine::default(),
        None => Affine::axis(axis as usize - before + rank),
    });
    if let Kind::Contract { lhs, rhs, .. } = &mut region.stages[s].kind {
        (*lhs, *rhs) = (new[lhs], new[rhs]);
    }
    let in_order = linearize(&(0..rank).map(Affine::axis).collect::<Vec<_>>(), &region.stages[s].space);
    if let Node::Load { offset, .. } = &mut region.nodes[load.0 as usize] {
        *offset = in_order;
    }
    region.index_nodes();
}
