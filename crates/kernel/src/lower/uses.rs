//! How often the nodes of a region are needed: what is needed once can become part of what needs it.

use super::scalar::ProductSum;
use crate::region::{NodeId, Region, roots_of};

/// How often nodes of a region are needed.
#[derive(Default)]
pub struct Uses {
    counts: Vec<u32>,
}

impl Uses {
    /// Of regions that compute in fields; empty for others, where nobody asks.
    pub fn of(region: &Region) -> Uses {
        if !region.types.iter().any(|&d| ProductSum::of(d).is_some()) {
            return Uses::default();
        }
        let mut counts = vec![0; region.nodes.len()];
        for n in 0..region.nodes.len() as u32 {
            region.operands(NodeId(n), &mut |o| counts[o.0 as usize] += 1);
        }
        region.stages.iter().flat_map(roots_of).for_each(|id| counts[id.0 as usize] += 1);
        Uses { counts }
    }

    /// How often a node is an operand or a root; zero in a region that is not counted.
    pub(super) fn count(&self, id: NodeId) -> u32 {
        self.counts.get(id.0 as usize).copied().unwrap_or(0)
    }
}
