//! The loops of a reduction: chunks in the order the language fixes, lanes where they keep that order.

use super::Axes;
use super::ascending::is_ascending;
use super::choice::Choice;
use super::dependence::Dependence;
use super::in_order::InOrder;
use super::inverses::Inverses;
use super::map_schedule::{is_aligned, is_large};
use super::side_by_side::are_words;
use super::stored_together;
use super::tasks::evenly;
use super::vector::{lane_axis, lane_axis_but, lanes_within};
use super::work::point_cost;
use crate::region::{ArgExtreme, FoldOrder, Function, Kind, NodeId, Region, Stage};
use crate::target::{Target, WARP};
use lawson_hlo::DType;

/// How elements are laid on lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Lanes along the reduced axis: 64 running values, halved at the end of a chunk.
    AcrossLanes,
    /// Lanes along a kept axis: each folds its own elements.
    LaneWise { lane: Option<usize>, tile: u32 },
}

#[derive(Clone, PartialEq, Debug)]
pub struct ReduceSchedule {
    pub shape: Shape,
    pub lanes: u32,
    /// Lanes of the vectors in which running values are halved: those of a warp, where the lanes are threads of several.
    pub halved: u32,
    /// Elements of a chunk, and their number.
    pub chunk: i64,
    pub chunks: i64,
    /// Partial results pass through memory to a second phase; else one task makes all chunks of its rows.
    pub two_phases: bool,
    /// Rows of one task.
    pub rows_per_task: i64,
    /// Rows whose elements are folded side by side, each into running values of its own: they share what they have in
    /// common, and a core follows several streams where one does not use its bandwidth. Where lanes are results, chunks
    /// of a few columns: one sum would wait for itself.
    pub together: i64,
    /// Those rows are neighbours; else they lie far apart, so that each of their streams goes on where it was.
    pub neighbours: bool,
    /// Another kept axis than that of the lanes, all of whose points a task folds side by side.
    pub beside: Option<Beside>,
    /// Neighbouring rows whose results are finished and stored by one vector, where lanes lie along the reduced axis. All of them
    /// are folded side by side (`together`), or one after the other.
    pub stored_together: i64,
    /// Whether the code that combines an element is emitted once, in a loop over the vectors of running values, which
    /// are then in a local array. Otherwise it is emitted for each vector, and the running values are in registers.
    pub rolled: bool,
    /// Elements along the innermost of several reduced axes that have a loop of their own in a chunk, before which is computed what
    /// they share; `None` where each vector of a chunk finds its place and computes everything.
    pub line: Option<i64>,
    /// Rows of a block, which are folded as they lie in memory: all of them along one line of the innermost of several reduced axes,
    /// then along the next. `None` where a row is folded after the other.
    pub rows_by_line: Option<i64>,
    /// Lanes that lie along several reduced axes in the order of memory, which are one loop.
    pub in_order: Option<InOrder>,
    /// Inverses that the vectors of a chunk share, where lanes lie along the reduced axis.
    pub inverses: Inverses,
    /// What is looked for by blocks: each running value is the best of its lane with the number of its block, and the
    /// position is looked for in the first block that has the best of all. `None` where every element is combined with its
    /// position.
    pub by_blocks: Option<ArgExtreme>,
    /// Running values that are the greatest or least of eight-byte floats are integer keys, of which the machine compares vectors.
    pub wide_keys: bool,
    /// What is stored on the way bypasses the caches.
    pub streaming: bool,
    /// Elements of each running value that are loaded before the first of them is combined.
    pub ahead: i64,
    /// How the partial results of chunks are joined.
    pub join: Join,
}

/// Results that are folded side by side since most of what an element of theirs takes is the same for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beside {
    /// The loop along which they lie, and how many they are.
    pub axis: usize,
    pub points: i64,
}

/// The loops that join the partial results of a row's chunks, by pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// Pairs, or groups of them, that are joined at once.
    pub lanes: u32,
    /// Warps that share a row, where it is a phase of its own.
    pub warps: u32,
    /// Neighbouring partial results that a lane loads before it joins them, a power of two: several rounds of pairs at once.
    pub together: i64,
}

impl Join {
    /// One pair after the other, as a core joins them: there are few.
    const ONE_BY_ONE: Join = Join { lanes: 1, warps: 1, together: 2 };

