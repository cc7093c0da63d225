//! Inverses of elements of prime fields that are computed together: one exponentiation for a block of vectors, and three
//! products for each of them (Montgomery's trick), where each alone takes an exponentiation of its own.

use super::Axes;
use super::dependence::Dependence;
use crate::region::{Node, NodeId, Region};
use crate::target::Target;
use lawson_hlo::Opcode;

/// Inverses along the lanes that share exponentiations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inverses {
    /// Operands first; each is evaluated for all vectors of a block before the block's other values.
    pub nodes: Vec<NodeId>,
    /// Vectors of a block, a multiple of [`CHAINS`].
    pub vectors: i64,
}

/// Products that a block accumulates side by side, since each waits for the one before it; a power of two.
pub const CHAINS: i64 = 4;
/// Vectors of a block, of all inverses together: the exponentiation takes as long as some tens of products, and what it is made
/// of stays in the first-level cache.
const BLOCK: i64 = 256;
/// Vectors of a block of one inverse among many, for which an exponentiation still pays.
const LEAST: i64 = 16;

impl Inverses {
    /// Those of the expressions below `roots` that change along one of these axes, whose loop takes `elements` in vectors
    /// of `lanes` before it comes to another block.
    pub(super) fn of(
        region: &Region,
        roots: &[NodeId],
        axes: &Axes,
        along: &[usize],
        (elements, lanes): (i64, u32),
        target: &Target,
    ) -> Inverses {
        let vectors = (elements + lanes as i64 - 1) / (lanes as i64).max(1);
        if lanes < 2 || vectors < 2 || target.gpu.is_some() {
            return Inverses::default();
        }
        let mut nodes = region.reachable(roots);
        nodes.retain(|&id| is_inverse(region, id));
        if nodes.is_empty() {
            return Inverses::default();
        }
        let live = region.live(roots, &|e, lo, hi| axes.holds(e, lo, hi));
        let mut changes = Dependence::default();
        nodes.retain(|&id| {
            live.binary_search(&id).is_ok() && along.iter().any(|&a| changes.on(region, axes, id, a))
        });
        Inverses { nodes, vectors: (vectors + CHAINS - 1) / CHAINS * CHAINS }
    }

    /// With blocks that hold all inverses together, of a loop that may take any.
    pub(super) fn in_blocks(self) -> Inverses {
        let each = (BLOCK / self.nodes.len().max(1) as i64).max(LEAST) / CHAINS * CHAINS;
        Inverses { vectors: self.vectors.min(each), ..self }
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// Whether a node inverts an element of a field.
pub fn is_inverse(region: &Region, id: NodeId) -> bool {
    matches!(region.node(id), Node::Unary { opcode: Opcode::Inverse, dtype, .. } if dtype.is_field())
}
