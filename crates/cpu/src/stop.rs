//! Ends loops inside kernels.
//!
//! A kernel cannot be taken away from its threads, and a loop in it may never end. So code looks at a flag on every trip
//! of a loop whose trips are not counted, and leaves the loop when it is set (`lawson_llvm` makes that code; the address
//! of the flag lies before those of the buffers). What such a kernel has written is not used: the run ends with an error.
//! A run with a deadline has a thread that sets the flag in time.

use crate::arguments::Limits;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often the thread looks whether the run is cancelled.
const PERIOD: Duration = Duration::from_millis(10);

/// Does the work, with the flag that its kernels look at. `loops` tells whether they have such loops at all.
pub fn watched<R>(limits: &Limits<'_>, loops: bool, work: impl FnOnce(&AtomicBool) -> R) -> R {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let cancel = limits.cancel.unwrap_or(&NEVER);
    let Some(deadline) = limits.deadline.filter(|_| loops) else { return work(cancel) };
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let watch = || {
            while !done.load(Ordering::Acquire) {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() || cancel.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                thread::park_timeout(left.min(PERIOD));
            }
        };
        let watcher = thread::Builder::new().name("lawson-deadline".into()).spawn_scoped(scope, watch);
        match watcher {
            Ok(watcher) => {
                let _over = Over { done: &done, watcher: watcher.thread().clone() };
                work(&stop)
            }
            // Without a thread the limit is looked at between launches.
            Err(_) => work(cancel),
        }
    })
}

/// Lets the thread go when the work is done, also by a panic.
struct Over<'a> {
    done: &'a AtomicBool,
    watcher: Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works until the flag is set.
    fn until_stopped(limits: &Limits<'_>) -> bool {
        watched(limits, true, |stop| {
            while !stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            true
        })
    }

    #[test]
    fn the_flag_is_set_in_time_or_when_cancelled() {
        let soon = Some(Instant::now() + Duration::from_millis(1));
        assert!(until_stopped(&Limits { deadline: soon, ..Limits::default() }));
        let cancelled = AtomicBool::new(true);
        let late = Some(Instant::now() + Duration::from_secs(3600));
        assert!(until_stopped(&Limits { deadline: late, cancel: Some(&cancelled), ..Limits::default() }));
        assert!(until_stopped(&Limits { cancel: Some(&cancelled), ..Limits::default() }));
    }

    #[test]
    fn work_that_is_done_waits_for_no_deadline() {
        let late = Some(Instant::now() + Duration::from_secs(3600));
        assert!(!watched(&Limits { deadline: late, ..Limits::default() }, true, |stop| stop
            .load(Ordering::Relaxed)));
    }
}
