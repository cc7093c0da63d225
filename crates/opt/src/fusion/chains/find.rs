//! Which maps make a chain, and what it reads and gives.

use super::leaf::Leaf;
use super::order::pieces;
use crate::fusion::limits::MAX_NODES;
use crate::fusion::role::Role;
use lawson_hlo::{Computation, InstrId, Opcode};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maps over the same elements, of which no value comes back to the chain through others.
pub struct Chain {
    /// In order; a piece reads what earlier ones make.
    pub pieces: Vec<Piece>,
    /// What is read that is no map of the chain.
    pub leaves: FxHashMap<InstrId, Leaf>,
    /// The values behind the leaves, in order.
    pub reads: Vec<InstrId>,
    /// The extents of its arrays that are not 1.
    pub dims: Vec<i64>,
    pub length: usize,
}

/// What one kernel computes.
pub struct Piece {
    pub members: Vec<InstrId>,
    /// Members that others need.
    pub outputs: Vec<InstrId>,
}

/// The chains that are too long for one kernel.
pub fn chains(comp: &Computation, roles: &[Role], users: &[Vec<InstrId>]) -> Vec<Chain> {
    let mut of_dims: FxHashMap<Vec<i64>, Vec<InstrId>> = FxHashMap::default();
    let mut links = vec![false; comp.instrs.len()];
    for (id, instr) in comp.iter() {
        let Some(dims) = extents_of(comp, id) else { continue };
        links[id.index()] = match roles[id.index()] {
            Role::Map => instr.opcode.is_elementwise(),
            // Between maps; what it only brings from elsewhere, each kernel reads there.
            Role::Rename => {
                let of = instr.operands[0];
                let same = extents_of(comp, of).is_some_and(|e| e == dims);
                instr.opcode == Opcode::Reshape && links[of.index()] && same
            }
            Role::Hero | Role::Code | Role::Outside | Role::Host(_) => false,
        };
        if links[id.index()] {
            of_dims.entry(dims).or_default().push(id);
        }
    }
    let mut long: Vec<Vec<InstrId>> = of_dims.into_values().filter(|ids| ids.len() > MAX_NODES).collect();
    long.sort_unstable_by_key(|ids| ids[0]);
    let connected = long.iter().flat_map(|ids| connected(comp, ids));
    connected.filter_map(|members| Chain::of(comp, roles, users, members)).collect()
}

fn extents_of(comp: &Computation, id: InstrId) -> Option<Vec<i64>> {
    Some(extents(&comp[id].shape.as_array()?.dims))
}

/// The extents that are not 1.
pub fn extents(dims: &[i64]) -> Vec<i64> {
    dims.iter().copied().filter(|&extent| extent != 1).collect()
}

/// Those that are connected with each other, apart where a value comes back through others: as many as are too long.
fn connected(comp: &Computation, candidates: &[InstrId]) -> Vec<Vec<InstrId>> {
    let mut is_candidate = vec![false; comp.instrs.len()];
    candidates.iter().for_each(|c| is_candidate[c.index()] = true);
    // How often the way to a value has left the candidates.
    let mut left = vec![0u32; comp.instrs.len()];
    let mut group: Vec<u32> = (0..comp.instrs.len() as u32).collect();
    for (id, instr) in comp.iter() {
        let own = is_candidate[id.index()];
        let predecessors = instr.notes.iter().flat_map(|n| &n.control_predecessors);
        for o in instr.operands.iter().chain(predecessors) {
            let leaves = is_candidate[o.index()] && !own;
            left[id.index()] = left[id.index()].max(left[o.index()] + u32::from(leaves));
        }
    }
    for &id in candidates {
        for o in comp[id].operands.iter().filter(|o| is_candidate[o.index()]) {
            if left[o.index()] == left[id.index()] {
                let (a, b) = (root_of(&mut group, id.0), root_of(&mut group, o.0));
                group[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut chains: FxHashMap<u32, Vec<InstrId>> = FxHashMap::default();
    for &id in candidates {
        chains.entry(root_of(&mut group, id.0)).or_default().push(id);
    }
    let mut chains: Vec<Vec<InstrId>> = chains.into_values().filter(|c| c.len() > MAX_NODES).collect();
    chains.sort_unstable_by_key(|c| c[0]);
    chains
}

/// The first of a group, with the way there made shorter.
fn root_of(group: &mut [u32], mut of: u32) -> u32 {
    while group[of as usize] != of {
        group[of as usize] = group[group[of as usize] as usize];
        of = group[of as usize];
    }
    of
}

impl Chain {
    fn of(
        comp: &Computation,
        roles: &[Role],
        users: &[Vec<InstrId>],
        members: Vec<InstrId>,
    ) -> Option<Chain> {
        let dims = extents(&comp[members[0]].shape.expect_array().dims);
        let length = members.len();
        let inside: FxHashSet<InstrId> = members.iter().copied().collect();
        let mut leaves: FxHashMap<InstrId, Leaf> = FxHashMap::default();
        let mut reads: Vec<InstrId> = Vec::new();
        for &o in members.iter().flat_map(|m| &comp[*m].operands).filter(|o| !inside.contains(o)) {
            let leaf = leaves.entry(o).or_insert_with(|| Leaf::of(comp, roles, o));
            reads.extend(leaf.source());
        }
        reads.sort_unstable();
        reads.dedup();
        let pieces = pieces(comp, users, &members, &leaves)?;
        Some(Chain { pieces, leaves, reads, dims, length })
    }
}
