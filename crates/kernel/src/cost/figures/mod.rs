//! What a region costs, counted: bytes of each array, operations.

mod idle;
mod lines;
mod points;
mod strides;
mod units;
mod waits;

use crate::cost::Cost;
use crate::cost::pressure::pressure;
use crate::plan::{
    MapSchedule, Member, Passes, Plan, ReduceSchedule, ReduceShape, Schedule, Scheduled, SortMethod,
    is_inverse,
};
use crate::rates::sort_depth;
use crate::region::{Kind, Node, NodeId, Region, Source, Stage, roots_of};
use crate::target::Target;
use idle::{Idle, idle};
use lawson_hlo::Opcode;
use lawson_hlo::index::Affine;
use points::{AxisPoints, Lanes, LoopPoints, Parts, bits};
use rustc_hash::FxHashMap;
use strides::Strides;
use units::Units;
pub use waits::Waits;

/// Work of one launch of a region's kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Elements of inputs that are read, each once for each pass over it however often the code reads it, in bytes.
    pub bytes_read: i64,
    pub bytes_written: i64,
    /// What lines of a processor's caches bring beside `bytes_read`.
    pub bytes_beside: i64,
    /// Arithmetic operations; a multiply-add counts two, an elementary function one.
    pub flops: i64,
    /// Operations weighed by what they cost a vector unit, for predictions.
    pub work: i64,
    /// The part of `work` that is spilling registers.
    pub spills: i64,
    /// The part of `work` that a processor does while other units of a core do the rest.
    pub at_once: i64,
    /// The part of `work` that strided loads and stores cost more than contiguous ones, for each stage and array that it
    /// accesses; without those of parts, which segment tables run.
    pub strided: Vec<Strided>,
    /// Lines of a processor's memory come in another order than that in which they lie.
    pub out_of_line: bool,
    /// Registers needed at once, in vectors.
    pub live: i64,
    /// Operations of the code, elementary functions counted by their own.
    pub code: i64,
    /// Bytes that stages keep for each other in a task.
    pub shared: i64,
    /// Points that can be computed side by side.
    pub points: i64,
    /// Tasks that the work can be divided into at most; 0 where it can be divided at will.
    pub tasks: i64,
    /// How often threads of a graphics processor wait for memory.
    pub waits: Waits,
}

/// What the strided accesses of a stage to an array cost more than contiguous ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strided {
    pub stage: u32,
    pub array: Array,
    pub work: i64,
}

/// An array of a region, by its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    Input(u32),
    Output(u32),
}

impl Figures {
    /// The figures that the cost model uses.
    pub fn cost(&self) -> Cost {
        Cost {
            bytes_read: self.bytes_read,
            bytes_written: self.bytes_written,
            bytes_beside: self.bytes_beside,
            flops: self.flops,
            work: self.work as f64,
            spills: self.spills as f64,
            at_once: self.at_once as f64,
            out_of_line: self.out_of_line,
            live: self.live,
            shared: self.shared,
            points: self.points,
            tasks: self.tasks,
            waits: self.waits,
        }
    }

    fn add_strided(&mut self, stage: usize, array: Array, work: i64) {
        let stage = stage as u32;
        let known = self.strided.iter_mut().rev().take_while(|s| s.stage == stage).find(|s| s.array == array);
        match known {
            Some(known) => known.work = known.work.saturating_add(work),
            None => self.strided.push(Strided { stage, array, work }),
        }
    }
}

/// Elements read of each input, in each pass over it, and those of the lines that are fetched for them.
type Read = FxHashMap<(usize, u32), [i64; 2]>;

/// Counts a region under its plan: stages of one row nest read together, groups one after the other.
pub fn count(region: &Region, plan: &Plan, target: &Target) -> Figures {
    let (mut out, read) = tallies(region, plan, target);
    for (&(_, input), elements) in &read {
        let [read, fetched] = elements.map(|n| bytes_of(region, input, n));
        out.bytes_read = out.bytes_read.saturating_add(read);
        if target.gpu.is_none() {
            out.bytes_beside = out.bytes_beside.saturating_add(fetched - read);
        }
    }
    let pressure = pressure(region, plan, target);
    (out.live, out.code) = (pressure.live, pressure.code);
    (out.shared, out.points) = (pressure.shared, pressure.points);
    out.spills = pressure.spills;
    out.waits = waits::waits(region, plan, target);
    out.out_of_line = target.gpu.is_none() && plan.scheduled().any(|p| is_out_of_line(p.schedule));
    out.tasks = if target.gpu.is_none() { tasks(region, plan) } else { 0 };
    out.work = out.work.saturating_add(pressure.spills).saturating_add(near_work(region, plan, target));
    out
}

