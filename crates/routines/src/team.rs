//! Threads that share the work of one matrix.
//!
//! What is computed is cut into strips of columns or rows. An element has the same operations in the same order however wide its strip
//! is, so that a matrix has the same bits on any number of threads.

use ndarray::{ArrayViewMut2, Axis};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Threads that work together, begun by one of them.
pub trait Team {
    fn threads(&self) -> usize;

    /// Runs tasks `0..tasks`, in any order, each once, and returns when all have ended. A task does not call its team.
    fn run(&self, tasks: usize, body: &(dyn Fn(usize) + Sync));
}

/// The thread that calls.
pub struct Alone;

impl Team for Alone {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, tasks: usize, body: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(body);
    }
}

/// Elements that are read or multiplied, for which it is worth while to give another thread a part: some 15 microseconds of products.
const WORTH_A_THREAD: usize = 1 << 19;
/// Strips begin at multiples of so many rows or columns, as the parts do that products are computed in.
const ALIGNED: usize = 32;

/// How many threads take part in so much work.
pub(crate) fn strips(team: &dyn Team, work: usize) -> usize {
    (work / WORTH_A_THREAD).clamp(1, team.threads().max(1))
}

/// Gives each thread a strip of `x` along an axis, with the places where it begins and ends; `work` is that of all.
pub(crate) fn in_strips<T: Send>(
    team: &dyn Team,
    (axis, work): (Axis, usize),
    mut x: ArrayViewMut2<'_, T>,
    body: impl Fn(Range<usize>, ArrayViewMut2<'_, T>) + Sync,
) {
    let all = x.len_of(axis);
    let strips = strips(team, work);
    if strips <= 1 || all <= ALIGNED {
        return body(0..all, x);
    }
    let width = all.div_ceil(strips).next_multiple_of(ALIGNED);
    each(team, x.axis_chunks_iter_mut(axis, width).enumerate(), |(n, strip)| {
        body(n * width..n * width + strip.len_of(axis), strip);
    });
}

/// Gives each item to one thread of a team.
pub(crate) fn each<I: Send>(team: &dyn Team, items: impl Iterator<Item = I>, body: impl Fn(I) + Sync) {
    let items: Vec<_> = items.map(|item| Mutex::new(Some(item))).collect();
    team.run(items.len(), &|n| {
        // No other thread asks for this one.
        if let Some(item) = items[n].lock().unwrap_or_else(PoisonError::into_inner).take() {
            body(item);
        }
    });
}
