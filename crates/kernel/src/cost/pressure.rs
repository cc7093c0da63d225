//! What a kernel needs of a core beside time: registers, instruction cache, memory between its stages.
//!
//! Live values are counted in the order in which lowering computes them: operands before users, results last. This is an
//! estimate from above, since LLVM may reorder instructions before it allocates registers. Takes time in proportion to the
//! nodes.

use crate::plan::{
    Axes, BlockTile, ContractSchedule, Group, IndexSetSplit, MATRIX_WORDS, Matrices, Plan, ReduceShape,
    Schedule, Turn, private_bytes, product_lanes,
};
use crate::region::{Kind, LoopStage, Node, NodeId, Region, Stage, roots_of};
use crate::target::Target;
use lawson_hlo::DType;
use lawson_hlo::dtype::{Algebra, Float, TypeKind, Width};
use lawson_hlo::index::{Affine, Atom};

/// Registers of a thread of a graphics processor for the loops of a task, as NVIDIA's assembler allocates them: a counter, an
/// end and the addresses of two arrays, each of 64 bits, and an address ahead.
const LOOPS: i64 = 10;
/// The same for the index along several axes of the sum of a product: of a block of k, of the next, and their offsets.
const INDEX: i64 = 20;
/// Elements of a reduction that it unrolls as a whole.
const UNROLLED: i64 = 16;

/// Bytes of an element of the operands of a tile that a team shares.
const TEAM_BYTES: i64 = 4;

/// The needs of one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pressure {
    /// Vector values that are needed at once, at most.
    pub live: i64,
    /// Work of spilling: storing and reloading what does not fit in registers.
    pub spills: i64,
    /// Operations of the code.
    pub code: i64,
    /// Bytes that stages keep for each other in a task, or in each warp of it.
    pub shared: i64,
    /// Points that can be computed side by side: how many threads find work.
    pub points: i64,
}

/// Needs of a region under its plan.
pub fn pressure(region: &Region, plan: &Plan, target: &Target) -> Pressure {
    let mut out = Pressure::default();
    let mut walk = Walk::new(region);
    for Group { stage, epilogue, schedule, .. } in &plan.groups {
        out.add(walk.group((*stage, *epilogue), (schedule, 1), plan.split(*stage), target));
        if let Schedule::Contract(c) = schedule
            && let Some(team) = c.team
        {
            let elements: i64 = team.elements((c.rows_per_task, c.columns_per_task), c.block).iter().sum();
            out.shared = out.shared.max(elements * TEAM_BYTES / team.warps() as i64);
        }
        if let Schedule::Loop(s) = schedule {
            let lanes = s.lanes as i64 * s.vectors as i64;
            out.shared = out.shared.max(private_bytes(region).saturating_mul(lanes));
        }
    }
    if let Some(nest) = &plan.nest {
        for member in &nest.members {
            let split = plan.split(member.stage);
            let schedule = (&member.schedule, nest.warps);
            out.add(walk.group((member.stage, member.epilogue), schedule, split, target));
        }
        out.shared = nest.bytes(region) / nest.warps.max(1) as i64;
    }
    for body in plan.segments.iter().flat_map(|s| &s.bodies) {
        let (mut code, mut points) = (0, 0i64);
        for &part in &body.parts {
            let of_part = pressure(&region.parts[part as usize].region, &body.plan, target);
            code = of_part.code;
            points = points.saturating_add(of_part.points);
            out.add(Pressure { code: 0, ..of_part });
        }
        out.code += code;
        out.points = out.points.max(points);
    }
    out
}

impl Pressure {
    /// Adds another stage of the same kernel. Stages run one after the other and reuse registers and tiles, so those are
    /// the maximum of the two; code and spills are the sum.
    fn add(&mut self, other: Pressure) {
        self.live = self.live.max(other.live);
        self.shared = self.shared.max(other.shared);
        self.points = self.points.max(other.points);
        self.code = self.code.saturating_add(other.code);
        self.spills = self.spills.saturating_add(other.spills);
    }
}

