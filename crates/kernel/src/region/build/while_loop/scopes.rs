//! Numbers of the computations that a loop kernel is made of: the one that holds the loop, then condition and body of
//! each loop.

/// The computation that holds the first loop.
pub(in crate::region::build) const OUTER: usize = 0;

pub(in crate::region::build) fn condition(n: usize) -> usize {
    2 * n + 1
}

pub(in crate::region::build) fn body(n: usize) -> usize {
    2 * n + 2
}

pub(in crate::region::build) fn loop_of(scope: usize) -> usize {
    (scope - 1) / 2
}

pub(in crate::region::build) fn is_condition(scope: usize) -> bool {
    scope % 2 == 1
}
