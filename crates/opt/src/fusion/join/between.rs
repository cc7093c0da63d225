//! What stands between two clusters that are to be one, and how the order changes when they are.
//!
//! Clusters that wait for the first must run after the joint one, and those that the second waits for before it. Both are
//! searched in turn, the nearest first, until all of one kind are known: the others matter only where they are mixed with
//! these. So two clusters far from each other are joined by a few steps if little waits for the first, or the second waits
//! for little.

use super::clusters::{ClusterId, Clusters, Move, SEARCH_LIMIT, Way};
use super::host::Host;
use lawson_kernel::refusal::Refusal;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A search from one of two clusters towards the other.
struct Side {
    way: Way,
    /// Those that are found, and how far they are in ranks.
    found: Vec<(u32, ClusterId)>,
    /// Those from which the search goes on.
    next: BinaryHeap<Reverse<(u32, ClusterId)>>,
    /// How far away clusters still matter.
    limit: u32,
    steps: usize,
    /// A cluster had so many neighbours that not all were looked at.
    cut: bool,
}

impl Side {
    /// All that matters is found.
    fn is_known(&self) -> bool {
        self.limit == 0 || !self.cut && self.next.peek().is_none_or(|&Reverse((far, _))| far >= self.limit)
    }

    fn goes_on(&self) -> bool {
        self.steps <= SEARCH_LIMIT && !self.is_known()
    }

    /// Everything is found, up to the other cluster.
    fn is_complete(&self) -> bool {
        !self.cut && self.next.is_empty()
    }
}

/// Sets of clusters that searches have found, emptied in no time.
#[derive(Default)]
pub(super) struct Marks {
    /// For each way, the round in which each cluster was added last.
    added: [Vec<u32>; 2],
    round: u32,
}

impl Marks {
    pub fn new(clusters: usize) -> Marks {
        Marks { added: [vec![0; clusters], vec![0; clusters]], round: 0 }
    }

    fn has(&self, way: Way, c: ClusterId) -> bool {
        self.added[way as usize][c as usize] == self.round
    }

    /// Whether it was not there.
    fn add(&mut self, way: Way, c: ClusterId) -> bool {
        std::mem::replace(&mut self.added[way as usize][c as usize], self.round) != self.round
    }
}

/// How the order changes when `first` and the later `second` become one, if that is possible at all; and the edges looked at.
pub(super) fn path(
    clusters: &Clusters,
    marks: &mut Marks,
    host: &Host<'_>,
    [first, second]: [ClusterId; 2],
) -> (Result<Move, Refusal>, usize) {
    let total = clusters.rank(second) - clusters.rank(first);
    marks.round += 1;
    let mut sides = [(Way::Later, first), (Way::Earlier, second)].map(|(way, from)| Side {
        way,
        found: Vec::new(),
        next: BinaryHeap::from([Reverse((0, from))]),
        limit: total,
        steps: 0,
        cut: false,
    });
    let mut waits = false;
    while !waits && sides.iter().any(Side::goes_on) {
        for n in [0, 1] {
            if !sides[n].goes_on() {
                continue;
            }
            waits |= step(clusters, marks, host, &mut sides[n], [first, second]);
            if sides[n].is_complete() {
                let nearest = sides[n].found.iter().map(|f| f.0).min();
                sides[1 - n].limit = nearest.map_or(0, |near| total - near);
            }
        }
    }
    let steps = sides.iter().map(|s| s.steps).sum();
    let outcome = match (waits, sides.iter().all(Side::is_known)) {
        (true, _) => Err(Refusal::WouldWait),
        (false, false) => Err(Refusal::SearchLimit { limit: SEARCH_LIMIT }),
        (false, true) => Ok(order(clusters, &sides, [first, second])),
    };
    (outcome, steps)
}

/// Looks at what is next to the nearest cluster; whether that shows that one of the two waits for the other through a third.
fn step(
    clusters: &Clusters,
    marks: &mut Marks,
    host: &Host<'_>,
    side: &mut Side,
    [first, second]: [ClusterId; 2],
) -> bool {
    let Some(Reverse((_, c))) = side.next.pop() else { return false };
    let ([from, to], back) = match side.way {
        Way::Later => ([first, second], Way::Earlier),
        Way::Earlier => ([second, first], Way::Later),
    };
    let range = clusters.rank(first)..=clusters.rank(second);
    let (mut waits, before) = (false, side.steps);
    clusters.next(host, c, side.way, |next| {
        side.steps += 1;
        let rank = clusters.rank(next);
        if next == to {
            waits |= c != from;
        } else if range.contains(&rank) && marks.add(side.way, next) {
            waits |= marks.has(back, next);
            let far = rank.abs_diff(clusters.rank(from));
            side.found.push((far, next));
            side.next.push(Reverse((far, next)));
        }
    });
    side.cut |= side.steps - before > SEARCH_LIMIT;
    waits
}

/// The order in which what is found runs around the joint cluster. The ranks of those that move are handed out anew, one of
/// the two that become one is left over.
fn order(clusters: &Clusters, sides: &[Side; 2], [first, second]: [ClusterId; 2]) -> Move {
    // The joint cluster runs as late as it can: among those that wait for the first, if all of these are known.
    let late = sides[0].is_complete();
    let left_over = if late { first } else { second };
    let moving = |side: &Side| {
        let all = late == (side.way == Way::Later);
        let found = side.found.iter().filter(|f| all || f.0 < side.limit);
        let mut moving: Vec<ClusterId> = found.map(|f| f.1).collect();
        moving.sort_unstable_by_key(|&c| clusters.rank(c));
        moving
    };
    let [later, earlier] = [moving(&sides[0]), moving(&sides[1])];
    let moved: Vec<ClusterId> =
        [first, second].into_iter().chain(earlier.iter().chain(&later).copied()).collect();
    let old: Vec<(ClusterId, u32)> = moved.iter().map(|&c| (c, clusters.rank(c))).collect();
    let mut ranks: Vec<u32> = old.iter().filter(|o| o.0 != left_over).map(|o| o.1).collect();
    ranks.sort_unstable();
    let joint = ranks[earlier.len()];
    let new = earlier.into_iter().chain([second]).chain(later).zip(ranks);
    Move { new: new.chain([(first, joint)]).collect(), old }
}
