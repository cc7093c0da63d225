//! How idle a plan leaves the machine: lanes that do nothing, and instructions that wait for each other.

use crate::plan::{Plan, ReduceSchedule, ReduceShape, Schedule};
use crate::region::Region;
use crate::target::Target;

/// What idle lanes and units of a stage cost.
#[derive(Clone, Copy)]
pub(super) struct Idle {
    /// Times longer: an instruction costs the same on few lanes as on all; single elements are computed several at once.
    pub lanes: i64,
    /// Times longer for the multiply-adds of a contraction, which wait for each other where there are few chains.
    pub waiting: i64,
    /// The least work for each element of a reduction: so long does combining it wait for the one before it.
    pub least: i64,
}

impl Default for Idle {
    fn default() -> Idle {
        Idle { lanes: 1, waiting: 1, least: 1 }
    }
}

/// Lanes of scalar code that a core works on at once, and combining operations that it has under way.
const SCALARS: i64 = 4;
const UNDER_WAY: i64 = 8;
/// Chains so short overlap with the next ones.
const SHORT: i64 = 64;
/// Running values of a row that is folded across lanes.
const RUNNING: i64 = 64;

/// How many times longer scalar code takes for each element.
pub(super) fn without_lanes(target: &Target) -> i64 {
    (target.lanes() as i64 / SCALARS).max(1)
}

/// For each stage of a region how idle its plan leaves the machine.
pub(super) fn idle(region: &Region, plan: &Plan, target: &Target) -> Vec<Idle> {
    let full = target.lanes() as i64;
    // Warps wait for each other, not for themselves.
    let under_way = if target.gpu.is_some() { 1 } else { UNDER_WAY };
    let mut out = vec![Idle::default(); region.stages.len()];
    for scheduled in plan.scheduled() {
        let own = (scheduled.lanes as i64).max(1);
        let lanes = match scheduled.schedule {
            // Their weights are those of scalar code.
            Schedule::Sort(_) | Schedule::SelectAndScatter => 1,
            _ => (full / own.max(SCALARS)).max(1),
        };
        for s in scheduled.stages() {
            let long = region.stages[s as usize].inner_points() >= SHORT;
            let (waiting, least) = match scheduled.schedule {
                Schedule::Contract(c) => (lanes * waits(UNDER_WAY, c.rows * c.tile as i64, long), 1),
                Schedule::Reduce(r) => {
                    let waits = waits(under_way, chains(r) * (own / full).max(1), long);
                    (1, full / own.min(full) * waits)
                }
                _ => (1, 1),
            };
            out[s as usize] = Idle { lanes, waiting, least };
        }
    }
    out
}

/// How much longer operations take that wait for each other, if there are so many chains of them.
fn waits(under_way: i64, chains: i64, long: bool) -> i64 {
    if long { (under_way / chains.max(1)).max(1) } else { 1 }
}

/// Vectors that are folded side by side.
fn chains(r: &ReduceSchedule) -> i64 {
    match r.shape {
        ReduceShape::AcrossLanes => RUNNING / (r.lanes as i64).max(1),
        ReduceShape::LaneWise { tile, .. } => tile as i64,
    }
}
