//! Where chains too long for one kernel are cut: at the point that the fewest bytes cross.
//!
//! Regions grow from their root towards its producers, and would otherwise end wherever the code is full, with
//! several values alive and each of them a kernel. So once a region met that limit, the maps around are laid out
//! in program order, and each piece ends at the narrowest point of its last three quarters.
//!
//! Chains of elementwise maps are gone by then (`fusion::chains`). What is left are those that also slice, transpose or otherwise
//! move elements, those that `chains` was not allowed to cut, and those whose repeated spreads and counts make their code too long.

use super::draft::View;
use crate::fusion::crossing::crossing;
use crate::fusion::limits::MAX_NODES;
use crate::fusion::role::Role;
use lawson_hlo::{InstrId, Opcode};

/// The pieces of maps that are too long together.
#[derive(Default)]
pub struct Pieces {
    /// For each instruction its chain and its piece of that chain; empty if nothing is cut.
    of: Vec<Option<(u32, u32)>>,
    /// Operations of each chain.
    nodes: Vec<usize>,
}

impl Pieces {
    /// The pieces of the chains that these instructions are part of.
    pub fn around(cx: View<'_>, users: &[Vec<InstrId>], full: &[InstrId]) -> Pieces {
        let mut pieces = Pieces { of: vec![None; cx.comp.instrs.len()], nodes: Vec::new() };
        for &id in full {
            if pieces.of[id.index()].is_none() && is_link(cx, id) {
                let chain = chain_of(cx, users, id);
                pieces.cut(cx, users, &chain);
            }
        }
        pieces
    }

    /// The operations of the chain, if it is cut between a value and its user.
    pub fn between(&self, producer: InstrId, user: InstrId) -> Option<usize> {
        let piece = |id: InstrId| self.of.get(id.index()).copied().flatten();
        let ((chain, from), (other, to)) = (piece(producer)?, piece(user)?);
        (chain == other && from != to).then(|| self.nodes[chain as usize])
    }

    /// Numbers the pieces of one chain, the last of which is 0.
    fn cut(&mut self, cx: View<'_>, users: &[Vec<InstrId>], chain: &[InstrId]) {
        let number = self.nodes.len() as u32;
        let weights: Vec<usize> = chain.iter().map(|&id| weight(cx, id)).collect();
        let crossing = crossing(cx.comp, users, chain);
        let (mut end, mut piece) = (chain.len(), 0);
        while end > 0 {
            let start = start_of(&weights, &crossing, end);
            chain[start..end].iter().for_each(|id| self.of[id.index()] = Some((number, piece)));
            (end, piece) = (start, piece + 1);
        }
        self.nodes.push(weights.iter().sum());
    }
}

/// A map on arrays. What only spreads or counts makes no chain of what it is used by.
fn is_link(cx: View<'_>, id: InstrId) -> bool {
    let spreads = matches!(cx.comp[id].opcode, Opcode::Broadcast | Opcode::Iota);
    matches!(cx.roles[id.index()], Role::Map | Role::Rename) && !spreads
}

/// The maps that are connected with this one through arrays of its size, in program order.
fn chain_of(cx: View<'_>, users: &[Vec<InstrId>], first: InstrId) -> Vec<InstrId> {
    let elements = |id: InstrId| cx.comp[id].shape.as_array().map(|a| a.elements());
    let size = elements(first);
    let mut seen = rustc_hash::FxHashSet::from_iter([first]);
    let mut chain = vec![first];
    let mut next = 0;
    while next < chain.len() {
        let id = chain[next];
        next += 1;
        for &other in users[id.index()].iter().chain(&cx.comp[id].operands) {
            if is_link(cx, other) && elements(other) == size && seen.insert(other) {
                chain.push(other);
            }
        }
    }
    chain.sort_unstable();
    chain
}

/// Operations an instruction adds to a kernel: itself, and what it alone makes.
fn weight(cx: View<'_>, id: InstrId) -> usize {
    let spread = |o: &&InstrId| matches!(cx.comp[**o].opcode, Opcode::Broadcast | Opcode::Iota);
    1 + cx.comp[id].operands.iter().filter(spread).count()
}

/// Where the piece that ends before `end` begins.
fn start_of(weights: &[usize], crossing: &[i64], end: usize) -> usize {
    let mut nodes = 0;
    let mut best = end - 1;
    for start in (0..end).rev() {
        nodes += weights[start];
        if nodes > MAX_NODES {
            return best;
        }
        if nodes < MAX_NODES / 4 || crossing[start] <= crossing[best] {
            best = start;
        }
    }
    0
}
