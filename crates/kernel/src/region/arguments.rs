//! Functions of scalars, with their arguments replaced.

use super::{Function, Node, NodeId, Region};
use rustc_hash::FxHashMap;

impl Region {
    /// The results of a function on these arguments, as expressions.
    pub fn apply(&mut self, f: &Function, arguments: &[NodeId]) -> Vec<NodeId> {
        self.replaced(&f.results, &mut |_, k| arguments[k as usize])
    }

    /// The expressions with another node for each argument.
    pub(super) fn replaced(
        &mut self,
        roots: &[NodeId],
        argument: &mut dyn FnMut(&mut Region, u32) -> NodeId,
    ) -> Vec<NodeId> {
        let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.reachable(roots) {
            let mut node = self.node(id).clone();
            match &mut node {
                Node::Argument(k) => {
                    let replaced = argument(self, *k);
                    new.insert(id, replaced);
                    continue;
                }
                Node::Unary { x, .. }
                | Node::Convert { x, .. }
                | Node::Bits { x, .. }
                | Node::ReducePrecision { x, .. } => *x = new[x],
                Node::Binary { x, y, .. } | Node::Compare { x, y, .. } => (*x, *y) = (new[x], new[y]),
                Node::Select { mask, x, y } => (*mask, *x, *y) = (new[mask], new[x], new[y]),
                Node::Fma { x, y, z } => (*x, *y, *z) = (new[x], new[y], new[z]),
                Node::Constant { .. }
                | Node::Carry(_)
                | Node::Index(_)
                | Node::InRange { .. }
                | Node::Load { .. } => {}
            }
            let dtype = self.dtype(id);
            let node = self.add(node, dtype);
            new.insert(id, node);
        }
        roots.iter().map(|r| new[r]).collect()
    }
}
