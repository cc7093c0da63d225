//! What is chosen where the order of combination is free: running combinations in blocks, their sums by pairs; of equal
//! elements, or NaNs, the first in a search for the greatest or least ([`ArgExtreme`]).
//!
//! `strict` combines init with element 0 and then with each next one. Outside of `strict` a scan by an operation that may
//! be regrouped is blocked: what is added to each element has passed a number of roundings that grows with the logarithm
//! of the length (N. Higham, "The Accuracy of Floating Point Summation", 1993), and no chain of additions is longer than a
//! block. The elements are cut into chunks, in which the running values begin anew:
//!
//! - where the scanned dimension is the minor one, 16 elements at a time: element i becomes combine(i−d, i) for d = 1, 2, 4
//!   and 8 where i >= d (W. D. Hillis, G. L. Steele, "Data Parallel Algorithms", 1986), and then combine(last of the
//!   16 before, i);
//! - where it is another, one element after the other, since rows of the minor dimension lie side by side in lanes.
//!
//! Before chunk c stands init, combined with the totals of the runs of 2^k chunks that c is the sum of, the longest first;
//! the total of a run is that of its first half combined with that of its second. A result is what stands before the
//! chunk, combined with the running value in it. None of this depends on threads or on the width of vectors.

use super::{ArgExtreme, Function, GROUP, Kind, Region, ScanOrder};
use lawson_hlo::Opcode;
use lawson_hlo::identity::identity;

/// The region with blocked scans and searches that no order shows in, if it has any that may be.
pub fn reassociated(region: &Region) -> Option<Region> {
    let stages = 0..region.stages.len();
    let orders: Vec<Option<ScanOrder>> = stages.clone().map(|n| free_order(region, n)).collect();
    let searches: Vec<Option<ArgExtreme>> = stages.map(|n| search(region, n)).collect();
    if orders.iter().all(Option::is_none) && searches.iter().all(Option::is_none) {
        return None;
    }
    let mut new = region.clone();
    for n in 0..region.stages.len() {
        match (&region.stages[n].kind, orders[n], searches[n]) {
            (Kind::Reduce { combiner, .. }, _, Some(search)) => {
                let total = search.total(&mut new, combiner);
                if let Kind::Reduce { combiner, .. } = &mut new.stages[n].kind {
                    *combiner = total;
                }
            }
            (Kind::Scan { .. }, Some(free), _) => {
                if let Kind::Scan { order, .. } = &mut new.stages[n].kind {
                    *order = free;
                }
            }
            _ => {}
        }
    }
    Some(new)
}

/// What a reduction looks for, if it shows the order in which it combines.
fn search(region: &Region, stage: usize) -> Option<ArgExtreme> {
    let Kind::Reduce { combiner, .. } = &region.stages[stage].kind else { return None };
    ArgExtreme::of(region, combiner).filter(|of| !of.is_total)
}

fn free_order(region: &Region, stage: usize) -> Option<ScanOrder> {
    let stage = &region.stages[stage];
    let Kind::Scan { combiner, position, .. } = &stage.kind else { return None };
    // No chunk would be longer than what is combined at a time.
    if !is_regrouped(region, combiner) || stage.inner_points() <= GROUP {
        return None;
    }
    match position.coefficient(stage.space.len()) {
        Some(1) => Some(ScanOrder::MinorBlocked),
        _ => Some(ScanOrder::KeptBlocked),
    }
}

/// Whether the function is one operation on numbers, with an identity, whose operands may be grouped otherwise.
pub(super) fn is_regrouped(region: &Region, combiner: &Function) -> bool {
    use Opcode::*;
    let [_] = combiner.results[..] else { return false };
    let Some((opcode, dtype)) = combiner.operation(region, 0) else { return false };
    let numbers = dtype.is_float() || dtype.is_integer() || dtype.is_field();
    numbers
        && matches!(opcode, Add | Multiply | Maximum | Minimum | And | Or | Xor)
        // Lanes that have none before them combine with it.
        && identity(opcode, dtype).is_some()
}
