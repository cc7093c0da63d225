//! Groups of units that run as one.

use super::judge::Judged;
use crate::fusion::join::host::{ArrayId, Host, UnitId};
use lawson_kernel::cost::bytes_us;
use lawson_kernel::plan::segments::PartCode;
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A group, by its position in [`Groups::members`].
pub type GroupId = u32;

/// Groups to become one.
pub type Merge = Vec<GroupId>;

pub struct Groups {
    /// In program order.
    members: Vec<Vec<UnitId>>,
    of: Vec<GroupId>,
}

impl Groups {
    /// Each unit by itself.
    pub fn new(units: usize) -> Groups {
        let all = 0..units as u32;
        Groups { members: all.clone().map(|u| vec![u]).collect(), of: all.collect() }
    }

    pub fn all(&self) -> std::ops::Range<GroupId> {
        0..self.members.len() as GroupId
    }

    pub fn members(&self, group: GroupId) -> &[UnitId] {
        &self.members[group as usize]
    }

    pub fn of(&self, unit: UnitId) -> GroupId {
        self.of[unit as usize]
    }

    /// How many launches fewer there are.
    pub fn joins(&self) -> u64 {
        self.members.iter().map(|m| m.len() as u64 - 1).sum()
    }

    /// These groups with some made one.
    pub fn merged(&self, merges: &[Merge]) -> Groups {
        let mut into: Vec<GroupId> = self.all().collect();
        for merge in merges {
            merge.iter().for_each(|&g| into[g as usize] = merge[0]);
        }
        let mut number = vec![None; self.members.len()];
        let mut members: Vec<Vec<UnitId>> = Vec::new();
        let mut of = self.of.clone();
        for unit in 0..of.len() {
            let head = into[self.of[unit] as usize] as usize;
            let group = *number[head].get_or_insert_with(|| {
                members.push(Vec::new());
                members.len() as GroupId - 1
            });
            members[group as usize].push(unit as UnitId);
            of[unit] = group;
        }
        Groups { members, of }
    }

    /// Groups that must run before this one; with repetitions.
    pub fn before<'a>(&'a self, host: &'a Host<'_>, group: GroupId) -> impl Iterator<Item = GroupId> + 'a {
        self.members(group).iter().flat_map(move |&unit| {
            let unit = host.unit(unit);
            let makers = unit.reads.iter().filter_map(|&a| host.array(a).made_by);
            makers.chain(unit.after.iter().copied()).map(|u| self.of(u))
        })
    }
}

/// From where distance is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Beginning,
    End,
}

/// Which groups, as far from one side as each other, share a launch.
pub fn merges(
    host: &Host<'_>,
    groups: &Groups,
    order: &[GroupId],
    side: Side,
    verdicts: &[Result<Judged, Refusal>],
    target: &Target,
) -> Vec<Merge> {
    let mut far = vec![0u32; groups.members.len()];
    match side {
        Side::Beginning => {
            for &group in order {
                let before = groups.before(host, group).map(|b| far[b as usize] + 1);
                far[group as usize] = before.max().unwrap_or(0);
            }
        }
        Side::End => {
            for &group in order.iter().rev() {
                let next = far[group as usize] + 1;
                for before in groups.before(host, group) {
                    far[before as usize] = far[before as usize].max(next);
                }
            }
        }
    }
    let mut levels: BTreeMap<u32, Vec<GroupId>> = BTreeMap::new();
    for &group in order {
        if groups.members(group).iter().all(|&u| verdicts[u as usize].is_ok()) {
            levels.entry(far[group as usize]).or_default().push(group);
        }
    }
    let traffic = Traffic::of(host, groups, order);
    let chunks = levels.values().flat_map(|level| chunks(host, groups, level, verdicts, &traffic, target));
    chunks.filter(|c| c.len() > 1).collect()
}

/// Most different bodies of code in one launch: LLVM takes time that grows with the square of very long functions.
const MAX_BODIES: usize = 16;

/// The bytes that groups read and write, one after another.
struct Traffic {
    /// What has been moved before each group, in the order they run, and what it moves itself.
    groups: Vec<(i64, i64)>,
}

impl Traffic {
    fn of(host: &Host<'_>, groups: &Groups, order: &[GroupId]) -> Traffic {
        let bytes = |&a: &ArrayId| host.array(a).bytes;
        let mut all = vec![(0, 0); groups.members.len()];
        let mut before = 0i64;
        for &group in order {
            let units = groups.members(group).iter().map(|&u| host.unit(u));
            let arrays = units.flat_map(|u| u.reads.iter().chain(&u.defines));
            let own = arrays.map(bytes).fold(0, i64::saturating_add);
            all[group as usize] = (before, own);
            before = before.saturating_add(own);
        }
        Traffic { groups: all }
    }

    /// What is moved after one group and before a later one.
    fn between(&self, earlier: GroupId, later: GroupId) -> i64 {
        let (before, own) = self.groups[earlier as usize];
        self.groups[later as usize].0.saturating_sub(before.saturating_add(own)).max(0)
    }
}

/// One level in launches. A launch ends where it would have too many bodies of code, or more code than one kernel may.
/// It runs where the last of its kernels would: the arrays that the others get from kernels, or leave to them, wait for all
/// that runs in between, and leave the last-level cache if that is much. A launch ends where this would cost more than it
/// saves.
fn chunks(
    host: &Host<'_>,
    groups: &Groups,
    level: &[GroupId],
    verdicts: &[Result<Judged, Refusal>],
    traffic: &Traffic,
    target: &Target,
) -> Vec<Merge> {
    let mut out: Vec<Merge> = Vec::new();
    let (mut waits, mut passed) = (0i64, 0i64);
    // Operations of each body of code.
    let mut bodies: FxHashMap<&PartCode, i64> = FxHashMap::default();
    for &group in level {
        let units = groups.members(group);
        let judged = || units.iter().filter_map(|&u| verdicts[u as usize].as_ref().ok());
        let saved: f64 = judged().map(|j| j.launch_us).fold(0.0, f64::max);
        let own_passed: i64 = units.iter().map(|&u| passed_bytes(host, u)).sum();
        let last = out.last().and_then(|chunk| chunk.last());
        let longer = waits.saturating_add(last.map_or(0, |&last| traffic.between(last, group)));
        let lost = bytes_us(passed, longer, target) - bytes_us(passed, waits, target);
        let own = || judged().map(|j| (&j.code, j.operations));
        bodies.extend(own());
        let fits = bodies.len() <= MAX_BODIES && bodies.values().sum::<i64>() <= target.code;
        match out.last_mut() {
            Some(chunk) if lost <= saved && fits => {
                chunk.push(group);
                (waits, passed) = (longer, passed + own_passed);
            }
            _ => {
                out.push(vec![group]);
                bodies = own().collect();
                (waits, passed) = (0, own_passed);
            }
        }
    }
    out
}

/// Bytes that a unit gets from other kernels or leaves to them.
fn passed_bytes(host: &Host<'_>, unit: UnitId) -> i64 {
    let unit = host.unit(unit);
    let bytes = |a: &ArrayId| host.array(*a).bytes;
    let made = unit.reads.iter().filter(|a| host.array(**a).made_by.is_some());
    let left = unit.defines.iter().filter(|a| !host.array(**a).users.is_empty());
    made.chain(left).map(bytes).sum()
}
