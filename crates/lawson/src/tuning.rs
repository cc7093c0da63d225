//! What measuring plans found out, as values: [`crate::tune`] makes them, reports tell them.

use std::time::Duration;

/// How long measuring may take where nobody says.
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(10);

/// What measuring the plans of a program found out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tuning {
    /// The kernels with several candidates, those that take the most time first.
    pub kernels: Vec<Tuned>,
    /// Kernels that take a noticeable time and have no plan that is predicted to be about as fast.
    pub single: usize,
    /// Kernels that were not measured, because the limit was reached.
    pub left: usize,
    /// The most that it may take.
    pub limit: Duration,
    /// What it took.
    pub spent: Duration,
}

/// A kernel with the plans that it might have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tuned {
    /// Its position in the program.
    pub kernel: usize,
    /// Where it is launched: positions among the program's launch sites, as reports number kernels.
    pub sites: Vec<usize>,
    /// Planning's own plan, then the others.
    pub candidates: Vec<Candidate>,
    /// The one that the program has.
    pub chosen: usize,
    /// Why.
    pub verdict: Verdict,
    /// Whether that was known before: from the cache, or an equal kernel.
    pub known: bool,
}

/// A plan that a kernel might have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Candidate {
    /// What is chosen otherwise than planning does; nothing for its own plan.
    pub choice: Option<String>,
    /// What the cost model expects of a launch, in µs.
    pub predicted_us: f64,
    /// What a launch took, in µs: of planning's own plan the lower quartile of turns, of the others as many times that as they
    /// took longer in the same turns. `None` where it has no code here, gave other results, or had no turn.
    pub measured_us: Option<f64>,
}

/// How far measuring has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The kernel at hand, counted from 1.
    pub kernel: usize,
    /// Kernels in all.
    pub kernels: usize,
    /// The part of the work that is done, from 0 to 1.
    pub done: f64,
}

/// Why a kernel has the plan that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verdict {
    /// Another plan was faster in both rounds.
    Faster,
    /// No other was faster by more than noise.
    #[default]
    NoneFaster,
    /// What was faster at first was not in the second round.
    NotAgain,
    /// The time limit ended the measurements.
    Unfinished,
}

impl Verdict {
    /// The word that reports and files have for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::NoneFaster => "none-faster",
            Verdict::NotAgain => "not-again",
            Verdict::Unfinished => "unfinished",
        }
    }

    /// In a sentence.
    pub fn because(self) -> &'static str {
        match self {
            Verdict::Faster => "it was faster in both rounds",
            Verdict::NoneFaster => "no other plan was faster by more than 3 %",
            Verdict::NotAgain => "what was faster at first was not in the second round",
            Verdict::Unfinished => "the time limit ended the measurements",
        }
    }
}
