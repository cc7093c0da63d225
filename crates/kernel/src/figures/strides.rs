//! Elements that vectors reach one by one: what neighbouring lanes need is not neighbouring in memory.
//!
//! Such a load or store costs an access for each lane, and where the lines between are too many to stay near until the
//! next point needs their other elements, a line for each element.

use crate::lower::axes::Axes;
use crate::plan::{Plan, Schedule, Scheduled, roots_of};
use crate::region::{Node, NodeId, Region, Source};
use crate::target::{LINE, Target};
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, linearize};
use rustc_hash::FxHashMap;

/// What one evaluation of the loads and one store of the results of stages weighs more than in line.
#[derive(Default)]
pub(super) struct Strides {
    loads: FxHashMap<(usize, NodeId), i64>,
    stores: FxHashMap<usize, i64>,
}

impl Strides {
    pub fn new(region: &Region, plan: &Plan, target: &Target) -> Strides {
        let mut out = Strides::default();
        let near = plan.nest.iter().flat_map(|n| &n.near);
        let near: Vec<u32> = near.map(|n| n.input).collect();
        for scheduled in plan.scheduled() {
            let Some(along) = Along::of(&scheduled, target) else { continue };
            let turned = turned(scheduled.schedule);
            let fits = |s: &u32| {
                let stage = &region.stages[*s as usize];
                along.axes.are_of(stage.space.len() + stage.inner.len())
            };
            for s in scheduled.stages().filter(fits) {
                for id in region.reachable(&roots_of(&region.stages[s as usize])) {
                    let Node::Load { source: Source::Input(n), offset, .. } = region.node(id) else {
                        continue;
                    };
                    let weight = along.weight(offset, region.dtype(id));
                    if weight > 0 && !near.contains(n) && !turned.contains(&id) {
                        out.loads.insert((s as usize, id), weight);
                    }
                }
                out.stores.insert(s as usize, stored(region, s, &along, scheduled.schedule));
            }
        }
        out
    }

    /// Of one evaluation of a node in a stage.
    pub fn of_load(&self, s: usize, id: NodeId) -> i64 {
        self.loads.get(&(s, id)).copied().unwrap_or(0)
    }

    /// Of storing one result of a stage.
    pub fn of_store(&self, s: usize) -> i64 {
        self.stores.get(&s).copied().unwrap_or(0)
    }
}

/// What storing a result of a stage weighs more than in line.
fn stored(region: &Region, s: u32, along: &Along<'_>, schedule: &Schedule) -> i64 {
    let stage = &region.stages[s as usize];
    let is_output = |n: &u32| region.output_sources.contains(&(s, *n));
    let Some(n) = (0..stage.results.len() as u32).find(is_output) else { return 0 };
    if matches!(schedule, Schedule::Update(_) | Schedule::Loop(_)) {
        return 0;
    }
    let index: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
    along.weight(&linearize(&index, &stage.space), stage.results[n as usize])
}

/// Loads that are read in line and turned in registers.
fn turned(schedule: &Schedule) -> Vec<NodeId> {
    match schedule {
        Schedule::Map(m) => m.transpose.as_ref().map_or_else(Vec::new, |t| t.loads.clone()),
        Schedule::Contract(c) => c.turned.iter().chain(&c.turned_ahead).copied().collect(),
        _ => Vec::new(),
    }
}

/// The innermost steps of a stage.
struct Along<'p> {
    axes: &'p Axes,
    axis: usize,
    /// A vector, or one element after the other.
    is_vector: bool,
    target: &'p Target,
}

impl<'p> Along<'p> {
    fn of(scheduled: &Scheduled<'p>, target: &'p Target) -> Option<Along<'p>> {
        let axes = scheduled.axes;
        let axis = match (scheduled.schedule, scheduled.lane) {
            (Schedule::Sort(_) | Schedule::SelectAndScatter, _) => None,
            (_, Some(lane)) if scheduled.lanes > 1 => Some(lane),
            _ => axes.extents.len().checked_sub(1),
        }?;
        Some(Along { axes, axis, is_vector: scheduled.lanes > 1, target })
    }

    /// What an access at this offset of a stage weighs more than one in line.
    fn weight(&self, offset: &Affine, dtype: DType) -> i64 {
        let rates = &self.target.rates;
        let step = self.axes.translate(offset).coefficient(self.axis);
        let size = dtype.size() as i64;
        let is_in_line = matches!(step, Some(-1..=1));
        // Elements of one line are reached one after the other; quotients and remainders jump now and then.
        let apart = step.is_some_and(|s| s.abs().saturating_mul(size) >= LINE);
        let is_far = apart && self.axes.extents[self.axis].saturating_mul(LINE) > self.target.l2 / 4;
        match (is_in_line, is_far) {
            (true, _) => 0,
            (false, true) => rates.gather * rates.far,
            (false, false) if self.is_vector => rates.gather,
            (false, false) => 0,
        }
    }
}
