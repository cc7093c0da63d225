//! Which expressions change along which loop axis: what does not change along an axis is computed outside its loop.

use super::Axes;
use crate::region::{Node, NodeId, Region};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which nodes depend on a loop axis, each answer computed once. One value of this type is for one axis.
#[derive(Default)]
pub struct Dependence {
    known: FxHashMap<NodeId, bool>,
}

impl Dependence {
    /// Whether the node's value changes along a loop axis.
    pub fn on(&mut self, region: &Region, axes: &Axes, id: NodeId, axis: usize) -> bool {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let direct = match region.node(id) {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                axes.translate(e).uses_axis(axis)
            }
            _ => false,
        };
        let mut operands = Vec::new();
        region.operands(id, &mut |o| operands.push(o));
        let found = direct || operands.into_iter().any(|o| self.on(region, axes, o, axis));
        self.known.insert(id, found);
        found
    }
}

/// Whether a node changes along a loop axis.
pub fn point_dependence(region: &Region, axes: &Axes, id: NodeId, axis: usize) -> bool {
    Dependence::default().on(region, axes, id, axis)
}

/// Those of the nodes that change along the lanes; all where there are none.
pub fn varying(region: &Region, axes: &Axes, ids: &[NodeId], lane: Option<usize>) -> FxHashSet<NodeId> {
    let mut along = Dependence::default();
    ids.iter().copied().filter(|&id| lane.is_none_or(|l| along.on(region, axes, id, l))).collect()
}
