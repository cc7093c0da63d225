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
        match &mut node {
            Node::Index(e) | Node::InRange { value: e, .. } => *e = affine(e),
            Node::Load { offset, mask, .. } => {
                *offset = affine(offset);
                mask.iter_mut().for_each(|m| *m = new[m]);
            }
            Node::Unary { x, .. }
            | Node::Convert { x, .. }
            | Node::Bits { x, .. }
            | Node::ReducePrecision { x, .. } => *x = new[x],
            Node::Binary { x, y, .. } | Node::Compare { x, y, .. } => (*x, *y) = (new[x], new[y]),
            Node::Select { mask: x, x: y, y: z } | Node::Fma { x, y, z } => {
                (*x, *y, *z) = (new[x], new[y], new[z]);
            }
            Node::Constant { .. } | Node::Argument(_) | Node::Carry(_) => {}
        }
        let dtype = region.dtype(id);
        new.insert(id, region.add(node, dtype));
    }
    new
}
