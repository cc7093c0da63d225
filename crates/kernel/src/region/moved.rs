//! Expressions over other axes.

use super::{Node, NodeId, Region};
use lawson_hlo::index::{Affine, Space};
use rustc_hash::FxHashMap;

/// For each node that the roots are made of, the one with `replace` in the place of each axis; the new axes are those of
/// `space`.
pub(super) fn moved(
    region: &mut Region,
    roots: &[NodeId],
    space: &Space,
    replace: &dyn Fn(u32) -> Affine,
) -> FxHashMap<NodeId, NodeId> {
    let affine = |e: &Affine| e.substitute(space, &|a| replace(a), &Affine::symbol);
    let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for id in region.reachable(roots) {
        let mut node = region.node(id).clone();
        if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } = &mut node {
            *e = affine(e);
        }
        node.operands_mut(&mut |o| *o = new[o]);
        let dtype = region.dtype(id);
        new.insert(id, region.add(node, dtype));
    }
    new
}
