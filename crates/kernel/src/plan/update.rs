//! The loops of in-place updates: dynamic-update-slice and scatter.
//!
//! Updates of which no two reach one element are a map that stores elsewhere. Any others run row by row, in order, on one
//! thread; the points of a row lie in lanes where they reach different elements: those of one window of a scatter do, and
//! each element still receives its updates in the order of the rows. Where they may reach the same, what they bring and
//! where they go is found in lanes, and they take turns.

use super::Axes;
use super::dependence::Dependence;
use super::vector::{lane_axis, lanes_within};
use super::work::point_cost;
use crate::region::{Kind, Node, Region, all_roots_of, in_place, symbol_nodes};
use crate::target::Target;
use lawson_hlo::Opcode;
use lawson_hlo::index::Affine;

#[derive(Clone, PartialEq, Debug)]
pub struct UpdateSchedule {
    pub lane: Option<usize>,
    pub lanes: u32,
    pub rows_per_task: i64,
    /// Rows may run in any order.
    pub parallel: bool,
    /// Lanes compute where their updates go and what they bring; the updates happen one after the other. Of so many that follow each
    /// other that is loaded before the first happens: nothing waits then for what the ones before store.
    pub in_turn: Option<i64>,
    /// Points of a task of a phase before, in which tasks find for all points where their updates go and what they bring. `None` where
    /// that is found as the updates happen, block by block.
    pub found_before: Option<i64>,
    /// The maximum or minimum by which an update is compared with the element first: most leave that as it is.
    pub compared: Option<Opcode>,
}

/// Updates that are loaded together.
const TOGETHER: i64 = 4;
/// Operations that find one update from which on storing it for a phase after costs little.
const LONG_TO_FIND: i64 = 64;
/// Updates of one element from which on few change it.
const RARELY: i64 = 64;
/// Operations of a combination that is written out so often.
const SHORT: usize = 8;

/// `update` is the stage's number, where its updates go, and whether no two reach one element; `cost` the work of one point.
pub(super) fn schedule(
    region: &Region,
    (stage, offset, unique): (u32, &Affine, bool),
    axes: &Axes,
    cost: i64,
    target: &Target,
) -> UpdateSchedule {
    let points = region.stages[stage as usize].points();
    let lane = match unique {
        true => lane_axis(axes.space_extents(), target.lanes()),
        false => apart(region, (stage, offset), axes),
    };
    let turns =
        (!unique && lane.is_none() && target.gpu.is_none()).then(|| findable(region, stage, axes)).flatten();
    let lane = lane.or(turns);
    let columns = lane.map_or(1, |l| axes.extents[l]);
    let lanes = lanes_within(columns, target.lanes());
    let rows = (points / columns.max(1)).max(1);
    let rows_per_task = match unique {
        true => (target.task() / (cost * columns).max(1)).clamp(1, rows),
        false => rows,
    };
    let in_turn =
        turns.map(|_| if is_short(region, stage) && lanes as i64 % TOGETHER == 0 { TOGETHER } else { 1 });
    // The updates themselves keep one core busy, so that the others are of use only before.
    let finding = point_cost(region, &all_roots_of(region, &region.stages[stage as usize]), target);
    let per_task = (target.task() / finding).max(lanes as i64) / lanes as i64 * lanes as i64;
    let before = in_turn.is_some() && rows == 1 && finding >= LONG_TO_FIND && columns >= 2 * per_task;
    let found_before = before.then_some(per_task);
    let many = points / RARELY >= region.stages[stage as usize].elements;
    let compared = if in_turn.is_some() && many { kept_extreme(region, stage) } else { None };
    UpdateSchedule { lane, lanes, rows_per_task, parallel: unique, in_turn, found_before, compared }
}

/// The operation of updates that keep the greatest or the least of the floats that reach an element: of n in any order some ln n are
/// greater than all before.
pub(super) fn kept_extreme(region: &Region, stage: u32) -> Option<Opcode> {
    let Kind::Update { combiner: Some(f), .. } = &region.stages[stage as usize].kind else { return None };
    let [result] = f.results[..] else { return None };
    let Node::Binary { opcode: opcode @ (Opcode::Maximum | Opcode::Minimum), x, y, .. } =
        *region.node(result)
    else {
        return None;
    };
    let both = [x, y].map(|id| match region.node(id) {
        Node::Argument(n) => Some(*n),
        _ => None,
    });
    let of_both = both == [Some(0), Some(1)] || both == [Some(1), Some(0)];
    (of_both && f.arguments[0].is_float()).then_some(opcode)
}

