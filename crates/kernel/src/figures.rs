//! What a region costs, counted: bytes of each array, operations.

use crate::cost::Cost;
use crate::plan::{Member, Plan, Schedule, roots_of};
use crate::pressure::pressure;
use crate::rates::{Rates, sort_depth};
use crate::region::{Kind, Looped, Node, NodeId, Region, Source, Stage};
use crate::target::Target;
use lawson_hlo::Opcode;
use lawson_hlo::index::Atom;
use rustc_hash::FxHashMap;

/// Work of one launch of a region's kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Elements of inputs that are read, each once for each pass over it however often the code reads it, in bytes.
    pub bytes_read: i64,
    pub bytes_written: i64,
    /// Arithmetic operations; a multiply-add counts two, an elementary function one.
    pub flops: i64,
    /// Operations weighed by what they cost a vector unit, for predictions.
    pub work: i64,
    /// Of the work what values cost that do not fit in registers.
    pub spills: i64,
    /// Vector values that are needed at once, at most.
    pub live: i64,
    /// Operations of the code, elementary functions counted by their own.
    pub code: i64,
    /// Bytes that stages keep for each other in a task.
    pub shared: i64,
    /// Points that can be computed side by side.
    pub points: i64,
}

impl Figures {
    /// What the model prices.
    pub fn cost(&self) -> Cost {
        Cost {
            bytes_read: self.bytes_read,
            bytes_written: self.bytes_written,
            work: self.work as f64,
            spills: self.spills as f64,
            live: self.live,
            shared: self.shared,
            points: self.points,
        }
    }
}

/// Elements read of each input, in each pass over it.
type Read = FxHashMap<(usize, u32), i64>;

/// Counts a region under its plan: stages of one row nest read together, groups one after the other.
pub fn count(region: &Region, plan: &Plan, target: &Target) -> Figures {
    let group_of =
        |s: usize| plan.groups.iter().position(|g| g.stages().any(|m| m as usize == s)).unwrap_or(0);
    let mut read = Read::default();
    let mut out = Figures::default();
    let repeated = repeated(region, plan);
    let repeats_of = |s: usize, id: NodeId| repeated.get(&(s, id)).copied().unwrap_or(1);
    let (rates, idling) = (&target.rates, idle(region, plan, target));
    let loops = Loops { pass_of: &group_of, repeats_of: &repeats_of, plan, rates, idle: &idling };
    tally(region, &loops, &mut read, &mut out);
    let bodies = plan.segments.iter().flat_map(|s| &s.bodies);
    let mut plans: Vec<&Plan> = vec![plan; region.parts.len()];
    bodies.flat_map(|b| b.parts.iter().map(move |&p| (p, b))).for_each(|(p, b)| plans[p as usize] = &b.plan);
    for (part, plan) in region.parts.iter().zip(plans) {
        let mut of_part = Read::default();
        let idling = idle(&part.region, plan, target);
        let loops = Loops { pass_of: &|_| 0, repeats_of: &|_, _| 1, plan, rates, idle: &idling };
        tally(&part.region, &loops, &mut of_part, &mut out);
        for ((pass, input), elements) in of_part {
            let i = part.inputs[input as usize];
            let whole = region.inputs[i as usize].elements;
            let seen = read.entry((pass, i)).or_default();
            *seen = whole.min(seen.saturating_add(elements));
        }
    }
    let size = |n: u32| region.inputs[n as usize].dtype.size() as i64;
    let bytes = read.iter().map(|((_, n), &elements)| elements.saturating_mul(size(*n)));
    out.bytes_read = bytes.fold(0, i64::saturating_add);
    let pressure = pressure(region, plan, target);
    (out.live, out.code) = (pressure.live, pressure.code);
    (out.shared, out.points) = (pressure.shared, pressure.points);
    out.spills = pressure.spills;
    out.work = out.work.saturating_add(pressure.spills);
    out
}

/// Operands of contractions that the plan computes more often than once, by stage.
fn repeated(region: &Region, plan: &Plan) -> FxHashMap<(usize, NodeId), i64> {
    let mut out = FxHashMap::default();
    for group in &plan.groups {
        let stage = &region.stages[group.stage as usize];
        let (Kind::Contract { lhs, rhs, .. }, Schedule::Contract(s)) = (&stage.kind, &group.schedule) else {
            continue;
        };
        let (of_lhs, of_rhs) = s.repeats(&group.axes);
        for (root, times) in [(*lhs, of_lhs), (*rhs, of_rhs)].into_iter().filter(|r| r.1 > 1) {
            for id in region.reachable(&[root]) {
                let known = out.entry((group.stage as usize, id)).or_insert(times);
                *known = times.max(*known);
            }
        }
    }
    out
}