    /// Partial results that a lane of a graphics processor has under way: rounds of pairs would each wait for memory.
    fn together(region: &Region, stage: &Stage) -> i64 {
        /// Bytes in the registers of a thread.
        const UNDER_WAY: i64 = 64;
        let Kind::Reduce { values, .. } = &stage.kind else { return 2 };
        let bytes: i64 = values.iter().map(|&v| (region.dtype(v).accumulator().size() as i64).max(4)).sum();
        let most = (UNDER_WAY / bytes.max(1)).max(2);
        if are_words(region, stage) { 1 << most.ilog2() } else { 2 }
    }
}

/// The join of the chunks of a row that so many warps share; where it is a phase of its own and rows are few, all warps of a
/// block share one.
pub(super) fn joined(
    s: ReduceSchedule,
    (region, stage): (&Region, &Stage),
    warps: u32,
    target: &Target,
) -> ReduceSchedule {
    if target.gpu.is_none() || s.chunks < 4 {
        return s;
    }
    let together = if s.rolled { 2 } else { Join::together(region, stage) };
    if s.shape != Shape::AcrossLanes {
        return ReduceSchedule { join: Join { together, ..s.join }, ..s };
    }
    let team = target.team();
    let shared =
        s.two_phases && s.chunks >= 2 * (target.lanes() * team) as i64 && stage.points() < target.tasks();
    let warps = if shared { team } else { warps };
    // What moves between lanes stays in a warp.
    let most = if are_words(region, stage) { target.lanes() * warps } else { target.lanes() };
    ReduceSchedule { join: Join { lanes: lanes_within(s.chunks / 2, most), warps, together }, ..s }
}

/// Elements under way for so many running values of a thread, of each: memory answers late, and a warp that waits for each in turn
/// needs many others beside it. Long elements have work enough.
fn ahead(element: i64, running: i64, target: &Target) -> i64 {
    const AHEAD: i64 = 8;
    if target.gpu.is_some() && element < LONG_ELEMENT { (AHEAD / running).max(1) } else { 1 }
}

/// The same of the elements of a chunk that follow each other, for so many warps: few of them have registers for twice as many.
/// Those that are left in the end come one by one. Where most schedulers have no warp, also long elements wait for each other.
fn ahead_in(chunk: i64, warps: i64, (element, running): (i64, i64), target: &Target) -> i64 {
    /// Operations of an element that is written out several times, at most, and how often.
    const LONGEST: i64 = 128;
    const OF_LONG: i64 = 4;
    let of_each = ahead(element, running, target);
    let few = target.gpu.is_some_and(|g| 2 * warps * WARP <= g.sms * g.sm_threads);
    let idle = target.gpu.is_some() && 2 * warps <= target.least_tasks();
    let most = match of_each {
        1 if idle && running == 1 && element <= LONGEST => OF_LONG,
        _ if few && of_each > 1 => 2 * of_each,
        _ => of_each,
    };
    let powers = (0..=most.ilog2()).rev().map(|n| 1 << n);
    powers.min_by_key(|ahead| chunk / ahead + chunk % ahead).unwrap_or(1)
}

impl ReduceSchedule {
    /// With the inverses that the vectors of a chunk of these values share.
    pub(super) fn sharing(self, region: &Region, values: &[NodeId], axes: &Axes, target: &Target) -> Self {
        if self.shape != Shape::AcrossLanes {
            return self;
        }
        let along: Vec<usize> = (axes.space..axes.extents.len()).collect();
        let inverses = Inverses::of(region, values, axes, &along, (self.chunk, self.lanes), target);
        ReduceSchedule { inverses, ..self }
    }

    /// Gives all tasks about as many rows.
    pub(super) fn even_tasks(&mut self, axes: &Axes, target: &Target) {
        let whole = self.shape == Shape::AcrossLanes && !self.two_phases && self.rows_by_line.is_none();
        if whole {
            let rows = axes.space_extents().iter().product();
            let block = self.together.max(self.stored_together);
            self.rows_per_task = evenly(rows, self.rows_per_task, block, target);
        }
    }
}

