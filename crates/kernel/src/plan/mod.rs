//! Plans: how a region becomes a kernel. A plan is a value that can be printed; lowering follows it.

mod axes;
mod branches;
mod contract;
mod dependence;
mod lane;
mod loads;
mod looped;
mod map;
mod near;
pub mod nest;
mod prefetch;
mod reduce;
mod rows;
pub mod segments;
mod simple;
mod split;
mod text;

pub use axes::Axes;
pub use branches::Branch;
pub use contract::{ContractSchedule, Passes};
pub use dependence::{Dependence, point_dependence, varying};
pub use lane::Lane;
pub use looped::LoopSchedule;
pub use map::{MapSchedule, Transpose};
pub use near::{Near, Role};
pub use nest::{Block, Member, Nest, Tile};
pub use prefetch::Prefetch;
pub use reduce::{ReduceSchedule, Shape as ReduceShape};
pub use segments::{Body, Segments, Sizes};
pub use simple::{ScanSchedule, SortSchedule, UpdateSchedule};
pub use split::{MAX_PARTS, Split};

use crate::refusal::Refusal;
use crate::region::build::{Cut, build, build_repeating};
use crate::region::{Function, Kind, Looped, Node, NodeId, Region, Source, Stage, all_roots_of, roots_of};
use crate::target::Target;
use lawson_hlo::Module;
use lawson_hlo::index::{Affine, linearize};

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

    fn of_nest(region: &Region, nest: Nest) -> Plan {
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

/// A stage with its loops, and a map computed where its results are made.
#[derive(Clone, Debug)]
pub struct Group {
    pub stage: u32,
    pub epilogue: Option<u32>,
    pub axes: Axes,
    pub schedule: Schedule,
}

impl Group {
    /// The stages computed in it.
    pub fn stages(&self) -> impl Iterator<Item = u32> {
        [Some(self.stage), self.epilogue].into_iter().flatten()
    }
}

/// A stage with its loops, as a group of its own or in the rows of a nest.
#[derive(Clone, Copy, Debug)]
pub struct Scheduled<'p> {
    pub stage: u32,
    pub epilogue: Option<u32>,
    pub axes: &'p Axes,
    pub schedule: &'p Schedule,
    /// The loop axis along which the lanes lie.
    pub lane: Option<usize>,
    pub lanes: u32,
}

impl Scheduled<'_> {
    /// The stages computed in it.
    pub fn stages(&self) -> impl Iterator<Item = u32> + use<> {
        [Some(self.stage), self.epilogue].into_iter().flatten()
    }
}

/// The loops of a group.
#[derive(Clone, PartialEq, Debug)]
pub enum Schedule {
    Map(MapSchedule),
    Reduce(ReduceSchedule),
    Contract(ContractSchedule),
    Update(UpdateSchedule),
    Scan(ScanSchedule),
    Sort(SortSchedule),
    SelectAndScatter,
    Loop(LoopSchedule),
}

impl Schedule {
    /// Lanes of its vectors; 1 for scalar code.
    pub fn lanes(&self) -> u32 {
        match self {
            Schedule::Map(s) => s.lanes,
            Schedule::Reduce(s) => s.lanes,
            Schedule::Contract(s) => s.lanes,
            Schedule::Update(s) => s.lanes,
            Schedule::Scan(s) => s.lanes,
            Schedule::Loop(s) => s.lanes,
            Schedule::Sort(_) | Schedule::SelectAndScatter => 1,
        }
    }

    /// The loop axis along which they lie.
    fn lane(&self, axes: &Axes) -> Option<usize> {
        match self {
            Schedule::Map(s) => s.lane,
            Schedule::Reduce(s) => match s.shape {
                ReduceShape::AcrossLanes => axes.extents.len().checked_sub(1),
                ReduceShape::LaneWise { lane, .. } => lane,
            },
            Schedule::Contract(s) => s.lane,
            Schedule::Update(s) => s.lane,
            Schedule::Scan(s) => s.lane,
            Schedule::Loop(s) => s.lane,
            Schedule::Sort(_) | Schedule::SelectAndScatter => None,
        }
    }
}

/// The work of a region under a plan, as [`crate::target::rates`] weighs it. The cost model counts it from finished
/// plans, so planning has it handed in.
pub type Price = fn(&Region, &Plan, &Target) -> i64;

/// Plans a region for a target. Parts that share a launch are divided into tasks by their `price`.
///
/// # Errors
/// Never for a region of one instruction that [`crate::region::build`] accepts.
pub fn plan(region: &Region, target: &Target, price: Price) -> Result<Plan, Refusal> {
    if region.parts.is_empty() {
        return plan_stages(region, target);
    }
    let segments = Some(segments::segments(region, target, price)?);
    Ok(Plan { segments, ..Plan::default() })
}

