//! The points at which a load reads: its mask may say between which values of an axis.

use super::{Node, NodeId, Region};
use lawson_hlo::Opcode;
use lawson_hlo::index::{Affine, Atom, Space};

impl Region {
    /// Restricts a space to points where a mask may hold. `over` gives an expression of the mask's stage over the axes of the space.
    pub(crate) fn clip(&self, mask: NodeId, space: &mut Space, over: &dyn Fn(&Affine) -> Affine) {
        match self.node(mask) {
            Node::InRange { value, lo, hi } => {
                let value = over(value);
                if let [(Atom::Axis(axis), 1)] = value.terms[..]
                    && let Some((first, last)) = space.axes.get_mut(axis as usize)
                {
                    let (low, high) = (lo.saturating_sub(value.constant), hi.saturating_sub(value.constant));
                    let (low, high) = ((*first).max(low), (*last).min(high.saturating_sub(1)));
                    // No point at all: the load never reads.
                    if low <= high {
                        (*first, *last) = (low, high);
                    }
                }
            }
            &Node::Binary { opcode: Opcode::And, x, y, .. } => {
                [x, y].into_iter().for_each(|m| self.clip(m, space, over));
            }
            _ => {}
        }
    }
}