/// Rows of which the greatest or least element and its position are wanted, by blocks: elements that come later are
/// compared with those before, so that their positions need not be.
pub(super) fn by_blocks(
    s: ReduceSchedule,
    (region, stage): (&Region, &Stage),
    axes: &Axes,
    target: &Target,
) -> ReduceSchedule {
    let Kind::Reduce { values, combiner, mask: None, stored, .. } = &stage.kind else { return s };
    let length = axes.inner_extents().iter().product::<i64>();
    // Threads of a warp would each keep one element of a block.
    let plain = s.shape == Shape::AcrossLanes && stored.is_empty() && s.inverses.is_empty();
    if !plain || length <= s.lanes as i64 || target.gpu.is_some() {
        return s;
    }
    let found = ArgExtreme::of(region, combiner).filter(|of| of.is_total);
    let Some(of) = found.filter(|of| is_ascending(region, axes, values[1 - of.element])) else { return s };
    let element = point_cost(region, &[values[of.element]], target);
    // The block that has it is computed again, and the element by itself.
    if element >= SLOW_ELEMENT {
        return s;
    }
    let rolled = s.rolled && element >= LONG_ELEMENT;
    ReduceSchedule { by_blocks: Some(of), rolled, ..s }
}

/// Rows of long sums of cheap elements side by side, as many as have their running values in half of the registers; or
/// chunks of a few columns.
pub(super) fn side_by_side(
    s: ReduceSchedule,
    stage: &Stage,
    axes: &Axes,
    element: i64,
    target: &Target,
) -> ReduceSchedule {
    if element > CHEAP_ELEMENT || !can_be_side_by_side(&s, stage, axes, target) {
        return s;
    }
    if let Shape::LaneWise { tile, .. } = s.shape {
        let streams = (MOST_TOGETHER / tile.max(1) as i64).max(1);
        let together = (1..=streams).rev().find(|n| s.chunks % n == 0).unwrap_or(1);
        return ReduceSchedule { together, rows_per_task: (s.rows_per_task / together).max(1), ..s };
    }
    let size = (stage.results[0].accumulator().size() as i64 / 4).max(1);
    let registers = RUNNING / (s.lanes as i64).max(1) * size;
    let rows: i64 = axes.space_extents().iter().product();
    // A few running values that wait in memory are little beside the elements of long rows that come from there.
    let long = axes.inner_extents().iter().product::<i64>() >= STREAMED_ROW;
    let free = target.registers as i64 / if long && target.registers >= MANY_REGISTERS { 1 } else { 2 };
    let fit = (free / registers).clamp(1, MOST_TOGETHER);
    let Some(together) = (1..=fit).rev().find(|n| rows % n == 0) else { return s };
    let rows_per_task = (s.rows_per_task + together - 1) / together * together;
    ReduceSchedule { together, rows_per_task, ..s }
}

/// Rows whose results a warp stores together, on a graphics processor. Cheap elements of all of them are under way at once.
pub(super) fn storing_together(
    s: ReduceSchedule,
    (region, stage): (&Region, &Stage),
    (axes, cost): (&Axes, i64),
    results: &[DType],
    target: &Target,
) -> ReduceSchedule {
    let Kind::Reduce { values, mask: None, stored, .. } = &stage.kind else { return s };
    let Some(&rows) = axes.space_extents().last() else { return s };
    if s.shape != Shape::AcrossLanes || s.two_phases || s.chunks > 1 {
        return s;
    }
    let n = stored_together::rows(region, results, (rows, stage.points()), cost * s.chunk, target);
    // What is stored on the way is stored once, as it may lie where elements are read.
    if n == 1 || !stored.is_empty() && rows % n != 0 {
        return s;
    }
    let words = |&v: &NodeId| (region.dtype(v).accumulator().size() as i64 + 3) / 4;
    let running = RUNNING / (s.lanes as i64).max(1) * values.iter().map(words).sum::<i64>() * n;
    let plain = !s.rolled && s.inverses.is_empty() && are_words(region, stage);
    let at_once = plain && running <= target.registers as i64 / 4;
    let (together, ahead) = if at_once { (n, (s.ahead / n).max(1)) } else { (1, s.ahead) };
    let rows_per_task = (s.rows_per_task + n - 1) / n * n;
    ReduceSchedule { together, ahead, stored_together: n, rows_per_task, ..s }
}

