//! In which order a chain is computed, and where it is cut: so that few values are alive, and few cross from kernel to kernel.

use super::find::Piece;
use super::leaf::Leaf;
use crate::fusion::crossing::crossing;
use crate::fusion::limits::{MAX_ARRAYS, MAX_NODES};
use crate::fusion::role::{Wish, wish};
use lawson_hlo::{Computation, InstrId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The pieces of a chain, each at most as long as a kernel may be and of at most as many arrays; `None` where there are none.
pub fn pieces(
    comp: &Computation,
    users: &[Vec<InstrId>],
    members: &[InstrId],
    leaves: &FxHashMap<InstrId, Leaf>,
) -> Option<Vec<Piece>> {
    let orders = [members.to_vec(), depth_first(comp, users, members)];
    let cuts = orders.into_iter().filter_map(|order| {
        let crossing = crossing(comp, users, &order);
        let ends = Line::of(comp, users, &order, leaves).ends(&crossing)?;
        Some((ends.iter().map(|&end| crossing[end]).sum::<i64>(), order, ends))
    });
    let (_, order, ends) = cuts.min_by_key(|(crossing, ..)| *crossing)?;
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in ends {
        let members = order[start..end].to_vec();
        let inside: FxHashSet<InstrId> = members.iter().copied().collect();
        let needed = |m: &&InstrId| **m == comp.root || users[m.index()].iter().any(|u| !inside.contains(u));
        let outputs: Vec<InstrId> = members.iter().filter(needed).copied().collect();
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

/// The members of a chain in an order, and what a piece of it needs.
struct Line {
    /// What each reads: places of members, and the sources of leaves.
    reads: Vec<(Vec<usize>, Vec<InstrId>)>,
    /// The place of each one's last user, the end of the line where others need it.
    last: Vec<usize>,
    /// Places before which nothing may end, since a value that the user wants in registers would go through memory.
    tied: Vec<bool>,
}

impl Line {
    fn of(
        comp: &Computation,
        users: &[Vec<InstrId>],
        order: &[InstrId],
        leaves: &FxHashMap<InstrId, Leaf>,
    ) -> Line {
        let place: FxHashMap<InstrId, usize> = order.iter().enumerate().map(|(n, &id)| (id, n)).collect();
        let mut line = Line { reads: Vec::new(), last: Vec::new(), tied: vec![false; order.len() + 1] };
        for (n, &id) in order.iter().enumerate() {
            let of = &comp[id].operands;
            let sources = of.iter().filter(|o| !place.contains_key(o));
            let sources = sources.filter_map(|o| leaves.get(o).map_or(Some(*o), Leaf::source));
            line.reads.push((of.iter().filter_map(|o| place.get(o)).copied().collect(), sources.collect()));
            let inside = users[id.index()].iter().filter_map(|u| place.get(u).copied()).max();
            let others = id == comp.root || users[id.index()].iter().any(|u| !place.contains_key(u));
            line.last.push(if others { order.len() } else { inside.unwrap_or(n) });
            if wish(&comp[id]) == Some(Wish::Always) {
                line.tied[n + 1..=inside.unwrap_or(n)].fill(true);
            }
        }
        line
    }

    /// Where pieces end: each at the narrowest point of its last half, the last of the narrowest; `None` where some has none.
    fn ends(&self, crossing: &[i64]) -> Option<Vec<usize>> {
        let (mut ends, mut start) = (Vec::new(), 0);
        while start < self.last.len() {
            let possible = self.possible(start);
            let most = *possible.last()?;
            let end = match most == self.last.len() {
                true => most,
                false => {
                    let half = possible.iter().filter(|&&end| end - start >= (most - start) / 2);
                    *half.min_by_key(|&&end| (crossing[end], std::cmp::Reverse(end)))?
                }
            };
            ends.push(end);
            start = end;
        }
        Some(ends)
    }

    /// The places where a piece that begins there may end, in order.
    fn possible(&self, start: usize) -> Vec<usize> {
        let mut possible = Vec::new();
        let (mut read, mut before) = (FxHashSet::<InstrId>::default(), FxHashSet::<usize>::default());
        let mut kept = 0;
        // How many values the users at a place are the last of.
        let mut done: FxHashMap<usize, usize> = FxHashMap::default();
        for n in start..self.last.len().min(start + MAX_NODES) {
            let (members, sources) = &self.reads[n];
            before.extend(members.iter().filter(|&&m| m < start));
            read.extend(sources);
            if before.len() + read.len() > MAX_ARRAYS {
                break;
            }
            kept += 1;
            *done.entry(self.last[n]).or_default() += 1;
            kept -= done.remove(&n).unwrap_or(0);
            if !self.tied[n + 1] && before.len() + read.len() + kept <= MAX_ARRAYS {
                possible.push(n + 1);
            }
        }
        possible
    }
}
