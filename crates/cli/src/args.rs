//! The command line as types. Names are a contract: scripts rely on them.

use crate::machine;
use crate::variant::Variant;
use clap::{Args, Parser, Subcommand, ValueEnum};
use lawson::compare::Tolerance;
use lawson::hlo::Module;
use lawson::options::{self, Denormals, Device, Effort, FusionSpec, Numerics, Options, option_error};
use lawson::precision::Precision;
use lawson::{Client, Error, RunOptions};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A tensor compiler built around operator fusion.
#[derive(Parser, Debug)]
#[command(name = "lawson", max_term_width = 110, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Compile and run a module
    Run(RunArgs),
    /// Say what was fused, and why
    Explain(ExplainArgs),
    /// Time a module
    Bench(BenchArgs),
    /// Find the first decision of a pass that changes the results
    Bisect(BisectArgs),
    /// Rewrite a module: text to text
    Opt(OptArgs),
    /// Differentiate a module: text to text
    Grad(GradArgs),
    /// Batch a module: text to text
    Vmap(VmapArgs),
    /// Show the machine as Lawson sees it
    Doctor(DoctorArgs),
    /// Fail on purpose, to see what a bug report looks like
    #[command(hide = true)]
    Crash(ModuleArgs),
    /// Print a completion script for a shell
    Completions { shell: clap_complete::Shell },
}

/// The module, what it runs on, and how.
#[derive(Args, Debug)]
pub struct ModuleArgs {
    /// A file of HLO text, StableHLO text or a portable artifact of StableHLO; `-` is standard input
    pub module: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub common: CommonArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Data")]
pub struct DataArgs {
    /// Arrays arg0, arg1, … in parameter order
    #[arg(long, value_name = "IN.NPZ", conflicts_with = "random")]
    pub inputs: Option<PathBuf>,
    /// Draw the inputs: floats in [-1, 1), integers in [0, 10) [default: seed 0]
    #[arg(long, value_name = "SEED", allow_negative_numbers = true, value_parser = seed)]
    pub random: Option<u64>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "How")]
pub struct CommonArgs {
    /// Where it runs
    #[arg(long, value_name = "cpu|cuda[:N]|interpreter", default_value = "cpu", value_parser = Device::parse)]
    pub device: Device,
    /// Plan for this machine instead of the host, and print code for it (--emit); code that runs is for the host
    #[arg(long, value_name = "NAME|FILE")]
    pub target: Option<OsString>,
    /// Threads [default: the available parallelism]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// How much results may depend on the way they are computed
    #[arg(long, value_enum, default_value = "standard")]
    pub numerics: NumericsArg,
    /// What the processor does with numbers too small to be normal: `flush` may take them for zero, which is faster on
    /// many processors where there are some
    #[arg(long, value_enum, default_value = "keep")]
    pub denormals: DenormalsArg,
    /// on, off, max, given, only-NAME, no-NAME, joined by commas; NAME: instruction, merger, multi-output,
    /// horizontal, staged, dot, loop, forward, layout, residual
    #[arg(long, value_name = "SPEC", default_value = "on")]
    pub fusion: FusionSpec,
    /// Let a pass do only N rewrites, to find the one at fault
    #[arg(long, value_name = "PASS=N", value_parser = options::parse_fuel)]
    pub fuel: Vec<(String, u64)>,
    /// How much time compilation may take
    #[arg(long, value_enum, default_value = "full")]
    pub compile: EffortArg,
    /// Refuse what needs more memory [default: 80 % of RAM]
    #[arg(long, value_name = "BYTES", value_parser = options::parse_bytes)]
    pub max_memory: Option<u64>,
}

impl CommonArgs {
    /// # Errors
    /// There is no such device here.
    pub fn client(&self) -> Result<Client, Error> {
        Client::new(self.device)
    }

    /// The options of a command that predicts times: for this machine as it was measured, where it was.
    ///
    /// # Errors
    /// As [`CommonArgs::options`].
    pub fn predicting(&self) -> Result<Options, Error> {
        Ok(Options { calibration: machine::calibration().filter(|p| p.is_file()), ..self.options()? })
    }

