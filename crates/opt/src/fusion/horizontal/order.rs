//! When groups run, and the memory that is in use then.

use super::groups::{GroupId, Groups};
use crate::fusion::join::host::{ArrayId, Host};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most that is in use at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Peak {
    pub bytes: i64,
    /// The position of the group that runs then.
    at: usize,
}

pub struct Timeline {
    pub order: Vec<GroupId>,
    pub peak: Peak,
    /// Edges looked at.
    pub steps: u64,
    /// The position of each group.
    position: Vec<usize>,
}

impl Timeline {
    /// Runs every group as soon as it can, but not before its last member's old place.
    pub fn of(host: &Host<'_>, groups: &Groups) -> Timeline {
        let n = groups.all().len();
        let mut waiting = vec![0u32; n];
        let mut after: Vec<Vec<GroupId>> = vec![Vec::new(); n];
        let mut steps = 0;
        for group in groups.all() {
            for before in groups.before(host, group) {
                waiting[group as usize] += 1;
                after[before as usize].push(group);
                steps += 1;
            }
        }
        let place = |g: GroupId| groups.members(g).last().copied().unwrap_or(0);
        let ready = groups.all().filter(|&g| waiting[g as usize] == 0);
        let mut ready: BinaryHeap<Reverse<(u32, GroupId)>> = ready.map(|g| Reverse((place(g), g))).collect();
        let mut order = Vec::with_capacity(n);
        let mut position = vec![0; n];
        while let Some(Reverse((_, group))) = ready.pop() {
            position[group as usize] = order.len();
            order.push(group);
            for &next in &after[group as usize] {
                waiting[next as usize] -= 1;
                if waiting[next as usize] == 0 {
                    ready.push(Reverse((place(next), next)));
                }
            }
        }
        debug_assert_eq!(order.len(), n, "groups wait for each other");
        let mut timeline = Timeline { order, peak: Peak::default(), steps, position };
        timeline.peak = timeline.peak(host, groups);
        timeline
    }

    pub fn position(&self, group: GroupId) -> usize {
        self.position[group as usize]
    }

    /// When an array of the arena is in use: from the group that makes it to the last that reads it.
    fn range(&self, host: &Host<'_>, groups: &Groups, array: ArrayId) -> Option<(usize, usize)> {
        let info = host.array(array);
        let first = self.position(groups.of(info.made_by.filter(|_| info.held > 0)?));
        let last = match info.kept {
            true => Some(self.order.len() - 1),
            false => info.users.iter().map(|&u| self.position(groups.of(u))).max(),
        };
        Some((first, last?))
    }

    fn peak(&self, host: &Host<'_>, groups: &Groups) -> Peak {
        let mut change = vec![0i64; self.order.len() + 1];
        for array in 0..host.arrays.len() as ArrayId {
            if let Some((first, last)) = self.range(host, groups, array) {
                change[first] += host.array(array).held;
                change[last + 1] -= host.array(array).held;
            }
        }
        let (mut peak, mut bytes) = (Peak::default(), 0);
        for (at, change) in change.into_iter().enumerate() {
            bytes += change;
            if bytes > peak.bytes {
                peak = Peak { bytes, at };
            }
        }
        peak
    }

    /// Whether the array is in use when most is.
    pub fn in_use_at_peak(&self, host: &Host<'_>, groups: &Groups, array: ArrayId) -> bool {
        self.range(host, groups, array).is_some_and(|(first, last)| (first..=last).contains(&self.peak.at))
    }
}
