//! Where a stage reads large arrays in line: what can be asked for before it is read.

use super::Axes;
use super::reduce::{ReduceSchedule, Shape};
use super::schedule::Schedule;
use super::work::{combining_cost, point_cost};
use crate::region::{Kind, Node, NodeId, Region, Source, roots_of};
use crate::target::{LINE, Target};
use lawson_hlo::index::{Affine, Atom, Space};

/// A load of a stage that reads vectors in line of an array that the second-level cache does not hold.
pub(super) struct Reading {
    pub stage: u32,
    pub load: NodeId,
    pub input: u32,
    /// The element at the first point.
    pub first: i64,
    /// Bytes of an element.
    pub size: i64,
    /// Operations for each point of the stage.
    pub cost: i64,
    /// The loops of the stage from the innermost one outwards.
    pub within: Vec<Step>,
    /// Those over the rows of its nest.
    pub rows: Vec<Step>,
}

/// A loop as a load sees it.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub trips: i64,
    /// Elements of the array from one trip to the next.
    pub elements: i64,
}

impl Reading {
    /// Whether it reads what another load of the stage reads some trips of one loop later, in the same line or the next.
    pub fn leads(&self, other: &Reading) -> bool {
        let by = self.first - other.first;
        let near = LINE / self.size;
        let loops = || self.within.iter().chain(&self.rows);
        let same = loops().eq(other.within.iter().chain(&other.rows));
        let later = |s: &Step| {
            let trips = (by + near / 2).div_euclid(s.elements.max(1));
            s.elements > 0 && (0..s.trips).contains(&trips) && (by - trips * s.elements).abs() <= near
        };
        same && by > 0 && loops().any(later)
    }
}

/// The elements that loops read, where they lie in line without gaps.
pub(super) fn in_line(loops: &[Step]) -> Option<i64> {
    loops
        .iter()
        .filter(|s| s.elements != 0)
        .try_fold(1, |run, s| (s.elements == run).then_some(run * s.trips))
}

/// The loads of a stage that read vectors in line of large arrays.
pub(super) fn readings(
    (region, stage): (&Region, u32),
    (axes, rows, schedule): (&Axes, &[usize], &Schedule),
    target: &Target,
) -> Vec<Reading> {
    let kind = &region.stages[stage as usize].kind;
    let Some(within) = loops(axes, rows, schedule) else { return Vec::new() };
    let roots = roots_of(&region.stages[stage as usize]);
    let combining = match kind {
        Kind::Reduce { values, combiner, .. } => combining_cost(region, axes, (values, combiner), target),
        _ => 0,
    };
    let cost = point_cost(region, &roots, target) + combining;
    let space = Space::of_extents(&axes.extents);
    let rows = || rows.iter().rev().map(|&a| Loop { axis: a, trips: axes.extents[a], by: 1 });
    let reading = |load: NodeId| {
        let Node::Load { source: Source::Input(input), offset, mask: None } = region.node(load) else {
            return None;
        };
        let (array, offset) = (&region.inputs[*input as usize], unwrapped(&axes.translate(offset), &space));
        let size = array.dtype.size() as i64;
        let linear = offset.terms.iter().all(|(atom, _)| matches!(atom, Atom::Axis(_)));
        let large = array.elements.saturating_mul(size) > target.l2;
        let step = |l: Loop| Step { trips: l.trips, elements: coefficient(&offset, l.axis) * l.by };
        let in_line = within.first().is_some_and(|l| coefficient(&offset, l.axis) == 1);
        (linear && large && in_line).then(|| Reading {
            stage,
            load,
            input: *input,
            first: offset.constant,
            size,
            cost,
            within: within.iter().copied().map(step).collect(),
            rows: rows().map(step).collect(),
        })
    };
    region.reachable(&roots).into_iter().filter_map(reading).collect()
}

/// The offset without the remainders that begin again at most once: what lies in line but for there.
pub(super) fn unwrapped(offset: &Affine, space: &Space) -> Affine {
    let plain = |atom: &Atom| {
        let Atom::Mod(inner, c) = atom else { return None };
        if !inner.terms.iter().all(|(atom, _)| matches!(atom, Atom::Axis(_))) {
            return None;
        }
        let from = inner.add_constant(if inner.constant > c / 2 { -*c } else { 0 });
        let (least, greatest) = from.range(space);
        (least >= -*c && greatest < 2 * *c).then_some(from)
    };
    offset.terms.iter().fold(Affine::constant(offset.constant), |sum, (atom, k)| match plain(atom) {
        Some(plain) => sum.add(&plain.mul(*k)),
        None => sum.add(&Affine { constant: 0, terms: vec![(atom.clone(), *k)] }),
    })
}

fn coefficient(offset: &Affine, axis: usize) -> i64 {
    offset.coefficient(axis).unwrap_or_default()
}

/// A loop along an axis, `by` so many elements in each trip.
#[derive(Clone, Copy)]
struct Loop {
    axis: usize,
    trips: i64,
    by: i64,
}

/// The loops of a stage from the innermost one outwards, but those over the rows of its nest; the innermost one goes along the lanes.
fn loops(axes: &Axes, rows: &[usize], schedule: &Schedule) -> Option<Vec<Loop>> {
    let whole = |axis: usize| Loop { axis, trips: axes.extents[axis], by: 1 };
    let inner = (axes.space..axes.extents.len()).rev().map(whole);
    let outer = |lane: Option<usize>| {
        (0..axes.space).rev().filter(move |&a| Some(a) != lane && !rows.contains(&a)).map(whole)
    };
    match schedule {
        Schedule::Map(s) if s.lanes > 1 && s.transpose.is_none() && s.next_rows.is_empty() => {
            Some(s.lane.map(whole).into_iter().chain(outer(s.lane)).collect())
        }
        Schedule::Reduce(ReduceSchedule { shape: Shape::AcrossLanes, lanes, .. }) if *lanes > 1 => {
            Some(inner.chain(outer(None)).collect())
        }
        Schedule::Reduce(ReduceSchedule {
            shape: Shape::LaneWise { lane: Some(lane), tile }, lanes, ..
        }) if *lanes > 1 => {
            let columns = axes.extents[*lane];
            let width = (*lanes as i64 * *tile as i64).min(columns);
            let tile = Loop { axis: *lane, trips: width, by: 1 };
            let tiles = Loop { axis: *lane, trips: columns / width.max(1), by: width };
            Some([tile].into_iter().chain(inner).chain([tiles]).chain(outer(Some(*lane))).collect())
        }
        _ => None,
    }
}