    /// # Errors
    /// A pass that is named twice.
    pub fn options(&self) -> Result<Options, Error> {
        let defaults = Options::default();
        let mut fuel = BTreeMap::new();
        for (pass, n) in &self.fuel {
            if fuel.insert(pass.clone(), *n).is_some() {
                return Err(option_error(format!("--fuel: pass `{pass}` is named twice")));
            }
        }
        Ok(Options {
            target: self.target.clone(),
            calibration: None,
            threads: self.threads.map_or(defaults.threads, usize::from),
            numerics: match self.numerics {
                NumericsArg::Strict => Numerics::Strict,
                NumericsArg::Standard => Numerics::Standard,
                NumericsArg::Fast => Numerics::Fast,
            },
            denormals: match self.denormals {
                DenormalsArg::Keep => Denormals::Keep,
                DenormalsArg::Flush => Denormals::Flush,
            },
            fusion: self.fusion.clone(),
            fuel,
            effort: match self.compile {
                EffortArg::Fast => Effort::Fast,
                EffortArg::Full => Effort::Full,
            },
            max_memory: self.max_memory.unwrap_or(defaults.max_memory),
            tune: None,
        })
    }
}

/// Whether plans are measured before the program runs.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// Time the plans of kernels that are predicted to be about as fast on this machine, for at most so many seconds, and
    /// take the best [default: 10]. What was learnt is kept where LAWSON_CACHE says; results stay the same
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = options::parse_seconds,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10"
    )]
    pub tune: Option<Duration>,
}

impl TuneArgs {
    /// These options, with plans measured or not.
    pub fn of(&self, options: Options) -> Options {
        Options { tune: self.tune, ..options }
    }
}

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub module: ModuleArgs,
    #[command(flatten)]
    pub tune: TuneArgs,
    /// Write the results as out0, out1, …
    #[arg(long, value_name = "OUT.NPZ")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limit: LimitArgs,
    #[command(flatten)]
    pub expected: ExpectArgs,
}

/// When a run ends that takes too long.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// End a run after so many seconds; looked at between kernels and on each trip of a loop
    #[arg(long, value_name = "SECONDS", value_parser = options::parse_seconds)]
    pub time_limit: Option<Duration>,
}

impl LimitArgs {
    pub fn options(&self) -> RunOptions {
        RunOptions { time_limit: self.time_limit, ..RunOptions::default() }
    }
}

/// What results should be, and how near.
#[derive(Args, Debug)]
#[command(next_help_heading = "Comparison")]
pub struct ExpectArgs {
    /// Compare the results with out0, out1, …; exit code 1 if they differ
    #[arg(long, value_name = "OUT.NPZ")]
    pub expect: Option<PathBuf>,
    /// Relative tolerance [default: 1e-4; with f16 and bf16 2e-2]
    #[arg(long, value_name = "R", value_parser = tolerance)]
    pub rtol: Option<f64>,
    /// Absolute tolerance [default: 1e-6; without --rtol more, by types, lengths of reductions and the largest value]
    #[arg(long, value_name = "A", value_parser = tolerance)]
    pub atol: Option<f64>,
    /// The fraction of an output's elements that may differ [default: 0]
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub max_mismatch: Option<f64>,
}

impl ExpectArgs {
    /// For the results of this module.
    pub fn tolerance(&self, module: &Module) -> Tolerance {
        let max_mismatch = self.max_mismatch.unwrap_or(0.0);
        Tolerance { rtol: self.rtol, atol: self.atol, max_mismatch, precision: Precision::of(module) }
    }

    /// Refuses tolerances where nothing is compared.
    pub fn check(&self) -> Result<(), Error> {
        let given = [("--rtol", self.rtol), ("--atol", self.atol), ("--max-mismatch", self.max_mismatch)];
        match given.iter().find(|(_, value)| value.is_some()) {
            Some((flag, _)) if self.expect.is_none() => {
                Err(option_error(format!("{flag}: nothing is compared without --expect")))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Args, Debug)]
pub struct BisectArgs {
    #[command(flatten)]
    pub module: ModuleArgs,
    /// Search only this pass [default: each in turn]
    #[arg(long, value_name = "NAME")]
    pub pass: Option<String>,
    #[command(flatten)]
    pub limit: LimitArgs,
    #[command(flatten)]
    pub expected: ExpectArgs,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    pub module: ModuleArgs,
    #[command(flatten)]
    pub tune: TuneArgs,
    /// Time these settings too, separated by commas; `+` joins the words of one: off,on+no-staged. Words are those of
    /// --fusion, compile-fast|full, numerics-strict|standard|fast, denormals-keep|flush and tuned|untuned
    #[arg(long, value_name = "SPEC,…", value_delimiter = ',')]
    pub vs: Vec<Variant>,
    /// Write one run as a trace for chrome://tracing and Perfetto
    #[arg(long, value_name = "TRACE.JSON")]
    pub profile: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Time each variant at most so often
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_runs: u32,
    #[command(flatten)]
    pub limit: LimitArgs,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub module: ModuleArgs,
    #[command(flatten)]
    pub tune: TuneArgs,
    /// Run it too, and say how long each kernel took
    #[arg(long)]
    pub measure: bool,
    #[command(flatten)]
    pub limit: LimitArgs,
    /// Show all kernels and kept edges of a long program, not only the ten that matter most (JSON and pages have all)
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "dot")]
    pub json: bool,
    /// Write one page for browsers, complete in itself
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print a graph for Graphviz, kernels as clusters
    #[arg(long)]
    pub dot: bool,
}

