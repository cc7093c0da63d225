//! The plan of a kernel as a value.

use super::Axes;
use super::map_schedule::Split;
use super::nest::Nest;
use super::schedule::{Group, Schedule, Scheduled};
use crate::refusal::Refusal;
use crate::region::Region;
use crate::target::Target;

/// How a region is computed: all stages in one row nest, or groups of stages, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Then there are no groups.
    pub nest: Option<Nest>,
    pub groups: Vec<Group>,
    /// Why several groups are no row nest.
    pub apart: Option<Refusal>,
    /// Stage results that pass through memory without being outputs.
    pub scratch: Vec<(u32, u32)>,
    /// Outputs that later groups read back.
    pub reread: Vec<u32>,
    /// The parts of a region that has parts, and no groups then.
    pub segments: Option<Segments>,
}

impl Plan {
    /// Parallel loops, one after the other.
    pub fn phases(&self) -> usize {
        let of = |g: &Group| match &g.schedule {
            Schedule::Reduce(s) if s.two_phases => 2,
            Schedule::SelectAndScatter => 2,
            _ => 1,
        };
        if self.groups.is_empty() { 1 } else { self.groups.iter().map(of).sum() }
    }

    /// The split of the loop of a map, and the loop axes it is of.
    pub fn split(&self, stage: u32) -> Option<(&Split, &Axes)> {
        self.scheduled().find(|s| s.stage == stage).and_then(|s| match s.schedule {
            Schedule::Map(map) => Some((map.split.as_ref()?, s.axes)),
            _ => None,
        })
    }

    /// The stages with their loops, but for those of a segment table.
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
    /// What stands between.
    pub fn one_kernel(&self) -> Result<(), Refusal> {
        self.apart.clone().map_or(Ok(()), Err)
    }
}

/// How the parts of a region share one launch.
#[derive(Clone, Debug)]
pub struct Segments {
    pub bodies: Vec<Body>,
    /// The work of each part, by its position in the region.
    pub work: Vec<i64>,
    /// Work that a task holds at least, of one part or of several.
    pub grain: i64,
}

/// Code that parts share.
#[derive(Clone, Debug)]
pub struct Body {
    /// The plan of the first part.
    pub plan: Plan,
    /// In the order of the table's rows.
    pub parts: Vec<u32>,
    pub sizes: Option<Sizes>,
}

/// What a body over arrays of any size reads from its row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// The extent of the loop in each row, at least as large as a vector.
    pub extents: Vec<i64>,
    /// Elements of one task.
    pub block: i64,
}

/// The work of a region under a plan, as [`crate::target::rates`] weighs it. The cost model counts it from finished
/// plans, so planning has it handed in.
pub type Price = fn(&Region, &Plan, &Target) -> i64;
