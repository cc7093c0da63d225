//! Loop splitting: a map that chooses between pieces by ranges of an index is one loop for each range.
//!
//! Every point of a concatenation belongs to one piece, and the same test of the index at every point says to which.
//! Where a loop ends at the borders of the pieces, the tests have one answer in it: one piece is evaluated instead of
//! all, and no load needs a mask.

use super::Axes;
use super::dependence::varying;
use super::map_schedule::parts;
use super::map_schedule::{IndexSetSplit, MapSchedule};
use crate::region::{Node, NodeId, Region};
use crate::target::Target;
use lawson_hlo::index::{Affine, Atom};
use std::collections::{BTreeMap, BTreeSet};

/// Most parts of one loop: each has code of its own.
pub const MAX_PARTS: usize = 16;
/// A split must save this share of the work, in percent, and may make the code this many times as large, or larger by
/// this many operations.
const MIN_SAVED: i64 = 10;
const MAX_CODE: i128 = 2;
const SMALL_CODE: i128 = 256;
/// What beginning a loop costs, in operations on vectors.
const LOOP: i64 = 8;

/// The nodes that are evaluated within these bounds.
fn live(region: &Region, axes: &Axes, roots: &[NodeId]) -> Vec<NodeId> {
    region.live(roots, &|value, lo, hi| axes.holds(value, lo, hi))
}

/// The axis of a map to split, none of `but`, where that saves work worth its code. `schedule` plans a part from its
/// axes and the work of a point.
pub(super) fn split(
    region: &Region,
    roots: &[NodeId],
    axes: &Axes,
    (lane, but): (Option<usize>, &[usize]),
    target: &Target,
    schedule: &dyn Fn(&Axes, i64) -> MapSchedule,
) -> Option<IndexSetSplit> {
    let mut found: Option<IndexSetSplit> = None;
    for (axis, borders) in borders(region, roots, axes) {
        if but.contains(&axis) {
            continue;
        }
        let split = of_axis(region, roots, axes, (axis, lane), &borders, target);
        let better = |s: &IndexSetSplit| found.as_ref().is_none_or(|f| s.work < f.work);
        found = split.filter(better).or(found);
    }
    let mut split = found?;
    for (part, ids) in split.axes(axes).iter().zip(&split.evaluated) {
        let cost = ids.iter().map(|&id| target.rates.node(region, id)).sum::<i64>();
        split.parts.push(schedule(part, cost.max(1)));
    }
    Some(split)
}

/// Where tests of an index change their answer, by loop axis.
pub(super) fn borders(region: &Region, roots: &[NodeId], axes: &Axes) -> BTreeMap<usize, BTreeSet<i64>> {
    let mut out: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
    for id in region.reachable(roots) {
        let Node::InRange { value, lo, hi } = region.node(id) else { continue };
        let value = axes.translate(value);
        for (atom, k) in &value.terms {
            let Atom::Axis(axis) = *atom else { continue };
            let axis = axis as usize;
            if axis >= axes.space {
                continue;
            }
            let rest = value.sub(&Affine::axis(axis).mul(*k));
            let range = axes.range(&rest);
            let inside = |b: &i64| (1..axes.extents[axis]).contains(b);
            let found = [*lo, *hi].into_iter().filter_map(|bound| border(*k, range, bound)).filter(inside);
            for at in found {
                out.entry(axis).or_default().insert(at);
            }
        }
    }
    out
}

/// The first `x` from which on `k·x + rest` is on the other side of `bound` than before, whatever the rest.
fn border(k: i64, (min, max): (i64, i64), bound: i64) -> Option<i64> {
    let (k, min, max, bound) = (k as i128, min as i128, max as i128, bound as i128);
    let (from, before) = match k > 0 {
        // The first with k·x + min >= bound.
        true => (-(min - bound).div_euclid(k), max),
        // The first with k·x + max < bound.
        false => ((max - bound).div_euclid(-k) + 1, min),
    };
    let last = k * (from - 1) + before;
    let sharp = if k > 0 { last < bound } else { last >= bound };
    sharp.then(|| i64::try_from(from).ok()).flatten()
}