/// Whether a stage reads lines that do not follow each other: nothing fetches them ahead, so that what it computes waits for them.
fn is_out_of_line(schedule: &Schedule) -> bool {
    match schedule {
        Schedule::Map(m) => m.transpose.is_some(),
        Schedule::Sort(_) => true,
        _ => false,
    }
}

/// Tasks that the work can be divided into at most: a sort has its rows, a nest too, and updates that wait for each other are one; 0
/// where there is something else that can be divided at will.
fn tasks(region: &Region, plan: &Plan) -> i64 {
    let members = || plan.nest.iter().flat_map(|n| &n.members).flat_map(Member::stages);
    let most = |p: Scheduled<'_>| match p.schedule {
        _ if members().any(|s| s == p.stage) => plan.nest.as_ref().map(|n| n.units().iter().product::<i64>()),
        Schedule::Update(update) if !update.parallel => Some(1),
        Schedule::Sort(_) => Some(region.stages[p.stage as usize].points()),
        _ => None,
    };
    let all: Option<Vec<i64>> = plan.scheduled().map(most).collect();
    all.and_then(|tasks| tasks.into_iter().max()).unwrap_or(0)
}

/// The time that rows which a nest copies near take between the first-level cache, which does not hold them, and the second: they are
/// stored once, and loaded by each stage that reads them. As operations: the core does not get on with others meanwhile.
fn near_work(region: &Region, plan: &Plan, target: &Target) -> i64 {
    let Some(nest) = plan.nest.as_ref().filter(|n| target.gpu.is_none() && n.bytes(region) > target.l1)
    else {
        return 0;
    };
    let units: i64 = nest.units().iter().product();
    let reads = |stage: u32, input: u32| {
        let of_input = |id: &NodeId| matches!(region.node(*id), Node::Load { source: Source::Input(n), .. } if *n == input);
        region.loads(&roots_of(&region.stages[stage as usize])).iter().any(of_input)
    };
    let bytes = nest.near.iter().map(|near| {
        let stages = nest.members.iter().flat_map(Member::stages);
        let readers = stages.filter(|&s| reads(s, near.input)).count();
        near.bytes(region).saturating_mul(units).saturating_mul(1 + readers as i64)
    });
    let bytes = bytes.fold(0i64, i64::saturating_add);
    (bytes as f64 / target.l2_bandwidth * target.gops) as i64
}

/// Bytes read of each input, in the order of the region's inputs: [`Figures::bytes_read`] is their sum.
pub fn bytes_of_inputs(region: &Region, plan: &Plan, target: &Target) -> Vec<i64> {
    let mut bytes = vec![0i64; region.inputs.len()];
    for ((_, input), [elements, _]) in tallies(region, plan, target).1 {
        let of_input = &mut bytes[input as usize];
        *of_input = of_input.saturating_add(bytes_of(region, input, elements));
    }
    bytes
}

fn bytes_of(region: &Region, input: u32, elements: i64) -> i64 {
    elements.saturating_mul(region.inputs[input as usize].dtype.size() as i64)
}

/// What stages count, without registers and code, and the elements they read of each input.
fn tallies(region: &Region, plan: &Plan, target: &Target) -> (Figures, Read) {
    let group_of =
        |s: usize| plan.groups.iter().position(|g| g.stages().any(|m| m as usize == s)).unwrap_or(0);
    let mut read = Read::default();
    let mut out = Figures::default();
    tally(region, &Loops::new(region, &group_of, plan, target), &mut read, &mut out);
    let bodies = plan.segments.iter().flat_map(|s| &s.bodies);
    let mut plans: Vec<&Plan> = vec![plan; region.parts.len()];
    bodies.flat_map(|b| b.parts.iter().map(move |&p| (p, b))).for_each(|(p, b)| plans[p as usize] = &b.plan);
    let strided = std::mem::take(&mut out.strided);
    for (part, plan) in region.parts.iter().zip(plans) {
        let mut of_part = Read::default();
        tally(&part.region, &Loops::new(&part.region, &|_| 0, plan, target), &mut of_part, &mut out);
        for ((pass, input), elements) in of_part {
            let i = part.inputs[input as usize];
            let whole = region.inputs[i as usize].elements;
            let seen = read.entry((pass, i)).or_default();
            seen.iter_mut().zip(elements).for_each(|(n, more)| *n = whole.min(n.saturating_add(more)));
        }
    }
    out.strided = strided;
    (out, read)
}

