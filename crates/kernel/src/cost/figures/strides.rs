//! Strided accesses: neighbouring lanes need elements that are not neighbours in memory.
//!
//! Such a load or store takes one access for each lane (a gather or scatter). Where the cache lines it touches are evicted
//! before the next points use their other elements, it also moves a whole line for each element.

use crate::plan::{
    Axes, ContractSchedule, MapSchedule, Plan, ReduceSchedule, ReduceShape, Schedule, Scheduled, SortMethod,
    SortSchedule, is_loaded_apart, reach_of_data, rounds, row_along, row_of, take_turns,
};
use crate::region::{Kind, Node, NodeId, Region, Source, Stored};
use crate::target::{LINE, Target};
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, Atom, linearize};

/// Bytes of the least element that a vector takes from memory by itself.
const WORD: i64 = 4;

/// What a load or a store of a stage weighs more than a contiguous one.
pub(super) struct Strides<'p> {
    stages: Vec<Option<Accesses<'p>>>,
    /// Inputs whose rows a nest brings near.
    near: Vec<u32>,
}

impl<'p> Strides<'p> {
    pub fn new(region: &Region, plan: &'p Plan, target: &'p Target) -> Strides<'p> {
        let near = plan.nest.iter().flat_map(|n| &n.near).map(|n| n.input).collect();
        let stages = region.stages.iter().map(|_| None).collect();
        let mut out = Strides { stages, near };
        for scheduled in plan.scheduled() {
            let axes = |s: u32| {
                let stage = &region.stages[s as usize];
                stage.space.len() + stage.inner.len()
            };
            let along =
                Along::of(region, &scheduled, target).filter(|a| a.axes.are_of(axes(scheduled.stage)));
            // An epilogue is evaluated in the outer loops of its stage, which come first, so it has at most as many axes.
            for s in scheduled.stages().filter(|&s| axes(s) <= axes(scheduled.stage)) {
                let of = |loads| {
                    let stores = along_results(&scheduled, loads);
                    let loads = if s == scheduled.stage { loads } else { stores };
                    Accesses { loads, stores, schedule: scheduled.schedule }
                };
                out.stages[s as usize] = along.map(of);
            }
        }
        out
    }

    /// Of one evaluation of a node in a stage.
    pub fn of_load(&self, region: &Region, s: usize, id: NodeId) -> i64 {
        let Node::Load { source: Source::Input(n), offset, mask } = region.node(id) else { return 0 };
        let Some(Accesses { loads: along, schedule, .. }) = &self.stages[s] else { return 0 };
        let few = along.step(offset).filter(|&step| is_loaded_apart(step)).map(i64::abs);
        match schedule {
            _ if self.near.contains(n) => 0,
            Schedule::Map(m) if m.transpose.as_ref().is_some_and(|t| t.loads.contains(&id)) => {
                along.target.rates.turn
            }
            Schedule::Map(MapSchedule { in_order: Some(order), .. })
            | Schedule::Reduce(ReduceSchedule { in_order: Some(order), .. }) => order.of_load(id),
            // Transposed while the operand is packed, and packing has a weight of its own.
            Schedule::Contract(c) if c.turned.contains(&id) => 0,
            // A shuffle for each round of them.
            _ if let Some(length) = along.short_row(region, (s, id), offset, schedule) => {
                rounds(length as usize).unwrap_or(0) as i64
            }
            // Whole vectors, and a shuffle for each but the first.
            _ if along.is_vector && mask.is_none() && few.is_some() => 2 * few.unwrap_or(1) - 2,
            _ => along.weight(region, offset, region.dtype(id), region.inputs[*n as usize].elements),
        }
    }

    /// Of storing so many elements of one result of a stage.
    pub fn of_store(&self, region: &Region, (s, result): (usize, usize), elements: i64) -> i64 {
        let Some(Accesses { stores: along, schedule, .. }) = &self.stages[s] else { return 0 };
        if matches!(schedule, Schedule::Update(_) | Schedule::SelectAndScatter(_) | Schedule::Loop(_)) {
            return 0;
        }
        let stage = &region.stages[s];
        let weight = |position: &Affine| {
            along.weight(region, position, stage.results[result], stage.elements_of(result))
        };
        match stage.stored_as(result) {
            Some(stored) if in_turn(stored, along) => {
                elements.saturating_mul(rounds(stored.parts.len()).unwrap_or(0) as i64)
            }
            Some(stored) => {
                let each = elements / (stored.parts.len() as i64).max(1);
                stored.parts.iter().fold(0i64, |sum, p| sum.saturating_add(each.saturating_mul(weight(&p.0))))
            }
            None if let Kind::Sort { position, .. } = &stage.kind => {
                elements.saturating_mul(weight(position))
            }
            None => {
                let index: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
                elements.saturating_mul(weight(&linearize(&index, &stage.space)))
            }
        }
    }
}

