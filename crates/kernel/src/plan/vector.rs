//! The axis that vectors lie along, and how many lanes they have.

/// Whether lanes so many elements apart, in either direction, take less as whole vectors and shuffles than as a load each.
pub fn is_loaded_apart(step: i64) -> bool {
    const MOST: u64 = 8;
    (2..=MOST).contains(&step.unsigned_abs())
}

/// The last axis, unless it is too short for vectors and another is longer.
pub(super) fn lane_axis(extents: &[i64], lanes: u32) -> Option<usize> {
    lane_axis_but(extents, &[], lanes)
}

/// The same, of the axes that are none of these.
pub(super) fn lane_axis_but(extents: &[i64], but: &[usize], lanes: u32) -> Option<usize> {
    let free = || (0..extents.len()).rev().filter(|a| !but.contains(a));
    let last = free().next()?;
    if extents[last] >= lanes as i64 / 2 {
        return Some(last);
    }
    // Of those long enough the innermost: its neighbours lie closest.
    free().max_by_key(|&k| (extents[k].min(lanes as i64), k))
}

/// The largest power of two that is at most `n` and at most `limit`.
pub fn lanes_within(n: i64, limit: u32) -> u32 {
    let mut lanes = limit;
    while lanes > 1 && lanes as i64 > n {
        lanes /= 2;
    }
    lanes
}
