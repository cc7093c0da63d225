//! Finding the node that is equal to a new one.
//!
//! A table of positions by hash, with open addressing: nodes themselves stand in the region alone, so that adding one
//! clones nothing. Of equal entries the first is found.

use super::{Node, NodeId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Positions of nodes by their hashes.
#[derive(Clone, Debug, Default)]
pub(super) struct Interned {
    /// A power of two of slots, at most half of them taken: a hash, and one more than the position; 0 is free.
    slots: Vec<(u32, u32)>,
    len: usize,
}

/// It follows from the nodes.
impl PartialEq for Interned {
    fn eq(&self, _: &Interned) -> bool {
        true
    }
}

impl Eq for Interned {}

const LEAST: usize = 32;

pub(super) fn hash(node: &Node) -> u32 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    let hash = hasher.finish();
    (hash >> 32) as u32 ^ hash as u32
}

impl Interned {
    pub fn clear(&mut self) {
        self.slots.clear();
        self.len = 0;
    }

    /// The hash of a node, and the first entry with this hash that `is_equal` knows.
    pub fn find(&self, node: &Node, is_equal: impl Fn(NodeId) -> bool) -> (u32, Option<NodeId>) {
        let hash = hash(node);
        if self.slots.is_empty() {
            return (hash, None);
        }
        let mut at = hash as usize & (self.slots.len() - 1);
        loop {
            match self.slots[at] {
                (_, 0) => return (hash, None),
                (h, n) if h == hash && is_equal(NodeId(n - 1)) => return (hash, Some(NodeId(n - 1))),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Adds a node after all that were added before.
    pub fn insert(&mut self, hash: u32, id: NodeId) {
        if 2 * self.len >= self.slots.len() {
            let mut old: Vec<(u32, u32)> = self.slots.iter().copied().filter(|s| s.1 != 0).collect();
            // Equal ones keep their order.
            old.sort_unstable_by_key(|s| s.1);
            self.slots = vec![(0, 0); (2 * self.slots.len()).max(LEAST)];
            old.into_iter().for_each(|(h, n)| self.place(h, n));
        }
        self.len += 1;
        self.place(hash, id.0 + 1);
    }

    fn place(&mut self, hash: u32, n: u32) {
        let mut at = hash as usize & (self.slots.len() - 1);
        while self.slots[at].1 != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (hash, n);
    }
}
