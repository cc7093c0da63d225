//! Assertions on an explanation, for a user's tests: what is to be fused stays fused.
//!
//! A name means the instruction of that name, or every instruction in a scope of that name: a part of the
//! `op_name` that JAX writes, `softmax` or `jit(f)/softmax`, with or without `jit(…)` around it.
//!
//! ```
//! use lawson::{Options, explain::explain, load};
//!
//! let text = "HloModule m
//! ENTRY e {
//!   x = f32[4096] parameter(0)
//!   a = f32[4096] exponential(x), metadata={op_name=\"jit(f)/act/exp\"}
//!   b = f32[4096] negate(a), metadata={op_name=\"jit(f)/act/neg\"}
//!   c = f32[4096] sort(b), dimensions={0}, to_apply=less
//!   ROOT d = f32[4096] abs(c)
//! }";
//! # let text = text.replace("ENTRY", "less {\n p = f32[] parameter(0)\n q = f32[] parameter(1)\n \
//! #     ROOT l = pred[] compare(p, q), direction=LT\n}\nENTRY");
//! # let text = &text;
//! let loaded = load::text_of("m.hlo".into(), text.to_string())?;
//! let options = Options { target: Some("zen4".into()), ..Options::default() };
//! let explanation = explain(&loaded, &options)?;
//!
//! explanation.assert_fused(["act"]);            // a scope
//! explanation.assert_fused(["a", "b"]);         // instructions
//! explanation.assert_kernels(2);
//! let why = explanation.check_fused(["c", "d"]).unwrap_err();
//! assert_eq!(why.edges[0].refusal.as_deref(), Some("NeedsWholeOperand"));
//! assert!(why.to_string().contains("Fusion would save up to"));
//! # Ok::<(), lawson::Error>(())
//! ```

use super::{Decision, Explanation, Kernel, Operation};
use std::fmt;

/// What was asserted and is not so, with the edges that are to blame.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Unfused {
    /// What was asserted, and what is so.
    pub message: String,
    /// The kept edges between what was named; of a count of kernels all kept edges.
    pub edges: Vec<Decision>,
}

impl std::error::Error for Unfused {}

impl fmt::Display for Unfused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for d in &self.edges {
            let refusal = d.refusal.as_deref().unwrap_or("not fused");
            write!(f, "\n  {} → {}: {refusal}: {}", d.producer, d.consumer, d.reason)?;
            if let Some(counterfactual) = &d.counterfactual {
                write!(f, "\n    {counterfactual}")?;
            }
            if !d.places.is_empty() {
                write!(f, "\n    at {}", d.places.join(", "))?;
            }
        }
        Ok(())
    }
}

impl Explanation {
    /// Panics with the refusals unless one kernel computes everything that is named.
    #[track_caller]
    pub fn assert_fused<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) {
        expect(self.check_fused(names));
    }

    /// Panics with every refusal unless there are so many kernels.
    #[track_caller]
    pub fn assert_kernels(&self, kernels: u64) {
        expect(self.check_kernels(kernels));
    }

    /// Panics with every refusal unless a run launches kernels so many times.
    #[track_caller]
    pub fn assert_launches(&self, launches: u64) {
        expect(self.check_launches(launches));
    }

    /// Panics with every refusal if the kernels of a run move more bytes.
    #[track_caller]
    pub fn assert_bytes_at_most(&self, bytes: u64) {
        expect(self.check_bytes_at_most(bytes));
    }

    /// Whether one kernel computes everything that is named.
    ///
    /// # Errors
    /// The kept edges between what is named; or a name that nothing which is computed has.
    pub fn check_fused<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> Result<(), Unfused> {
        let names: Vec<String> = names.into_iter().map(|n| n.as_ref().to_owned()).collect();
        let named = |o: &Operation| names.iter().any(|n| matches(o, n));
        for name in &names {
            if !self.kernels.iter().flat_map(|k| &k.instructions).any(|o| matches(o, name)) {
                return Err(self.unknown(name));
            }
        }
        let mut wanted: Vec<&str> = Vec::new();
        for o in self.kernels.iter().flat_map(|k| &k.instructions).filter(|o| named(o)) {
            if !wanted.contains(&&*o.name) {
                wanted.push(&o.name);
            }
        }
        let has = |k: &Kernel, name: &str| k.instructions.iter().any(|o| o.name == name);
        if self.kernels.iter().any(|k| wanted.iter().all(|name| has(k, name))) {
            return Ok(());
        }
        let kernels = self.kernels.iter().filter(|k| k.instructions.iter().any(named));
        let kernels: Vec<&str> = kernels.map(|k| &*k.name).collect();
        let message = format!(
            "{} not fused: {} are in {} kernels, {}",
            quoted(&names),
            quoted(&wanted),
            kernels.len(),
            quoted(&kernels)
        );
        let between = |d: &&Decision| wanted.contains(&&*d.producer) && wanted.contains(&&*d.consumer);
        let edges = self.kept().filter(between).cloned().collect();
        Err(Unfused { message, edges })
    }

    /// Whether there are so many kernels.
    ///
    /// # Errors
    /// With every kept edge.
    pub fn check_kernels(&self, kernels: u64) -> Result<(), Unfused> {
        self.check(self.totals.kernels == kernels, || {
            let found: Vec<&str> = self.kernels.iter().map(|k| &*k.name).collect();
            format!("{kernels} kernels expected, there are {}: {}", found.len(), quoted(&found))
        })
    }

    /// Whether a run launches kernels so many times.
    ///
    /// # Errors
    /// With every kept edge; also where the number is not known before the run.
    pub fn check_launches(&self, launches: u64) -> Result<(), Unfused> {
        self.check(self.totals.launches == Some(launches), || match self.totals.launches {
            Some(found) => format!("{launches} launches expected, there are {found}"),
            None => format!("{launches} launches expected, but a trip count is not known before the run"),
        })
    }

    /// Whether the kernels of a run move no more bytes.
    ///
    /// # Errors
    /// With every kept edge.
    pub fn check_bytes_at_most(&self, bytes: u64) -> Result<(), Unfused> {
        self.check(self.totals.bytes_fused <= bytes, || {
            format!("at most {bytes} bytes expected, kernels move {}", self.totals.bytes_fused)
        })
    }

    /// The edges that were not fused.
    pub fn kept(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|d| !d.fused)
    }

    fn check(&self, holds: bool, message: impl FnOnce() -> String) -> Result<(), Unfused> {
        if holds {
            return Ok(());
        }
        Err(Unfused { message: message(), edges: self.kept().cloned().collect() })
    }

    fn unknown(&self, name: &str) -> Unfused {
        const SHOWN: usize = 12;
        let all: Vec<&str> = self.kernels.iter().flat_map(|k| &k.instructions).map(|o| &*o.name).collect();
        let some = quoted(&all[..all.len().min(SHOWN)]);
        let more = if all.len() > SHOWN { ", …" } else { "" };
        let message =
            format!("no kernel computes an instruction or scope `{name}`; instructions are {some}{more}");
        Unfused { message, edges: Vec::new() }
    }
}

