//! Units that share a kernel, in an order in which the host can run them.
//!
//! Joining two clusters is possible when neither needs the other through a third. Only what stands between the two
//! in the order is searched, within a limit, and only that is moved afterwards, so joins far from each other cost
//! nothing for the rest of the program.

use super::host::{ArrayId, Host, UnitId};
use super::memory::Profile;
use lawson_kernel::refusal::Refusal;

/// A cluster, by the unit it began as.
pub type ClusterId = u32;

/// Most edges looked at to see whether two clusters may be one.
const SEARCH_LIMIT: usize = 512;
/// Arrays of at most so many bytes do not count as memory.
const SMALL_BYTES: i64 = 64;

pub struct Clusters {
    /// Units of each cluster, in program order; empty when it has become part of others.
    members: Vec<Vec<UnitId>>,
    /// For each unit the clusters that compute it: several when it is repeated.
    homes: Vec<Vec<ClusterId>>,
    /// When each cluster runs.
    rank: Vec<u32>,
    /// Edges looked at.
    pub steps: u64,
    /// What a search has found from either side.
    marks: [Marks; 2],
}

/// A search from one of two clusters towards the other.
struct Side {
    from: ClusterId,
    to: ClusterId,
    /// Those that are found.
    seen: Vec<ClusterId>,
    /// Those from which the search goes on, the last first.
    next: Vec<ClusterId>,
    /// Edges looked at.
    steps: usize,
}

/// A set of clusters that is emptied in no time.
#[derive(Default)]
struct Marks {
    /// The round in which each was added last.
    added: Vec<u32>,
    round: u32,
}

impl Marks {
    fn clear(&mut self) {
        self.round += 1;
    }

    fn has(&self, c: ClusterId) -> bool {
        self.added[c as usize] == self.round
    }

    /// Whether it was not there.
    fn add(&mut self, c: ClusterId) -> bool {
        std::mem::replace(&mut self.added[c as usize], self.round) != self.round
    }
}

/// New ranks that a join gives, and those that were.
pub struct Move {
    new: Vec<(ClusterId, u32)>,
    old: Vec<(ClusterId, u32)>,
}

impl Clusters {
    /// Each unit by itself, in program order.
    pub fn new(units: usize) -> Clusters {
        let all = || 0..units as u32;
        Clusters {
            members: all().map(|u| vec![u]).collect(),
            homes: all().map(|u| vec![u]).collect(),
            rank: all().collect(),
            steps: 0,
            marks: [(); 2].map(|()| Marks { added: vec![0; units], round: 0 }),
        }
    }

    pub fn members(&self, c: ClusterId) -> &[UnitId] {
        &self.members[c as usize]
    }

    pub fn homes(&self, u: UnitId) -> &[ClusterId] {
        &self.homes[u as usize]
    }

    pub fn rank(&self, c: ClusterId) -> u32 {
        self.rank[c as usize]
    }

    /// Clusters that read an array from memory, in the order they run.
    pub fn readers(&self, host: &Host<'_>, array: ArrayId) -> Vec<ClusterId> {
        let info = host.array(array);
        let inside = info.made_by.map_or(&[][..], |m| self.homes(m));
        let mut readers: Vec<ClusterId> = info
            .users
            .iter()
            .flat_map(|&u| self.homes(u))
            .copied()
            .filter(|home| !inside.contains(home))
            .collect();
        readers.sort_unstable_by_key(|&c| self.rank(c));
        readers.dedup();
        readers
    }

    /// When an array is last read from memory.
    fn last_read(&self, host: &Host<'_>, array: ArrayId) -> Option<u32> {
        let info = host.array(array);
        let inside = info.made_by.map_or(&[][..], |m| self.homes(m));
        let homes = info.users.iter().flat_map(|&u| self.homes(u));
        homes.filter(|home| !inside.contains(home)).map(|&c| self.rank(c)).max()
    }