/// Lines of the innermost reduced axis, on a processor: where elements share something along it that changes along the others.
/// Whole blocks of running values in each line, so that every element still meets the same running value.
pub(super) fn in_lines(
    s: ReduceSchedule,
    (region, axes): (&Region, &Axes),
    (evaluated, combiner, combining): (&[NodeId], &Function, i64),
    target: &Target,
) -> ReduceSchedule {
    let (&[.., line], true) = (axes.inner_extents(), axes.inner_extents().len() > 1) else { return s };
    let line = line.min(s.chunk);
    // A chunk of two blocks starts from the identity.
    let whole = line % RUNNING == 0
        && s.chunk >= 2 * RUNNING
        && s.chunk % line == 0
        && axes.inner_extents().last().is_some_and(|n| n % line == 0);
    let alone = s.rows_by_line.is_none() && s.together == 1 && s.inverses.is_empty() && s.by_blocks.is_none();
    let alone = alone && combiner.identities(region).is_some();
    if target.gpu.is_some() || s.shape != Shape::AcrossLanes || !whole || !alone {
        return s;
    }
    let mut along = Dependence::default();
    let innermost = axes.extents.len() - 1;
    let nodes = region.reachable(evaluated);
    let mut on =
        |id: &NodeId, mut axes_of: std::ops::Range<usize>| axes_of.any(|a| along.on(region, axes, *id, a));
    if !nodes.iter().any(|id| on(id, axes.space..innermost) && !on(id, innermost..innermost + 1)) {
        return s;
    }
    let of_each = nodes.into_iter().filter(|id| on(id, innermost..innermost + 1));
    let element = of_each.map(|id| target.rates.node(region, id)).sum::<i64>() + combining;
    ReduceSchedule {
        line: Some(line),
        rolled: s.rolled && element >= LONG_ELEMENT,
        ahead: ahead(element, ACROSS, target),
        ..s
    }
}

/// Whether several rows, or chunks of columns, can be folded side by side.
pub(super) fn can_be_side_by_side(s: &ReduceSchedule, stage: &Stage, axes: &Axes, target: &Target) -> bool {
    let Kind::Reduce { values, mask: None, stored, .. } = &stage.kind else { return false };
    let one = values.len() == 1 && stored.is_empty() && stage.results[0].is_float();
    let plain =
        one && !s.rolled && s.rows_by_line.is_none() && s.inverses.is_empty() && s.by_blocks.is_none();
    let length = axes.inner_extents().iter().product::<i64>();
    let apart = match s.shape {
        Shape::LaneWise { .. } => s.two_phases && s.chunk * s.chunks == length,
        Shape::AcrossLanes => !s.two_phases,
    };
    plain && apart && length >= LONG_ROW && target.gpu.is_none()
}

/// Running values of a row.
pub(super) const RUNNING: i64 = 64;
/// Those that each thread of a warp has of it.
const ACROSS: i64 = 2;
/// Rows of so many elements have enough blocks of running values that halving them is little work.
const LONG_ROW: i64 = 256;
/// Elements of a row from which on more streams are worth more than registers.
const STREAMED_ROW: i64 = 1536;
/// Registers of which few are missing then.
const MANY_REGISTERS: u32 = 32;
/// A product of two loads of f64, added.
const CHEAP_ELEMENT: i64 = 8;
/// So many rows of one vector are worth code for as many of them as a vector has lanes.
const MANY_ROWS: i64 = 512;
/// Streams that the first-level cache keeps apart, and that hardware follows.
pub(super) const MOST_TOGETHER: i64 = 4;

/// From so many operations on, the code of an element is emitted once (`rolled`): it would be long, and next to so much
/// work the loop and the array cost little.
const LONG_ELEMENT: i64 = 16;
/// From so many on, computing another vector of elements takes longer than keeping the position of each.
const SLOW_ELEMENT: i64 = 64;

/// What a vector of running values of this type takes of the registers of its kind, where a vector of f32 takes one: there are a
/// quarter as many for masks.
pub(super) fn registers(accumulator: DType) -> i64 {
    if accumulator.is_pred() { 4 } else { (accumulator.size() as i64 / 4).max(1) }
}

