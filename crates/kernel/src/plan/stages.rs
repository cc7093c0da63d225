//! Planning the stages of a region: all in one row nest where that is possible, else groups one after the other.

use super::Axes;
use super::beside;
use super::choice::Choice;
use super::epilogue::epilogue_of;
use super::exprs::{self, exprs_of};
use super::kernel::Plan;
use super::schedule::{Group, Schedule};
use super::tile_registers;
use super::work::{combining_cost, point_cost};
use super::{
    batch_lanes, block_tile, contract, halving, in_order, line_by_line, loop_schedule, map, nest, reduce,
    rows_apart, select_and_scatter, simple, sort, stored_together, update,
};
use crate::refusal::Refusal;
use crate::region::{Kind, Region, ScanOrder, roots_of};
use crate::target::Target;

/// Plans a region that has no parts.
pub(super) fn plan_stages(region: &Region, target: &Target) -> Result<Plan, Refusal> {
    plan_stages_with(region, target, None)
}

/// The same, where one decision is answered by somebody else.
pub(super) fn plan_stages_with(
    region: &Region,
    target: &Target,
    choice: Option<Choice>,
) -> Result<Plan, Refusal> {
    let plan = stages_with(region, &target.for_types(&region.types), choice)?;
    Ok(Plan { lanes_are_threads: target.gpu.is_some(), ..plan })
}