/// Plans a region that has no parts.
fn plan_stages(region: &Region, target: &Target) -> Result<Plan, Refusal> {
    let together = grouped(region);
    let apart = match together.len() {
        1 => match nest::turned(region, target) {
            Some(nest) => return Ok(Plan::of_nest(region, nest)),
            None => None,
        },
        _ => match nest::nest(region, target) {
            Ok(nest) => return Ok(Plan::of_nest(region, nest)),
            Err(refusal) => Some(refusal),
        },
    };
    let groups: Vec<Group> = together.into_iter().map(|(s, e)| group(region, s, e, target)).collect();
    let reads: Vec<Vec<(u32, u32)>> = groups.iter().map(|g| memory_reads(region, g)).collect();
    // A group must come after the groups whose results it reads from memory.
    let (mut scratch, mut reread) = (Vec::new(), Vec::new());
    for &(stage, result) in reads.iter().flatten() {
        match region.output_sources.iter().position(|o| *o == (stage, result)) {
            Some(o) if !reread.contains(&(o as u32)) => reread.push(o as u32),
            None if !scratch.contains(&(stage, result)) => scratch.push((stage, result)),
            _ => {}
        }
    }
    let passed = reread.iter().map(|&o| region.output_sources[o as usize]);
    let passed: Vec<u32> = scratch.iter().copied().chain(passed).map(|(s, _)| s).collect();
    let apart = apart.filter(|_| !are_phases(region, &groups, &reads, &passed));
    Ok(Plan { groups, apart, scratch, reread, ..Plan::default() })
}

/// The stages in order, each with its epilogue.
fn grouped(region: &Region) -> Vec<(usize, Option<usize>)> {
    let mut out = Vec::new();
    let mut taken = vec![false; region.stages.len()];
    for s in 0..region.stages.len() {
        if !taken[s] {
            let epilogue = epilogue_of(region, s);
            epilogue.iter().for_each(|&e| taken[e] = true);
            out.push((s, epilogue));
        }
    }
    out
}

/// The region of a cut in the form that is one kernel: a value that several stages need is kept for them in the cache,
/// or, where it is too large for that, evaluated in each.
///
/// # Errors
/// The refusal of the first instruction that cannot be part of a kernel.
pub fn region(module: &Module, name: &str, cut: Cut<'_>, target: &Target) -> Result<Region, Refusal> {
    Ok(settled(build(module, name, cut)?, (module, name, cut), target)?.0)
}

/// The same, of the region that keeps them, with its plan, where choosing the form took one.
///
/// # Errors
/// As [`region`].
pub fn settled(
    kept: Region,
    (module, name, cut): (&Module, &str, Cut<'_>),
    target: &Target,
) -> Result<(Region, Option<Plan>), Refusal> {
    let keeps = |(s, stage): (usize, &Stage)| {
        matches!(stage.kind, Kind::Map { .. }) && kept.output_sources.iter().all(|o| o.0 as usize != s)
    };
    if !kept.stages.iter().enumerate().any(keeps) {
        return Ok((kept, None));
    }
    let of_kept = plan_stages(&kept, target)?;
    if of_kept.apart.is_none() {
        return Ok((kept, Some(of_kept)));
    }
    let repeated = build_repeating(module, name, cut)?;
    let of_repeated = plan_stages(&repeated, target)?;
    match of_repeated.apart {
        None => Ok((repeated, Some(of_repeated))),
        Some(_) => Ok((kept, Some(of_kept))),
    }
}

/// Whether groups are full reductions and what depends on them: no more than a few values pass from one to another,
/// all of them reduced or made of what was, and every group is tied to the first by such values. `reads` is what each
/// group reads from memory, `passed` are stages that later groups do.
fn are_phases(region: &Region, groups: &[Group], reads: &[Vec<(u32, u32)>], passed: &[u32]) -> bool {
    let makes = |g: &Group, s: u32| g.stages().any(|m| m == s);
    let of_few = |&s: &u32| {
        let reduced = |(g, r): (&Group, &Vec<_>)| {
            makes(g, s) && (!matches!(g.schedule, Schedule::Map(_)) || !r.is_empty())
        };
        region.stages[s as usize].elements <= FEW_VALUES && groups.iter().zip(reads).any(reduced)
    };
    if !passed.iter().all(of_few) {
        return false;
    }
    let read = |n: usize, of: usize| reads[n].iter().any(|&(s, _)| makes(&groups[of], s));
    let mut tied = vec![false; groups.len()];
    let mut next = vec![0];
    while let Some(n) = next.pop() {
        if !std::mem::replace(&mut tied[n], true) {
            next.extend((0..groups.len()).filter(|&m| !tied[m] && (read(n, m) || read(m, n))));
        }
    }
    tied.iter().all(|&t| t)
}

/// The map that reads stage `s` only where it is made: after a reduction the last stage, if it directly follows, and
/// after a contraction any that needs no later stage.
fn epilogue_of(region: &Region, s: usize) -> Option<usize> {
    let end = region.stages.len();
    let mut candidates = match region.stages[s].kind {
        Kind::Contract { .. } => s + 1..end,
        Kind::Reduce { .. } if s + 2 == end => s + 1..end,
        _ => return None,
    };
    candidates.find(|&e| is_epilogue(region, s, e))
}

fn is_epilogue(region: &Region, s: usize, e: usize) -> bool {
    let (stage, candidate) = (&region.stages[s], &region.stages[e]);
    let Kind::Map { values } = &candidate.kind else { return false };
    let position = linearize(&(0..stage.space.len()).map(Affine::axis).collect::<Vec<_>>(), &stage.space);
    let (mut in_place, mut reads) = (candidate.space == stage.space, false);
    for id in region.reachable(values) {
        if let Node::Load { source: Source::Stage { stage: from, .. }, offset, .. } = region.node(id) {
            let from = *from as usize;
            reads |= from == s;
            in_place &= from < s || from == s && *offset == position;
        }
    }
    in_place && reads
}

/// Stage results the group reads that are not made in it.
fn memory_reads(region: &Region, group: &Group) -> Vec<(u32, u32)> {
    let mut roots = all_roots_of(region, &region.stages[group.stage as usize]);
    if let Some(e) = group.epilogue {
        roots.extend(roots_of(&region.stages[e as usize]));
    }
    let mut out = Vec::new();
    for id in region.reachable(&roots) {
        if let Node::Load { source: Source::Stage { stage, output }, .. } = region.node(id)
            && *stage != group.stage
            && !out.contains(&(*stage, *output))
        {
            out.push((*stage, *output));
        }
    }
    out
}

/// Whether some stage reads this result.
fn is_read(region: &Region, (stage, output): (u32, u32)) -> bool {
    let source = Source::Stage { stage, output };
    region.nodes.iter().any(|n| matches!(n, Node::Load { source: s, .. } if *s == source))
}

/// Every index expression that the loops of a group evaluate.
fn exprs_of(region: &Region, stage: &Stage, epilogue: Option<&Stage>) -> Vec<Affine> {
    let mut roots = all_roots_of(region, stage);
    roots.extend(epilogue.map(roots_of).unwrap_or_default());
    let mut exprs = Vec::new();
    match &stage.kind {
        Kind::Update { offset, .. } => exprs.push(offset.clone()),
        Kind::Sort { position, .. } | Kind::Scan { position, .. } => exprs.push(position.clone()),
        Kind::SelectAndScatter(s) => exprs.push(s.offset.clone()),
        Kind::Loop(looped) => exprs.extend(looped.all(region).flat_map(Looped::offsets).cloned()),
        _ => {
            let index: Vec<Affine> = (0..stage.space.len()).map(Affine::axis).collect();
            exprs.push(linearize(&index, &stage.space));
        }
    }
    for id in region.reachable(&roots) {
        if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } =
            region.node(id)
            // Most loads are of the element that is written, or of that of the load before.
            && exprs.first() != Some(e)
            && exprs.last() != Some(e)
        {
            exprs.push(e.clone());
        }
    }
    exprs
}

