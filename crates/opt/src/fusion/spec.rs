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
            Strategy::Staged => "dependent reductions over the same rows become stages of one kernel",
            Strategy::Dot => {
                "products and convolutions take what is read by them and what follows them into their kernel"
            }
            Strategy::Loop => {
                "a loop whose body works lane by lane becomes one kernel with its state in registers"
            }
            Strategy::Forward => {
                "pieces of a concatenation, slice or update reach their readers without the whole in memory"
            }
        }
    }
}

impl FusionSpec {
    pub const OFF: FusionSpec =
        FusionSpec { base: FusionBase::Off, only: BTreeSet::new(), without: BTreeSet::new() };

    /// Whether fusion of this kind may happen.
    pub fn allows(&self, strategy: Strategy) -> bool {
        let some = matches!(self.base, FusionBase::On | FusionBase::Max);
        some && (self.only.is_empty() || self.only.contains(&strategy)) && !self.without.contains(&strategy)
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
                _ => None,
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
            return Err(format!("`{text}`: {} leaves nothing to switch", spec.base.name()));
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
    fn name(self) -> &'static str {
        match self {
            FusionBase::On => "on",
            FusionBase::Off => "off",
            FusionBase::Max => "max",
            FusionBase::Given => "given",
        }
    }
}

impl fmt::Display for FusionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base.name())?;
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
        for wrong in ["", "onn", "on,off", "only-", "no-such", "off,no-dot", "on,,max"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
