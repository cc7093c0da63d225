//! What a user may choose, with the words of the command line.

use crate::error::{Error, ErrorCode};
use crate::memory;
pub use lawson_opt::Numerics;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// How a module is compiled and run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub device: Device,
    /// The machine to plan for: a name, or the path of a description; without it the host.
    pub target: Option<String>,
    pub threads: usize,
    pub numerics: Numerics,
    pub fusion: FusionSpec,
    /// For each pass named here the number of rewrites it may do.
    pub fuel: BTreeMap<String, u64>,
    pub effort: Effort,
    /// In bytes.
    pub max_memory: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            device: Device::Cpu,
            target: None,
            threads: default_threads(),
            numerics: Numerics::Standard,
            fusion: FusionSpec::default(),
            fuel: BTreeMap::new(),
            effort: Effort::Full,
            max_memory: memory::default_limit(),
        }
    }
}

impl Options {
    /// What the passes need to know.
    pub fn passes(&self) -> Result<lawson_opt::Options, Error> {
        for name in self.fuel.keys() {
            if lawson_opt::pipeline::find(name).is_none() {
                return Err(option_error(format!("--fuel: no pass is called `{name}`")));
            }
        }
        Ok(lawson_opt::Options {
            numerics: self.numerics,
            fuel: self.fuel.clone(),
            keep_fusions: self.fusion.base == FusionBase::Given,
            ..lawson_opt::Options::default()
        })
    }
}

/// The available parallelism: affinity and quota respected.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where a module runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    Cpu,
    Cuda,
    /// The reference interpreter.
    Interpreter,
}

impl Device {
    pub fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda => "cuda",
            Device::Interpreter => "interpreter",
        }
    }
}

/// How much time compilation may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    Fast,
    Full,
}

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

/// Reads `PASS=N`.
pub fn parse_fuel(text: &str) -> Result<(String, u64), String> {
    let (pass, n) = text.split_once('=').ok_or_else(|| format!("`{text}` is not PASS=N"))?;
    let n = n.parse().map_err(|_| format!("`{n}` is not a number of rewrites"))?;
    Ok((pass.to_string(), n))
}

/// Reads a number of bytes: `1000`, `512M`, `8GiB`; the units are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is not a unit of bytes (K, M, G, T)")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is not a number of bytes"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is too large"))
}

/// An option that cannot be honoured.
pub fn option_error(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::Option, message)
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

    #[test]
    fn bytes_and_fuel() {
        assert_eq!(parse_bytes("12"), Ok(12));
        assert_eq!(parse_bytes("3KiB"), Ok(3072));
        assert_eq!(parse_bytes("8g"), Ok(8 << 30));
        for wrong in ["", "x", "1X", "-1", "99999999999T", "1.5G"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_fuel("cse=17"), Ok(("cse".into(), 17)));
        assert!(parse_fuel("cse").is_err() && parse_fuel("cse=x").is_err());
    }
}