    /// Arrays that `members` make and others, or the result, need once the clusters `inside` are one; in the order they
    /// are made.
    pub fn outputs(&self, host: &Host<'_>, members: &[UnitId], inside: &[ClusterId]) -> Vec<ArrayId> {
        let needed = |maker: UnitId, array: ArrayId| {
            let info = host.array(array);
            let outside = |home: &ClusterId| !inside.contains(home) && !self.homes(maker).contains(home);
            info.kept || info.users.iter().any(|&u| self.homes(u).iter().any(outside))
        };
        let defined = members.iter().flat_map(|&m| host.unit(m).defines.iter().map(move |&a| (m, a)));
        defined.filter(|&(m, a)| needed(m, a)).map(|(_, a)| a).collect()
    }

    /// Shows `found` the clusters that wait for `c`, or those it waits for; with repetitions.
    fn next(&self, host: &Host<'_>, c: ClusterId, forward: bool, mut found: impl FnMut(ClusterId)) {
        for &m in self.members(c) {
            let unit = host.unit(m);
            // Whoever computes a unit itself does not wait for another that does.
            if forward {
                let inside = self.homes(m);
                let users = unit.defines.iter().flat_map(|&a| &host.array(a).users);
                for &user in users.chain(&unit.before).take(SEARCH_LIMIT + 1) {
                    let homes = self.homes(user).iter().copied();
                    homes.filter(|h| !inside.contains(h)).for_each(&mut found);
                }
            } else {
                let makers = unit.reads.iter().filter_map(|&a| host.array(a).made_by);
                for maker in makers.chain(unit.after.iter().copied()).take(SEARCH_LIMIT + 1) {
                    let homes = self.homes(maker);
                    if !homes.contains(&c) {
                        homes.iter().copied().for_each(&mut found);
                    }
                }
            }
        }
    }

    /// Between `first` and the later `second`: the clusters that wait for `first`, and those that `second` waits for. Both are
    /// searched in turn, so that what stands between the two is found from the side that is nearer to it.
    fn between(
        &mut self,
        host: &Host<'_>,
        first: ClusterId,
        second: ClusterId,
    ) -> Result<[Vec<ClusterId>; 2], Refusal> {
        let ranks = [self.rank(first), self.rank(second)];
        let range = ranks[0].min(ranks[1])..=ranks[0].max(ranks[1]);
        let mut marks = std::mem::take(&mut self.marks);
        marks.iter_mut().for_each(Marks::clear);
        let ends = [(first, second), (second, first)];
        let mut sides =
            ends.map(|(from, to)| Side { from, to, seen: Vec::new(), next: vec![from], steps: 0 });
        let mut outcome = Ok(());
        while outcome.is_ok() && sides.iter().any(|s| !s.next.is_empty()) {
            for (n, side) in sides.iter_mut().enumerate() {
                let Some(c) = side.next.pop() else { continue };
                self.next(host, c, n == 0, |next| {
                    side.steps += 1;
                    if next == side.to {
                        if c != side.from {
                            outcome = Err(Refusal::WouldWait);
                        }
                    } else if range.contains(&self.rank(next)) && marks[n].add(next) {
                        if marks[1 - n].has(next) {
                            outcome = Err(Refusal::WouldWait);
                        }
                        side.seen.push(next);
                        side.next.push(next);
                    }
                });
                if outcome.is_ok() && side.steps > SEARCH_LIMIT {
                    outcome = Err(Refusal::SearchLimit { limit: SEARCH_LIMIT });
                }
            }
        }
        self.marks = marks;
        self.steps += sides.iter().map(|s| s.steps as u64).sum::<u64>();
        outcome?;
        Ok(sides.map(|mut side| {
            side.seen.sort_unstable_by_key(|&c| self.rank(c));
            side.seen
        }))
    }

