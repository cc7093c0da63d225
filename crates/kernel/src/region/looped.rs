//! Loops inside a kernel: what is carried, what is written, when it ends.
//!
//! The points of the stage are the *lanes*: each repeats the same step on its own scalars. A carry that depends on
//! no lane is uniform; so is the condition, except for [`Looped::any`], which a lane that has ended no longer changes.
//! Loops within the loop are of the same kind: [`Region::loops`].

use super::{Carried, Node, NodeId, Region};
use lawson_hlo::Opcode;
use lawson_hlo::index::Affine;

/// A loop at each point of a stage.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Looped {
    pub carries: Vec<Carry>,
    /// A trip follows while this holds; it depends on no lane.
    pub condition: Option<NodeId>,
    /// A trip follows while this holds in any lane. Where it is false a trip changes nothing, so that lanes may
    /// stop in groups.
    pub any: Option<NodeId>,
    /// Written in each trip.
    pub stores: Vec<Element>,
    /// Written after the last trip, in terms of the final carries.
    pub finals: Vec<Element>,
    /// Nodes that offsets of the elements need.
    pub symbols: Vec<NodeId>,
    /// Of each loop within this one that stores elements a last value: it has run when that is known.
    pub within: Vec<NodeId>,
    /// The loop around it, where it is one of [`Region::loops`]: 0 is the loop of the stage.
    pub around: u32,
    /// How often it runs, where that is known.
    pub trips: Option<i64>,
}

/// One scalar of the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Carry {
    pub node: NodeId,
    pub init: NodeId,
    pub next: NodeId,
}

/// An element of an output.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    pub output: u32,
    pub offset: Affine,
    pub value: NodeId,
}

impl Looped {
    /// Trips that plans and figures count with where the number is not known.
    pub const ASSUMED_TRIPS: i64 = 64;

    pub fn counted_trips(&self) -> i64 {
        self.trips.unwrap_or(Looped::ASSUMED_TRIPS)
    }

    /// What a trip evaluates.
    pub fn step_roots(&self) -> Vec<NodeId> {
        let nexts = self.carries.iter().map(|c| c.next);
        nexts.chain(self.ends()).chain(self.stores.iter().map(|s| s.value)).collect()
    }

    /// What tells whether another trip follows, and where it stores.
    pub(super) fn ends(&self) -> impl Iterator<Item = NodeId> {
        self.condition.iter().chain(&self.any).chain(&self.symbols).chain(&self.within).copied()
    }

    /// Everything the loop evaluates.
    pub fn roots(&self) -> Vec<NodeId> {
        let outside = self.carries.iter().map(|c| c.init).chain(self.finals.iter().map(|e| e.value));
        self.step_roots().into_iter().chain(outside).collect()
    }

    /// The offsets it writes at.
    pub fn offsets(&self) -> impl Iterator<Item = &Affine> {
        self.stores.iter().chain(&self.finals).map(|e| &e.offset)
    }

    /// This loop and those within it.
    pub fn all<'a>(&'a self, region: &'a Region) -> impl Iterator<Item = &'a Looped> {
        [self].into_iter().chain(&region.loops)
    }

    /// A figure of this loop and of each within it, joined with the figures of the loops around.
    pub fn along<T: Clone>(
        &self,
        region: &Region,
        own: impl Fn(&Looped) -> T,
        join: impl Fn(&T, T) -> T,
    ) -> Vec<T> {
        let mut out = vec![own(self)];
        for inner in &region.loops {
            out.push(join(&out[inner.around as usize], own(inner)));
        }
        out
    }

    /// For each node of the region whether it changes where `direct` says a node does by itself: through operands,
    /// and from trip to trip through carries, of this loop and those within it.
    pub fn varying(&self, region: &Region, direct: impl Fn(&Node) -> bool) -> Vec<bool> {
        let mut varying = vec![false; region.nodes.len()];
        loop {
            for id in (0..region.nodes.len() as u32).map(NodeId) {
                let mut found = varying[id.0 as usize] || direct(region.node(id));
                match region.node(id) {
                    // Of a loop that all lanes leave together, a last value varies as the one before.
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
