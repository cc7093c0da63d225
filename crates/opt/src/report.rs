//! What a run of the pipeline leaves behind: one entry for each pass that ran.

use lawson_hlo::Origin;
use lawson_kernel::refusal::Refusal;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How often each named rule did a rewrite, in name order.
pub type Firings = BTreeMap<&'static str, u64>;

/// Every pass that ran, in order; passes of a fixed-point group appear once for each round.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub passes: Vec<PassReport>,
    /// One verdict for each edge between two instructions, in program order.
    pub decisions: Vec<Decision>,
    /// Rewrites of each pass: the fuel of a run in which none is refused.
    pub fuel: BTreeMap<String, u64>,
}

/// The final verdict on one edge: whether the producer is computed where the consumer is.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    pub computation: Arc<str>,
    pub producer: Arc<str>,
    pub consumer: Arc<str>,
    pub fused: bool,
    /// The pass that decided.
    pub pass: &'static str,
    /// Why not, where it is not fused.
    pub refusal: Option<Refusal>,
    /// A sentence for the user.
    pub reason: String,
    /// What would have to be otherwise, and what that would save; empty where it is fused.
    pub counterfactual: String,
    /// Bytes that do not move because this edge is fused: nothing where it is not.
    pub bytes_saved: i64,
    /// Twice the size of an intermediate that is no longer written, on its first fused edge.
    pub bytes_saved_formula: i64,
    pub us_saved: f64,
    /// Where the producer and the consumer come from in the input.
    pub origins: [Origin; 2],
}

#[derive(Clone, Debug)]
pub struct PassReport {
    pub name: &'static str,
    pub changed: bool,
    /// Without verification.
    pub duration: Duration,
    pub instructions_before: usize,
    pub instructions_after: usize,
    /// The rules that did something.
    pub rules: Firings,
    /// The module's text after the pass, if asked for.
    pub text: Option<String>,
}

impl Report {
    /// The firings of all passes together.
    pub fn rules(&self) -> Firings {
        let mut all = Firings::new();
        for (rule, n) in self.passes.iter().flat_map(|p| &p.rules) {
            *all.entry(rule).or_default() += n;
        }
        all
    }
}

impl fmt::Display for PassReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.duration.as_secs_f64() * 1e6;
        write!(f, "{:<20} {micros:>9.0} us  ", self.name)?;
        if !self.changed {
            return write!(f, "(unchanged)");
        }
        write!(f, "{} -> {} instructions", self.instructions_before, self.instructions_after)?;
        self.rules.iter().try_for_each(|(rule, n)| write!(f, ", {rule} x{n}"))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.passes.iter().try_for_each(|p| writeln!(f, "{p}"))
    }
}
