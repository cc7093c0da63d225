//! Calls nest no deeper than every later stage can follow.

use super::{Faults, Place};
use crate::limits::MAX_NESTING;

/// How deep the calls below each computation nest.
#[derive(Default)]
pub(super) struct Depths(Vec<usize>);

impl Depths {
    /// Computations are visited in order, so callees are known.
    pub fn visit(&mut self, faults: &mut Faults, place: Place) {
        let mut depth = 0;
        for instr in &place.comp.instrs {
            for callee in instr.attrs.called() {
                let below = self.0.get(callee.index()).map_or(0, |d| d + 1);
                if below > depth && below == MAX_NESTING + 1 {
                    faults.at(place, instr, format!("calls nest more than {MAX_NESTING} deep"));
                }
                depth = depth.max(below);
            }
        }
        self.0.push(depth);
    }
}
