//! What a pass is, and what it may ask for while it runs.
//!
//! A pass is a free function from module to module, verified in and verified out. It returns whether it
//! changed anything, never a `Result`: what the user must hear goes through [`PassContext::error`] and the
//! driver stops after that pass.

use crate::options::{Numerics, Options};
use crate::planning::{Judge, Plans};
use crate::report::{Firings, Report};
use lawson_hlo::{Computation, InstrId, Module, Origin};
use std::collections::BTreeMap;
use std::fmt;

/// One entry of the pipeline.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name on the command line, in reports and in fuel: `kebab-case`.
    pub name: &'static str,
    pub run: fn(&mut PassContext, &mut Module) -> Changed,
    /// Why it stands where it stands.
    pub why: &'static str,
    pub status: Status,
    /// What it changes is simplified again.
    pub simplified: bool,
}

/// Whether a pass is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Now,
    /// Has its place in the order, but does nothing yet.
    Later,
}

/// Whether a pass changed the module.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    Yes,
    No,
}

impl Changed {
    pub fn any(self) -> bool {
        self == Changed::Yes
    }

    pub fn or(self, other: Changed) -> Changed {
        Changed::from(self.any() || other.any())
    }
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// What passes see besides the module.
#[derive(Default)]
pub struct PassContext {
    pub options: Options,
    pub report: Report,
    fuel: BTreeMap<String, u64>,
    diagnostics: Vec<Diagnostic>,
    pub(crate) firings: Firings,
    /// What the running pass has looked at.
    pub(crate) work: u64,
    /// What the passes that fuse know of kernels.
    pub(crate) judge: Judge,
    /// The kernels of the last pass that fuses, for the scheduler.
    pub plans: Plans,
}

impl PassContext {
    pub fn new(options: Options) -> PassContext {
        let fuel = options.fuel.clone();
        PassContext { options, fuel, ..PassContext::default() }
    }

    /// Asks whether `pass` may do one more rewrite, and counts it.
    #[must_use]
    pub fn fuel(&mut self, pass: &str) -> bool {
        let granted = match self.fuel.get_mut(pass) {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        };
        self.spend(pass, granted as u64);
        granted
    }

    /// How many rewrites `pass` may still do; `None` is as many as it likes.
    pub fn fuel_left(&self, pass: &str) -> Option<u64> {
        self.fuel.get(pass).copied()
    }

    /// Counts `n` rewrites at once, at most [`PassContext::fuel_left`].
    pub fn burn_fuel(&mut self, pass: &str, n: u64) {
        if let Some(left) = self.fuel.get_mut(pass) {
            *left = left.saturating_sub(n);
        }
        self.spend(pass, n);
    }

    fn spend(&mut self, pass: &str, n: u64) {
        match self.report.fuel.get_mut(pass) {
            Some(spent) => *spent += n,
            None => drop(self.report.fuel.insert(pass.to_owned(), n)),
        }
    }

    /// Notes that the named rule of a pass did one rewrite.
    pub fn fired(&mut self, rule: &'static str) {
        self.fired_times(rule, 1);
    }

    pub fn fired_times(&mut self, rule: &'static str, times: u64) {
        *self.firings.entry(rule).or_default() += times;
    }

    /// Notes the plans that the running pass made.
    pub(crate) fn fired_plans(&mut self) {
        let plans = self.judge.plans();
        if plans > 0 {
            self.fired_times("plans", plans);
        }
    }

    /// Counts what the pass looks at: instructions, rules tried on them, candidates compared.
    pub fn worked(&mut self, n: usize) {
        self.work += n as u64;
    }

    /// Tells the user; the pipeline stops after this pass.
    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn strict(&self) -> bool {
        self.options.numerics == Numerics::Strict
    }

    /// Whether something stops the pipeline.
    pub fn failed(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    pub(crate) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics)
    }
}

/// Whose fault it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticKind {
    /// The program asks for something that is wrong or that Lawson does not do.
    User,
    /// A pass of ours panicked or left an ill-formed module.
    Bug,
}

/// Something the user must hear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub kind: DiagnosticKind,
    /// The pass that says it.
    pub pass: String,
    pub message: String,
    /// The instruction concerned, as `computation/instruction`, if there is one.
    pub instruction: Option<String>,
    /// Where it comes from in the input.
    pub origin: Origin,
}

impl Diagnostic {
    pub fn bug(pass: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind: DiagnosticKind::Bug,
            pass: pass.to_string(),
            message: message.into(),
            instruction: None,
            origin: Origin::default(),
        }
    }

    /// A fault of the program at one instruction.
    pub fn user(pass: &str, comp: &Computation, instr: InstrId, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind: DiagnosticKind::User,
            instruction: Some(format!("{}/{}", comp.name, comp[instr].name)),
            origin: comp[instr].origin.clone(),
            ..Diagnostic::bug(pass, message)
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == DiagnosticKind::Bug {
            write!(f, "a bug in Lawson, pass {}: ", self.pass)?;
        }
        if let Some(instruction) = &self.instruction {
            write!(f, "{instruction}: ")?;
        }
        write!(f, "{}", self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_runs_out_for_the_named_pass_only() {
        let fuel = BTreeMap::from([("cse".to_string(), 2)]);
        let mut cx = PassContext::new(Options { fuel, ..Options::default() });
        assert!(cx.fuel("cse") && cx.fuel("cse") && !cx.fuel("cse"));
        assert!(cx.fuel("dce"));
        cx.burn_fuel("inline", 3);
        let spent = [("cse", 2), ("dce", 1), ("inline", 3)].map(|(pass, n)| (pass.to_string(), n));
        assert_eq!(cx.report.fuel, spent.into());
    }
}
