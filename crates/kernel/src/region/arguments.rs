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
            if let Node::Argument(k) = node {
                let replaced = argument(self, k);
                new.insert(id, replaced);
                continue;
            }
            node.operands_mut(&mut |o| *o = new[o]);
            let dtype = self.dtype(id);
            let node = self.add(node, dtype);
            new.insert(id, node);
        }
        roots.iter().map(|r| new[r]).collect()
    }
}