/// The work of a region under its plan: the price that planning asks for.
pub fn work(region: &Region, plan: &Plan, target: &Target) -> i64 {
    count(region, plan, target).work
}

/// For each product of the region, by stage, how often its plan evaluates each operand.
fn passes(region: &Region, plan: &Plan) -> FxHashMap<usize, Passes> {
    let of = |s: Scheduled<'_>| match (&region.stages[s.stage as usize].kind, s.schedule) {
        (Kind::Contract { lhs, rhs, .. }, Schedule::Contract(c)) => {
            Some((s.stage as usize, c.passes(region, s.axes, (*lhs, *rhs))))
        }
        _ => None,
    };
    plan.scheduled().filter_map(of).collect()
}

/// By stage and node of a product's operands, the factor by which evaluating the node costs more than once in full
/// vectors: because it is evaluated several times, or by scalar code. Nodes that are not in the map have factor 1.
fn repeated(
    region: &Region,
    passes: &FxHashMap<usize, Passes>,
    target: &Target,
) -> FxHashMap<(usize, NodeId), i64> {
    let mut out = FxHashMap::default();
    for (&s, of_stage) in passes {
        let Kind::Contract { lhs, rhs, .. } = region.stages[s].kind else { continue };
        for (root, times) in [(lhs, of_stage.lhs), (rhs, of_stage.rhs)] {
            let single = if of_stage.single == Some(root) { idle::without_lanes(target) } else { 1 };
            if times == 1 && single == 1 {
                continue;
            }
            for id in region.reachable(&[root]) {
                let is_made = !matches!(region.node(id), Node::Load { .. });
                let times = match is_made {
                    true => times.saturating_mul(single),
                    false if of_stage.loads_beside => 1,
                    false => times,
                };
                let known = out.entry((s, id)).or_insert(times);
                *known = times.max(*known);
            }
        }
    }
    out
}

/// The loops that stages run in.
struct Loops<'a> {
    /// The loop over the inputs that a stage is part of: inputs are read from memory once in each.
    pass_of: &'a dyn Fn(usize) -> usize,
    passes: FxHashMap<usize, Passes>,
    /// What [`repeated`] gives.
    repeated: FxHashMap<(usize, NodeId), i64>,
    plan: &'a Plan,
    target: &'a Target,
    /// How idle each stage leaves the machine.
    idle: Vec<Idle>,
    strides: Strides<'a>,
}

