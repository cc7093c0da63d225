//! Segments: independent parts of a region in one parallel loop. A table has a row for each part: where its arrays are.
//!
//! Parts of the same code share a body. A map over one loop that reads its arrays in order, or single elements, has the
//! same code whatever its size and wherever in the arrays it begins, as slices of one array do: these are further entries
//! of the row. Other parts share a body if they are equal but for names.

use super::kernel::{Body, Plan, Price, Segments, Sizes};
use super::schedule::Schedule;
use super::stages::{plan_stages, unjoined};
use crate::refusal::Refusal;
use crate::region::{Kind, Node, Region, roots_of};
use crate::target::{Target, WARP};
use lawson_hlo::DType;
use lawson_hlo::index::{Affine, Atom};
use rustc_hash::FxHashMap;

/// The most tasks that one part is divided into on a processor: each has an entry in the table.
const MAX_BLOCKS: i64 = 1024;

/// Whether a plan can be one part of several: a single phase, with no memory of its own between tasks.
///
/// # Errors
/// That it has several phases, or keeps results in memory between its stages, or that blocks share the tiles of a product.
pub fn fits(plan: &Plan) -> Result<(), Refusal> {
    let of_block = |s: &Schedule| matches!(s, Schedule::Contract(c) if c.team.is_some());
    if plan.groups.iter().any(|g| of_block(&g.schedule)) {
        return Err(Refusal::TilesOfBlocks);
    }
    let local = plan.reread.is_empty() || plan.nest.is_some();
    if plan.phases() <= 1 && plan.scratch.is_empty() && local && plan.segments.is_none() {
        return Ok(());
    }
    Err(Refusal::SeveralPhases)
}

/// The plan of a part. Where the one with short tasks has several phases, it is that of the kernel by itself.
///
/// # Errors
/// That it is no part: see [`fits`].
pub fn part(region: &Region, target: &Target) -> Result<Plan, Refusal> {
    // The tasks of a table are those of single warps.
    let target = &target.without_teams();
    let plan = plan_stages(region, target)?;
    if fits(&plan).is_ok() {
        return Ok(plan);
    }
    let plan = unjoined(region, plan, target);
    fits(&plan)?;
    Ok(plan)
}

/// The code of a part: equal for parts that may share a body.
pub type PartCode = Vec<(Node, DType)>;

/// What code a plan has as a part.
pub fn code(region: &Region, plan: &Plan) -> PartCode {
    flat(region, plan).map_or_else(|| nodes(region), |flat| flat.nodes)
}

pub(super) fn segments(region: &Region, target: &Target, price: Price) -> Result<Segments, Refusal> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut known: FxHashMap<PartCode, Vec<usize>> = FxHashMap::default();
    let mut work = Vec::new();
    let target = &target.without_teams();
    for (p, part) in region.parts.iter().enumerate() {
        let plan = self::part(&part.region, target)?;
        work.push(price(&part.region, &plan, target).max(1));
        let flat = flat(&part.region, &plan);
        let key = match &flat {
            Some(flat) => flat.nodes.clone(),
            None => nodes(&part.region),
        };
        let alike = known.entry(key).or_default();
        let found = alike.iter().copied().find(|&b| {
            let other = &region.parts[bodies[b].parts[0] as usize].region;
            match (&flat, &bodies[b].sizes) {
                (Some(_), Some(_)) => same_loop(&part.region, &plan, other, &bodies[b].plan),
                (None, None) => part.region.is_code_of(other),
                _ => false,
            }
        });
        match found {
            Some(b) => {
                bodies[b].parts.push(p as u32);
                if let (Some(sizes), Some(flat)) = (&mut bodies[b].sizes, flat) {
                    sizes.extents.push(flat.extent);
                    sizes.starts.iter_mut().zip(flat.starts).for_each(|(rows, start)| rows.push(start));
                }
            }
            None => {
                alike.push(bodies.len());
                let sizes = flat.map(|flat| Sizes {
                    extents: vec![flat.extent],
                    starts: flat.starts.into_iter().map(|start| vec![start]).collect(),
                    block: 0,
                });
                bodies.push(Body { plan, parts: vec![p as u32], sizes });
            }
        }
    }
    for body in &mut bodies {
        settle(body, &work, target);
    }
    let grain = grain(&work, target);
    Ok(Segments { bodies, work, grain })
}