/// The split of one axis at so many of its borders as pay, without loops.
fn of_axis(
    region: &Region,
    roots: &[NodeId],
    axes: &Axes,
    (axis, lane): (usize, Option<usize>),
    borders: &BTreeSet<i64>,
    target: &Target,
) -> Option<IndexSetSplit> {
    let all = region.reachable(roots);
    let varying = varying(region, axes, &all, lane);
    let weight = |ids: &[NodeId]| -> i64 {
        let lanes = ids.iter().filter(|id| varying.contains(id));
        lanes.map(|&id| target.rates.node(region, id)).sum()
    };
    let extent = axes.extents[axis];
    let along = lane == Some(axis);
    let lanes = target.lanes() as i64;
    let before = weight(&all) as i128;
    let points: i64 = axes.space_extents().iter().fold(1i64, |n, &e| n.saturating_mul(e));
    // A split along the lanes starts its loops again in each row.
    let rows = if along { points / extent } else { 1 };
    let mut most = MAX_PARTS;
    while most > 1 {
        let at = cuts(borders, extent, if along { lanes } else { 1 }, most - 1);
        most /= 2;
        let parts = parts(axis, &at, axes);
        let evaluated: Vec<Vec<NodeId>> = parts.iter().map(|a| live(region, a, roots)).collect();
        let weights: Vec<(i64, i64)> =
            parts.iter().zip(&evaluated).map(|(a, ids)| (a.extents[axis], weight(ids))).collect();
        let code: i128 = weights.iter().map(|&(_, w)| w as i128).sum();
        let after: i128 = weights.iter().map(|&(n, w)| n as i128 * w as i128).sum();
        let whole = before * extent as i128;
        let saved = (whole - after) * (points / extent) as i128;
        let loops = (parts.len() as i64 * LOOP * lanes) as i128 * rows as i128;
        let fits = code <= (MAX_CODE * before).max(before + SMALL_CODE);
        let work = (100 * after / whole.max(1)) as i64;
        if !at.is_empty() && fits && saved > loops && work <= 100 - MIN_SAVED {
            return Some(IndexSetSplit { axis, at, in_rows: along, work, parts: Vec::new(), evaluated });
        }
    }
    None
}

/// At most `most` of the borders, spread evenly, no closer than `least` to each other and to the ends: a part that
/// would be shorter takes in the beginning of the next.
fn cuts(borders: &BTreeSet<i64>, extent: i64, least: i64, most: usize) -> Vec<i64> {
    let step = borders.len().div_ceil(most.max(1)).max(1);
    let mut at: Vec<i64> = Vec::new();
    for &border in borders.iter().skip(step - 1).step_by(step) {
        let start = at.last().copied().unwrap_or(0);
        let earliest = start + least;
        let latest = extent - least;
        if earliest > latest {
            break;
        }
        at.push(border.clamp(earliest, latest));
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_where_the_answer_changes() {
        assert_eq!(border(1, (0, 0), 64), Some(64));
        assert_eq!(border(2, (-1, -1), 64), Some(33));
        assert_eq!(border(-1, (99, 99), 64), Some(36));
        assert_eq!(border(8, (0, 7), 64), Some(8));
        assert_eq!(border(8, (0, 7), 60), None);
        assert_eq!(border(1, (0, 0), i64::MIN), Some(i64::MIN));
        for (k, c, bound) in [(3, 5, 17), (3, 5, 18), (-3, 50, 17), (-3, 50, 18), (1, -7, 0)] {
            let x = border(k, (c, c), bound).expect("sharp");
            let less = |x: i64| k * x + c < bound;
            assert!(less(x) != less(x - 1), "{k} x + {c} < {bound} at {x}");
        }
    }

    #[test]
    fn parts_are_no_shorter_than_a_vector() {
        let of = |borders: &[i64], extent, least, most| {
            cuts(&borders.iter().copied().collect(), extent, least, most)
        };
        assert_eq!(of(&[1, 99], 100, 16, 15), [16, 84]);
        assert_eq!(of(&[50, 53], 100, 16, 15), [50, 66]);
        assert_eq!(of(&[5], 20, 16, 15), []);
        assert_eq!(of(&[1, 2, 3], 4, 1, 15), [1, 2, 3]);
        assert_eq!(of(&(1..100).collect::<Vec<_>>(), 100, 1, 3), [33, 66, 99]);
    }
}
