//! Computations of one graph in another.

use super::Graph;
use lawson_hlo::{CompId, Origin};

impl Graph {
    /// A computation of another graph, with all that it calls and the lines it comes from.
    pub fn import(&mut self, other: &Graph, comp: CompId) -> CompId {
        let offset = self.module.sources.len() as u32;
        self.module.sources.extend(other.module.sources.iter().cloned());
        let mut needed = vec![false; comp.index() + 1];
        needed[comp.index()] = true;
        for i in (0..needed.len()).rev() {
            if needed[i] {
                let called =
                    other.module.computations[i].instrs.iter().flat_map(|instr| instr.attrs.called());
                called.for_each(|c| needed[c.index()] = true);
            }
        }
        let mut numbers = vec![CompId(0); needed.len()];
        for (i, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
            let mut copy = other.module.computations[i].clone();
            for instr in &mut copy.instrs {
                instr.attrs.map_called(|c| numbers[c.index()]);
                let moved: Vec<Origin> =
                    instr.origin.sources().iter().map(|s| Origin::single(s + offset)).collect();
                instr.origin = Origin::union_of(&moved);
            }
            copy.name = self.free_name(&copy.name);
            self.module.computations.push(copy);
            numbers[i] = CompId(self.module.computations.len() as u32 - 1);
        }
        numbers[comp.index()]
    }
}
