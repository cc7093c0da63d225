//! The plan of a kernel as a value: made by the other files of this folder, printed by `text`, followed by lowering.
//!
//! A kernel has one of three forms: a row nest, in which all stages share one loop over rows; groups, one parallel loop
//! after the other; or segments, independent regions that share one launch.

use super::Axes;
use super::map_schedule::IndexSetSplit;
use super::nest::{Member, Nest};
use super::schedule::{Group, Schedule, Scheduled};
use crate::loop_ir::Cache;
use crate::refusal::Refusal;
use crate::region::{NodeId, Region};
use crate::target::Target;

/// How a region is computed: all stages in one row nest, or groups of stages, one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    /// Where all stages run in one loop over common rows; `groups` is empty then.
    pub nest: Option<Nest>,
    /// Otherwise the stages in the order they run, each with its epilogue.
    pub groups: Vec<Group>,
    /// Why several groups could not share their rows, where that also means they are not worth one kernel.
    pub apart: Option<Refusal>,
    /// Stage results that pass through memory without being outputs.
    pub scratch: Vec<(u32, u32)>,
    /// Outputs that later groups read back.
    pub reread: Vec<u32>,
    /// Loads whose vectors are asked for ahead.
    pub prefetch: Vec<PrefetchDistance>,
    /// Stages with their divisions by what is the same in all lanes, which are done by a reciprocal.
    pub reciprocals: Vec<(u32, NodeId)>,
    /// For a region of independent parts; `nest` and `groups` are empty then.
    pub segments: Option<Segments>,
    /// Lanes are threads of a graphics processor, not parts of a register.
    pub lanes_are_threads: bool,
}

impl Plan {
    /// How many parallel loops run one after the other, with a barrier between them.
    pub fn phases(&self) -> usize {
        let of = |g: &Group| match &g.schedule {
            Schedule::Reduce(s) if s.two_phases => 2,
            Schedule::Update(s) if s.found_before.is_some() => 2,
            Schedule::Contract(s) => 1 + s.ahead_once.is_some() as usize + s.packed_once as usize,
            _ => 1,
        };
        let packs = |m: &&Member| matches!(&m.schedule, Schedule::Contract(s) if s.packed_once);
        let packed = self.nest.iter().flat_map(|n| &n.members).filter(packs).count();
        if self.groups.is_empty() { 1 + packed } else { self.groups.iter().map(of).sum() }
    }

    /// How the loop of a map is split, with the loop axes before the split; `None` where it is not.
    pub fn split(&self, stage: u32) -> Option<(&IndexSetSplit, &Axes)> {
        self.scheduled().find(|s| s.stage == stage).and_then(|s| match s.schedule {
            Schedule::Map(map) => Some((map.split.as_ref()?, s.axes)),
            _ => None,
        })
    }

    /// Whether a product has several factors multiplied at a time.
    pub fn multiplies_words(&self) -> bool {
        self.scheduled().any(|s| matches!(s.schedule, Schedule::Contract(c) if c.words.is_some()))
    }

    /// Whether vectors of a stage share the exponentiation of this inverse.
    pub fn shares(&self, stage: u32, inverse: NodeId) -> bool {
        self.scheduled().filter(|s| s.stage == stage).any(|s| match s.schedule {
            Schedule::Map(map) => {
                let parts = map.split.iter().flat_map(|s| &s.parts);
                parts.chain([map]).any(|m| m.inverses.nodes.contains(&inverse))
            }
            Schedule::Reduce(reduce) => reduce.inverses.nodes.contains(&inverse),
            _ => false,
        })
    }

    /// The stages with their loops, those of segments excepted.
    pub fn scheduled(&self) -> impl Iterator<Item = Scheduled<'_>> {
        let groups = self.groups.iter().map(|g| {
            let lane = g.schedule.lane(&g.axes);
            let lanes = g.schedule.lanes();
            Scheduled {
                stage: g.stage,
                epilogue: g.epilogue,
                axes: &g.axes,
                schedule: &g.schedule,
                lane,
                lanes,
            }
        });
        groups.chain(self.nest.iter().flat_map(Nest::scheduled))
    }

    pub(super) fn of_nest(region: &Region, nest: Nest) -> Plan {
        let reread = |o: &u32| nest.reads_back(region.output_sources[*o as usize]);
        let reread = (0..region.outputs.len() as u32).filter(reread).collect();
        Plan { nest: Some(nest), reread, ..Plan::default() }
    }

    /// Whether the plan is one kernel worth having: between its groups nothing passes through memory but the few
    /// values of full reductions.
    ///
    /// # Errors
    /// Why two of the groups cannot share their rows.
    pub fn one_kernel(&self) -> Result<(), Refusal> {
        self.apart.clone().map_or(Ok(()), Err)
    }
}

/// A load whose vectors are asked for ahead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrefetchDistance {
    pub stage: u32,
    pub load: NodeId,
    /// Elements of the array from what is loaded to what is asked for.
    pub elements: i64,
    pub into: Cache,
}

/// How the parts of a region share one launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Segments {
    pub bodies: Vec<Body>,
    /// The work of each part, by its position in the region.
    pub work: Vec<i64>,
    /// Work that a task holds at least, of one part or of several.
    pub grain: i64,
}

/// One piece of code, which several parts run on arrays of their own.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// The plan of the first part.
    pub plan: Plan,
    /// In the order of the table's rows.
    pub parts: Vec<u32>,
    pub sizes: Option<Sizes>,
}

/// For a body whose code depends neither on the size of the arrays nor on where in them it begins to read: what each row
/// of the table holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// The extent of the loop in each row, at least as large as a vector.
    pub extents: Vec<i64>,
    /// For each load of the body, in the order of [`Region::loads`], the element that each row begins with.
    pub starts: Vec<Vec<i64>>,
    /// Elements of one task.
    pub block: i64,
}

impl Sizes {
    /// The tasks of each row.
    pub fn tasks(&self) -> Vec<i64> {
        self.extents.iter().map(|n| (n + self.block - 1) / self.block.max(1)).collect()
    }
}

/// The work of a region under a plan, as [`crate::rates`] weighs it. The cost model counts it from finished
/// plans, so planning has it handed in.
pub type Price = fn(&Region, &Plan, &Target) -> i64;