#[track_caller]
fn expect(outcome: Result<(), Unfused>) {
    if let Err(unfused) = outcome {
        panic!("{unfused}");
    }
}

/// Whether an instruction has that name or stands in a scope of that name.
fn matches(o: &Operation, name: &str) -> bool {
    let bare = |part: &str| -> String {
        let inner = part.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        inner.unwrap_or(part).to_owned()
    };
    let path = |scope: &str| scope.split('/').map(bare).collect::<Vec<_>>();
    let wanted = path(name);
    o.name == name
        || o.scope.as_ref().is_some_and(|s| path(s).windows(wanted.len()).any(|part| part == wanted))
}

fn quoted(names: &[impl AsRef<str>]) -> String {
    names.iter().map(|n| format!("`{}`", n.as_ref())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn names_are_instructions_or_scopes() {
        let o = |scope: &str| Operation {
            name: "exp.1".into(),
            scope: Some(scope.into()),
            ..Operation::default()
        };
        for name in ["exp.1", "exp", "softmax", "jit(f)", "f", "jit(f)/softmax", "softmax/exp"] {
            assert!(matches(&o("jit(f)/softmax/exp"), name), "{name}");
        }
        for name in ["exp.2", "soft", "f/exp", ""] {
            assert!(!matches(&o("jit(f)/softmax/exp"), name), "{name}");
        }
    }

    #[test]
    fn what_holds_is_silent() {
        let e = example();
        e.assert_fused(["softmax"]);
        e.assert_fused(["exp.1", "div.3"]);
        e.assert_kernels(1);
        e.assert_bytes_at_most(32 << 20);
    }

    #[test]
    fn what_does_not_is_told_with_the_refusal() {
        let mut e = example();
        let sorted = |name: &str| Operation { name: name.into(), ..Operation::default() };
        let kernel = |name: &str| Kernel {
            name: format!("kernel_{name}"),
            instructions: vec![sorted(name)],
            ..Kernel::default()
        };
        e.kernels.extend([kernel("sort.4"), kernel("mul.9")]);
        let why = e.check_fused(["sort.4", "mul.9"]).expect_err("two kernels");
        assert_eq!(
            why.to_string(),
            "`sort.4`, `mul.9` not fused: `sort.4`, `mul.9` are in 2 kernels, `kernel_sort.4`, `kernel_mul.9`\n  \
             sort.4 → mul.9: Sort: a sort reads its whole row before it writes\n    \
             Sort less. Fusion would save up to 8.0 MiB, 160.0 µs.\n    at model.py:31"
        );
        assert_eq!(e.check_kernels(2).expect_err("one").edges.len(), 1);
        assert!(e.check_launches(1).expect_err("unknown").message.contains("not known"));
        assert!(e.check_fused(["nothing"]).expect_err("a typo").message.contains("`exp.1`"));
    }

    #[test]
    #[should_panic(expected = "2 kernels expected, there are 1: `fused_exp_divide`")]
    fn an_assertion_panics() {
        example().assert_kernels(2);
    }
}
