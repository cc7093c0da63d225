//! Other plans of a kernel, for who measures: each answers one decision of planning otherwise ([`Choice`]) and gives the same
//! results, in `strict` the same bits.
//!
//! Offered is what planning decides by a model or a threshold. A plan that keeps other arrays in memory, or that breaks a
//! rule of [`super::verify`], is none. Graphics processors, parts that share a launch, and kernels that work in the memory
//! of an input have none.

use super::Axes;
use super::choice::Choice;
use super::contract::{self, ContractSchedule};
use super::halves;
use super::kernel::Plan;
use super::map::{stores_whole_vectors, written};
use super::map_schedule::MapSchedule;
use super::reduce::{self, ReduceSchedule, Shape};
use super::schedule::{Group, Schedule, Scheduled};
use super::sort;
use super::stages::{alone, plan_stages_with};
use super::verify::verify;
use crate::region::{Kind, Region};
use crate::target::Target;

/// A plan that differs from planning's own in one decision, or in what follows from it.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub choice: Choice,
    pub plan: Plan,
}

/// The other plans of a region that has this one for the target: all of them differ.
pub fn alternatives(region: &Region, plan: &Plan, target: &Target) -> Vec<Alternative> {
    let mut out: Vec<Alternative> = Vec::new();
    if target.gpu.is_some() || !region.parts.is_empty() || !region.aliases.is_empty() {
        return out;
    }
    for choice in choices(region, plan, &target.for_types(&region.types)) {
        let Some(made) = answered(region, plan, choice, target) else { continue };
        let memory = |p: &Plan| (p.apart.is_some(), p.scratch.clone(), p.reread.clone());
        let is_new = made != *plan && out.iter().all(|a| a.plan != made);
        if is_new && memory(&made) == memory(plan) && verify(region, &made).is_ok() {
            out.push(Alternative { choice, plan: made });
        }
    }
    out
}

/// Everything that may be chosen otherwise; not all of it makes a plan.
fn choices(region: &Region, plan: &Plan, target: &Target) -> Vec<Choice> {
    let mut out = Vec::new();
    for group in &plan.groups {
        of_group(region, group, target, &mut out);
    }
    for scheduled in plan.scheduled() {
        if let Schedule::Contract(s) = scheduled.schedule {
            of_product(region, scheduled, s, target, &mut out);
        }
    }
    if let Some(nest) = &plan.nest {
        if !nest.near.is_empty() {
            out.push(Choice::Staged(false));
        }
        if let Some(block) = nest.block.filter(|_| nest.near.is_empty()) {
            out.extend([block.rows / 2, block.rows * 2].map(Choice::BlockRows));
        }
        if let Some(lane) = nest.lane {
            out.extend([lane.lanes * 2, lane.lanes / 2].map(Choice::RowsInLanes));
        }
    }
    out
}

fn of_group(region: &Region, group: &Group, target: &Target, out: &mut Vec<Choice>) {
    let (stage, axes) = (&region.stages[group.stage as usize], &group.axes);
    if halves::can(region, group, target) {
        out.push(Choice::Halves(!group.halves));
    }
    match &group.schedule {
        Schedule::Map(s) if matches!(stage.kind, Kind::Map { .. }) && s.split.is_none() => {
            lanes_along(s.lane, &group.axes, out);
            let whole = s.lane.is_some_and(|l| stores_whole_vectors(stage, axes, l, s.lanes));
            if s.streaming || whole && written(stage) >= target.l2 {
                out.push(Choice::Streaming(!s.streaming));
            }
        }
        Schedule::Reduce(s) => {
            if reduce::can_be_side_by_side(s, stage, axes, target) {
                out.extend([1, 2, reduce::MOST_TOGETHER].map(Choice::Together));
            }
            if let Shape::LaneWise { lane: Some(lane), tile } = s.shape {
                let vectors = axes.extents[lane] / s.lanes as i64;
                let others = [1, 2, 4, 8, 16].into_iter().filter(|&n| n as i64 <= vectors && n != tile);
                out.extend(others.map(Choice::Columns));
                lanes_along(Some(lane), axes, out);
            }
        }
        Schedule::Sort(s) => {
            let methods = sort::methods(region, stage, axes, target).into_iter();
            out.extend(methods.filter(|m| m.0 != s.method).map(|m| Choice::Sort(m.0)));
        }
        Schedule::Map(_)
        | Schedule::Contract(_)
        | Schedule::Update(_)
        | Schedule::Scan(_)
        | Schedule::SelectAndScatter(_)
        | Schedule::Loop(_) => {}
    }
}