/// The loops that stages run in.
struct Loops<'a> {
    /// In which pass over the inputs a stage is.
    pass_of: &'a dyn Fn(usize) -> usize,
    /// How often a stage computes one of its operands anew.
    repeats_of: &'a dyn Fn(usize, NodeId) -> i64,
    plan: &'a Plan,
    rates: &'a Rates,
    /// How idle each stage leaves the machine.
    idle: &'a [Idle],
}

impl Loops<'_> {
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
}

/// Counts the stages: elements read of each input by each pass, and the rest.
fn tally(region: &Region, loops: &Loops<'_>, read: &mut Read, out: &mut Figures) {
    for (s, stage) in region.stages.iter().enumerate() {
        let idle = loops.idle.get(s).copied().unwrap_or_default();
        let (roots, pass) = (roots_of(stage), (loops.pass_of)(s));
        let order = loops.order(s, stage);
        let looped = match &stage.kind {
            Kind::Loop(looped) => Some(LoopPoints::new(region, stage, looped)),
            _ => None,
        };
        let ids = region.reachable(&roots);
        let axes = looped.is_none().then(|| AxisPoints::new(region, stage, &ids));
        let parts = Parts::new(loops.plan, s);
        for id in ids {
            let (points, times) = match (&looped, &axes) {
                (Some(l), _) => (l.of(id), l.of(id)),
                (None, Some(axes)) => (axes.points(id), axes.evaluations(&order, id)),
                (None, None) => (0, 0),
            };
            let evaluated = parts.of(id, points);
            let times = parts.of(id, times);
            let times = times.saturating_mul((loops.repeats_of)(s, id)).saturating_mul(idle.lanes);
            out.work = out.work.saturating_add(times.saturating_mul(loops.rates.node(region, id)));
            match region.node(id) {
                Node::Load { source: Source::Input(n), .. } => {
                    let elements = region.inputs[*n as usize].elements;
                    let seen = read.entry((pass, *n)).or_default();
                    *seen = elements.min(seen.saturating_add(points));
                }
                Node::Unary { .. } | Node::Binary { .. } | Node::Compare { .. } | Node::Select { .. } => {
                    out.flops = out.flops.saturating_add(evaluated)
                }
                Node::Fma { .. } => out.flops = out.flops.saturating_add(evaluated.saturating_mul(2)),
                _ => {}
            }
        }
        let all = stage.points().saturating_mul(stage.inner_points());
        let (flops, work) = match &stage.kind {
            Kind::Map { .. } | Kind::Loop(_) => (0, 0),
            Kind::Reduce { values, .. } | Kind::Scan { values, .. } => {
                (values.len() as i64, idle.lanes * values.len() as i64)
            }
            Kind::Contract { accumulator, .. } => {
                (2, idle.chain * loops.rates.weight(Opcode::Multiply, *accumulator))
            }
            Kind::Update { combiner, .. } => (combiner.is_some() as i64, 1),
            Kind::Sort { values, .. } => {
                let length = stage.inner_points();
                (sort_depth(length), loops.rates.sort(length) * values.len() as i64)
            }
            Kind::SelectAndScatter(_) => (1, 4),
        };
        out.flops = out.flops.saturating_add(all.saturating_mul(flops));
        out.work = out.work.saturating_add(all.saturating_mul(work));
        for (n, dtype) in stage.results.iter().enumerate() {
            if region.output_sources.contains(&(s as u32, n as u32)) {
                let elements = match stage.kind {
                    Kind::Update { .. } => stage.points().min(stage.elements),
                    Kind::Loop(_) => region.outputs[n].elements,
                    _ => stage.elements,
                };
                out.bytes_written =
                    out.bytes_written.saturating_add(elements.saturating_mul(dtype.size() as i64));
            }
        }
    }
}

/// In how much of a split loop nodes are evaluated.
struct Parts(Option<(i64, FxHashMap<NodeId, i64>)>);

impl Parts {
    fn new(plan: &Plan, s: usize) -> Parts {
        Parts(plan.split(s as u32).map(|(split, axes)| {
            let mut points = FxHashMap::default();
            for (extent, ids) in split.live(axes) {
                ids.iter().for_each(|&id| *points.entry(id).or_default() += extent);
            }
            (axes.extents[split.axis], points)
        }))
    }

    /// Of so many points those at which the node is evaluated.
    fn of(&self, id: NodeId, points: i64) -> i64 {
        let Some((extent, of)) = &self.0 else { return points };
        let part = of.get(&id).copied().unwrap_or(0) as i128;
        (points as i128 * part / (*extent).max(1) as i128) as i64
    }
}

/// How many times longer a stage takes because lanes or units are idle.
#[derive(Clone, Copy)]
struct Idle {
    /// An instruction costs the same on few lanes as on all; single elements are computed several at once.
    lanes: i64,
    /// The multiply-adds of a contraction wait for each other where there are few chains.
    chain: i64,
}

