//! Finds the first decision of a pass that changes a result, in O(log n) runs.
//!
//! Every rewrite consumes fuel, so a run in which a pass may do only N of them is a prefix of the full run: right for
//! N = 0, wrong for all, and the first wrong N is found by halving.

use crate::error::Error;
use lawson_opt::pipeline::PIPELINE;
use lawson_opt::report::{Decision, Report};
use lawson_opt::{Pass, pipeline};
use std::collections::BTreeMap;

/// Fuel for a run: for each pass named the rewrites it may do.
pub type Fuel = BTreeMap<String, u64>;

/// What one run showed.
pub struct Trial {
    /// Whether the results are what they should be.
    pub right: bool,
    pub report: Report,
}

/// The outcome of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Nothing is wrong.
    Right,
    /// Wrong even with every pass out of fuel, or with the one that was asked about.
    NotAPass,
    Found(Culprit),
}

/// The first decision that changes the results.
#[derive(Clone, PartialEq, Debug)]
pub struct Culprit {
    pub pass: String,
    /// With so many rewrites the results are wrong, with one fewer they are right.
    pub decision: u64,
    /// Rewrites of the pass in the full run.
    pub of: u64,
    /// What the decision did: the rule, or the edges.
    pub what: Vec<String>,
}

/// Passes that decide anything, in order.
pub fn candidates() -> Vec<String> {
    let all: Vec<&Pass> = PIPELINE.iter().chain(pipeline::SIMPLIFICATION).collect();
    all.into_iter().map(|p| p.name.to_string()).collect()
}

/// Searches among `passes`; `run` runs with that fuel. Also says how many runs it took.
///
/// With one pass the number of runs is at most 2 + ⌈log₂ n⌉ for its n rewrites; each further pass costs one more.
pub fn bisect(
    passes: &[String],
    base: &Fuel,
    mut run: impl FnMut(&Fuel) -> Result<Trial, Error>,
) -> Result<(Verdict, usize), Error> {
    let mut runs = 0;
    let mut run = |fuel: &Fuel| {
        runs += 1;
        run(fuel)
    };
    let full = run(base)?;
    if full.right {
        return Ok((Verdict::Right, runs));
    }
    for pass in passes {
        let of = full.report.fuel.get(pass).copied().unwrap_or(0);
        if of == 0 {
            continue;
        }
        let with = |n: u64| {
            let mut fuel = base.clone();
            fuel.insert(pass.clone(), n);
            fuel
        };
        let mut before = run(&with(0))?;
        if !before.right {
            continue;
        }
        let (mut right, mut wrong) = (0, of);
        let mut after = full;
        while wrong - right > 1 {
            let middle = right + (wrong - right) / 2;
            let trial = run(&with(middle))?;
            if trial.right {
                (right, before) = (middle, trial);
            } else {
                (wrong, after) = (middle, trial);
            }
        }
        let what = difference(pass, &before.report, &after.report);
        let culprit = Culprit { pass: pass.clone(), decision: wrong, of, what };
        return Ok((Verdict::Found(culprit), runs));
    }
    Ok((Verdict::NotAPass, runs))
}

/// What the pass did in the second run and not in the first.
fn difference(pass: &str, before: &Report, after: &Report) -> Vec<String> {
    let rules = |report: &Report| {
        let mut all: BTreeMap<&'static str, u64> = BTreeMap::new();
        for p in report.passes.iter().filter(|p| p.name == pass) {
            p.rules.iter().for_each(|(rule, n)| *all.entry(rule).or_default() += n);
        }
        all
    };
    let fused = |report: &Report| -> Vec<String> {
        let edge = |d: &Decision| format!("{} → {} in {}", d.producer, d.consumer, d.computation);
        report.decisions.iter().filter(|d| d.fused && d.pass == pass).map(edge).collect()
    };
    let known = fused(before);
    let edges: Vec<String> = fused(after).into_iter().filter(|e| !known.contains(e)).collect();
    if !edges.is_empty() {
        return edges;
    }
    let known = rules(before);
    let more = |&(rule, n): &(&'static str, u64)| n > known.get(rule).copied().unwrap_or(0);
    rules(after).into_iter().filter(more).map(|(rule, _)| format!("rule {rule}")).collect()
}
