//! Loops inside a kernel: what is carried, what is written, when it ends.
//!
//! The points of the stage are the *lanes*: each repeats the same step on its own scalars. A carry that depends on
//! no lane is uniform; so is the condition, except for [`LoopStage::any`], which a lane that has ended no longer changes.
//! Loops within the loop are of the same kind: [`super::Region::loops`]. Loops that follow one another are loops within one
//! that has no condition and no carries: its one trip runs them in turn.

use super::{NodeId, Place};
use lawson_hlo::index::Affine;

/// A loop at each point of a stage.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LoopStage {
    pub carries: Vec<Carry>,
    /// A trip follows while this holds; it depends on no lane.
    pub condition: Option<NodeId>,
    /// A trip follows while this holds in any lane. Where it is false a trip changes nothing, so that lanes may
    /// stop in groups.
    pub any: Option<NodeId>,
    /// Written before the first trip.
    pub before: Vec<Element>,
    /// Written in each trip when all that it reads is known, in this order.
    pub stores: Vec<Element>,
    /// Written after the last trip, in terms of the final carries.
    pub finals: Vec<Element>,
    /// Of each loop within this one that stores elements a last value: it has run when that is known.
    pub within: Vec<NodeId>,
    /// The loop around it, where it is one of [`super::Region::loops`]: 0 is the loop of the stage.
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

/// An element that is written: of an array in memory, or of the lane's own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    pub to: Place,
    pub offset: Affine,
    /// The nodes that the offset needs.
    pub symbols: Vec<NodeId>,
    pub value: NodeId,
    /// Lanes in which this is false write nothing.
    pub mask: Option<NodeId>,
}

impl Element {
    /// What is evaluated to write it.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        [self.value].into_iter().chain(self.mask).chain(self.symbols.iter().copied())
    }
}

impl LoopStage {
    /// Trips that plans and figures count with where the number is not known.
    pub const ASSUMED_TRIPS: i64 = 64;

    /// Whether it is no loop: its only trip runs what stands in it.
    pub fn is_straight(&self) -> bool {
        self.condition.is_none() && self.any.is_none()
    }

    pub fn counted_trips(&self) -> i64 {
        self.trips.unwrap_or(LoopStage::ASSUMED_TRIPS)
    }

    /// What a trip evaluates.
    pub fn step_roots(&self) -> Vec<NodeId> {
        let nexts = self.carries.iter().map(|c| c.next);
        nexts.chain(self.ends()).chain(self.stores.iter().flat_map(Element::roots)).collect()
    }

    /// What tells whether another trip follows, and the loops within that store.
    pub(super) fn ends(&self) -> impl Iterator<Item = NodeId> {
        self.condition.iter().chain(&self.any).chain(&self.within).copied()
    }

    /// Everything the loop evaluates.
    pub fn roots(&self) -> Vec<NodeId> {
        let once = self.before.iter().chain(&self.finals).flat_map(Element::roots);
        let outside = self.carries.iter().map(|c| c.init).chain(once);
        self.step_roots().into_iter().chain(outside).collect()
    }

    /// What it writes.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.before.iter().chain(&self.stores).chain(&self.finals)
    }
}