impl<'a> Loops<'a> {
    fn new(
        region: &Region,
        pass_of: &'a dyn Fn(usize) -> usize,
        plan: &'a Plan,
        target: &'a Target,
    ) -> Loops<'a> {
        let passes = passes(region, plan);
        let (repeated, idle) = (repeated(region, &passes, target), idle(region, plan, target));
        let strides = Strides::new(region, plan, target);
        Loops { pass_of, passes, repeated, plan, target, idle, strides }
    }

    fn repeats(&self, s: usize, id: NodeId) -> i64 {
        self.repeated.get(&(s, id)).copied().unwrap_or(1)
    }

    /// What evaluating a node of a stage once weighs.
    fn weight(&self, region: &Region, s: usize, id: NodeId) -> i64 {
        if is_inverse(region, id) && !self.plan.shares(s as u32, id) {
            return self.target.rates.inverse_alone(region.dtype(id));
        }
        self.target.rates.node(region, id)
    }

    /// The axes of a stage, outermost first: the rows of a nest, then the others in their order.
    fn order(&self, s: usize, stage: &Stage) -> Vec<usize> {
        let members = self.plan.nest.iter().flat_map(|n| &n.members);
        let member = members.into_iter().find(|m| m.stages().any(|m| m as usize == s));
        let is_row = |a: &usize| {
            let own = |m: &Member| m.axes.loop_of(*a).is_some_and(|a| m.rows.contains(&a));
            *a < stage.space.len() && member.is_some_and(own)
        };
        let (mut rows, rest): (Vec<_>, Vec<_>) =
            (0..stage.space.len() + stage.inner.len()).partition(|a| is_row(a));
        rows.extend(rest);
        rows
    }

    /// The same for a reduction whose results along an axis are folded side by side: what they have in common is evaluated before
    /// what each has of its own.
    fn order_beside(&self, s: usize, order: &[usize]) -> Option<Vec<usize>> {
        let scheduled = self.plan.scheduled().find(|p| p.stage as usize == s)?;
        let Schedule::Reduce(ReduceSchedule { beside: Some(beside), .. }) = scheduled.schedule else {
            return None;
        };
        let is_beside = |a: &&usize| scheduled.axes.loop_of(**a) == Some(beside.axis);
        let (last, first): (Vec<usize>, Vec<usize>) = order.iter().partition(is_beside);
        Some([first, last].concat())
    }

    /// The lanes of a stage on a processor.
    fn lanes(&self, s: usize, stage: &Stage) -> Option<Lanes> {
        let axes = stage.space.len() + stage.inner.len();
        let is_own = |p: &Scheduled<'_>| p.stage as usize == s && p.axes.are_of(axes);
        let scheduled = self.plan.scheduled().find(is_own)?;
        let lane = scheduled.lane.filter(|_| self.target.gpu.is_none() && scheduled.lanes > 1)?;
        let along = |&axis: &usize| scheduled.axes.loop_of(axis) == Some(lane);
        let axes: Vec<usize> = (0..axes).filter(along).collect();
        let together = match scheduled.schedule {
            Schedule::Reduce(ReduceSchedule { shape: ReduceShape::LaneWise { tile, .. }, .. }) => {
                *tile as i64
            }
            _ => 1,
        };
        Some(Lanes { axes: bits(&axes), shared: idle::SCALARS * together.max(1) })
    }

    /// The axes of a stage along all of which lanes lie, in the order of memory.
    fn in_order(&self, s: usize, stage: &Stage) -> Vec<usize> {
        let scheduled = self.plan.scheduled().find(|p| p.stage as usize == s);
        let lane = scheduled.as_ref().and_then(|p| match p.schedule {
            Schedule::Map(MapSchedule { in_order: Some(_), lane, .. }) => *lane,
            _ => None,
        });
        let Some((scheduled, lane)) = scheduled.zip(lane) else { return Vec::new() };
        let along = |&axis: &usize| scheduled.axes.translate(&Affine::axis(axis)).uses_axis(lane);
        (0..stage.space.len()).filter(along).collect()
    }
}