fn group(region: &Region, s: usize, epilogue: Option<usize>, target: &Target) -> Group {
    let stage = &region.stages[s];
    let exprs = exprs_of(region, stage, epilogue.map(|e| &region.stages[e]));
    let axes = Axes::new(region, &stage.space, &stage.inner, &exprs);
    let mut roots = roots_of(stage);
    roots.extend(epilogue.map(|e| roots_of(&region.stages[e])).unwrap_or_default());
    let cost = point_cost(region, &roots, target);
    let schedule = match &stage.kind {
        Kind::Map { .. } => Schedule::Map(map::schedule(region, stage, &axes, cost, target)),
        Kind::Reduce { order, values, combiner, .. } => {
            let element = element_cost(region, values, combiner, target);
            Schedule::Reduce(reduce::schedule(*order, &axes, (cost, element), target))
        }
        Kind::Contract { lhs, rhs, .. } => {
            Schedule::Contract(contract::schedule(region, stage, &axes, &[], (*lhs, *rhs), target))
        }
        Kind::Update { unique, .. } => Schedule::Update(simple::update(*unique, stage, &axes, cost, target)),
        Kind::Scan { position, .. } => Schedule::Scan(simple::scan(stage, position, &axes, cost, target)),
        Kind::Sort { .. } => Schedule::Sort(simple::sort(stage, &axes, target)),
        Kind::SelectAndScatter(_) => Schedule::SelectAndScatter,
        Kind::Loop(looped) => Schedule::Loop(looped::schedule(region, looped, &axes, target)),
    };
    Group { stage: s as u32, epilogue: epilogue.map(|e| e as u32), axes, schedule }
}

/// Operations of one element of a reduction.
fn element_cost(region: &Region, values: &[NodeId], combiner: &Function, target: &Target) -> i64 {
    point_cost(region, values, target) + point_cost(region, &combiner.results, target)
}

/// Operations for one point, elementary functions weighed: what divides work into tasks.
pub fn point_cost(region: &Region, roots: &[NodeId], target: &Target) -> i64 {
    region.reachable(roots).into_iter().map(|id| target.rates.node(region, id)).sum::<i64>().max(1)
}

/// Full reductions that depend on each other are phases of one kernel when no more values pass between them.
const FEW_VALUES: i64 = 16;

/// The largest power of two that is at most `n` and at most `limit`.
pub fn lanes_within(n: i64, limit: u32) -> u32 {
    let mut lanes = limit;
    while lanes > 1 && lanes as i64 > n {
        lanes /= 2;
    }
    lanes
}