/// `cost` is that of a point with its epilogue, `element` that of combining one element, which has so many `values` of
/// so many registers for each vector.
pub(super) fn schedule(
    order: FoldOrder,
    axes: &Axes,
    (cost, element, (values, words)): (i64, i64, (i64, i64)),
    target: &Target,
    choice: Option<Choice>,
) -> ReduceSchedule {
    let length: i64 = axes.inner_extents().iter().product();
    let chunk = order.chunk().min(length.max(1));
    let chunks = (length + chunk - 1) / chunk;
    let chunks = chunks.max(1);
    let points: i64 = axes.space_extents().iter().product();
    let few = length <= 16 && points >= 64 && cost * length <= 400;
    // Rows of one vector are loaded as they lie, and halved together, which is code for each of them: for few it takes longer to make.
    let one_vector = length == target.lanes() as i64 && points >= MANY_ROWS;
    let few = few && (target.gpu.is_some() || !one_vector);
    match order {
        FoldOrder::MinorReduced | FoldOrder::MinorFree if !few => {
            // Narrow types still get as many lanes as there are partial sums.
            let lanes = lanes_within(length, target.lanes());
            let two_phases = chunks > 1 && points < 2 * target.tasks();
            let unit = if two_phases { chunk } else { length.max(1) };
            let row = (cost * unit.max(1)).max(1);
            let all = cost.saturating_mul(length).saturating_mul(points);
            let rows_per_task = (target.task_of(all) / row).max(1);
            let rolled = element >= LONG_ELEMENT && length > lanes as i64;
            ReduceSchedule {
                shape: Shape::AcrossLanes,
                lanes,
                halved: lanes.min(target.lanes()),
                chunk,
                chunks,
                two_phases,
                rows_per_task,
                together: 1,
                neighbours: false,
                beside: None,
                stored_together: 1,
                rolled,
                line: None,
                rows_by_line: None,
                in_order: None,
                inverses: Inverses::default(),
                by_blocks: None,
                wide_keys: compares_words(target),
                streaming: false,
                ahead: ahead(element, ACROSS, target),
                join: Join::ONE_BY_ONE,
            }
        }
        // A few elements each: the halving is a tree over them, and lanes may run along the results.
        FoldOrder::MinorReduced | FoldOrder::MinorFree | FoldOrder::MinorKept | FoldOrder::Sequential => {
            let lane = match choice {
                Some(Choice::LanesAlong(axis)) => Some(axis),
                _ => lane_axis(axes.space_extents(), target.lanes()),
            };
            let columns = lane.map_or(1, |l| axes.extents[l]);
            let lanes = lanes_within(columns, target.lanes());
            let long = element >= LONG_ELEMENT;
            let limit = match order {
                FoldOrder::MinorKept if long => 1,
                // Half of the registers for the running values: of one, a kilobyte of a row at a time, where rows are
                // pages apart.
                FoldOrder::MinorKept => (target.registers as i64 / 2 / words.max(1)).clamp(1, 16),
                FoldOrder::MinorReduced | FoldOrder::MinorFree => 1,
                FoldOrder::Sequential => 2,
            };
            // Where warps hide latencies, several vectors each leave others without work, and keep no more bytes under way
            // than elements of one vector that are loaded ahead.
            let limit = match target.gpu {
                Some(_) if order == FoldOrder::MinorKept => 1,
                Some(_) => limit.min(points / lanes as i64 * chunks / target.tasks()).max(1),
                None => limit,
            };
            let tile = vectors_of_tiles((columns, lanes as i64), limit, target) as u32;
            let warps = points / lanes as i64 * chunks;
            let two_phases = chunks > 1;
            let unit = cost * chunk.max(1) * (lanes * tile) as i64 / lanes as i64;
            let rows_per_task = (target.task() / 16 / unit.max(1)).max(1);
            ReduceSchedule {
                shape: Shape::LaneWise { lane, tile },
                lanes,
                halved: lanes.min(target.lanes()),
                chunk,
                chunks,
                two_phases,
                rows_per_task,
                together: 1,
                neighbours: false,
                beside: None,
                stored_together: 1,
                rolled: long && order.is_minor() && length > 1,
                line: None,
                rows_by_line: None,
                in_order: None,
                inverses: Inverses::default(),
                by_blocks: None,
                wide_keys: compares_words(target),
                streaming: false,
                ahead: if tile == 1 { ahead_in(chunk, warps, (element, values), target) } else { 1 },
                join: Join::ONE_BY_ONE,
            }
        }
    }
}

/// Whether vectors of eight-byte integers have a greatest: processors with vectors of 64 bytes do.
fn compares_words(target: &Target) -> bool {
    target.gpu.is_none() && target.vector_bytes >= 64
}