impl Default for Idle {
    fn default() -> Idle {
        Idle { lanes: 1, chain: 1 }
    }
}

/// For each stage of a region how idle its plan leaves the machine.
fn idle(region: &Region, plan: &Plan, target: &Target) -> Vec<Idle> {
    /// Lanes of scalar code that a core works on at once, and multiply-adds that it has under way.
    const SCALARS: i64 = 4;
    const UNDER_WAY: i64 = 8;
    /// Chains so short overlap with the next ones.
    const SHORT: i64 = 64;
    let full = target.lanes() as i64;
    let mut out = vec![Idle::default(); region.stages.len()];
    let mut set = |stages: &mut dyn Iterator<Item = u32>, schedule: &Schedule, lanes: u32| {
        let lanes = (lanes as i64).max(1);
        let chains = match schedule {
            Schedule::Contract(c) => c.rows * c.tile as i64,
            _ => UNDER_WAY,
        };
        let waits = (UNDER_WAY / chains.max(1)).max(1);
        let lanes = match schedule {
            // Their weights are those of scalar code.
            Schedule::Sort(_) | Schedule::SelectAndScatter => 1,
            _ => (full / lanes.max(SCALARS)).max(1),
        };
        stages.for_each(|s| {
            let long = region.stages[s as usize].inner_points() >= SHORT;
            out[s as usize] = Idle { lanes, chain: lanes * if long { waits } else { 1 } };
        });
    };
    for group in &plan.groups {
        set(&mut group.stages(), &group.schedule, group.schedule.lanes());
    }
    if let Some(nest) = &plan.nest {
        for member in &nest.members {
            let lanes = nest.lane.map_or(member.schedule.lanes(), |l| l.lanes);
            set(&mut member.stages(), &member.schedule, lanes);
        }
    }
    out
}

/// Points and trips of the nodes of a loop.
struct LoopPoints {
    points: i64,
    trips: i64,
    varying: Vec<bool>,
    stepping: Vec<bool>,
}

impl LoopPoints {
    fn new(region: &Region, stage: &Stage, looped: &Looped) -> LoopPoints {
        let varying = looped.varying(region, |node| match node {
            Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
                (0..stage.space.len()).any(|a| e.uses_axis(a))
            }
            _ => false,
        });
        let trips = looped.counted_trips().max(0);
        LoopPoints { points: stage.points(), trips, varying, stepping: looped.stepping(region) }
    }

    fn of(&self, id: NodeId) -> i64 {
        let points = if self.varying[id.0 as usize] { self.points } else { 1 };
        if self.stepping[id.0 as usize] { points.saturating_mul(self.trips) } else { points }
    }
}

/// Points and evaluations of the nodes of a stage that is no loop.
struct AxisPoints<'a> {
    extents: Vec<i64>,
    kind: &'a Kind,
    /// For each node the axes it depends on, as bits; those beyond the width share the last.
    used: Vec<u64>,
}

impl<'a> AxisPoints<'a> {
    /// Of the nodes `ids`, which hold their operands before them.
    fn new(region: &Region, stage: &'a Stage, ids: &[NodeId]) -> AxisPoints<'a> {
        let mut used = vec![0u64; ids.last().map_or(0, |id| id.0 as usize + 1)];
        for &id in ids {
            let mut all = 0;
            region.operands(id, &mut |o| all |= used[o.0 as usize]);
            if let Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } =
                region.node(id)
            {
                e.visit(&mut |atom| {
                    if let Atom::Axis(axis) = atom {
                        all |= 1 << axis.min(&63);
                    }
                });
            }
            used[id.0 as usize] = all;
        }
        AxisPoints {
            extents: stage.space.iter().chain(&stage.inner).copied().collect(),
            kind: &stage.kind,
            used,
        }
    }

    /// Points at which a node has values of its own: the extents of the axes it depends on.
    fn points(&self, id: NodeId) -> i64 {
        let used = self.used[id.0 as usize];
        let extents = self.extents.iter().enumerate().filter(|(axis, _)| used >> axis.min(&63) & 1 == 1);
        extents.fold(1i64, |n, (_, &e)| n.saturating_mul(e))
    }

    /// How often a node is evaluated: loops run in this order of the axes, and what does not depend on the inner ones
    /// is computed before them. Operands of contractions are packed, and so made once.
    fn evaluations(&self, order: &[usize], id: NodeId) -> i64 {
        if matches!(self.kind, Kind::Contract { .. }) {
            return self.points(id);
        }
        let used = self.used[id.0 as usize];
        let depth = order.iter().rposition(|axis| used >> axis.min(&63) & 1 == 1).map_or(0, |last| last + 1);
        order[..depth].iter().fold(1i64, |n, &axis| n.saturating_mul(self.extents[axis]))
    }
}