/// The other axes that are long enough for lanes.
fn lanes_along(lane: Option<usize>, axes: &Axes, out: &mut Vec<Choice>) {
    let other = |&axis: &usize| Some(axis) != lane && axes.extents[axis] >= LEAST_LANES;
    out.extend((0..axes.space).rev().filter(other).map(Choice::LanesAlong));
}

fn of_product(
    region: &Region,
    scheduled: Scheduled<'_>,
    s: &ContractSchedule,
    target: &Target,
    out: &mut Vec<Choice>,
) {
    let (stage, axes) = (&region.stages[scheduled.stage as usize], scheduled.axes);
    // Tile registers have one shape.
    if s.words.is_some_and(|words| words.tiles) {
        return;
    }
    let tiles = contract::tiles((region, stage, axes), s, target).into_iter();
    out.extend(tiles.map(|(vectors, rows)| Choice::Tile { vectors: vectors as u32, rows: rows as u32 }));
    if s.row.is_some() {
        out.push(Choice::Packed(!s.pack));
    }
    if s.pack || s.ahead {
        let length: i64 = axes.inner_extents().iter().product();
        let passes = [s.block / 2, s.block * 2].map(|k| k / PASS_UNIT * PASS_UNIT);
        out.extend(passes.into_iter().filter(|k| (PASS_UNIT..=length).contains(k)).map(Choice::Pass));
    }
    if s.row.is_some_and(|row| axes.extents[row] > SHARED_ROWS[0]) {
        out.extend(SHARED_ROWS.map(Choice::SharedRows));
    }
}

/// The plan with this answer: where nothing else depends on it as it is, but for that; else planned again.
fn answered(region: &Region, plan: &Plan, choice: Choice, target: &Target) -> Option<Plan> {
    let mut edited = plan.clone();
    let groups = edited.groups.iter_mut();
    match choice {
        Choice::Streaming(on) => groups.for_each(|group| {
            if let Schedule::Map(MapSchedule { streaming, .. }) = &mut group.schedule {
                *streaming = on;
            }
        }),
        Choice::Halves(on) => groups.for_each(|group| {
            group.halves = on && halves::can(region, group, target);
            if let (true, Schedule::Reduce(s)) = (group.halves, &mut group.schedule) {
                together(s, 1);
            }
        }),
        Choice::Together(n) => groups.for_each(|group| {
            if let Schedule::Reduce(s) = &mut group.schedule {
                together(s, n);
                group.halves &= n == 1;
            }
        }),
        Choice::Columns(n) => groups.for_each(|group| {
            if let Schedule::Reduce(s) = &mut group.schedule {
                columns(s, n, &group.axes.extents);
            }
        }),
        Choice::Tile { .. }
        | Choice::Packed(_)
        | Choice::Pass(_)
        | Choice::SharedRows(_)
        | Choice::LanesAlong(_)
        | Choice::Staged(_)
        | Choice::BlockRows(_)
        | Choice::RowsInLanes(_)
        | Choice::Sort(_) => return planned_again(region, plan, choice, target),
    }
    Some(edited)
}

fn planned_again(region: &Region, plan: &Plan, choice: Choice, target: &Target) -> Option<Plan> {
    let mut longer = alone(region, plan, target).unwrap_or_else(|| target.clone());
    if let Choice::SharedRows(rows) = choice {
        longer.product_rows = rows;
    }
    let mut made = plan_stages_with(region, &longer, Some(choice)).ok()?;
    super::complete(region, &mut made, target);
    Some(made)
}

/// So many rows or chunks side by side, in tasks of about as many as before.
fn together(s: &mut ReduceSchedule, n: i64) {
    match s.shape {
        Shape::AcrossLanes => s.rows_per_task = (s.rows_per_task + n - 1) / n * n,
        Shape::LaneWise { .. } => s.rows_per_task = (s.rows_per_task * s.together / n).max(1),
    }
    s.together = n;
}

/// Running values of so many vectors of columns.
fn columns(s: &mut ReduceSchedule, n: u32, extents: &[i64]) {
    if let Shape::LaneWise { lane: Some(lane), tile } = &mut s.shape {
        s.rows_per_task = (s.rows_per_task * *tile as i64 / n as i64).max(1);
        s.streaming &= extents[*lane] % (s.lanes as i64 * n as i64) == 0;
        *tile = n;
    }
}

/// Points of an axis along which lanes may run.
const LEAST_LANES: i64 = 8;
/// Passes are over multiples of so many elements of k.
const PASS_UNIT: i64 = 64;
/// Rows of tasks that are tried.
const SHARED_ROWS: [i64; 4] = [64, 128, 256, 512];
