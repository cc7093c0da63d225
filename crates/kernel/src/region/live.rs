//! What is left of expressions where conditions on indices are known.
//!
//! Within a piece of a concatenation the tests of the index that choose the piece have one answer. With it masks, and
//! selects between pieces, have one too, and what only the other pieces need is not needed at all.

use super::{Node, NodeId, Region};
use lawson_hlo::Opcode;
use lawson_hlo::index::Affine;

impl Region {
    /// The nodes that the roots need, operands first, where `holds` knows whether `lo <= value < hi`. As
    /// [`Region::reachable`], without conditions that are known, selects on them, and their untaken sides.
    pub fn live(&self, roots: &[NodeId], holds: &dyn Fn(&Affine, i64, i64) -> Option<bool>) -> Vec<NodeId> {
        let known = self.known(roots, holds);
        let end = known.len() as u32;
        let mut passed = vec![false; end as usize];
        let mut seen = vec![false; end as usize];
        roots.iter().for_each(|r| seen[r.0 as usize] = true);
        for n in (0..end).rev().filter(|&n| known[n as usize].is_none()) {
            if !seen[n as usize] {
                continue;
            }
            let decided = |mask: NodeId| known[mask.0 as usize];
            match *self.node(NodeId(n)) {
                Node::Select { mask, x, y } if decided(mask).is_some() => {
                    let taken = if decided(mask) == Some(true) { x } else { y };
                    seen[taken.0 as usize] = true;
                    passed[n as usize] = true;
                }
                _ => self.operands(NodeId(n), &mut |o| seen[o.0 as usize] = true),
            }
        }
        let is_live = |&n: &u32| seen[n as usize] && !passed[n as usize] && known[n as usize].is_none();
        (0..end).filter(is_live).map(NodeId).collect()
    }

    /// Which conditions are known, of those the roots need: other nodes have other axes.
    pub(crate) fn known(
        &self,
        roots: &[NodeId],
        holds: &dyn Fn(&Affine, i64, i64) -> Option<bool>,
    ) -> Vec<Option<bool>> {
        let mut known = vec![None; roots.iter().map(|r| r.0 as usize + 1).max().unwrap_or(0)];
        for id in self.reachable(roots) {
            let of = |id: &NodeId| known[id.0 as usize];
            known[id.0 as usize] = match self.node(id) {
                Node::InRange { value, lo, hi } => holds(value, *lo, *hi),
                Node::Unary { opcode: Opcode::Not, x, .. } => of(x).map(|x: bool| !x),
                Node::Binary { opcode: Opcode::And, x, y, .. } => match (of(x), of(y)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
                _ => None,
            };
        }
        known
    }
}