/// Whether one update of one array is few instructions.
fn is_short(region: &Region, stage: u32) -> bool {
    let Kind::Update { values, combiner, .. } = &region.stages[stage as usize].kind else { return false };
    let combined = combiner.as_ref().map_or(0, |f| region.reachable(&f.results).len());
    values.len() == 1 && combined <= SHORT
}

/// Whether each element receives its updates in the order of the points.
pub(super) fn keeps_order(
    region: &Region,
    (stage, offset, unique): (u32, &Affine, bool),
    axes: &Axes,
    s: &UpdateSchedule,
) -> bool {
    let may_lie = |lane: usize| match s.in_turn {
        Some(_) => findable(region, stage, axes) == Some(lane),
        None => apart(region, (stage, offset), axes) == Some(lane),
    };
    unique || (!s.parallel && s.lane.is_none_or(may_lie))
}

/// The innermost axis, if what the updates along it bring does not depend on those before.
fn findable(region: &Region, stage: u32, axes: &Axes) -> Option<usize> {
    let axis = axes.space.checked_sub(1).filter(|&a| axes.extents[a] >= WORTH)?;
    (!in_place::reads_its_target(region, stage)).then_some(axis)
}

/// Fewer points than these are updated sooner than their places are stored.
const WORTH: i64 = 16;

/// The innermost axis, if updates along it reach different elements and none reads what another one wrote.
fn apart(region: &Region, (stage, offset): (u32, &Affine), axes: &Axes) -> Option<usize> {
    let axis = axes.space.checked_sub(1).filter(|&a| axes.extents[a] > 1)?;
    let mut along = Dependence::default();
    let is_fixed = !symbol_nodes(region, offset).into_iter().any(|id| along.on(region, axes, id, axis));
    let is_apart = axes.translate(offset).coefficient(axis).is_some_and(|step| step != 0);
    (is_fixed && is_apart && !in_place::reads_its_target(region, stage)).then_some(axis)
}

#[cfg(test)]
mod tests {
    use crate::plan::plan_stages;
    use crate::region::build::{Cut, build};
    use crate::target::Target;
    use lawson_hlo::Module;

    /// The loops of a scatter of windows of so many elements into an array of rank 1 or 2.
    fn planned(target: &str, updates: &str, inserted: &str) -> String {
        let rows = updates.split(['[', ',']).nth(1).expect("updates have rows");
        let text = format!(
            "add {{ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }}
             ENTRY e {{ x = {target} parameter(0) i = s32[{rows},1] parameter(1) u = {updates} parameter(2)
             ROOT r = {target} scatter(x, i, u), update_window_dims={{1}}, inserted_window_dims={{{inserted}}},
             scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add }}"
        );
        let module = Module::parse(&text).expect("well formed");
        let comp = module.entry();
        let cut = Cut { computation: comp, inputs: &comp.parameters(), roots: &[comp.root] };
        let region = build(&module, "r", cut).expect("a region");
        plan_stages(&region, &Target::zen4()).expect("a plan").to_string()
    }

    #[test]
    fn windows_lie_in_lanes_and_their_rows_stay_in_order() {
        let rows = planned("f32[512,128]", "f32[256,128]", "0");
        assert!(rows.contains("update, 16 lanes along loop 1, one row after the other"), "{rows}");
        let overlapping = planned("f32[512]", "f32[256,32]", "");
        assert!(overlapping.contains("16 lanes along loop 1, one row after the other"), "{overlapping}");
        let single = planned("f32[512,1]", "f32[256,1]", "0");
        assert!(single.contains("update, 16 lanes along loop 0, in turn, 4 loaded together"), "{single}");
        let few = planned("f32[512,1]", "f32[8,1]", "0");
        assert!(few.contains("update, one point after the other"), "{few}");
    }
}
