//! What the user chose, as far as passes care.

pub mod fusion;

use fusion::{FusionSpec, Strategy};
use lawson_kernel::target::Target;
use std::collections::BTreeMap;

/// How much a rewrite may change values. Ordered: each allows what the one before allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Numerics {
    /// The same bits whatever is done.
    Strict,
    /// Free reduction order; every other rounding kept.
    #[default]
    Standard,
    /// Contraction, reciprocals and excess precision too.
    Fast,
}

impl Numerics {
    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Numerics::Strict => "strict",
            Numerics::Standard => "standard",
            Numerics::Fast => "fast",
        }
    }
}

/// How much work planning may do. Ordered: each allows what the one before allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// Conservative fusion: what needs no search among kernels. Short loops unroll as ever: it is what lets the
    /// larger loops around them become one kernel.
    Fast,
    #[default]
    Full,
}

impl Effort {
    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Fast => "fast",
            Effort::Full => "full",
        }
    }
}

/// After which passes the module's text is kept in the report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintAfter {
    #[default]
    Nothing,
    /// After every pass that changed something.
    All,
    Passes(Vec<String>),
}

impl PrintAfter {
    pub fn wants(&self, pass: &str) -> bool {
        match self {
            PrintAfter::Nothing => false,
            PrintAfter::All => true,
            PrintAfter::Passes(names) => names.iter().any(|n| n == pass),
        }
    }
}

/// What the user chose, as far as passes care.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    pub numerics: Numerics,
    /// For each pass named here the number of rewrites it may do; others are unlimited.
    pub fuel: BTreeMap<String, u64>,
    /// Keep `fusion` instructions of the input text as the regions (`--fusion given`).
    pub keep_fusions: bool,
    pub fusion: FusionSpec,
    pub effort: Effort,
    /// The machine that fusion plans for.
    pub target: Target,
    pub print_after: PrintAfter,
    /// The most bytes that a run may need; where more wait for the backward half, time counts less than memory.
    pub max_memory: Option<i64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            numerics: Numerics::default(),
            fuel: BTreeMap::new(),
            keep_fusions: false,
            fusion: FusionSpec::default(),
            effort: Effort::default(),
            target: Target::zen4(),
            print_after: PrintAfter::default(),
            max_memory: None,
        }
    }
}

impl Options {
    /// Whether fusion of this kind may happen, and is worth its planning.
    pub fn allows(&self, strategy: Strategy) -> bool {
        let searches = matches!(
            strategy,
            Strategy::Merger
                | Strategy::MultiOutput
                | Strategy::Horizontal
                | Strategy::Layout
                | Strategy::Residual
        );
        self.fusion.allows(strategy) && (self.effort == Effort::Full || !searches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_ordered() {
        assert!(Numerics::Strict < Numerics::Standard && Numerics::Standard < Numerics::Fast);
    }
}
