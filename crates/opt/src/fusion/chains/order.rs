//! In which order a chain is computed, and where it is cut: so that few values are alive, and few cross from kernel to kernel.

use super::find::Piece;
use super::leaf::Leaf;
use crate::fusion::crossing::crossing;
use crate::fusion::limits::{MAX_ARRAYS, MAX_NODES};
use lawson_hlo::{Computation, InstrId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The pieces of a chain; `None` if one of them reads and makes more arrays than a kernel takes.
pub fn pieces(
    comp: &Computation,
    users: &[Vec<InstrId>],
    members: &[InstrId],
    leaves: &FxHashMap<InstrId, Leaf>,
) -> Option<Vec<Piece>> {
    let orders = [members.to_vec(), depth_first(comp, users, members)];
    let cuts = orders.into_iter().map(|order| {
        let crossing = crossing(comp, users, &order);
        let ends = ends(&crossing);
        (ends.iter().map(|&end| crossing[end]).sum::<i64>(), order, ends)
    });
    let (_, order, ends) = cuts.min_by_key(|(crossing, ..)| *crossing)?;
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in ends {
        let members = order[start..end].to_vec();
        let inside: FxHashSet<InstrId> = members.iter().copied().collect();
        let needed = |m: &&InstrId| **m == comp.root || users[m.index()].iter().any(|u| !inside.contains(u));
        let outputs: Vec<InstrId> = members.iter().filter(needed).copied().collect();
        let operands = members.iter().flat_map(|m| &comp[*m].operands).filter(|o| !inside.contains(o));
        let read: FxHashSet<InstrId> =
            operands.filter_map(|o| leaves.get(o).map_or(Some(*o), Leaf::source)).collect();
        if read.len() + outputs.len() > MAX_ARRAYS {
            return None;
        }
        pieces.push(Piece { members, outputs });
        start = end;
    }
    Some(pieces)
}

/// Each value right before the first that needs it, from the last results on.
fn depth_first(comp: &Computation, users: &[Vec<InstrId>], members: &[InstrId]) -> Vec<InstrId> {
    let mut left: FxHashSet<InstrId> = members.iter().copied().collect();
    let inside = left.clone();
    let mut order = Vec::with_capacity(members.len());
    for &result in members.iter().filter(|m| !users[m.index()].iter().any(|u| inside.contains(u))) {
        let mut stack = vec![(result, false)];
        while let Some((id, ready)) = stack.pop() {
            if ready {
                order.push(id);
            } else if left.remove(&id) {
                stack.push((id, true));
                let operands = comp[id].operands.iter().rev();
                stack.extend(operands.filter(|o| left.contains(o)).map(|&o| (o, false)));
            }
        }
    }
    order
}

/// Where pieces end: each at the narrowest point of its last half, the last of the narrowest.
fn ends(crossing: &[i64]) -> Vec<usize> {
    let length = crossing.len() - 1;
    let (mut ends, mut start) = (Vec::new(), 0);
    while length - start > MAX_NODES {
        let from = start + MAX_NODES / 2..=start + MAX_NODES;
        let end = from.min_by_key(|&n| (crossing[n], std::cmp::Reverse(n))).unwrap_or(length);
        ends.push(end);
        start = end;
    }
    ends.push(length);
    ends
}