/// Counts the stages: elements read of each input by each pass, and the rest.
fn tally(region: &Region, loops: &Loops<'_>, read: &mut Read, out: &mut Figures) {
    for (s, stage) in region.stages.iter().enumerate() {
        let idle = loops.idle.get(s).copied().unwrap_or_default();
        let (roots, pass) = (roots_of(stage), (loops.pass_of)(s));
        let order = loops.order(s, stage);
        let beside = loops.order_beside(s, &order);
        let loop_stage = match &stage.kind {
            Kind::Loop(loop_stage) => Some(LoopPoints::new(region, stage, loop_stage)),
            _ => None,
        };
        let ids = region.reachable(&roots);
        let axes = loop_stage.is_none().then(|| {
            let points = AxisPoints::new(region, stage, &ids).along_as_one(&loops.in_order(s, stage));
            points.in_lanes(loops.lanes(s, stage))
        });
        let parts = Parts::new(loops.plan, s);
        let all = stage.points().saturating_mul(stage.inner_points());
        // The weight of the nodes that are evaluated for every element: a reduction overlaps them with waiting for the
        // combination before.
        let mut element = 0;
        let mut units = Units::default();
        for id in ids {
            let (points, times) = match (&loop_stage, &axes) {
                (Some(l), _) => (l.of(id), l.of(id)),
                (None, Some(axes)) => {
                    let times = axes.evaluations(&order, id);
                    let beside = beside.as_ref().map_or(times, |order| axes.evaluations(order, id));
                    (axes.points(id), times.min(beside))
                }
                (None, None) => (0, 0),
            };
            let evaluated = parts.of(id, points);
            let times = parts.of(id, times);
            let times = times.saturating_mul(loops.repeats(s, id));
            let strided = loops.strides.of_load(region, s, id);
            let weight = idle.lanes * loops.weight(region, s, id) + strided;
            out.work = out.work.saturating_add(times.saturating_mul(weight));
            units.add((region, id), times, weight, &loops.target.rates);
            if let Node::Load { source: Source::Input(n), .. } = region.node(id) {
                out.add_strided(s, Array::Input(*n), times.saturating_mul(strided));
            }
            if times >= all {
                element += weight;
            }
            match region.node(id) {
                Node::Load { source: Source::Input(n), offset, .. } => {
                    let input = &region.inputs[*n as usize];
                    let each = match &axes {
                        Some(axes) => axes.lines(offset, input.dtype.size() as i64),
                        None => 1,
                    };
                    let seen = read.entry((pass, *n)).or_default();
                    for (seen, more) in seen.iter_mut().zip([points, points.saturating_mul(each)]) {
                        *seen = input.elements.min(seen.saturating_add(more));
                    }
                }
                Node::Unary { .. } | Node::Binary { .. } | Node::Compare { .. } | Node::Select { .. } => {
                    out.flops = out.flops.saturating_add(evaluated)
                }
                Node::Fma { .. } => out.flops = out.flops.saturating_add(evaluated.saturating_mul(2)),
                _ => {}
            }
        }
        if loops.target.gpu.is_none() {
            out.at_once = out.at_once.saturating_add(units.at_once());
        }
        let (flops, work) = match &stage.kind {
            Kind::Map { .. } | Kind::Pieces(_) | Kind::Loop(_) => (0, 0),
            Kind::Reduce { values, .. } | Kind::Scan { values, .. } => {
                let combining = idle.lanes * values.len() as i64;
                (values.len() as i64, combining.max(idle.least - element))
            }
            Kind::Contract { semiring: Some(semiring), .. } => (semiring.operations(region), 0),
            Kind::Contract { .. } => (2, 0),
            Kind::Update { combiner, .. } => (combiner.is_some() as i64, 1),
            Kind::Sort { values, kept, .. } => {
                let length = stage.inner_points();
                let scheduled = loops.plan.scheduled().find(|p| p.stage as usize == s);
                let (method, lanes) = match scheduled.map(|p| p.schedule) {
                    Some(Schedule::Sort(schedule)) => (schedule.method, schedule.lanes),
                    _ => (SortMethod::Merge, 1),
                };
                let compared = match method {
                    SortMethod::Merge | SortMethod::Vectors(_) => sort_depth(length),
                    _ => 1,
                };
                (compared, method.weight(&loops.target.rates, (length, *kept), values.len(), lanes))
            }
            Kind::SelectAndScatter(_) => (1, 4 * idle.lanes),
        };
        out.flops = out.flops.saturating_add(all.saturating_mul(flops));
        out.work = out.work.saturating_add(all.saturating_mul(work));
        out.work = out.work.saturating_add(stage.points().saturating_mul(idle.halving));
        if let (Kind::Contract { accumulator, semiring, .. }, Some(passes)) =
            (&stage.kind, loops.passes.get(&s))
        {
            let rates = &loops.target.rates;
            // In parts of a hundred.
            let adding = match semiring {
                Some(s) => 100 * s.weight(region, rates),
                None => rates.weight(Opcode::Multiply, *accumulator) * rates.product,
            };
            let copying = passes.copied.saturating_mul(rates.pack * idle.lanes);
            let adding = passes.points.saturating_mul(idle.waiting * adding) / 100;
            out.work = out.work.saturating_add(adding).saturating_add(copying);
        }
        for (n, dtype) in stage.results.iter().enumerate() {
            if region.output_sources.contains(&(s as u32, n as u32)) {
                let elements = match stage.kind {
                    Kind::Update { .. } => stage.points().min(stage.elements),
                    Kind::Pieces(ref stored) => stage.points().saturating_mul(stored[n].parts.len() as i64),
                    Kind::Loop(_) => region.outputs[n].elements,
                    _ => stage.elements_of(n),
                };
                out.bytes_written =
                    out.bytes_written.saturating_add(elements.saturating_mul(dtype.size() as i64));
                let strided = loops.strides.of_store(region, (s, n), elements);
                out.work = out.work.saturating_add(strided);
                let outputs = region.output_sources.iter().enumerate();
                for (output, _) in outputs.filter(|(_, source)| **source == (s as u32, n as u32)) {
                    out.add_strided(s, Array::Output(output as u32), strided);
                }
            }
        }
    }
}
