//! How far ahead of its loads a stage asks memory for what it reads.
//!
//! ```text
//! for row, for column        prefetch x[row, column + 1024]
//!                            y[row, column] = exp(x[row, column])
//! ```
//!
//! A processor runs ahead of a load that waits by some hundred instructions. Where each element takes tens of them, those are few
//! lines, too few to hide the latency of memory; and what processors prefetch by themselves ends where lines in order do: at the
//! end of a page, and of pieces that lie apart. In a row nest a processor would load nothing while it computes on a row that is
//! near; the next row is asked for meanwhile. The distance is the same number of elements everywhere, so that a prefetch is one
//! instruction.

use super::kernel::{Plan, PrefetchDistance};
use super::readings::{Reading, Step, in_line, readings};
use crate::loop_ir::Cache;
use crate::region::Region;
use crate::target::{LINE, Target};

/// Bytes that are read between a load and what is asked for: half of it was measured to be 5 % slower, twice as much 3 %. Where a stage
/// reads many arrays, less: what is on its way has a third of the first-level cache.
const DISTANCE: i64 = 4096;
/// Bytes of pieces that lie apart, of which four to eight are asked for: more push each other out of the first-level cache, where
/// they are powers of two apart.
const PIECES: i64 = 1024;
/// Bytes of the next rows of a nest that are asked for: they may come during all of its computation.
const NEXT_ROWS: i64 = 2048;
/// Operations for each point from which on memory is waited for. Sums and copies, also of pieces, gain nothing or lose.
const LONG: i64 = 8;
/// Loads of a kernel, each of which is compared with all: of more, none asks.
const MOST: usize = 100;

/// Chooses what the stages of a plan ask for ahead.
pub(super) fn choose(region: &Region, plan: &mut Plan, target: &Target) {
    let nest =
        plan.nest.iter().flat_map(|n| &n.members).map(|m| (m.stage, &m.axes, &m.rows[..], &m.schedule));
    let groups = plan.groups.iter().map(|g| (g.stage, &g.axes, &[][..], &g.schedule));
    let of = |(stage, axes, rows, schedule)| readings((region, stage), (axes, rows, schedule), target);
    let all: Vec<Reading> = match target.gpu {
        None => nest.chain(groups).flat_map(of).take(MOST + 1).collect(),
        Some(_) => Vec::new(),
    };
    if all.len() > MOST {
        plan.prefetch.clear();
        return;
    }
    let led = |s: &Reading| all.iter().any(|o| o.stage == s.stage && o.input == s.input && o.leads(s));
    let leading: Vec<&Reading> = all.iter().filter(|s| !led(s)).collect();
    let chosen = leading.iter().filter_map(|s| {
        let (elements, into) = s.distance(&leading, target)?;
        Some(PrefetchDistance { stage: s.stage, load: s.load, elements, into })
    });
    plan.prefetch = chosen.collect();
}

impl Reading {
    /// How far ahead it asks, among all of the kernel that no other load of their stage leads; `None` where it doesn't.
    fn distance(&self, all: &[&Reading], target: &Target) -> Option<(i64, Cache)> {
        let next_row = self.next_row(target);
        let elsewhere = |o: &Reading| match next_row {
            // The next row is asked for where a stage takes longest; within a row the first one does it, after which it is near.
            Some(_) => (o.cost, self.stage) > (self.cost, o.stage),
            None => o.stage < self.stage,
        };
        if all.iter().filter(|o| o.input == self.input && o.stage != self.stage).any(|o| elsewhere(o)) {
            return None;
        }
        let streams = all.iter().filter(|o| o.stage == self.stage).count() as i64;
        next_row.or_else(|| self.along_loops(streams, target))
    }

    /// The distance to the next row of a nest, whose elements lie in line.
    fn next_row(&self, target: &Target) -> Option<(i64, Cache)> {
        let row = in_line(&self.within)?;
        let into = match row * self.size {
            bytes if bytes <= target.l1 / 3 => Cache::First,
            bytes if bytes <= target.l2 / 8 => Cache::Second,
            _ => return None,
        };
        Some((ahead((row, NEXT_ROWS), &self.rows, self.size)?, into))
    }

    /// The distance along the loops of the stage, which asks for so many lines at a time.
    fn along_loops(&self, streams: i64, target: &Target) -> Option<(i64, Cache)> {
        if self.cost < LONG {
            return None;
        }
        let bytes = DISTANCE.min(target.l1 / 3 / streams.max(1) / LINE * LINE);
        let loops: Vec<Step> = self.within.iter().chain(&self.rows).copied().collect();
        Some((ahead((1, bytes.max(LINE)), &loops, self.size)?, Cache::First))
    }
}

/// Elements from what is read to what these loops read later by so many bytes, where each innermost trip reads `run` of them.
fn ahead((mut run, bytes): (i64, i64), loops: &[Step], size: i64) -> Option<i64> {
    // Loops that are empty read nothing.
    for s in loops.iter().filter(|s| s.elements != 0 && s.trips > 0) {
        let of = |bytes: i64| (bytes + run * size - 1) / (run * size);
        let trips = if s.elements == run { of(bytes) } else { of(bytes).min(of(PIECES).clamp(4, 8)) };
        // Of fewer trips, most would ask for what is not read next.
        if 2 * trips <= s.trips {
            return Some(s.elements * trips);
        }
        run *= s.trips;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_follow_the_loops() {
        let step = |trips, elements| Step { trips, elements };
        let of = |loops: &[Step]| ahead((1, DISTANCE), loops, 4);
        // In line; over the end of short lines without gaps; pieces; too few pieces in a row: the next rows.
        assert_eq!(of(&[step(4096, 1)]), Some(1024));
        assert_eq!(of(&[step(600, 1), step(64, 600)]), Some(1200));
        assert_eq!(of(&[step(128, 1), step(128, 16384)]), Some(4 * 16384));
        assert_eq!(of(&[step(16, 1), step(8, 4096), step(64, 16)]), Some(4 * 16));
        // What is too short, and loops that are empty.
        assert_eq!(of(&[step(16, 1), step(4, 16)]), None);
        assert_eq!(of(&[step(0, 1), step(100, 64)]), Some(8 * 64));
    }
}
