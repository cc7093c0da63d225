//! What evaluating a node of a region weighs.

use super::{Node, NodeId, Region, Source};
use crate::rates::{LOAD, Rates};
use lawson_hlo::Opcode;

impl Rates {
    /// The weight of one evaluation of a node.
    pub fn node(&self, region: &Region, id: NodeId) -> i64 {
        let result = region.dtype(id);
        match region.node(id) {
            Node::Constant { .. } | Node::Argument(_) | Node::Carry(_) => 0,
            // A result of an earlier stage is in a register or in the cache.
            Node::Load { source: Source::Input(_), .. } => LOAD,
            Node::Load { source: Source::Stage { .. } | Source::Written { .. }, .. } => 1,
            Node::Unary { opcode, dtype, .. } | Node::Binary { opcode, dtype, .. } => {
                self.weight(*opcode, *dtype)
            }
            Node::Compare { dtype, .. } if dtype.is_field() => self.weight(Opcode::Compare, *dtype),
            Node::Compare { dtype, .. } => self.scale(*dtype),
            Node::Convert { from, .. } if from.is_field() => self.weight(Opcode::Convert, *from),
            Node::Convert { .. } if result.is_field() => self.weight(Opcode::Convert, result),
            Node::Convert { from, .. } => self.scale(result).max(self.scale(*from)) + self.rounding(result),
            Node::ReducePrecision { .. } => 4 * self.scale(result),
            Node::Fma { .. }
            | Node::Index(_)
            | Node::InRange { .. }
            | Node::Select { .. }
            | Node::Bits { .. } => self.scale(result),
        }
    }
}
