//! Which kinds of fusion may happen, with the words of the command line.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// What kinds of fusion may happen: `on`, `off`, `only-dot,only-instruction`, `max,no-horizontal`, ….
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FusionSpec {
    pub base: FusionBase,
    /// If not empty, only these.
    pub only: BTreeSet<Strategy>,
    pub without: BTreeSet<Strategy>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FusionBase {
    /// Where it pays.
    #[default]
    On,
    /// Each instruction after simplification is its own kernel.
    Off,
    /// Wherever it is legal.
    Max,
    /// The fusions of the input text, no others.
    Given,
    /// Where it is legal and a coin says so, thrown anew for each decision from this seed: what a cost model answers
    /// must never change a value.
    Chance(u64),
}

/// A kind of fusion that can be switched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strategy {
    Instruction,
    Merger,
    MultiOutput,
    Horizontal,
    Staged,
    Dot,
    Loop,
    Forward,
    Layout,
    Residual,
}

impl Strategy {
    pub const ALL: &[Strategy] = &[
        Strategy::Instruction,
        Strategy::Merger,
        Strategy::MultiOutput,
        Strategy::Horizontal,
        Strategy::Staged,
        Strategy::Dot,
        Strategy::Loop,
        Strategy::Forward,
        Strategy::Layout,
        Strategy::Residual,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Instruction => "instruction",
            Strategy::Merger => "merger",
            Strategy::MultiOutput => "multi-output",
            Strategy::Horizontal => "horizontal",
            Strategy::Staged => "staged",
            Strategy::Dot => "dot",
            Strategy::Loop => "loop",
            Strategy::Forward => "forward",
            Strategy::Layout => "layout",
            Strategy::Residual => "residual",
        }
    }

    /// What it does, for documents.
    pub fn what(self) -> &'static str {
        match self {
            Strategy::Instruction => "producers move into the kernels of their consumers",
            Strategy::Merger => "a kernel moves into all its users when repeating it saves time",
            Strategy::MultiOutput => {
                "kernels that read the same arrays, or each other, become one with several results"
            }
            Strategy::Horizontal => "many small independent kernels become one launch with a segment table",
            Strategy::Staged => {
                "dependent reductions over the same rows, and trips of a stencil over the same tiles, become stages of one kernel"
            }
            Strategy::Dot => {
                "products and convolutions take what is read by them and what follows them into their kernel"
            }
            Strategy::Loop => {
                "a loop whose body works lane by lane becomes one kernel with its state in registers"
            }
            Strategy::Forward => {
                "pieces of a concatenation, slice or update reach their readers without the whole in memory"
            }
            Strategy::Layout => "arrays between kernels lie as suits those that write and read them",
            Strategy::Residual => "backward kernels compute again what need not wait in memory",
        }
    }
}

impl FusionSpec {
    pub const OFF: FusionSpec =
        FusionSpec { base: FusionBase::Off, only: BTreeSet::new(), without: BTreeSet::new() };

    /// Whether fusion of this kind may happen.
    pub fn allows(&self, strategy: Strategy) -> bool {
        self.base.fuses()
            && (self.only.is_empty() || self.only.contains(&strategy))
            && !self.without.contains(&strategy)
    }
}

impl FromStr for FusionSpec {
    type Err = String;

    /// Words joined by commas (or by `+`, for lists of specifications).
    fn from_str(text: &str) -> Result<FusionSpec, String> {
        let mut spec = FusionSpec::default();
        let mut base = None;
        for word in text.split([',', '+']).map(str::trim) {
            let named = match word {
                "on" => Some(FusionBase::On),
                "off" | "unfused" => Some(FusionBase::Off),
                "max" => Some(FusionBase::Max),
                "given" => Some(FusionBase::Given),
                _ => word.strip_prefix("chance-").and_then(|n| n.parse().ok()).map(FusionBase::Chance),
            };
            match (named, word.split_once('-')) {
                (Some(b), _) if base.is_none_or(|old| old == b) => base = Some(b),
                (Some(_), _) => return Err(format!("`{text}` asks for two of on, off, max, given")),
                (None, Some(("only", name))) => drop(spec.only.insert(strategy(name)?)),
                (None, Some(("no", name))) => drop(spec.without.insert(strategy(name)?)),
                (None, _) => {
                    return Err(format!("`{word}` is none of on, off, max, given, only-NAME, no-NAME"));
                }
            }
        }
        spec.base = base.unwrap_or_default();
        let switched = !spec.only.is_empty() || !spec.without.is_empty();
        if switched && matches!(spec.base, FusionBase::Off | FusionBase::Given) {
            return Err(format!("`{text}`: {} leaves nothing to switch", spec.base));
        }
        Ok(spec)
    }
}

fn strategy(name: &str) -> Result<Strategy, String> {
    Strategy::ALL.iter().copied().find(|s| s.name() == name).ok_or_else(|| {
        let all: Vec<&str> = Strategy::ALL.iter().map(|s| s.name()).collect();
        format!("`{name}` is none of {}", all.join(", "))
    })
}

impl FusionBase {
    /// Whether passes look for fusions.
    pub fn fuses(self) -> bool {
        matches!(self, FusionBase::On | FusionBase::Max | FusionBase::Chance(_))
    }

    /// What the coin says of a decision; `None` where there is none.
    pub fn coin(self, decision: u64) -> Option<bool> {
        let FusionBase::Chance(seed) = self else { return None };
        let mut x = seed ^ decision.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for _ in 0..2 {
            x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        Some(x >> 63 == 1)
    }
}

impl fmt::Display for FusionBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FusionBase::On => write!(f, "on"),
            FusionBase::Off => write!(f, "off"),
            FusionBase::Max => write!(f, "max"),
            FusionBase::Given => write!(f, "given"),
            FusionBase::Chance(seed) => write!(f, "chance-{seed}"),
        }
    }
}

impl fmt::Display for FusionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base)?;
        self.only.iter().try_for_each(|s| write!(f, ",only-{}", s.name()))?;
        self.without.iter().try_for_each(|s| write!(f, ",no-{}", s.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fusion_specifications() {
        let parse = |t: &str| t.parse::<FusionSpec>();
        assert_eq!(parse("unfused"), Ok(FusionSpec::OFF));
        let some = parse("no-horizontal,no-dot").expect("valid");
        assert!(some.allows(Strategy::Staged) && !some.allows(Strategy::Dot));
        let only = parse("max+only-multi-output").expect("valid");
        assert!(only.allows(Strategy::MultiOutput) && !only.allows(Strategy::Loop));
        assert_eq!(only.to_string(), "max,only-multi-output");
        let chance = parse("chance-7,no-dot").expect("valid");
        assert_eq!((chance.base, &*chance.to_string()), (FusionBase::Chance(7), "chance-7,no-dot"));
        let heads = (0..1000).filter(|&n| chance.base.coin(n) == Some(true)).count();
        assert!((400..600).contains(&heads), "{heads}");
        for wrong in ["", "onn", "on,off", "only-", "no-such", "off,no-dot", "on,,max"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
