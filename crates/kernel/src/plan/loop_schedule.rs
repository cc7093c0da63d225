//! Loops inside a kernel: lanes in tasks, several vectors of lanes in flight. What a loop leaves to the next in arrays of the
//! lanes' own stays in the cache of the task: so many lanes are in flight as fit, and they run all loops before the next do.

use super::Axes;
use super::branches::{Branch, branches};
use super::prefetch::{Prefetch, prefetch};
use super::tasks::evenly;
use super::vector::{lane_axis, lanes_within};
use crate::refusal::Refusal;
use crate::region::{LoopStage, Nesting, Node, NodeId, Region, Source};
use crate::target::Target;

/// A task takes a block of rows by a block of columns; at each point the loop runs to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopSchedule {
    /// The axis along which lanes run; `None` for a single point.
    pub lane: Option<usize>,
    pub lanes: u32,
    /// Vectors that run through the trips together, so that one works while another waits.
    pub vectors: u32,
    pub rows_per_task: i64,
    /// A multiple of all lanes in flight, or the whole axis.
    pub columns_per_task: i64,
    /// Sides of selects that are skipped where no lane takes them.
    pub branches: Vec<Branch>,
    /// Of the loop and each within it.
    pub prefetch: Vec<Prefetch>,
    /// Loads of elements that all lanes and trips share, done anew in each trip, in ascending order: more of them than registers hold,
    /// as the weights of a network are. An instruction reads such an element from memory for all of its lanes; kept from trip to
    /// trip, each would be a whole vector that goes to the stack.
    pub reloaded: Vec<NodeId>,
}

/// Operations of a step beyond which its own chains keep the machine busy, and beyond which code would only grow.
const SHORT_STEP: i64 = 256;
const LONG_STEP: i64 = 1024;

/// Multiply-adds with elements that all lanes share, of products in the body: with more of them kernels of products, which have such
/// elements in the vectors of a tile, are as fast, and take a tenth of the time to compile.
const MOST_SHARED_PRODUCTS: usize = 1000;

/// # Errors
/// That the arrays which lanes have for themselves do not fit in the cache of a task, for as many as make a vector; or that products of
/// the body are so large that they had better be kernels of their own.
pub(super) fn schedule(
    region: &Region,
    loop_stage: &LoopStage,
    axes: &Axes,
    target: &Target,
) -> Result<LoopSchedule, Refusal> {
    let lane = lane_axis(axes.space_extents(), target.lanes());
    let columns = lane.map_or(1, |l| axes.extents[l]);
    let lanes = lanes_within(columns, target.lanes());
    let rows: i64 = axes.space_extents().iter().product::<i64>() / columns.max(1);
    let nesting = Nesting::new(region, loop_stage);
    let varying = loop_stage.varying(region, |node| match node {
        Node::Index(e) | Node::InRange { value: e, .. } | Node::Load { offset: e, .. } => {
            lane.is_some_and(|lane| axes.translate(e).uses_axis(lane))
        }
        _ => false,
    });
    let products = shared_products(region, loop_stage, &varying);
    if products > MOST_SHARED_PRODUCTS && target.gpu.is_none() {
        return Err(Refusal::CodeSize { nodes: products, limit: MOST_SHARED_PRODUCTS });
    }
    let steps = Steps::new(region, loop_stage, &nesting, target);
    let step = steps.trip(0);
    let (own, limit) = (private_bytes(region).saturating_mul(lanes as i64), target.tile_bytes());
    if own > limit {
        return Err(Refusal::TileTooLarge { bytes: own, limit });
    }
    let fit = if own == 0 { i64::MAX } else { limit / own };
    let code = steps.code[steps.busiest()];
    let most = in_flight(code, fit, (columns + lanes as i64 - 1) / lanes as i64, target);
    // What is updated is updated once: no vector overlaps another.
    let fits = |n: &u32| columns % (lanes as i64 * *n as i64) == 0;
    let vectors = match region.updates_results(loop_stage) && columns % lanes as i64 == 0 {
        true => (1..=most).rev().find(fits).unwrap_or(1),
        false => most,
    };
    let cost = step.saturating_mul(loop_stage.counted_trips().max(1));
    let block = lanes as i64 * vectors as i64;
    let all = cost.saturating_mul(columns).saturating_mul(rows);
    let of_task = target.task_of(all);
    let blocks = (of_task / cost.saturating_mul(lanes as i64).max(1)).max(1);
    let columns_per_task = evenly(columns, block.saturating_mul(blocks).min(columns.max(1)), block, target);
    let rows_per_task = match columns_per_task == columns {
        true => (of_task / cost.saturating_mul(columns).max(1)).clamp(1, rows.max(1)),
        false => 1,
    };
    // What a branch leaves for later may be read after a loop within has written there.
    let branches = match region.writes_within(loop_stage) {
        true => Vec::new(),
        false => branches(region, loop_stage, &nesting, (&target.rates, lanes)),
    };
    let near = |(n, l)| {
        let trip = steps.trip(n).saturating_mul(vectors as i64);
        prefetch(region, (n, l), (&nesting, &varying), axes, lane, trip)
    };
    let prefetch = loop_stage.all(region).enumerate().map(near).collect();
    let reloaded = reloaded(region, loop_stage, (&nesting, &varying), target);
    Ok(LoopSchedule { lane, lanes, vectors, rows_per_task, columns_per_task, branches, prefetch, reloaded })
}