/// The least work of a task of the launch. Each warp of a graphics processor has one unit, however small: units that wait for
/// memory one after the other would leave the device idle.
fn grain(work: &[i64], target: &Target) -> i64 {
    if target.gpu.is_some() {
        return 0;
    }
    let all = work.iter().fold(0i64, |sum, &w| sum.saturating_add(w));
    if all < target.undivided() { all } else { target.least_task().max(all / MAX_BLOCKS) }
}

/// The most tasks that one part is divided into: of a graphics processor several for each warp that it holds, so that none waits
/// for the last.
fn most_blocks(target: &Target) -> i64 {
    const FOR_EACH_WARP: i64 = 4;
    target.gpu.map_or(MAX_BLOCKS, |g| FOR_EACH_WARP * g.sms * g.sm_threads / WARP)
}

/// Drops the sizes of a body of a single part, whose code may know its extent; else chooses the elements of a task.
fn settle(body: &mut Body, work: &[i64], target: &Target) {
    if body.parts.len() == 1 {
        body.sizes = None;
    }
    let Some(sizes) = &mut body.sizes else { return };
    let longest = sizes.extents.iter().copied().max().unwrap_or(1).max(1);
    let elements = sizes.extents.iter().fold(0i64, |sum, &n| sum.saturating_add(n)).max(1);
    let cost = body.parts.iter().fold(0i64, |sum, &p| sum.saturating_add(work[p as usize])) / elements;
    let lanes = body.plan.groups[0].schedule.lanes() as i64;
    let points = (target.task() / cost.max(1)).max(64).max(longest / most_blocks(target));
    // Whole cache lines, so that tasks write none of another's.
    let unit = lanes * 16;
    sizes.block = (points + unit - 1) / unit * unit;
}

/// A map over one loop whose code depends neither on the loop's extent nor on where it begins to read.
struct Flat {
    extent: i64,
    /// The code's expressions, each load beginning at element 0.
    nodes: PartCode,
    /// The element that each load begins with.
    starts: Vec<i64>,
}

fn flat(region: &Region, plan: &Plan) -> Option<Flat> {
    let ([stage], [group]) = (&region.stages[..], &plan.groups[..]) else { return None };
    let (Kind::Map { .. }, Schedule::Map(s)) = (&stage.kind, &group.schedule) else { return None };
    let (extent, one_loop) = match group.axes.extents[..] {
        [] => (1, s.lane.is_none()),
        [extent] => (extent, s.lane == Some(0) || s.lane.is_none() && extent == 1),
        _ => return None,
    };
    let plain = s.transpose.is_none() && s.inverses.is_empty() && !s.streaming;
    if !one_loop || !plain || !region.symbols.is_empty() {
        return None;
    }
    let in_order = |e: &Affine| {
        let e = group.axes.translate(e);
        e.terms.iter().all(|(a, _)| matches!(a, Atom::Axis(0))).then_some(e)
    };
    let (mut nodes, mut starts) = (Vec::new(), Vec::new());
    for id in region.reachable(&roots_of(stage)) {
        let node = match region.node(id).clone() {
            Node::InRange { .. } => return None,
            Node::Index(e) => Node::Index(in_order(&e)?),
            Node::Load { source, offset, mask } => {
                let mut offset = in_order(&offset)?;
                starts.push(std::mem::take(&mut offset.constant));
                Node::Load { source, offset, mask }
            }
            other => other,
        };
        nodes.push((node, region.dtype(id)));
    }
    Some(Flat { extent, nodes, starts })
}

fn nodes(region: &Region) -> PartCode {
    region.nodes.iter().cloned().zip(region.types.iter().copied()).collect()
}

/// Whether two flat maps of equal expressions have the same code.
fn same_loop(a: &Region, plan_a: &Plan, b: &Region, plan_b: &Plan) -> bool {
    let lanes = |p: &Plan| p.groups[0].schedule.lanes();
    let values = |r: &Region| match &r.stages[0].kind {
        Kind::Map { values } => values.clone(),
        _ => Vec::new(),
    };
    lanes(plan_a) == lanes(plan_b)
        && values(a) == values(b)
        && a.stages[0].results == b.stages[0].results
        && a.inputs.iter().map(|i| i.dtype).eq(b.inputs.iter().map(|i| i.dtype))
        && (&a.output_sources, &a.aliases) == (&b.output_sources, &b.aliases)
}
