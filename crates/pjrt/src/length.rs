//! How long runs of a program take: whether it is worth while to hand them to another thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What handing a run to another thread, and its results back, takes in nanoseconds.
const HANDING_OVER: u64 = 30_000;

/// What nobody minds who asks whether results are there, in nanoseconds: such runs are done by whoever waits for them.
const BRIEF: u64 = 2_000_000;

/// How long a run takes, as far as that is known.
#[derive(Debug)]
pub enum Length {
    /// As predicted, in microseconds.
    Predicted(f64),
    /// Some loop goes round as often as data say: as long as the last run took, in nanoseconds.
    Measured(AtomicU64),
    /// It calls functions of the host.
    Unknown,
}

impl Length {
    /// That of a program of which no run has been measured yet.
    pub fn measured() -> Length {
        Length::Measured(AtomicU64::new(u64::MAX))
    }

    /// Whether a run takes no longer than handing it over.
    pub fn is_short(&self) -> bool {
        self.is_at_most(HANDING_OVER)
    }

    /// Whether one who waits for a run may do it, who may have meant to ask only whether it is over.
    pub fn is_brief(&self) -> bool {
        self.is_at_most(BRIEF)
    }

    fn is_at_most(&self, nanoseconds: u64) -> bool {
        match self {
            Length::Predicted(us) => us * 1e3 <= nanoseconds as f64,
            Length::Measured(last) => last.load(Ordering::Relaxed) <= nanoseconds,
            Length::Unknown => false,
        }
    }

    /// Runs a program, and remembers how long that took where it is not predicted.
    pub fn of<R>(&self, run: impl FnOnce() -> R) -> R {
        let Length::Measured(last) = self else { return run() };
        let start = Instant::now();
        let result = run();
        let took = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        last.store(took, Ordering::Relaxed);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_predicted_or_was_measured_to_take_little_is_short() {
        assert!(Length::Predicted(29.0).is_short() && !Length::Predicted(31.0).is_short());
        assert!(!Length::measured().is_short() && !Length::Unknown.is_short());
        assert!(Length::Measured(AtomicU64::new(20_000)).is_short());
        assert!(!Length::Measured(AtomicU64::new(40_000)).is_short());
    }

    #[test]
    fn the_last_run_is_remembered() {
        let length = Length::measured();
        assert_eq!(length.of(|| 3), 3);
        let Length::Measured(last) = &length else { unreachable!("it is measured") };
        assert_ne!(last.load(Ordering::Relaxed), u64::MAX);
    }
}