/// As many vectors of a tile, up to `limit`, as cover the columns with few that overlap: the last tile ends with the last column. On a
/// graphics processor as many as there are.
fn vectors_of_tiles((columns, lanes): (i64, i64), limit: i64, target: &Target) -> i64 {
    if target.gpu.is_some() {
        return (columns / lanes).clamp(1, limit);
    }
    let computed = |tile: i64| (columns + tile * lanes - 1) / (tile * lanes) * tile;
    let fit = || (1..=limit.max(1)).filter(|tile| *tile == 1 || tile * lanes <= columns);
    let least = fit().map(computed).min().unwrap_or(1);
    fit().filter(|&tile| computed(tile) * 8 <= least * 9).max().unwrap_or(1)
}

/// The loops of a reduction within a row of a nest, whose rows are these loop axes, with so many lanes at the most along a row.
pub(super) fn within_row(
    order: FoldOrder,
    axes: &Axes,
    (rows, side_by_side): (&[usize], bool),
    (element, most): (i64, u32),
    target: &Target,
) -> ReduceSchedule {
    let length: i64 = axes.inner_extents().iter().product();
    let chunk = order.chunk().min(length.max(1));
    let chunks = ((length + chunk - 1) / chunk).max(1);
    let (shape, lanes) = if order.is_minor() && !side_by_side {
        (Shape::AcrossLanes, lanes_within(length, most))
    } else {
        let extents = axes.space_extents();
        let lane = if side_by_side { None } else { lane_axis_but(extents, rows, target.lanes()) };
        let columns = lane.map_or(1, |l| extents[l]);
        let lanes = lanes_within(columns, target.lanes());
        let limit = if chunks > 1 || element >= LONG_ELEMENT { 1 } else { 4 };
        let tile = vectors_of_tiles((columns, lanes as i64), limit, target);
        (Shape::LaneWise { lane, tile: tile as u32 }, lanes)
    };
    let rolled = element >= LONG_ELEMENT && length > lanes as i64;
    ReduceSchedule {
        shape,
        lanes,
        halved: lanes.min(target.lanes()),
        chunk,
        chunks,
        two_phases: false,
        rows_per_task: 1,
        together: 1,
        neighbours: false,
        beside: None,
        stored_together: 1,
        rolled,
        line: None,
        rows_by_line: None,
        in_order: None,
        inverses: Inverses::default(),
        by_blocks: None,
        wide_keys: compares_words(target),
        streaming: false,
        ahead: match shape {
            // All warps of a block have one running value of each thread.
            Shape::AcrossLanes if order == FoldOrder::MinorFree => {
                let all_rows: i64 = rows.iter().map(|&a| axes.extents[a]).product();
                let (blocks, warps) = (chunk / order.running(), all_rows * (lanes as i64 / WARP).max(1));
                ahead_in(blocks.max(1), warps, (element, 1), target)
            }
            Shape::AcrossLanes | Shape::LaneWise { tile: 1, .. } => ahead(element, ACROSS, target),
            Shape::LaneWise { .. } => 1,
        },
        join: Join::ONE_BY_ONE,
    }
}

/// Whether what is stored on the way is so large that it should not displace what the caches hold, in vectors that are
/// whole and aligned.
pub(super) fn streams(
    region: &Region,
    stage: &Stage,
    axes: &Axes,
    s: &ReduceSchedule,
    target: &Target,
) -> bool {
    let lanes = s.lanes as i64;
    let lane = match s.shape {
        Shape::AcrossLanes => axes.extents.len().checked_sub(1),
        // Vectors of neighbouring tiles overlap where the columns are no multiple.
        Shape::LaneWise { lane, tile } => lane.filter(|&l| axes.extents[l] % (lanes * tile as i64) == 0),
    };
    let places = || stage.stored().iter().flat_map(|s| &s.parts).map(|(position, _)| position);
    let sizes = stage.results[stage.own_results().len()..].iter().zip(stage.stored());
    let written = sizes.map(|(dtype, s)| dtype.size() as i64 * s.elements).sum();
    is_large(region, written, false, target)
        && lane.is_some_and(|l| {
            axes.extents[l] % lanes == 0 && places().all(|p| is_aligned(p, axes, l, s.lanes))
        })
}

#[cfg(test)]
mod tests {
    use super::vectors_of_tiles;
    use crate::target::Target;

    #[test]
    fn tiles_overlap_little() {
        let of = |columns| vectors_of_tiles((columns, 16), 16, &Target::zen4());
        // Of three vectors the second tile would compute 43 of 53 columns again.
        assert_eq!([53, 64, 1024, 16, 40].map(of), [2, 4, 16, 1, 1]);
        assert_eq!(of(17 * 16), 9);
    }
}
