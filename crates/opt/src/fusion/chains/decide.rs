//! The verdict on each edge of a chain, as the report has it.

use super::NAME;
use super::find::Chain;
use super::leaf::Leaf;
use crate::fusion::limits::MAX_NODES;
use crate::fusion::role::Role;
use crate::report::Decision;
use lawson_hlo::{Computation, InstrId};
use lawson_kernel::refusal::Refusal;
use rustc_hash::{FxHashMap, FxHashSet};

/// One decision for each edge to or from a map of a chain: fused within a piece and from what each piece repeats, kept where
/// the chain is cut and where it begins and ends.
pub fn decisions(comp: &Computation, roles: &[Role], users: &[Vec<InstrId>], chain: &Chain) -> Vec<Decision> {
    let mut piece_of: FxHashMap<InstrId, usize> = FxHashMap::default();
    let mut written: FxHashSet<InstrId> = FxHashSet::default();
    for (n, piece) in chain.pieces.iter().enumerate() {
        piece_of.extend(piece.members.iter().map(|&m| (m, n)));
        written.extend(&piece.outputs);
    }
    // What pieces repeat is written for others alone.
    let repeated = |id: &InstrId| {
        matches!(chain.leaves.get(id), Some(Leaf::Spread(_) | Leaf::SpreadCode(_) | Leaf::Part(..)))
    };
    let mut out = Vec::new();
    let mut decide = |producer: InstrId, consumer: InstrId| {
        let fused = match (piece_of.get(&producer), piece_of.get(&consumer)) {
            (Some(from), Some(to)) => from == to,
            (None, Some(_)) => repeated(&producer),
            (_, None) => false,
        };
        let mut decision = Decision::on_edge(NAME, comp, producer, consumer);
        match fused {
            true => {
                let others = |u: &InstrId| !piece_of.contains_key(u);
                let kept = repeated(&producer) && users[producer.index()].iter().any(others);
                decision.fuse(NAME, written.insert(producer) && !kept);
            }
            false => decision.refuse(NAME, Refusal::CodeSize { nodes: chain.length, limit: MAX_NODES }),
        }
        out.push(decision);
    };
    let kernel = |id: InstrId| roles[id.index()].is_kernel();
    for &member in chain.pieces.iter().flat_map(|p| &p.members) {
        let mut seen: Vec<InstrId> = Vec::new();
        for &producer in comp[member].operands.iter().filter(|&&o| kernel(o)) {
            if !seen.contains(&producer) {
                seen.push(producer);
                decide(producer, member);
            }
        }
        for &user in users[member.index()].iter().filter(|&&u| kernel(u) && !piece_of.contains_key(&u)) {
            decide(member, user);
        }
    }
    out
}