#[derive(Args, Debug)]
pub struct OptArgs {
    #[command(flatten)]
    pub module: ModuleArgs,
    /// Run only these passes, in this order [default: the whole pipeline]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    pub passes: Vec<String>,
    /// Print the module after these passes (or `all`) where they change it
    #[arg(long, value_name = "all|A,B,C", value_delimiter = ',')]
    pub print_after: Vec<String>,
    /// Print the kernels, or the module, in this form
    #[arg(long, value_enum, conflicts_with = "print_after")]
    pub emit: Option<EmitArg>,
    /// Only the kernel of this name, or that of an instruction
    #[arg(long, value_name = "NAME", requires = "emit")]
    pub kernel: Option<String>,
}

#[derive(Args, Debug)]
pub struct GradArgs {
    /// A file of HLO or StableHLO whose result is one floating-point scalar; `-` is standard input
    pub module: PathBuf,
    /// Differentiate with regard to these arrays: numbers in parameter order, tuples flattened [default: the first]
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "0")]
    pub wrt: Vec<usize>,
    /// Give the value too, before the gradients
    #[arg(long)]
    pub value: bool,
    /// Write the module here [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct VmapArgs {
    /// A file of HLO text, StableHLO text or a portable artifact of StableHLO; `-` is standard input
    pub module: PathBuf,
    /// For each array, in parameter order, tuples flattened: the place of the new dimension, with one element for each
    /// example, or None where the array is the same for all [default: 0 for each]
    #[arg(long, value_name = "AXIS|None,…", value_delimiter = ',', value_parser = axis)]
    pub in_axes: Option<Vec<InAxis>>,
    /// The number of examples: the extent of the new dimensions
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(1..))]
    pub size: u32,
    /// Write the module here [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The dimension along which the examples of an array lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InAxis(pub Option<usize>);

fn axis(text: &str) -> Result<InAxis, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(InAxis(None));
    }
    text.parse().map(|n| InAxis(Some(n))).map_err(|_| format!("`{text}` is neither a dimension nor None"))
}

#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Skip the bandwidth measurement
    #[arg(long)]
    pub quick: bool,
    /// Measure this machine: rates of operations, bandwidths, the cost of launches. Prints a description for --target,
    /// and keeps it for the predictions of `explain` and `bench`
    #[arg(long, conflicts_with = "quick")]
    pub calibrate: bool,
}

/// A representation of kernels, from the most abstract to the least; or of all that is run; or of the module.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitArg {
    /// What a kernel computes
    Region,
    /// Its loops
    Plan,
    /// Its code, as Loop IR
    Loop,
    Llvm,
    Asm,
    /// Code for a graphics processor, such as --target sm_90
    Ptx,
    /// What a runtime gets: steps, buffers and kernels
    Program,
    /// The module as StableHLO text: as it is read, or after --passes
    Stablehlo,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum NumericsArg {
    /// The same bits for any fusion, threads, vector width and device
    Strict,
    /// Free reduction order, every other rounding kept
    Standard,
    /// Contraction, reciprocals and excess precision too
    Fast,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum DenormalsArg {
    /// They are numbers as all others
    Keep,
    /// Operands and results may become zero, as with XLA on processors
    Flush,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum EffortArg {
    /// Conservative fusion and cheap code: ready sooner, slower to run
    Fast,
    /// All of fusion, code worth running often
    Full,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(t) if t >= 0.0 => Ok(t),
        _ => Err("a number of at least 0 is needed".into()),
    }
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(f) if (0.0..=1.0).contains(&f) => Ok(f),
        _ => Err("a number from 0 to 1 is needed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
