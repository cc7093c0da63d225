//! Expressions that are built already, by instruction and index.

use crate::region::NodeId;
use lawson_hlo::InstrId;
use lawson_hlo::index::Affine;
use rustc_hash::FxHashMap;

/// Expressions by element and guard.
#[derive(Default)]
pub(super) struct Memo {
    /// Elements by instruction and the number of the index.
    pub(super) nodes: FxHashMap<(InstrId, u32, Option<NodeId>), NodeId>,
    /// The number of each index.
    pub(super) numbers: FxHashMap<Vec<Affine>, u32>,
    /// The last one that was asked for: what an elementwise operation reads has its own index.
    pub(super) last: Option<(Vec<Affine>, u32)>,
}

impl Memo {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.last = None;
    }

    /// The number of an index.
    pub fn number(&mut self, index: &[Affine]) -> u32 {
        if let Some((last, number)) = &self.last
            && last == index
        {
            return *number;
        }
        let next = self.numbers.len() as u32;
        let number = match self.numbers.get(index) {
            Some(&known) => known,
            None => {
                self.numbers.insert(index.to_vec(), next);
                next
            }
        };
        self.last = Some((index.to_vec(), number));
        number
    }
}
