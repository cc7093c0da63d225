//! Finds the first decision of a pass that changes a result, in O(log n) runs.
//!
//! Every rewrite consumes fuel, so a run in which a pass may do only N of them is a prefix of the full run: right for
//! N = 0, wrong for all, and the first wrong N is found by halving. Where no pass alone makes the difference, because
//! several are at fault or meet in it, the passes are switched on one after the other, in the order of the pipeline: the
//! first that spoils the results is searched, with those after it switched off.

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
    /// `None` where it ended with an error, which is never right.
    pub report: Option<Report>,
}

/// The outcome of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Nothing is wrong.
    Right,
    /// Wrong even with every pass out of fuel: what takes no fuel is at fault, or what follows the passes.
    NotAPass,
    /// Right without the one pass that was asked about, or wrong with and without it: others take part.
    NotThisPass,
    /// The decision.
    Found(Culprit),
}

/// The first decision that changes the results.
#[derive(Clone, PartialEq, Debug)]
pub struct Culprit {
    /// The name of the pass.
    pub pass: String,
    /// With so many rewrites the results are wrong, with one fewer they are right.
    pub decision: u64,
    /// Rewrites of the pass when nothing limits it; `None` where that run ends with an error.
    pub of: Option<u64>,
    /// Passes that were switched off meanwhile: empty where this pass alone makes the difference.
    pub off: Vec<String>,
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
/// With one pass the number of runs is at most 2 + ⌈log₂ n⌉ for its n rewrites; each further pass costs one more, and
/// at most 2 + ⌈log₂ passes⌉ where several are at fault. A run that ends with an error tells no n: finding a bound costs
/// ⌈log₂ n⌉ more.
pub fn bisect(
    passes: &[String],
    base: &Fuel,
    run: impl FnMut(&Fuel) -> Result<Trial, Error>,
) -> Result<(Verdict, usize), Error> {
    let mut search = Search { run, runs: 0 };
    let verdict = search.verdict(passes, base)?;
    Ok((verdict, search.runs))
}

struct Search<F> {
    run: F,
    runs: usize,
}

impl<F: FnMut(&Fuel) -> Result<Trial, Error>> Search<F> {
    fn run(&mut self, fuel: &Fuel) -> Result<Trial, Error> {
        self.runs += 1;
        (self.run)(fuel)
    }

    fn verdict(&mut self, passes: &[String], base: &Fuel) -> Result<Verdict, Error> {
        let full = self.run(base)?;
        if full.right {
            return Ok(Verdict::Right);
        }
        for pass in passes {
            if rewrites(&full, pass) == Some(0) {
                continue;
            }
            let without = self.run(&with(base, pass, 0))?;
            if without.right {
                return self.culprit(pass, base, (without, full), &[]).map(Verdict::Found);
            }
        }
        if let [_] = passes {
            return Ok(Verdict::NotThisPass);
        }
        self.together(passes, base, full)
    }

    /// No pass alone makes the difference: how many of them, in order, does it take?
    fn together(&mut self, passes: &[String], base: &Fuel, full: Trial) -> Result<Verdict, Error> {
        let first = |n: usize| passes[n..].iter().fold(base.clone(), |fuel, pass| with(&fuel, pass, 0));
        let mut before = self.run(&first(0))?;
        if !before.right {
            return Ok(Verdict::NotAPass);
        }
        let (mut right, mut wrong, mut after) = (0, passes.len(), full);
        while wrong - right > 1 {
            let middle = right + (wrong - right) / 2;
            let trial = self.run(&first(middle))?;
            if trial.right {
                (right, before) = (middle, trial);
            } else {
                (wrong, after) = (middle, trial);
            }
        }
        let off = &passes[wrong..];
        self.culprit(&passes[right], &first(wrong), (before, after), off).map(Verdict::Found)
    }

    /// The first wrong decision of a pass, between a run without it and one in which nothing limits it.
    fn culprit(
        &mut self,
        pass: &str,
        base: &Fuel,
        (mut before, mut after): (Trial, Trial),
        off: &[String],
    ) -> Result<Culprit, Error> {
        let of = rewrites(&after, pass);
        let (mut right, mut wrong) = (0, of);
        loop {
            let amount = match wrong {
                Some(wrong) if wrong - right <= 1 => break,
                Some(wrong) => right + (wrong - right) / 2,
                None if right == u64::MAX => break,
                None => right.saturating_mul(2).max(1),
            };
            let trial = self.run(&with(base, pass, amount))?;
            if trial.right {
                (right, before) = (amount, trial);
            } else {
                (wrong, after) = (Some(amount), trial);
            }
        }
        let what = match (&before.report, &after.report) {
            (Some(before), Some(after)) => difference(pass, before, after),
            _ => Vec::new(),
        };
        let decision = wrong.unwrap_or(right);
        Ok(Culprit { pass: pass.to_owned(), decision, of, off: off.to_vec(), what })
    }
}

/// The same fuel, but so much for one pass.
fn with(base: &Fuel, pass: &str, amount: u64) -> Fuel {
    let mut fuel = base.clone();
    fuel.insert(pass.to_owned(), amount);
    fuel
}

/// How many rewrites a pass did, if that is known.
fn rewrites(trial: &Trial, pass: &str) -> Option<u64> {
    trial.report.as_ref().map(|report| report.fuel.get(pass).copied().unwrap_or(0))
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
