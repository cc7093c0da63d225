//! Which expressions change along which loop axis: what does not change along an axis is computed outside its loop.

use super::Axes;
use crate::region::{Node, NodeId, Region};
use lawson_hlo::index::{Affine, Atom};
use rustc_hash::{FxHashMap, FxHashSet};

/// Along which loop axes values change, each answer computed once. One value of this type is for the axes of one stage.
#[derive(Default)]
pub struct Dependence {
    known: FxHashMap<NodeId, AxisSet>,
}

/// A set of loop axes. Those from the last bit on are in it or not together: where there are so many, some values seem to change
/// along an axis along which they do not.
type AxisSet = u64;

fn only(axis: usize) -> AxisSet {
    1 << axis.min(AxisSet::BITS as usize - 1)
}

impl Dependence {
    /// Whether the node's value changes along a loop axis.
    pub fn on(&mut self, region: &Region, axes: &Axes, id: NodeId, axis: usize) -> bool {
        self.of(region, axes, id) & only(axis) != 0
    }

    fn of(&mut self, region: &Region, axes: &Axes, id: NodeId) -> AxisSet {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let mut found = match region.node(id) {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                let translated = axes.translate(e);
                let used = |&a: &usize| translated.uses_axis(a);
                (0..axes.extents.len()).filter(used).map(only).fold(0, |all, a| all | a)
            }
            _ => 0,
        };
        region.operands(id, &mut |o| found |= self.of(region, axes, o));
        self.known.insert(id, found);
        found
    }
}

/// Whether a node changes along a loop axis.
pub fn point_dependence(region: &Region, axes: &Axes, id: NodeId, axis: usize) -> bool {
    Dependence::default().on(region, axes, id, axis)
}

/// How many elements lie between the places among which data chooses at each step along a loop axis, at most; 0 where it does not.
pub fn reach_of_data(region: &Region, axes: &Axes, offset: &Affine, axis: usize) -> i64 {
    let mut along = Dependence::default();
    let reach = |(atom, coefficient): &(Atom, i64)| {
        let Atom::Symbol(s) = *atom else { return 0 };
        let symbol = &region.symbols[s as usize];
        let (low, high) = symbol.range;
        let changes = along.on(region, axes, symbol.node, axis);
        if changes { high.saturating_sub(low).saturating_mul(coefficient.abs()) } else { 0 }
    };
    offset.terms.iter().map(reach).fold(0, i64::saturating_add)
}

/// Those of the nodes that change along the lanes; all where there are none.
pub fn varying(region: &Region, axes: &Axes, ids: &[NodeId], lane: Option<usize>) -> FxHashSet<NodeId> {
    let mut along = Dependence::default();
    ids.iter().copied().filter(|&id| lane.is_none_or(|l| along.on(region, axes, id, l))).collect()
}