/// Multiply-adds of which one factor is the same in all lanes.
fn shared_products(region: &Region, loop_stage: &LoopStage, varying: &[bool]) -> usize {
    let is_shared = |id: &&NodeId| match region.node(**id) {
        Node::Fma { x, y, .. } => !varying[x.0 as usize] || !varying[y.0 as usize],
        _ => false,
    };
    region.reachable(&loop_stage.step_roots()).iter().filter(is_shared).count()
}

/// The loads of elements that all lanes and trips share and one operation uses, where there are more than half of the registers hold.
/// LLVM would load an element once for several operations, and keep it on the stack between them.
fn reloaded(
    region: &Region,
    loop_stage: &LoopStage,
    (nesting, varying): (&Nesting, &[bool]),
    target: &Target,
) -> Vec<NodeId> {
    let order = region.reachable(&loop_stage.step_roots());
    let is_before = |id: NodeId| nesting.innermost(id).is_none();
    let (mut uses, mut is_used_before) = (vec![0u32; region.nodes.len()], vec![false; region.nodes.len()]);
    for &id in &order {
        region.operands(id, &mut |o| {
            uses[o.0 as usize] += 1;
            is_used_before[o.0 as usize] |= is_before(id);
        });
    }
    let is_shared = |&id: &NodeId| {
        let is_load = matches!(region.node(id), Node::Load { mask: None, source: Source::Input(_), .. });
        let n = id.0 as usize;
        is_load && is_before(id) && !varying[n] && uses[n] == 1 && !is_used_before[n]
    };
    let mut shared: Vec<NodeId> = order.into_iter().filter(is_shared).collect();
    if target.gpu.is_some() || shared.len() as i64 <= target.registers as i64 / 2 {
        return Vec::new();
    }
    shared.sort_unstable();
    shared
}

/// Bytes that each lane has for itself.
pub fn private_bytes(region: &Region) -> i64 {
    let bytes = region.private.iter().map(|a| a.elements.saturating_mul(a.dtype.size() as i64));
    bytes.fold(0, i64::saturating_add)
}

/// Operations of each of the loops.
struct Steps {
    /// Those of one trip, without loops within it.
    code: Vec<i64>,
    /// How often that is run in one trip of the stage's loop.
    runs: Vec<i64>,
    /// The loop and those around it, as bits.
    chains: Vec<u64>,
}

impl Steps {
    fn new(region: &Region, loop_stage: &LoopStage, nesting: &Nesting, target: &Target) -> Steps {
        let mut code = vec![0i64; region.loops.len() + 1];
        for id in region.reachable(&loop_stage.step_roots()) {
            code[nesting.innermost(id).unwrap_or(0)] += target.rates.node(region, id);
        }
        let (chains, runs) =
            (nesting.chains().to_vec(), (0..code.len()).map(|n| nesting.runs_of(n)).collect());
        Steps { code, runs, chains }
    }

    /// Operations of one trip of a loop, with those of loops within it.
    fn trip(&self, n: usize) -> i64 {
        let within = (n..self.code.len()).filter(|&l| self.chains[l] >> n & 1 == 1);
        let all = within.fold(0i64, |sum, l| sum.saturating_add(self.code[l].saturating_mul(self.runs[l])));
        (all / self.runs[n].max(1)).max(1)
    }

    /// The loop that does most.
    fn busiest(&self) -> usize {
        (0..self.code.len()).max_by_key(|&n| self.code[n].saturating_mul(self.runs[n])).unwrap_or(0)
    }
}

/// As many vectors as hide the latency of a step and fit, without a last block that mostly repeats.
fn in_flight(step: i64, fit: i64, vectors: i64, target: &Target) -> u32 {
    let most = match step {
        _ if step <= SHORT_STEP => 4,
        _ if step <= LONG_STEP => 2,
        _ => 1,
    };
    let most = target.in_flight().min(most).min(fit);
    // A chain by itself waits for half of its time.
    let time = |n: i64| ((vectors + n - 1) / n * n).saturating_mul(60 + 60 / n);
    (1..=most).rev().min_by_key(|&n| time(n)).unwrap_or(1) as u32
}
