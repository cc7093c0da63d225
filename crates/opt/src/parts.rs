//! Where the arrays of a tuple's elements lie among all its arrays: found once for each tuple, so that taking apart
//! a tuple of thousands costs no more than it has elements.

use lawson_hlo::{Computation, InstrId, Shape};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The tuples of one computation that were asked about.
#[derive(Default)]
pub struct Parts {
    /// For each the number of array leaves before and in each element.
    ends: FxHashMap<InstrId, Vec<usize>>,
}

impl Parts {
    /// The array leaves of element `index`; `None` for what is no tuple.
    pub fn leaves(&mut self, comp: &Computation, tuple: InstrId, index: usize) -> Option<Range<usize>> {
        let Shape::Tuple(parts) = &comp[tuple].shape else { return None };
        let ends = self.ends.entry(tuple).or_insert_with(|| {
            let mut end = 0;
            let mut add = |part: &Shape| {
                end += part.leaves().len();
                end
            };
            parts.iter().map(&mut add).collect()
        });
        Some(if index == 0 { 0 } else { ends[index - 1] }..ends[index])
    }
}
