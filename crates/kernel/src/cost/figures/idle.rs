//! How idle a plan leaves the machine: lanes that do nothing, and instructions that wait for each other.

use crate::plan::{Plan, ReduceSchedule, ReduceShape, Schedule, product_lanes};
use crate::region::{Region, Stage};
use crate::target::Target;

/// What idle lanes and units of a stage cost.
#[derive(Clone, Copy)]
pub(super) struct Idle {
    /// The factor by which a stage takes longer because its vectors are narrower than the machine's: an instruction takes
    /// the same time for few lanes as for all. Scalar code counts as `SCALARS` lanes.
    pub lanes: i64,
    /// The factor by which the multiply-adds of a product take longer because too few of them are independent to fill the
    /// pipeline of the unit.
    pub waiting: i64,
    /// The least work for each element of a reduction: the latency of the combination before it, divided by the chains
    /// that run side by side.
    pub least: i64,
    /// The work for each result of halving running values that lie across lanes: each instruction takes as long as one for all lanes.
    pub halving: i64,
}

impl Default for Idle {
    fn default() -> Idle {
        Idle { lanes: 1, waiting: 1, least: 1, halving: 0 }
    }
}

/// Scalar operations that a superscalar core executes at once.
pub(super) const SCALARS: i64 = 4;
/// Dependent operations a core needs in flight to fill its vector units: latency times units.
const UNDER_WAY: i64 = 8;
/// Below this length latency does not count: out-of-order execution overlaps a chain with those of the next points.
const SHORT: i64 = 64;
/// Rows whose halving counts.
const MANY_ROWS: i64 = 512;
/// Running values of a row that is folded across lanes.
const RUNNING: i64 = 64;

/// How many times longer scalar code takes for each element.
pub(super) fn without_lanes(target: &Target) -> i64 {
    (target.lanes() as i64 / SCALARS).max(1)
}

/// For each stage of a region how idle its plan leaves the machine.
pub(super) fn idle(region: &Region, plan: &Plan, target: &Target) -> Vec<Idle> {
    let full = target.lanes() as i64;
    // While a warp waits for its own result, the multiprocessor runs others: latency is hidden.
    let under_way = if target.gpu.is_some() { 1 } else { UNDER_WAY };
    // Of warps that share a row each has all lanes of what is not spread over them.
    let warps = plan.nest.as_ref().map_or(1, |n| n.warps) as i64;
    let mut out = vec![Idle::default(); region.stages.len()];
    for scheduled in plan.scheduled() {
        let own = (scheduled.lanes as i64).max(1);
        let full = match scheduled.schedule {
            Schedule::Contract(_) => product_lanes(&region.stages[scheduled.stage as usize], target) as i64,
            _ => full * warps,
        };
        let lanes = (full / own.max(SCALARS.min(full))).max(1);
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
            let halving = match scheduled.schedule {
                Schedule::Reduce(r) if target.gpu.is_none() => halving(&region.stages[s as usize], r) * full,
                _ => 0,
            };
            out[s as usize] = Idle { lanes, waiting, least, halving };
        }
    }
    out
}

/// The factor by which dependent operations take longer, if so many independent chains of them run side by side.
fn waits(under_way: i64, chains: i64, long: bool) -> i64 {
    if long { (under_way / chains.max(1)).max(1) } else { 1 }
}

/// Instructions that halve the running values of all chunks of a row to one: a shuffle and a combination each time. Rows that are
/// halved together share them. None of few rows, which are no work, and of integers: bits that are packed to words were measured to
/// take no longer for it.
fn halving(stage: &Stage, r: &ReduceSchedule) -> i64 {
    let priced = stage.points() >= MANY_ROWS && stage.own_results().iter().all(|d| d.is_float());
    let rounds = match r.shape {
        ReduceShape::AcrossLanes if priced && r.stored_together > 1 => 1,
        ReduceShape::AcrossLanes if priced => RUNNING.min(r.chunk).max(1).ilog2() as i64,
        ReduceShape::AcrossLanes | ReduceShape::LaneWise { .. } => 0,
    };
    2 * rounds * r.chunks
}

/// Vectors that are folded side by side.
fn chains(r: &ReduceSchedule) -> i64 {
    match r.shape {
        ReduceShape::AcrossLanes => (RUNNING / (r.lanes as i64).max(1)).max(1),
        ReduceShape::LaneWise { tile, .. } => tile as i64 * r.together * r.beside.map_or(1, |b| b.points),
    }
}