/// How a schedule unrolls the loop over points: copies of the code of a point in the loop body, and registers whose
/// values live from one iteration to the next.
struct Unrolled {
    copies: i64,
    running: i64,
    /// Registers of elements that are loaded ahead, or of a square of a map on the way to a tile.
    waiting: i64,
}

/// Elements that each thread of a graphics processor has at once.
fn side_by_side(schedule: &Schedule, warps: u32, target: &Target) -> i64 {
    let ahead = match schedule {
        Schedule::Map(m) if m.transpose.is_none() => m.ahead,
        _ => 1,
    };
    match target.gpu {
        Some(_) => (schedule.lanes() / (target.lanes() * warps)).max(1) as i64 * ahead,
        None => 1,
    }
}

/// Walks over the expressions of stages; the vectors are allocated once for all walks over a region.
struct Walk<'r> {
    region: &'r Region,
    /// By node, the number of the last walk that met it and the position of its last user in that walk. Numbering the
    /// walks saves clearing both for each.
    met: Vec<u32>,
    last: Vec<u32>,
    walks: u32,
}

impl<'r> Walk<'r> {
    fn new(region: &'r Region) -> Walk<'r> {
        let nodes = region.nodes.len();
        Walk { region, met: vec![0; nodes], last: vec![0; nodes], walks: 0 }
    }

    fn group(
        &mut self,
        (s, e): (u32, Option<u32>),
        (schedule, warps): (&Schedule, u32),
        split: Option<(&IndexSetSplit, &Axes)>,
        target: &Target,
    ) -> Pressure {
        let stage = &self.region.stages[s as usize];
        let unrolled = unrolled(self.region, stage, schedule, target);
        let region = self.region;
        let weigh = |order: &[NodeId]| order.iter().map(|&n| target.rates.node(region, n)).sum::<i64>();
        let roots = match &stage.kind {
            Kind::Loop(loop_stage) => loop_stage.step_roots(),
            _ => roots_of(stage),
        };
        let order = self.order(&roots);
        let orders = match split {
            None => vec![order],
            // The parts of a split loop stand one after the other.
            Some((split, _)) => split.evaluated.iter().map(|ids| of(&order, ids)).collect(),
        };
        let own: i64 = orders.iter().map(|o| weigh(o)).sum::<i64>().saturating_mul(unrolled.copies);
        let neighbours = target.gpu.map(|_| side_by_side(schedule, warps, target));
        let mut live = orders.iter().map(|o| self.needed(o, &roots, neighbours)).max().unwrap_or(0);
        let mut code = own.saturating_add(unrolled.running);
        if let Some(e) = e {
            let roots = roots_of(&self.region.stages[e as usize]);
            let order = self.order(&roots);
            code = code.saturating_add(weigh(&order).saturating_mul(unrolled.running.max(1)));
            live = live.max(self.needed(&order, &roots, neighbours));
        }
        if let Schedule::Contract(c) = schedule
            && let Some(team) = c.team
        {
            live = if team.matrices.is_none() { self.loaded_beside((stage, &roots), c, &team) } else { 0 };
        }
        live = live.saturating_add(unrolled.running).saturating_add(unrolled.waiting);
        if target.gpu.is_some() {
            live = live.saturating_add(self.loops_of_thread(&orders, stage, schedule));
        }
        let mut trips = 1;
        if let Kind::Loop(loop_stage) = &stage.kind {
            // While an inner loop runs, the state of the loops around it stays in registers.
            let carried = carried(region, loop_stage);
            let around = region.loops.iter().map(|inner| carried[inner.around as usize]);
            live = live.saturating_add(around.max().unwrap_or(0));
            let all = loop_stage.along(region, |l| l.counted_trips().max(1), |a, own| own.saturating_mul(*a));
            trips = all.into_iter().max().unwrap_or(1);
        }
        let excess = (live - target.registers as i64).max(0);
        let all = stage.points().saturating_mul(stage.inner_points());
        let spills = all.saturating_mul(trips).saturating_mul(excess * target.spill()) / unrolled.copies;
        let points = match &stage.kind {
            Kind::Reduce { .. } => all,
            _ => stage.points(),
        };
        Pressure { live, spills, code, shared: 0, points }
    }

    /// Registers for what a thread loads beside an element of each side of a product, where a side is computed on the way to the tile
    /// and the sum goes along several axes: then each load of an element has a place of its own, and all are sent for before the first is
    /// waited for.
    fn loaded_beside(
        &self,
        (stage, roots): (&Stage, &[NodeId]),
        c: &ContractSchedule,
        team: &BlockTile,
    ) -> i64 {
        let beside = match stage.inner.len() {
            0 | 1 => 0,
            _ => (self.region.loads(roots).len() as i64 - 2).max(0),
        };
        beside * c.rows_per_task.max(c.columns_per_task) * team.steps(c.block) / team.threads()
    }

    /// The nodes that the roots need, in the order lowering evaluates them: operands first. Offsets of loads are left
    /// out: they are scalar integers, in registers of another kind.
    fn order(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        self.walks += 1;
        // Most expressions have some dozens of nodes.
        let mut order = Vec::with_capacity(32);
        let mut stack: Vec<(NodeId, bool)> = roots.iter().rev().map(|&r| (r, false)).collect();
        while let Some((id, done)) = stack.pop() {
            if done {
                order.push(id);
                continue;
            }
            if std::mem::replace(&mut self.met[id.0 as usize], self.walks) == self.walks {
                continue;
            }
            stack.push((id, true));
            let first = stack.len();
            operands(self.region, id, &mut |o| stack.push((o, false)));
            stack[first..].reverse();
        }
        order
    }

    /// Registers for the values of an order: of a thread with so many neighbours, on a graphics processor.
    fn needed(&mut self, order: &[NodeId], roots: &[NodeId], neighbours: Option<i64>) -> i64 {
        match neighbours {
            None => self.live(order, roots),
            Some(neighbours) => self.of_thread(order, roots, neighbours),
        }
    }

    /// The most values of this order that are needed at once; roots stay to the end.
    fn live(&mut self, order: &[NodeId], roots: &[NodeId]) -> i64 {
        self.walks += 1;
        for id in order {
            self.met[id.0 as usize] = self.walks;
            self.last[id.0 as usize] = u32::MAX;
        }
        for (at, &id) in order.iter().enumerate() {
            let last = &mut self.last;
            operands(self.region, id, &mut |o| last[o.0 as usize] = at as u32);
        }
        for root in roots {
            self.last[root.0 as usize] = u32::MAX;
        }
        let (mut now, mut most) = (0i64, 0i64);
        for (at, &id) in order.iter().enumerate() {
            let mut freed: Vec<NodeId> = Vec::new();
            operands(self.region, id, &mut |o| {
                let here = self.met[o.0 as usize] == self.walks;
                if here && self.last[o.0 as usize] == at as u32 && !freed.contains(&o) {
                    freed.push(o);
                }
            });
            now -= freed.iter().map(|&o| self.width(o)).sum::<i64>();
            now += self.width(id);
            most = most.max(now);
        }
        most
    }

    /// Registers that a thread of a graphics processor needs for the values of an order. The assembler sends all loads before
    /// it waits for the first, and computes the neighbours that a thread has one after the other: it holds what all of them
    /// load or store, and of one of them what lies between.
    fn of_thread(&mut self, order: &[NodeId], roots: &[NodeId], neighbours: i64) -> i64 {
        let (mut loads, mut own) = (0, 0);
        for &id in order {
            if let Node::Load { offset, .. } = self.region.node(id) {
                loads += self.width(id);
                // What is the same everywhere is loaded once.
                own += if changes_along(offset, 0) { self.width(id) } else { 0 };
            }
        }
        let results: i64 = roots.iter().map(|&id| self.width(id)).sum();
        self.live(order, roots).max(loads) + (neighbours - 1) * own.max(results)
    }

    /// Registers of a thread for the loops of a task: their counters, ends and addresses, and what the assembler loads ahead
    /// where it unrolls the whole of a short reduction.
    fn loops_of_thread(&self, orders: &[Vec<NodeId>], stage: &Stage, schedule: &Schedule) -> i64 {
        let ahead = match schedule {
            Schedule::Map(m) if m.lane.is_none() && stage.points() == 1 => return 0,
            Schedule::Reduce(r) if r.chunks == 1 && (2..=UNROLLED).contains(&r.chunk) => {
                let is_load = |id: &&NodeId| match self.region.node(**id) {
                    Node::Load { offset, .. } => changes_along(offset, stage.space.len()),
                    _ => false,
                };
                let loads = |o: &Vec<NodeId>| o.iter().filter(is_load).map(|&id| self.width(id)).sum::<i64>();
                (r.chunk - 1) * orders.iter().map(loads).max().unwrap_or(0)
            }
            _ => 0,
        };
        LOOPS + ahead
    }

    /// Registers of one value.
    fn width(&self, id: NodeId) -> i64 {
        match self.region.node(id) {
            Node::Constant { .. } | Node::Argument(_) | Node::Carry(_) => 0,
            _ => width(self.region.dtype(id)),
        }
    }
}

/// Whether an offset changes along the axes from this one on.
fn changes_along(offset: &Affine, inner: usize) -> bool {
    let mut changes = false;
    offset.visit(&mut |atom| changes |= matches!(atom, Atom::Axis(axis) if *axis as usize >= inner));
    changes
}

/// Those of an order that are among `ids`, which are in ascending order.
fn of(order: &[NodeId], ids: &[NodeId]) -> Vec<NodeId> {
    order.iter().copied().filter(|id| ids.binary_search(id).is_ok()).collect()
}

/// Vector registers of one value per lane, if there are as many lanes as f32 fit in one register. Masks count as 0, since
/// they have registers of their own.
fn width(dtype: DType) -> i64 {
    match dtype.kind() {
        TypeKind::Pred => 0,
        TypeKind::Signed(width) | TypeKind::Unsigned(width) => match width {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16 | Width::W32 => 1,
            Width::W64 => 2,
        },
        TypeKind::Float(Float::F16 | Float::Bf16 | Float::F32 | Float::Small(_)) => 1,
        TypeKind::Float(Float::F64) => 2,
        TypeKind::Field(field) => match field.prime.parameters().word {
            Width::W1 | Width::W2 | Width::W4 | Width::W8 | Width::W16 | Width::W32 => 1,
            Width::W64 => 2,
        },
        TypeKind::Composite(composite) => match composite.algebra {
            Algebra::Complex | Algebra::Extension(_) => composite.parts() as i64 * width(composite.part),
            // They have half as many lanes, or one.
            Algebra::Words(_) => composite.parts() as i64,
        },
    }
}

/// Values that a node is computed from.
fn operands(region: &Region, id: NodeId, f: &mut impl FnMut(NodeId)) {
    match region.node(id) {
        Node::Load { mask, .. } => mask.iter().for_each(|m| f(*m)),
        Node::Index(_) | Node::InRange { .. } => {}
        _ => region.operands(id, f),
    }
}

/// For each loop, registers for its state and that of the loops around it.
fn carried(region: &Region, loop_stage: &LoopStage) -> Vec<i64> {
    let own = |l: &LoopStage| l.carries.iter().map(|c| width(region.dtype(c.next))).sum::<i64>();
    loop_stage.along(region, own, |around, own| around + own)
}

/// Places of words of fragments: of four groups of lines and of four words of k.
const PLACES: i64 = 8;

/// Registers of a thread for the words that it copies: the place of each and what it holds, with the address of each of its factors,
/// of 64 bits, where these are not neighbours, and which of them is there where k ends within a block. Of a piece there are its
/// place and its address. Of windows there is also what must be in range; where factors of a word are no `neighbours`, each has its
/// own. Words of one factor are loaded from places that are made once. Where both operands are halves in pieces, the last block is copied
/// by code of its own, and the index along the axes of the sum is not kept.
fn of_words(m: Matrices, team: &BlockTile, sides: [i64; 2], has_rest: bool, neighbours: bool) -> i64 {
    let of_operand = |d: usize| {
        let words = sides[d] * MATRIX_WORDS / team.threads();
        let addresses = if team.along_k[d] { 1 } else { m.in_word() };
        let rest = if has_rest && !m.are_halves_in_pieces() { words * m.in_word() } else { 0 };
        let each = match (team.windows[d], m.pieces[d]) {
            (None, true) => 3 * words / 4,
            (Some(ranges), true) => (5 + ranges) * words / 4,
            (None, false) => (2 + 2 * addresses) * words,
            (Some(ranges), false) => (4 + ranges) * words * if neighbours { 1 } else { m.in_word() },
        };
        each + rest
    };
    let are_windows = team.windows.iter().any(|w| w.is_some());
    let of_sum = if are_windows && !m.are_halves_in_pieces() { INDEX } else { 0 };
    let placed = m.pieces.iter().filter(|&&in_pieces| !in_pieces && !are_windows && m.in_word() == 1);
    PLACES * placed.count() as i64 + of_operand(0) + of_operand(1) + of_sum
}

fn unrolled(region: &Region, stage: &Stage, schedule: &Schedule, target: &Target) -> Unrolled {
    /// Running values of a chunk along the minor dimension.
    const RUNNING: i64 = 64;
    let results = stage.own_results().iter().map(|&d| width(d)).sum::<i64>();
    match (schedule, &stage.kind) {
        (Schedule::Map(m), _) => {
            // Half of a square that is stored down its columns is still to come when the first of it is stored.
            let waiting =
                m.transpose.as_ref().filter(|t| t.turn == Turn::Stores).map_or(0, |_| m.lanes as i64 / 2);
            Unrolled { copies: 1, running: 0, waiting }
        }
        (Schedule::Reduce(r), _) => {
            let copies = match r.shape {
                _ if r.rolled => 1,
                ReduceShape::AcrossLanes => (RUNNING / r.lanes.max(1) as i64).max(1) * r.together,
                ReduceShape::LaneWise { tile, .. } => tile.max(1) as i64 * r.together,
            };
            let running = results * copies * r.beside.map_or(1, |b| b.points);
            Unrolled { copies: copies * r.ahead, running, waiting: running * (r.ahead - 1) }
        }
        // Tile registers have the sums.
        (Schedule::Contract(c), _) if c.words.is_some_and(|words| words.tiles) => {
            Unrolled { copies: 1, running: 0, waiting: 0 }
        }
        (Schedule::Contract(c), Kind::Contract { accumulator, .. }) => {
            // Vectors of f64 have half as many lanes as others.
            let halved = product_lanes(stage, target) < target.lanes();
            let width = if halved { 1 } else { width(*accumulator) };
            let tile = c.rows * c.tile as i64 * width;
            if let Some(team) = c.team {
                // The factors along the shorter side and the next of the other, and its share of the next block of k.
                let copied = (c.rows_per_task + c.columns_per_task) * team.steps(c.block) / team.threads();
                if let Some(m) = team.matrices {
                    let sides = [c.rows_per_task, c.columns_per_task];
                    let has_rest = stage.inner_points() % c.block != 0;
                    let neighbours = stage.inner.last().is_some_and(|n| n % m.in_word() == 0);
                    let copied = of_words(m, &team, sides, has_rest, neighbours);
                    // Four words of each fragment of rows, and two of each of columns.
                    let [down, across] = m.fragments(sides);
                    return Unrolled { copies: 1, running: tile, waiting: 4 * down + 2 * across + copied };
                }
                // Of windows the place of each element, and what must be in range.
                let each = |d: usize, side: i64| {
                    let elements = side * team.steps(c.block) / team.threads();
                    team.windows[d].map_or(0, |ranges| (2 + ranges) * elements + INDEX)
                };
                let places = each(0, c.rows_per_task) + each(1, c.columns_per_task);
                let waiting = (c.rows.min(c.tile as i64) + 2 + copied) * width + places;
                return Unrolled { copies: 1, running: tile, waiting };
            }
            Unrolled { copies: c.tile.max(1) as i64, running: tile, waiting: 0 }
        }
        (Schedule::Loop(l), Kind::Loop(loop_stage)) => {
            let vectors = l.vectors.max(1) as i64;
            let carried = carried(region, loop_stage).into_iter().max().unwrap_or(0);
            Unrolled { copies: vectors, running: (vectors - 1) * carried, waiting: 0 }
        }
        _ => Unrolled { copies: 1, running: 0, waiting: 0 },
    }
}
