//! How often the threads of a graphics processor wait for memory: each time they load what they have under way at once. However many
//! bytes that is, the answer takes as long.

use crate::plan::{Axes, Body, MapSchedule, Plan, ReduceSchedule, ReduceShape, Schedule};
use crate::region::{Node, Region, Source, Stage, roots_of};
use crate::target::{Target, WARP};
use lawson_hlo::index::Affine;

/// Waits of one launch; none where it is not known how a plan loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waits {
    /// Of all threads together.
    pub all: i64,
    /// Threads of all tasks.
    pub threads: i64,
    /// Those that follow each other while the partial results of chunks are joined.
    pub joining: i64,
}

impl Waits {
    fn add(self, other: Waits) -> Waits {
        Waits {
            all: self.all.saturating_add(other.all),
            threads: self.threads.saturating_add(other.threads),
            joining: self.joining.max(other.joining),
        }
    }
}

/// The waits of a region under its plan; of a row nest they are not known.
pub(super) fn waits(region: &Region, plan: &Plan, target: &Target) -> Waits {
    if target.gpu.is_none() {
        return Waits::default();
    }
    let groups = plan.groups.iter().map(|g| {
        let stage = &region.stages[g.stage as usize];
        match &g.schedule {
            Schedule::Map(m) => of_map(region, stage, &g.axes, m, target),
            Schedule::Reduce(r) => of_reduce(region, stage, &g.axes, r, target),
            _ => Waits::default(),
        }
    });
    let bodies = plan.segments.iter().flat_map(|s| &s.bodies).map(|b| of_body(region, b, target));
    groups.chain(bodies).fold(Waits::default(), Waits::add)
}

/// The waits of all parts of a body: its plan is that of the first.
fn of_body(region: &Region, body: &Body, target: &Target) -> Waits {
    let first = waits(&region.parts[body.parts[0] as usize].region, &body.plan, target);
    let Some(sizes) = &body.sizes else {
        let parts = body.parts.len() as i64;
        return Waits { all: first.all * parts, threads: first.threads * parts, ..first };
    };
    let elements: i64 = sizes.extents.iter().sum();
    let tasks: i64 = sizes.tasks().iter().sum();
    let share = elements as f64 / sizes.extents[0].max(1) as f64;
    Waits { all: (first.all as f64 * share) as i64, threads: tasks * WARP, ..first }
}

/// The loads from inputs that change along this axis, by their nodes' offsets.
fn loads(region: &Region, stage: &Stage, axes: &Axes, along: usize) -> usize {
    let varies = |offset: &Affine| axes.translate(offset).coefficient(along) != Some(0);
    let ids = region.live(&roots_of(stage), &|value, lo, hi| axes.holds(value, lo, hi));
    let is_load =
        |n: &Node| matches!(n, Node::Load { source: Source::Input(_), offset, .. } if varies(offset));
    ids.into_iter().filter(|&id| is_load(region.node(id))).count()
}

fn of_map(region: &Region, stage: &Stage, axes: &Axes, m: &MapSchedule, target: &Target) -> Waits {
    if let Some(split) = &m.split {
        let parts = split.axes(axes);
        let of_part = |(part, axes)| of_map(region, stage, axes, part, target);
        return split.parts.iter().zip(&parts).map(of_part).fold(Waits::default(), Waits::add);
    }
    let points: i64 = axes.space_extents().iter().product();
    let Some(lane) = m.lane else { return Waits::default() };
    let loads = loads(region, stage, axes, lane);
    if loads == 0 {
        return Waits::default();
    }
    let lanes = m.lanes as i64;
    let (all, in_task) = match &m.transpose {
        Some(t) => {
            // A line of the square for each thread, then what is loaded beside it.
            let beside = if loads > t.loads.len() { points / m.ahead } else { 0 };
            (points / lanes + beside, (t.rows * t.columns).max(m.rows_per_task * m.columns_per_task))
        }
        None => (points / m.ahead, m.rows_per_task * m.columns_per_task),
    };
    let each = (lanes / target.lanes() as i64).max(1);
    Waits { all: all / each, threads: points / in_task.max(1) * WARP, joining: 0 }
}

fn of_reduce(region: &Region, stage: &Stage, axes: &Axes, r: &ReduceSchedule, target: &Target) -> Waits {
    /// Running values of a chunk along the minor dimension.
    const RUNNING: i64 = 64;
    let (points, all) = (stage.points(), stage.points().saturating_mul(stage.inner_points()));
    let inner = axes.space..axes.extents.len();
    if r.rolled || inner.map(|a| loads(region, stage, axes, a)).sum::<usize>() == 0 {
        return Waits::default();
    }
    let lanes = r.lanes.max(1) as i64;
    let (vectors, tasks) = match r.shape {
        ReduceShape::AcrossLanes => ((RUNNING / lanes).max(1), points),
        ReduceShape::LaneWise { tile, .. } => {
            let width = lanes * tile.max(1) as i64;
            (tile.max(1) as i64, (points + width - 1) / width)
        }
    };
    let tasks = tasks.saturating_mul(if r.two_phases { r.chunks } else { 1 }) / r.rows_per_task.max(1);
    let idle = (target.lanes() as i64 / lanes).max(1);
    let under_way = vectors * r.ahead.max(1) * r.together.max(1) * (lanes / target.lanes() as i64).max(1);
    let mut joining = 0;
    if r.two_phases {
        let mut left = r.chunks;
        while left > 1 {
            left = (left + r.join.together - 1) / r.join.together;
            joining += (left + r.join.lanes as i64 - 1) / r.join.lanes as i64;
        }
    }
    Waits { all: all / under_way * idle, threads: tasks.max(1) * WARP, joining }
}
