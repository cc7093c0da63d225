//! The verdict on each edge of a chain, as the report has it.

use super::NAME;
use super::find::Chain;
use crate::fusion::limits::MAX_NODES;
use crate::report::Decision;
use lawson_hlo::{Computation, InstrId};
use lawson_kernel::refusal::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};

/// One decision for each edge between two maps of a chain: fused within a piece, kept where it is cut.
pub fn decisions(comp: &Computation, chain: &Chain) -> Vec<Decision> {
    let mut piece_of: FxHashMap<InstrId, usize> = FxHashMap::default();
    let mut written: FxHashSet<InstrId> = FxHashSet::default();
    for (n, piece) in chain.pieces.iter().enumerate() {
        piece_of.extend(piece.members.iter().map(|&m| (m, n)));
        written.extend(&piece.outputs);
    }
    let mut out = Vec::new();
    for &consumer in chain.pieces.iter().flat_map(|p| &p.members) {
        let mut seen: Vec<InstrId> = Vec::new();
        for &producer in &comp[consumer].operands {
            if !piece_of.contains_key(&producer) || seen.contains(&producer) {
                continue;
            }
            seen.push(producer);
            let mut decision = Decision::on_edge(NAME, comp, producer, consumer);
            match piece_of[&producer] == piece_of[&consumer] {
                true => decision.fuse(NAME, written.insert(producer)),
                false => decision.refuse(NAME, Refusal::CodeSize { nodes: chain.length, limit: MAX_NODES }),
            }
            out.push(decision);
        }
    }
    out
}
