//! Loops in one another: in which of them a node is evaluated, and how often.

use super::{Carried, LoopStage, Node, NodeId, Region};

/// For each node of a region the loops it rests on, as bits: 0 is the loop of the stage, `n` is
/// [`Region::loops`]`[n - 1]`.
pub struct Nesting {
    rests_on: Vec<u64>,
    /// Each loop with those around it.
    chains: Vec<u64>,
    trips: Vec<i64>,
}

impl Nesting {
    /// Of a region with this loop; it has at most 63 within it. Takes time in proportion to the nodes.
    pub fn new(region: &Region, loop_stage: &LoopStage) -> Nesting {
        let mut chains = vec![1u64];
        for (n, inner) in region.loops.iter().enumerate() {
            chains.push(chains[inner.around as usize] | 1 << (n + 1));
        }
        let trips = loop_stage.all(region).map(|l| l.counted_trips().max(0)).collect();
        let mut rests_on = vec![0u64; region.nodes.len()];
        for id in (0..region.nodes.len() as u32).map(NodeId) {
            rests_on[id.0 as usize] = match region.node(id) {
                // What a loop leaves is a value of the loop around it: no loop is run where it does not stand.
                Node::Carry(Carried { of, last: true, .. }) => chains[*of as usize] & !(1 << of),
                Node::Carry(Carried { of, .. }) => 1 << of,
                _ => {
                    let mut all = 0;
                    region.operands(id, &mut |o| all |= rests_on[o.0 as usize]);
                    all
                }
            };
        }
        Nesting { rests_on, chains, trips }
    }

    /// Whether the node is known in trips of a loop: it rests on that loop and those around it alone.
    pub fn is_known_in(&self, id: NodeId, n: usize) -> bool {
        self.rests_on[id.0 as usize] & !self.chains[n] == 0
    }

    /// Whether the node changes from trip to trip of a loop.
    pub fn rests_on(&self, id: NodeId, n: usize) -> bool {
        self.rests_on[id.0 as usize] >> n & 1 == 1
    }

    /// How often the node is evaluated at a point.
    pub fn evaluations(&self, id: NodeId) -> i64 {
        self.innermost(id).map_or(1, |n| self.runs(self.chains[n]))
    }

    /// Each loop with those around it, as bits.
    pub fn chains(&self) -> &[u64] {
        &self.chains
    }

    /// How many trips a loop makes in one trip of the stage's loop, in all; 1 of that loop itself.
    pub fn runs_of(&self, n: usize) -> i64 {
        self.runs(self.chains[n] & !1)
    }

    /// The innermost loop a node is evaluated in; `None` before all loops.
    pub fn innermost(&self, id: NodeId) -> Option<usize> {
        let all = self.rests_on[id.0 as usize];
        // A loop within another has a greater number.
        (all != 0).then(|| 63 - all.leading_zeros() as usize)
    }

    fn runs(&self, loops: u64) -> i64 {
        let of = |n: &usize| loops >> n & 1 == 1;
        (0..self.trips.len()).filter(of).fold(1i64, |all, n| all.saturating_mul(self.trips[n]))
    }
}

impl LoopStage {
    /// This loop and those within it.
    pub fn all<'a>(&'a self, region: &'a Region) -> impl Iterator<Item = &'a LoopStage> {
        [self].into_iter().chain(&region.loops)
    }

    /// A figure of this loop and of each within it, joined with the figures of the loops around.
    pub fn along<T: Clone>(
        &self,
        region: &Region,
        own: impl Fn(&LoopStage) -> T,
        join: impl Fn(&T, T) -> T,
    ) -> Vec<T> {
        let mut out = vec![own(self)];
        for inner in &region.loops {
            out.push(join(&out[inner.around as usize], own(inner)));
        }
        out
    }
}
