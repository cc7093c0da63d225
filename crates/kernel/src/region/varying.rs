//! What changes from trip to trip of a loop, and by how much.

use super::{Carried, Carry, LoopStage, Node, NodeId, Place, Region, Source};
use lawson_hlo::Opcode;

impl LoopStage {
    /// For each node of the region whether it changes where `direct` says a node does by itself: through operands,
    /// and from trip to trip through carries, of this loop and those within it.
    pub fn varying(&self, region: &Region, direct: impl Fn(&Node) -> bool) -> Vec<bool> {
        let mut varying = vec![false; region.nodes.len()];
        loop {
            for id in (0..region.nodes.len() as u32).map(NodeId) {
                let mut found = varying[id.0 as usize] || direct(region.node(id));
                match region.node(id) {
                    // Each lane has its own elements.
                    Node::Load { source: Source::Written { place: Place::Private(_), .. }, .. } => {
                        found = true
                    }
                    // Where all lanes leave an inner loop together, a last value varies only if the carry does; else
                    // lanes differ in when they left.
                    Node::Carry(Carried { of, at, last: true }) if *of > 0 => {
                        let inner = &region.loops[*of as usize - 1];
                        let carry = inner.carries[*at as usize].node;
                        found |= varying[carry.0 as usize] || inner.any.is_some();
                    }
                    _ => region.operands(id, &mut |o| found |= varying[o.0 as usize]),
                }
                varying[id.0 as usize] = found;
            }
            let changed: Vec<NodeId> = self
                .all(region)
                .flat_map(|l| &l.carries)
                .filter(|c| !varying[c.node.0 as usize])
                .filter(|c| varying[c.init.0 as usize] || varying[c.next.0 as usize])
                .map(|c| c.node)
                .collect();
            if changed.is_empty() {
                return varying;
            }
            changed.iter().for_each(|c| varying[c.0 as usize] = true);
        }
    }

    /// The constant by which each trip raises a carry, if that is all it does.
    pub fn increment(&self, region: &Region, carry: NodeId) -> Option<NodeId> {
        let Carry { node, next, .. } = *self.carries.iter().find(|c| c.node == carry)?;
        let Node::Binary { opcode: Opcode::Add, dtype, x, y } = *region.node(next) else { return None };
        let by = match (x == node, y == node) {
            (true, false) => y,
            (false, true) => x,
            _ => return None,
        };
        (dtype.is_integer() && matches!(region.node(by), Node::Constant { .. })).then_some(by)
    }
}