/// The accesses of a stage: along which axis its loads and its stores follow each other.
struct Accesses<'p> {
    loads: Along<'p>,
    stores: Along<'p>,
    schedule: &'p Schedule,
}

/// Along which axis results and what an epilogue reads follow each other: as the operands of a product, unless it turns its sums.
fn along_results<'p>(scheduled: &Scheduled<'p>, loads: Along<'p>) -> Along<'p> {
    match scheduled.schedule {
        Schedule::Contract(ContractSchedule { turns_results: true, row: Some(row), .. }) => {
            Along { axis: *row, ..loads }
        }
        _ => loads,
    }
}

/// Along which axis a sort reads and writes: its rows, unless they lie side by side in memory in the lanes. Selection in lanes has
/// its reads in what it weighs.
fn along_sorted(s: &SortSchedule, kind: &Kind, axes: &Axes) -> Option<usize> {
    let row = axes.extents.len().checked_sub(1);
    match (s.method, kind) {
        (SortMethod::SelectInLanes(_), _) => None,
        (SortMethod::Turned(lane, _) | SortMethod::SortInLanes(lane, _), Kind::Sort { position, .. })
            if axes.translate(position).coefficient(lane) == Some(1) =>
        {
            Some(lane)
        }
        _ => row,
    }
}

/// Whether the parts of what a stage stores are put in the order of memory first.
fn in_turn(stored: &Stored, along: &Along<'_>) -> bool {
    let offsets: Vec<&Affine> = stored.parts.iter().map(|p| &p.0).collect();
    take_turns(&offsets, along.axes, along.is_vector.then_some(along.axis))
}

/// The innermost loop of a stage: successive accesses differ by one step along this axis.
#[derive(Clone, Copy)]
struct Along<'p> {
    axes: &'p Axes,
    axis: usize,
    /// A vector, or one element after the other.
    is_vector: bool,
    /// Vectors of a reduction of several axes, of which some have elements of two lines.
    crosses_lines: bool,
    /// A row that is sorted, which takes the first-level cache before the next one is read.
    is_sorted: bool,
    /// Columns of a product's tile, for which it goes through k before it takes the next.
    tile: Option<i64>,
    target: &'p Target,
}

