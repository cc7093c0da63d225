//! Times of one variant, and how variants take turns.

use lawson::hlo::Value;
use lawson::{Counters, Error, Figures, Prepared, Session, figures};
use std::time::{Duration, Instant};

/// Each variant is timed for about this long, and at least so often.
const TIME: Duration = Duration::from_secs(1);
const MIN_RUNS: usize = 5;

/// One variant with its times so far.
pub struct Timed<'p> {
    /// As the user wrote it.
    pub name: String,
    session: Session<'p>,
    pub figures: Figures,
    pub counters: Counters,
    pub first_us: f64,
    pub us: Vec<f64>,
}

impl<'p> Timed<'p> {
    /// Places the inputs and runs once.
    pub fn new(name: &str, prepared: &'p Prepared<'_>, inputs: &[Value]) -> Result<Timed<'p>, Error> {
        let mut session = prepared.session(inputs)?;
        let start = Instant::now();
        let counters = session.run()?;
        let first_us = start.elapsed().as_secs_f64() * 1e6;
        let launches = match prepared {
            Prepared::Cpu(native) if !figures::launches_known(&native.planned) => session.launches()?,
            _ => None,
        };
        let figures = Figures::of(prepared, launches.as_deref());
        Ok(Timed { name: name.into(), session, figures, counters, first_us, us: Vec::new() })
    }

    fn step(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.session.run()?;
        self.us.push(start.elapsed().as_secs_f64() * 1e6);
        Ok(())
    }

    fn is_done(&self, max_runs: usize) -> bool {
        let spent: f64 = self.us.iter().sum();
        self.us.len() >= max_runs || (self.us.len() >= MIN_RUNS && spent >= TIME.as_secs_f64() * 1e6)
    }

    pub fn median_us(&self) -> f64 {
        let mut sorted = self.us.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => sorted[middle],
            _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
        }
    }

    pub fn min_us(&self) -> f64 {
        self.us.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Bytes moved in the median time, in GB/s.
    pub fn gbps(&self) -> Option<f64> {
        Some(self.figures.bytes_moved? as f64 / self.median_us() / 1e3)
    }
}

/// Lets the variants take turns, so that each sees the same machine.
pub fn measure(timed: &mut [Timed<'_>], max_runs: usize) -> Result<(), Error> {
    while timed.iter().any(|t| !t.is_done(max_runs)) {
        for t in timed.iter_mut().filter(|t| !t.is_done(max_runs)) {
            t.step()?;
        }
    }
    Ok(())
}
