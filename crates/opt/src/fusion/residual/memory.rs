//! Memory of arrays between kernels while kernels change.

use super::graph::{Graph, Kernel, KernelId, ValueId};
use super::proposal::{Proposal, Uses};
use crate::fusion::join::Profile;

/// Bytes in use over the kernels of a computation.
pub struct Memory {
    profile: Profile,
    is_entry: bool,
}

impl Memory {
    pub fn of(graph: &Graph<'_>, uses: &Uses, is_entry: bool) -> Memory {
        let mut memory = Memory { profile: Profile::new(graph.kernels.len()), is_entry };
        let outputs = graph.kernels.iter().flat_map(|k| &k.outputs);
        let mut all: Vec<ValueId> = outputs.copied().collect();
        all.sort_unstable();
        all.dedup();
        all.iter().for_each(|&v| memory.occupy(graph, uses, v, 1));
        memory
    }

    pub fn peak(&self) -> i64 {
        self.profile.peak()
    }

    /// The first kernel that runs while at least this share of the peak is in use.
    pub fn moment(&self, share: f64) -> KernelId {
        let least = share * self.peak() as f64;
        self.profile.all().iter().position(|&m| m as f64 >= least).unwrap_or(0) as KernelId
    }

    fn occupy(&mut self, graph: &Graph<'_>, uses: &Uses, v: ValueId, sign: i64) {
        let Some(first) = uses.maker(v) else { return };
        let kept = graph.kept.contains(&v);
        // Results of the entry have memory of their own.
        if kept && self.is_entry {
            return;
        }
        let last =
            if kept { Some(graph.kernels.len() - 1) } else { uses.readers(v).last().map(|&k| k as usize) };
        if let Some(last) = last {
            self.profile.add(first as usize, last, sign * graph.bytes(v));
        }
    }

    /// Puts the kernels of a proposal in the place of the old ones, which are given back.
    pub fn apply(&mut self, graph: &mut Graph<'_>, uses: &mut Uses, proposal: &Proposal) -> Proposal {
        let touched = |graph: &Graph<'_>| {
            let old = proposal.keys().map(|&id| &graph.kernels[id as usize]);
            let all = old.chain(proposal.values()).flat_map(|k| k.reads.iter().chain(&k.outputs));
            let mut all: Vec<ValueId> = all.copied().collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let touched = touched(graph);
        touched.iter().for_each(|&v| self.occupy(graph, uses, v, -1));
        let mut old = Proposal::new();
        for (&id, kernel) in proposal {
            let before: Kernel = std::mem::replace(&mut graph.kernels[id as usize], kernel.clone());
            uses.replace(id, &before, kernel);
            old.insert(id, before);
        }
        touched.iter().for_each(|&v| self.occupy(graph, uses, v, 1));
        old
    }
}
