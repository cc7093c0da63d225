//! Times of one variant, and how variants take turns.

use crate::data;
use lawson::{
    Argument, Buffer, Client, Counters, Donation, Error, Executable, Figures, Outcome, RunOptions, figures,
};
use std::time::Instant;

/// Each variant is timed for about this long, and at least so often.
const TIME_US: f64 = 1e6;
const MIN_RUNS: usize = 5;
/// A turn begins with runs that are not counted, for at least this long.
const WARM_US: f64 = 1e3;
/// What is counted of a turn is this long and has so many runs, but no more than this part of all runs.
const TURN_US: f64 = 2e4;
const MIN_TURN: usize = 2;
const TURNS: usize = 5;
/// Calls that are submitted one after the other are as many as take about this long.
const QUEUED_US: f64 = 2e4;
const MOST_QUEUED: f64 = 1000.0;

/// One variant with its times so far.
pub struct Timed<'p> {
    /// As the user wrote it.
    pub name: String,
    client: &'p Client,
    executable: &'p Executable,
    inputs: &'p [Buffer],
    limits: &'p RunOptions,
    /// Of the last run.
    outcome: Option<Outcome>,
    pub figures: Figures,
    pub counters: Counters,
    pub first_us: f64,
    pub us: Vec<f64>,
    /// How long calls took to return: on a device that has memory of its own that is before its work is done.
    pub submit_us: Vec<f64>,
    /// Of a call among many that are submitted one after the other and waited for together, so that the device is never idle;
    /// only on a device with memory of its own, and without arguments that are given up.
    pub queued_us: Vec<f64>,
    /// Of a call with its arguments copied from the host and its results copied there; also only on such a device.
    pub copied_us: Vec<f64>,
}

impl<'p> Timed<'p> {
    /// Runs once.
    pub fn new(
        name: &str,
        client: &'p Client,
        executable: &'p Executable,
        inputs: &'p [Buffer],
        limits: &'p RunOptions,
    ) -> Result<Timed<'p>, Error> {
        let mut timed = Timed {
            name: name.into(),
            client,
            executable,
            inputs,
            limits,
            outcome: None,
            figures: Figures::default(),
            counters: Counters::default(),
            first_us: 0.0,
            us: Vec::new(),
            submit_us: Vec::new(),
            queued_us: Vec::new(),
            copied_us: Vec::new(),
        };
        timed.first_us = timed.run()?;
        timed.counters = timed.outcome.as_ref().map(|o| o.counters).unwrap_or_default();
        let known = executable.native().is_none_or(|n| figures::launches_known(&n.planned));
        let borrowed: Vec<&Buffer> = inputs.iter().collect();
        let launches = if known { None } else { executable.launches(&borrowed, limits)? };
        timed.figures = executable.figures(launches.as_deref());
        Ok(timed)
    }

    /// Runs once; the time in µs. What is given up is copied before.
    fn run(&mut self) -> Result<f64, Error> {
        let arguments = data::lend(self.client, self.executable, self.inputs)?;
        let start = Instant::now();
        // The results of the run before give their memory back first.
        self.outcome = None;
        let outcome = self.executable.run_with(arguments, self.limits)?;
        self.submit_us.push(start.elapsed().as_secs_f64() * 1e6);
        outcome.wait()?;
        self.outcome = Some(outcome);
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }

    /// Several times a queue of calls, after the variant was timed.
    fn queue(&mut self, max_runs: usize) -> Result<(), Error> {
        let gives_up = self.executable.parameters().iter().any(|p| p.donation != Donation::NotAsked);
        if self.counters.transfers.is_none() || gives_up {
            return Ok(());
        }
        let calls = (QUEUED_US / self.median_us()).clamp(2.0, MOST_QUEUED) as usize;
        for _ in 0..TURNS {
            let start = Instant::now();
            for _ in 0..calls.min(max_runs) {
                self.outcome = None;
                let arguments = data::lend(self.client, self.executable, self.inputs)?;
                self.outcome = Some(self.executable.run_with(arguments, self.limits)?);
            }
            self.outcome.as_ref().map_or(Ok(()), Outcome::wait)?;
            self.queued_us.push(start.elapsed().as_secs_f64() * 1e6 / calls.min(max_runs) as f64);
        }
        Ok(())
    }

    /// Several calls with their copies, after the variant was timed.
    fn copy(&mut self, max_runs: usize) -> Result<(), Error> {
        if self.counters.transfers.is_none() {
            return Ok(());
        }
        self.outcome = None;
        for _ in 0..TURNS.min(max_runs) {
            let bytes = self.inputs.iter().map(|b| Ok((b.shape(), b.host()?)));
            let bytes = bytes.collect::<Result<Vec<_>, Error>>()?;
            let start = Instant::now();
            let copied = bytes
                .into_iter()
                .map(|(shape, bytes)| self.client.buffer_from_bytes(shape, bytes).map(Argument::Donated));
            let outcome = self.executable.run_with(copied.collect::<Result<Vec<_>, _>>()?, self.limits)?;
            outcome.outputs.iter().try_for_each(|b| b.host().map(|_| ()))?;
            self.copied_us.push(start.elapsed().as_secs_f64() * 1e6);
        }
        Ok(())
    }

    pub fn median_us(&self) -> f64 {
        median(&self.us)
    }

    pub fn median_submit_us(&self) -> f64 {
        median(&self.submit_us)
    }

    pub fn median_queued_us(&self) -> Option<f64> {
        (!self.queued_us.is_empty()).then(|| median(&self.queued_us))
    }

    pub fn median_copied_us(&self) -> Option<f64> {
        (!self.copied_us.is_empty()).then(|| median(&self.copied_us))
    }

    pub fn min_us(&self) -> f64 {
        self.us.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Bytes moved in the median time, in GB/s.
    pub fn gbps(&self) -> Option<f64> {
        Some(self.figures.bytes_moved? as f64 / self.median_us() / 1e3)
    }
}