    /// How the order changes when `first` and the later `second` become one, if that is possible at all.
    pub fn path(&mut self, host: &Host<'_>, first: ClusterId, second: ClusterId) -> Result<Move, Refusal> {
        let [later, earlier] = self.between(host, first, second)?;
        let moved: Vec<ClusterId> =
            [first, second].into_iter().chain(earlier.iter().chain(&later).copied()).collect();
        let old: Vec<(ClusterId, u32)> = moved.iter().map(|&c| (c, self.rank(c))).collect();
        let mut slots: Vec<u32> = old.iter().map(|o| o.1).collect();
        slots.sort_unstable();
        // One slot is left over: the joint kernel runs as late as it can.
        let (before, after) = slots.split_at(earlier.len());
        let mut new: Vec<(ClusterId, u32)> = earlier.iter().copied().zip(before.iter().copied()).collect();
        new.extend([(first, after[1]), (second, after[1])]);
        new.extend(later.iter().copied().zip(after[2..].iter().copied()));
        Ok(Move { new, old })
    }

    pub fn set_ranks(&mut self, moved: &Move, forward: bool) {
        let ranks = if forward { &moved.new } else { &moved.old };
        ranks.iter().for_each(|&(c, r)| self.rank[c as usize] = r);
    }

    /// Makes `first` part of `second`.
    pub fn unite(&mut self, first: ClusterId, second: ClusterId) {
        let gone = std::mem::take(&mut self.members[first as usize]);
        self.take_in(&gone, second);
        for unit in gone {
            self.homes[unit as usize].retain(|&h| h != first);
        }
    }

    /// Takes [`Clusters::unite`] back.
    pub fn separate(&mut self, first: ClusterId, second: ClusterId, members: [Vec<UnitId>; 2]) {
        let [a, b] = members;
        for &unit in &a {
            let homes = &mut self.homes[unit as usize];
            if b.binary_search(&unit).is_err() {
                homes.retain(|&h| h != second);
            }
            homes.push(first);
        }
        self.members[first as usize] = a;
        self.members[second as usize] = b;
    }

    /// Makes a copy of `producer` part of each of `users`.
    pub fn spread(&mut self, producer: ClusterId, users: &[ClusterId]) {
        let gone = std::mem::take(&mut self.members[producer as usize]);
        users.iter().for_each(|&user| self.take_in(&gone, user));
        for unit in gone {
            self.homes[unit as usize].retain(|&h| h != producer);
        }
    }

    fn take_in(&mut self, units: &[UnitId], into: ClusterId) {
        for &unit in units {
            let homes = &mut self.homes[unit as usize];
            if !homes.contains(&into) {
                homes.push(into);
            }
        }
        self.members[into as usize] = united(&self.members[into as usize], units);
    }

    /// Adds what the arrays that `clusters` read and make occupy to the profile, or takes it away.
    pub fn account(&self, host: &Host<'_>, profile: &mut Profile, clusters: &[ClusterId], sign: i64) {
        let mut arrays: Vec<ArrayId> = Vec::new();
        for &unit in clusters.iter().flat_map(|&c| self.members(c)) {
            let unit = host.unit(unit);
            arrays.extend(unit.defines.iter().chain(&unit.reads));
        }
        arrays.sort_unstable();
        arrays.dedup();
        arrays.into_iter().for_each(|a| self.occupy(host, profile, a, sign));
    }

    /// Adds what one array occupies.
    pub fn occupy(&self, host: &Host<'_>, profile: &mut Profile, array: ArrayId, sign: i64) {
        let info = host.array(array);
        if info.held <= SMALL_BYTES {
            return;
        }
        let Some(&home) = info.made_by.and_then(|m| self.homes(m).first()) else { return };
        let last = match info.kept || info.users.len() > SEARCH_LIMIT {
            true => Some(self.rank.len() as u32 - 1),
            false => self.last_read(host, array),
        };
        if let Some(last) = last {
            profile.add(self.rank(home) as usize, last as usize, sign * info.held);
        }
    }
}

/// The union of two sorted lists.
pub fn united(a: &[UnitId], b: &[UnitId]) -> Vec<UnitId> {
    let mut all: Vec<UnitId> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Move {
    /// Every cluster that moves.
    pub fn clusters(&self) -> Vec<ClusterId> {
        self.old.iter().map(|o| o.0).collect()
    }
}
