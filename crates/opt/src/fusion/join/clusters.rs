//! Units that share a kernel, in an order in which the host can run them.
//!
//! Joining two clusters is possible when neither needs the other through a third
//! (`between`).

use super::host::{ArrayId, Host, UnitId};
use super::memory::Profile;

/// A cluster, by the unit it began as.
pub type ClusterId = u32;

/// Arrays of at most so many bytes do not count as memory.
const SMALL_BYTES: i64 = 64;

/// Most edges looked at from each of two clusters.
pub(super) const SEARCH_LIMIT: usize = 512;

/// New ranks that a join gives, and those that were.
pub struct Move {
    pub(super) new: Vec<(ClusterId, u32)>,
    pub(super) old: Vec<(ClusterId, u32)>,
}

impl Move {
    /// Every cluster that moves.
    pub fn clusters(&self) -> Vec<ClusterId> {
        self.old.iter().map(|o| o.0).collect()
    }
}

/// Which way a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// To those that wait.
    Later,
    /// To those that are waited for.
    Earlier,
}

pub struct Clusters {
    /// Units of each cluster, in program order; empty when it has become part of others.
    members: Vec<Vec<UnitId>>,
    /// For each unit the clusters that compute it: several when it is repeated.
    homes: Vec<Vec<ClusterId>>,
    /// When each cluster runs.
    rank: Vec<u32>,
}

impl Clusters {
    /// Each unit by itself, in program order.
    pub fn new(units: usize) -> Clusters {
        let all = || 0..units as u32;
        Clusters {
            members: all().map(|u| vec![u]).collect(),
            homes: all().map(|u| vec![u]).collect(),
            rank: all().collect(),
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
    pub(super) fn next(&self, host: &Host<'_>, c: ClusterId, way: Way, mut found: impl FnMut(ClusterId)) {
        for &m in self.members(c) {
            let unit = host.unit(m);
            // Whoever computes a unit itself does not wait for another that does.
            match way {
                Way::Later => {
                    let inside = self.homes(m);
                    let users = unit.defines.iter().flat_map(|&a| &host.array(a).users);
                    for &user in users.chain(&unit.before).take(SEARCH_LIMIT + 1) {
                        let homes = self.homes(user).iter().copied();
                        homes.filter(|h| !inside.contains(h)).for_each(&mut found);
                    }
                }
                Way::Earlier => {
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