impl<'p> Along<'p> {
    fn of(region: &Region, scheduled: &Scheduled<'p>, target: &'p Target) -> Option<Along<'p>> {
        let axes = scheduled.axes;
        let axis = match (scheduled.schedule, scheduled.lane) {
            (Schedule::Sort(s), _) => along_sorted(s, &region.stages[scheduled.stage as usize].kind, axes),
            (_, Some(lane)) if scheduled.lanes > 1 => Some(lane),
            (Schedule::SelectAndScatter(_), _) => None,
            _ => axes.extents.len().checked_sub(1),
        }?;
        let tile = match scheduled.schedule {
            Schedule::Contract(c) if c.team.is_none() => Some(c.lanes as i64 * c.tile as i64),
            _ => None,
        };
        let crosses_lines = match (scheduled.schedule, axes.inner_extents()) {
            (Schedule::Reduce(r), &[_, .., line]) => {
                let is_across = r.shape == ReduceShape::AcrossLanes && r.rows_by_line.is_none();
                let lanes = scheduled.lanes as i64;
                is_across && target.gpu.is_none() && line % lanes != 0 && line * 2 != lanes
            }
            _ => false,
        };
        let is_sorted = matches!(scheduled.schedule, Schedule::Sort(_));
        Some(Along { axes, axis, is_vector: scheduled.lanes > 1, crosses_lines, is_sorted, tile, target })
    }

    /// The length of the rows that are loaded whole with this load.
    fn short_row(
        &self,
        region: &Region,
        (s, id): (usize, NodeId),
        offset: &Affine,
        schedule: &Schedule,
    ) -> Option<i64> {
        if !self.is_vector || self.target.gpu.is_some() {
            return None;
        }
        let within = match (&region.stages[s].kind, schedule) {
            (Kind::Reduce { order, .. }, Schedule::Reduce(r)) if order.is_minor() && !r.rolled => {
                row_along(region, self.axes, self.axis, id)
            }
            _ => None,
        };
        within.or_else(|| self.step(offset).map(i64::abs).filter(|&step| row_of(region, id, step).is_some()))
    }

    /// What an offset grows by with each step; `None` where that differs.
    fn step(&self, offset: &Affine) -> Option<i64> {
        self.axes.translate(offset).coefficient(self.axis)
    }

    /// Whether the lanes are of two rows that are as long as half a vector: two loads have all of them, or one store.
    fn is_of_two_rows(&self, offset: &Affine) -> bool {
        let half = self.target.lanes() as i64 / 2;
        fn holds(e: &Affine, axis: usize, half: i64, outside: bool) -> bool {
            e.terms.iter().all(|(atom, k)| match atom {
                Atom::Div(e, c) | Atom::Mod(e, c) => half % c == 0 && holds(e, axis, half, false),
                Atom::Axis(a) => (*a as usize == axis) != outside && (outside || *k == 1),
                Atom::Symbol(_) => false,
            })
        }
        let offset = self.axes.translate(offset);
        let mut of_rows = false;
        offset.visit(&mut |atom| of_rows |= matches!(atom, Atom::Div(_, c) if *c == half));
        of_rows && self.is_vector && self.target.gpu.is_none() && holds(&offset, self.axis, half, true)
    }

    /// What an access at this offset, to an array of so many elements, weighs more than a contiguous one.
    fn weight(&self, region: &Region, offset: &Affine, dtype: DType, elements: i64) -> i64 {
        let rates = &self.target.rates;
        let step = self.step(offset);
        let size = dtype.size() as i64;
        let reach = reach_of_data(region, self.axes, offset, self.axis).saturating_mul(size);
        let chooses_far = reach > self.target.l2;
        // Quotients and remainders of places in a row that is sorted are mostly those of their neighbours.
        if self.is_sorted && step.is_none() {
            return 0;
        }
        let is_in_line = !chooses_far
            && !self.crosses_lines
            && (matches!(step, Some(-1..=1)) || self.is_of_two_rows(offset));
        // Far apart: each step is in another cache line. Where the step is not constant (a quotient or remainder in the
        // offset), most steps are short, so it does not count as far.
        let apart = chooses_far || step.is_some_and(|s| s.abs().saturating_mul(size) >= LINE);
        // Where data decides the place (a gather), lines are reused only if the whole array fits the cache. Along an axis,
        // the next pass over the axis reuses its lines, if they fit; the next elements of k those of a product's tile.
        let mut jumps = false;
        offset.visit(&mut |atom| jumps |= matches!(atom, Atom::Symbol(_)));
        let is_large = match jumps {
            true => elements.saturating_mul(size) > self.target.l2,
            false => {
                let pass = self.tile.filter(|_| self.is_reused_along_k(offset, size));
                let kept = if self.is_sorted { self.target.l1 } else { self.target.l2 / 4 };
                pass.unwrap_or(self.axes.extents[self.axis]).saturating_mul(LINE) > kept
            }
        };
        let is_far = apart && is_large;
        // An element of less than a word goes through a register of its own.
        let gather = if size < WORD && self.target.gpu.is_none() { 2 * rates.gather } else { rates.gather };
        match (is_in_line, is_far) {
            (true, _) => 0,
            (false, true) => gather * rates.far,
            (false, false) if self.is_vector => gather,
            (false, false) => 0,
        }
    }

    /// Whether the next element of k lies in the same line.
    fn is_reused_along_k(&self, offset: &Affine, size: i64) -> bool {
        let inner = self.axes.extents.len().checked_sub(1).filter(|&k| k >= self.axes.space);
        let step = inner.and_then(|k| self.axes.translate(offset).coefficient(k));
        step.is_some_and(|step| step != 0 && step.abs().saturating_mul(size) < LINE)
    }
}