/// The plan of a region without parts as one kernel, or why it is not one; in that case no loops are planned.
pub(super) fn as_one_kernel(region: &Region, target: &Target) -> Result<Result<Plan, Refusal>, Refusal> {
    let typed = target.for_types(&region.types);
    let together = grouped(region);
    let plan = match nest_of(region, &together, &typed, None) {
        Ok(Some(nest)) => nest,
        Ok(None) => in_groups(region, together, &typed, None)?,
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(Ok(Plan { lanes_are_threads: target.gpu.is_some(), ..plan }))
}

fn stages_with(region: &Region, target: &Target, choice: Option<Choice>) -> Result<Plan, Refusal> {
    let together = grouped(region);
    match nest_of(region, &together, target, choice) {
        Ok(Some(nest)) => Ok(nest),
        Ok(None) => in_groups(region, together, target, choice),
        Err(refusal) => Ok(Plan { apart: Some(refusal), ..in_groups(region, together, target, choice)? }),
    }
}

/// A stage, and the map that is computed where its results are made.
type Together = (usize, Option<usize>);

/// The plan of stages that share their rows. `None` where each group has its own, one after the other in one kernel.
///
/// # Errors
/// Why they do not share their rows, where they are not worth one kernel without.
fn nest_of(
    region: &Region,
    together: &[Together],
    target: &Target,
    choice: Option<Choice>,
) -> Result<Option<Plan>, Refusal> {
    let nest = match together.len() {
        1 if choice == Some(Choice::Staged(false)) => None,
        1 => nest::turned(region, target, choice),
        _ => match nest::nest(region, target, choice) {
            Ok(nest) => Some(nest),
            Err(_) if are_phases(region, together) => None,
            Err(refusal) => return Err(refusal),
        },
    };
    Ok(nest.map(|nest| Plan::of_nest(region, nest)))
}

fn in_groups(
    region: &Region,
    together: Vec<Together>,
    target: &Target,
    choice: Option<Choice>,
) -> Result<Plan, Refusal> {
    let reads = memory_reads(region, &together);
    let groups = together.into_iter().map(|stages| group(region, stages, target, choice));
    let groups = groups.collect::<Result<Vec<Group>, Refusal>>()?;
    // A group must come after the groups whose results it reads from memory.
    let (mut scratch, mut reread) = (Vec::new(), Vec::new());
    for &(stage, result) in reads.iter().flatten() {
        match region.output_sources.iter().position(|o| *o == (stage, result)) {
            Some(o) if !reread.contains(&(o as u32)) => reread.push(o as u32),
            None if !scratch.contains(&(stage, result)) => scratch.push((stage, result)),
            _ => {}
        }
    }
    Ok(Plan { groups, scratch, reread, ..Plan::default() })
}

/// The stages in order, each with the map that is computed where its results are made, if there is one.
fn grouped(region: &Region) -> Vec<Together> {
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

/// Whether several groups are worth one kernel all the same: a full reduction and what depends on its result, such as
/// a sum, then a map that divides by it. So few values pass through memory between the groups that a barrier is cheaper
/// than a second launch. They must be reduced, or computed from reduced ones, and connect every group with the first.
fn are_phases(region: &Region, together: &[Together]) -> bool {
    let reads = memory_reads(region, together);
    let makes = |&(stage, epilogue): &Together, s: u32| stage as u32 == s || epilogue == Some(s as usize);
    let of_few = |&(s, _): &(u32, u32)| {
        let reduced = |(g, r): (&Together, &Vec<_>)| {
            let is_map = matches!(region.stages[g.0].kind, Kind::Map { .. } | Kind::Pieces(_));
            makes(g, s) && (!is_map || !r.is_empty())
        };
        region.stages[s as usize].elements <= FEW_VALUES && together.iter().zip(&reads).any(reduced)
    };
    if !reads.iter().flatten().all(of_few) {
        return false;
    }
    let read = |n: usize, of: usize| reads[n].iter().any(|&(s, _)| makes(&together[of], s));
    let mut tied = vec![false; together.len()];
    let mut next = vec![0];
    while let Some(n) = next.pop() {
        if !std::mem::replace(&mut tied[n], true) {
            next.extend((0..together.len()).filter(|&m| !tied[m] && (read(n, m) || read(m, n))));
        }
    }
    tied.iter().all(|&t| t)
}

/// The stage results that each group reads from memory.
fn memory_reads(region: &Region, together: &[Together]) -> Vec<Vec<(u32, u32)>> {
    let of =
        |&(stage, epilogue): &Together| exprs::memory_reads(region, stage as u32, epilogue.map(|e| e as u32));
    together.iter().map(of).collect()
}

fn group(
    region: &Region,
    (s, epilogue): Together,
    target: &Target,
    choice: Option<Choice>,
) -> Result<Group, Refusal> {
    let stage = &region.stages[s];
    let exprs = exprs_of(region, stage, epilogue.map(|e| &region.stages[e]));
    let fixed = match &stage.kind {
        // Lanes run along the scanned axis, which stays one loop.
        Kind::Scan { order: ScanOrder::MinorBlocked, .. } => &[stage.space.len()][..],
        // Lanes may run along the row.
        Kind::Sort { .. } => &[stage.space.len()][..],
        _ => &[],
    };
    let mut axes = Axes::with_fixed(region, (&stage.space, &stage.inner), &exprs, fixed);
    if epilogue.is_none()
        && let Some(whole) = map::of_whole_vectors(region, stage, &axes, target)
    {
        axes = whole;
    }
    let mut in_order = None;
    if epilogue.is_none()
        && choice.is_none()
        && let Some((flat, order)) = in_order::of(region, s, &axes, target)
    {
        (axes, in_order) = (flat, Some(order));
    }
    if choice.is_none()
        && let Some((flat, order)) = in_order::of_reduction(region, stage, &axes, target)
    {
        (axes, in_order) = (flat, Some(order));
    }
    let mut roots = roots_of(stage);
    roots.extend(epilogue.map(|e| roots_of(&region.stages[e])).unwrap_or_default());
    let cost = point_cost(region, &roots, target);
    let schedule = match &stage.kind {
        Kind::Map { .. } if let Some(order) = in_order => {
            Schedule::Map(map::in_order(region, stage, &axes, (order, cost), target))
        }
        Kind::Map { .. } => Schedule::Map(map::schedule(region, stage, &axes, cost, target, choice)),
        Kind::Pieces(_) => Schedule::Map(map::whole(region, stage, &axes, cost, target, choice)),
        Kind::Reduce { order, values, combiner, stored, .. } => {
            let on_the_way = stored.iter().flat_map(|s| &s.parts).map(|(_, value)| value);
            let evaluated: Vec<_> = values.iter().chain(on_the_way).copied().collect();
            let combining = combining_cost(region, &axes, (values, combiner), target);
            let element = point_cost(region, &evaluated, target) + combining;
            let words = values.iter().map(|&v| reduce::registers(region.dtype(v).accumulator())).sum();
            let costs = (cost, element, (values.len() as i64, words));
            let reduce = reduce::schedule(*order, &axes, costs, target, choice);
            let reduce = reduce.sharing(region, values, &axes, target);
            let reduce = reduce::by_blocks(reduce, (region, stage), &axes, target);
            let reduce = line_by_line::of(reduce, (region, stage, &axes), target);
            let reduce = reduce::side_by_side(reduce, stage, &axes, element, target);
            let mut reduce = line_by_line::neighbours(reduce, (region, stage, &axes));
            reduce = reduce::in_lines(reduce, (region, &axes), (&evaluated, combiner, combining), target);
            if let Kind::Reduce { mask: None, stored, .. } = &stage.kind
                && stored.is_empty()
            {
                reduce = rows_apart::one_vector(reduce, (region, &axes), values, target);
                reduce = beside::of_elements(reduce, (region, &axes), (values, combining), target);
            }
            reduce = reduce::joined(reduce, (region, stage), 1, target);
            let own = stage.own_results().len() as u32;
            let of_row = |k: &(u32, u32)| k.0 == s as u32 && k.1 < own || Some(k.0 as usize) == epilogue;
            let results = stored_together::results(region, of_row);
            reduce = reduce::storing_together(reduce, (region, stage), (&axes, cost), &results, target);
            let finish = epilogue.map_or(0, |e| point_cost(region, &roots_of(&region.stages[e]), target));
            reduce = halving::of_rows(reduce, (region, stage, &axes), finish, target);
            reduce.even_tasks(&axes, target);
            reduce.streaming = reduce::streams(region, stage, &axes, &reduce, target);
            reduce.in_order = in_order;
            Schedule::Reduce(reduce)
        }
        Kind::Contract { lhs, rhs, .. }
            if choice.is_none()
                && let Some(s) = batch_lanes::schedule((region, stage, &axes), (*lhs, *rhs), target) =>
        {
            Schedule::Contract(s)
        }
        Kind::Contract { lhs, rhs, .. } => {
            let s = contract::schedule(region, stage, &axes, &[], (*lhs, *rhs), target, choice);
            let results = epilogue.map(|e| roots_of(&region.stages[e])).unwrap_or_default();
            let epilogue = region.reachable(&results).len() as i64;
            let s = tile_registers::of_tiles(region, stage, &axes, s, choice, target);
            match block_tile::of_blocks(region, stage, &axes, &s, epilogue, target) {
                Some((of_blocks, s)) => {
                    axes = of_blocks;
                    Schedule::Contract(s)
                }
                None => Schedule::Contract(s),
            }
        }
        Kind::Update { offset, unique, .. } => {
            Schedule::Update(update::schedule(region, (s as u32, offset, *unique), &axes, cost, target))
        }
        Kind::Scan { order, position, .. } => {
            Schedule::Scan(simple::scan(stage, (*order, position), &axes, cost, target))
        }
        Kind::Sort { .. } => Schedule::Sort(sort::schedule(region, stage, &axes, target, choice)),
        Kind::SelectAndScatter(s) => {
            Schedule::SelectAndScatter(select_and_scatter::schedule(region, (stage, s), &axes, cost, target))
        }
        Kind::Loop(loop_stage) => Schedule::Loop(loop_schedule::schedule(region, loop_stage, &axes, target)?),
    };
    Ok(Group { stage: s as u32, epilogue: epilogue.map(|e| e as u32), axes, schedule, halves: false })
}

/// The plan of a region that nothing joins any more, where `plan` is what fusion was decided by.
pub(super) fn unjoined(region: &Region, plan: Plan, target: &Target) -> Plan {
    let longer = alone(region, &plan, target);
    longer.and_then(|target| plan_stages(region, &target).ok()).unwrap_or(plan)
}

/// The target for such a region: where it is a product, alone or with the map
/// of its results, nothing waits in the cache for its rows, so that more of them may share what is packed.
pub(super) fn alone(region: &Region, plan: &Plan, target: &Target) -> Option<Target> {
    let [group] = &plan.groups[..] else { return None };
    let longer = target.gpu.is_none() && matches!(group.schedule, Schedule::Contract(_));
    let whole = group.stages().count() == region.stages.len();
    (longer && whole).then(|| Target { product_rows: ROWS_ALONE, ..target.clone() })
}

/// The most values that may pass between phases of one kernel.
const FEW_VALUES: i64 = 16;
/// [`Target::product_rows`] for a product alone in its kernel.
const ROWS_ALONE: i64 = 1024;
