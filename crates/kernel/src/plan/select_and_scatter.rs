//! The loops of select-and-scatter, the gradient of pooling.

use super::Axes;
use super::dependence::point_dependence;
use super::vector::lanes_within;
use crate::region::{Region, SelectAndScatter, Stage};
use crate::target::Target;
use lawson_hlo::index::gcd;

/// Windows one after the other, in tasks and lanes that share no element of the result.
#[derive(Clone, PartialEq, Debug)]
pub struct SelectAndScatterSchedule {
    /// The loop along which lanes run: the innermost, where windows do not extend along it.
    pub lane: Option<usize>,
    pub lanes: u32,
    /// Points of the first loop of one task, each with a part of the result for itself; `None` where all windows are one
    /// task.
    pub rows_per_task: Option<i64>,
    /// Whether each element of the result is in exactly one window, whose lanes write it.
    pub once: bool,
}

pub(super) fn schedule(
    region: &Region,
    (stage, s): (&Stage, &SelectAndScatter),
    axes: &Axes,
    cost: i64,
    target: &Target,
) -> SelectAndScatterSchedule {
    let offset = axes.translate(&s.offset);
    let scalar = SelectAndScatterSchedule { lane: None, lanes: 1, rows_per_task: None, once: false };
    let Some(steps) = (0..axes.extents.len()).map(|a| offset.coefficient(a)).collect::<Option<Vec<_>>>()
    else {
        return scalar;
    };
    let last = axes.space.checked_sub(1).map(|lane| (lane, lanes_within(axes.extents[lane], target.lanes())));
    let lane = last.filter(|&(lane, lanes)| lanes > 1 && lanes_are_apart(axes, &steps, (lane, lanes)));
    let (lane, lanes) = (lane.map(|(lane, _)| lane), lane.map_or(1, |(_, lanes)| lanes));
    // What a window reaches is within the result. So where the same of it is for every index of the first loop, and these
    // indices are as far apart as fit in the result, none reaches into the part of another.
    let same = s.mask.is_none_or(|m| !point_dependence(region, axes, m, 0));
    let apart = axes.space > 0
        && lane != Some(0)
        && steps[0] > 0
        && steps[0].checked_mul(axes.extents[0]) == Some(stage.elements);
    let of_row = stage.points() / axes.extents.first().map_or(1, |&n| n.max(1));
    let work = of_row.saturating_mul(stage.inner_points()).saturating_mul(cost.max(1));
    let rows_per_task = (same && apart).then(|| (target.task() / work.max(1)).max(1));
    let counted = s.mask.is_none() && offset.constant == 0 && counts_all(axes, &steps, stage.elements);
    SelectAndScatterSchedule { lane, lanes, rows_per_task, once: lane.is_some() && counted }
}

/// Whether neighbours along this loop are neighbours in the result, and the elements of a window so far apart that none of it
/// is in a window of another of so many lanes.
fn lanes_are_apart(axes: &Axes, steps: &[i64], (lane, lanes): (usize, u32)) -> bool {
    let inner = steps.iter().zip(&axes.extents).skip(axes.space).filter(|&(_, &n)| n > 1);
    // Two of a window's elements are apart by a multiple of this.
    let apart = inner.fold(0, |all, (&step, _)| gcd(all, step.abs()));
    steps[lane] == 1 && (apart == 0 || apart >= lanes as i64)
}

/// Whether the loops count the elements of the result, each once, as digits count numbers.
fn counts_all(axes: &Axes, steps: &[i64], elements: i64) -> bool {
    let mut digits: Vec<(i64, i64)> =
        steps.iter().copied().zip(axes.extents.iter().copied()).filter(|&(_, n)| n != 1).collect();
    digits.sort_unstable();
    let next = digits.iter().try_fold(
        1i64,
        |next, &(step, n)| {
            if step == next { next.checked_mul(n) } else { None }
        },
    );
    next == Some(elements)
}
