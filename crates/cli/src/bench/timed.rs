//! Times of one variant, and how variants take turns.

use crate::data;
use lawson::{Buffer, Client, Counters, Error, Executable, Figures, Outcome, RunOptions, figures};
use std::time::{Duration, Instant};

/// Each variant is timed for about this long, and at least so often.
const TIME: Duration = Duration::from_secs(1);
const MIN_RUNS: usize = 5;

/// One variant with its times so far.
pub struct Timed<'p> {
    /// As the user wrote it.
    pub name: String,
    client: &'p Client,
    executable: &'p Executable,
    inputs: &'p [Buffer],
    limits: RunOptions,
    /// Of the last run.
    outcome: Option<Outcome>,
    pub figures: Figures,
    pub counters: Counters,
    pub first_us: f64,
    pub us: Vec<f64>,
    /// Of all of them.
    spent_us: f64,
}

impl<'p> Timed<'p> {
    /// Runs once.
    pub fn new(
        name: &str,
        client: &'p Client,
        executable: &'p Executable,
        inputs: &'p [Buffer],
    ) -> Result<Timed<'p>, Error> {
        let mut timed = Timed {
            name: name.into(),
            client,
            executable,
            inputs,
            limits: RunOptions::default(),
            outcome: None,
            figures: Figures::default(),
            counters: Counters::default(),
            first_us: 0.0,
            us: Vec::new(),
            spent_us: 0.0,
        };
        timed.first_us = timed.run()?;
        timed.counters = timed.outcome.as_ref().map(|o| o.counters).unwrap_or_default();
        let known = executable.native().is_none_or(|n| figures::launches_known(&n.planned));
        let borrowed: Vec<&Buffer> = inputs.iter().collect();
        let launches = if known { None } else { executable.launches(&borrowed)? };
        timed.figures = executable.figures(launches.as_deref());
        Ok(timed)
    }

    /// Runs once; the time in µs. What is given up is copied before.
    fn run(&mut self) -> Result<f64, Error> {
        let arguments = data::lend(self.client, self.executable, self.inputs)?;
        let start = Instant::now();
        // The results of the run before give their memory back first.
        self.outcome = None;
        self.outcome = Some(self.executable.run_with(arguments, &self.limits)?);
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }

    fn step(&mut self) -> Result<(), Error> {
        let us = self.run()?;
        self.us.push(us);
        self.spent_us += us;
        Ok(())
    }

    fn is_done(&self, max_runs: usize) -> bool {
        self.us.len() >= max_runs || (self.us.len() >= MIN_RUNS && self.spent_us >= TIME.as_secs_f64() * 1e6)
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