fn median(us: &[f64]) -> f64 {
    let mut sorted = us.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// Times the variants in turns, so that each sees the same machine.
pub fn measure(timed: &mut [Timed<'_>], max_runs: usize) -> Result<(), Error> {
    let times = in_turns(timed.len(), max_runs, |variant| timed[variant].run())?;
    for (t, us) in timed.iter_mut().zip(times) {
        t.us = us;
        t.queue(max_runs)?;
        t.copy(max_runs)?;
    }
    Ok(())
}

/// The times of each variant; `run` runs one once and gives its time in µs.
///
/// A turn is a block of runs of one variant. Another variant ran before it and left its own data in the caches, so the
/// first runs of a turn are not counted: what is timed is a program that runs again and again.
fn in_turns(
    variants: usize,
    max_runs: usize,
    mut run: impl FnMut(usize) -> Result<f64, Error>,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); variants];
    let mut spent = vec![0.0; variants];
    let mut last = None;
    loop {
        let is_done =
            |n: usize| times[n].len() >= max_runs || (times[n].len() >= MIN_RUNS && spent[n] >= TIME_US);
        let open: Vec<usize> = (0..variants).filter(|&n| !is_done(n)).collect();
        if open.is_empty() {
            return Ok(times);
        }
        for n in open {
            if last != Some(n) {
                let mut warming = 0.0;
                while warming < WARM_US {
                    // A run is never shorter than a clock can tell.
                    warming += run(n)?.max(0.1);
                }
            }
            last = Some(n);
            let most = max_runs.div_ceil(TURNS).min(max_runs - times[n].len());
            let (mut runs, mut turn) = (0, 0.0);
            while runs < most && (runs < MIN_TURN || turn < TURN_US) {
                let us = run(n)?;
                times[n].push(us);
                (runs, turn) = (runs + 1, turn + us);
            }
            spent[n] += turn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs that take ten times as long until their data is in the caches again.
    fn times(warm_us: &[f64], cold_runs: usize, max_runs: usize) -> (Vec<Vec<f64>>, Vec<usize>) {
        let (mut order, mut since) = (Vec::new(), 0);
        let times = in_turns(warm_us.len(), max_runs, |n| {
            since = if order.last() == Some(&n) { since + 1 } else { 0 };
            if since == 0 {
                order.push(n);
            }
            Ok(if since < cold_runs { 10.0 * warm_us[n] } else { warm_us[n] })
        });
        (times.expect("no run fails"), order)
    }

    #[test]
    fn a_variant_in_turns_takes_as_long_as_alone() {
        let (alone, _) = times(&[24.0], 3, 1000);
        let (in_turns, order) = times(&[24.0, 30.0, 40.0], 3, 1000);
        assert_eq!(in_turns.iter().map(Vec::len).collect::<Vec<_>>(), [1000, 1000, 1000]);
        for (times, warm) in in_turns.iter().chain(&alone).zip([24.0, 30.0, 40.0, 24.0]) {
            assert!(times.iter().all(|&us| us == warm), "a cold run was counted");
        }
        // Each has its turn several times: a machine that slows down is slow for all.
        assert!(order.len() >= 3 * TURNS && order[..6] == [0, 1, 2, 0, 1, 2], "{order:?}");
    }

    #[test]
    fn long_runs_are_few() {
        let (times, order) = times(&[4e5, 9e5], 0, 1000);
        assert_eq!(times.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6]);
        assert_eq!(order, [0, 1, 0, 1, 0, 1]);
        assert_eq!(super::in_turns(2, 1, |_| Ok(0.0)), Ok(vec![vec![0.0]; 2]));
    }
}
