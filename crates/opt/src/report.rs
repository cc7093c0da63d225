//! What a run of the pipeline leaves behind: one entry for each pass that ran.

use lawson_hlo::{Computation, InstrId, Opcode, Origin, Shape};
use lawson_kernel::cost::{bytes_us, launch_us};
use lawson_kernel::refusal::Refusal;
use lawson_kernel::target::Target;
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
    /// Arrays between kernels that lie otherwise than their shapes say, in program order.
    pub layouts: Vec<LayoutChoice>,
    /// Every pair of whole kernels that a pass looked at, in that order.
    pub joins: Vec<Join>,
    /// One verdict for each kernel that horizontal fusion looked at.
    pub candidates: Vec<Candidate>,
    /// Rewrites of each pass: the fuel of a run in which none is refused.
    pub fuel: BTreeMap<String, u64>,
    /// For each computation the most bytes in use at once if each instruction were a kernel: fusion stays within.
    pub peaks: BTreeMap<Arc<str>, i64>,
}

/// The order of dimensions chosen for an array between kernels.
#[derive(Clone, PartialEq, Debug)]
pub struct LayoutChoice {
    pub computation: Arc<str>,
    pub array: Arc<str>,
    /// As its users know it.
    pub shape: Shape,
    /// The dimensions from the outermost to the innermost.
    pub order: Vec<usize>,
    /// Time of the kernels that write and read it, before and with the order, in µs.
    pub us_before: f64,
    pub us_after: f64,
}

/// Whether two kernels became one.
#[derive(Clone, PartialEq, Debug)]
pub struct Join {
    pub pass: &'static str,
    pub computation: Arc<str>,
    /// What the kernels are called on the host before the pass: the first instruction of each.
    pub kernels: [Arc<str>; 2],
    pub verdict: Result<(), Refusal>,
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
    /// Size of the value between the two.
    pub bytes: i64,
    /// Whether it counts as an intermediate in the formula: what only repeats or counts does not.
    pub is_intermediate: bool,
}

impl Decision {
    /// An edge between two instructions of a computation, before anything is decided on it.
    pub fn on_edge(pass: &'static str, comp: &Computation, producer: InstrId, consumer: InstrId) -> Decision {
        let (from, to) = (&comp[producer], &comp[consumer]);
        Decision {
            computation: comp.name.clone(),
            producer: from.name.clone(),
            consumer: to.name.clone(),
            fused: false,
            pass,
            refusal: None,
            reason: String::new(),
            counterfactual: String::new(),
            bytes_saved: 0,
            bytes_saved_formula: 0,
            us_saved: 0.0,
            origins: [from.origin.clone(), to.origin.clone()],
            bytes: from.shape.leaves().iter().map(|l| l.bytes()).sum(),
            is_intermediate: is_intermediate(from.opcode),
        }
    }

    /// The value stays inside a kernel. `write` tells that nobody else needs it in memory, and that this is the first
    /// edge to say so.
    pub fn fuse(&mut self, pass: &'static str, write: bool, target: &Target) {
        let moved = self.bytes * (1 + write as i64);
        let launch = if write { launch_us(self.bytes as f64, target) } else { 0.0 };
        self.fused = true;
        self.pass = pass;
        self.refusal = None;
        self.reason = "the value stays in registers".to_string();
        self.counterfactual = String::new();
        self.bytes_saved = moved;
        self.bytes_saved_formula = if write && self.is_intermediate { 2 * self.bytes } else { 0 };
        self.us_saved = bytes_us(moved, moved, target) + launch;
    }

    /// The value goes through memory, and why.
    pub fn refuse(&mut self, pass: &'static str, refusal: Refusal, target: &Target) {
        let bytes = 2 * self.bytes;
        self.fused = false;
        self.pass = pass;
        self.reason = refusal.to_string();
        self.counterfactual = format!(
            "would fuse if {}; would save {}, {}",
            refusal.would_fuse_if(),
            amount(bytes),
            time(bytes_us(bytes, bytes, target))
        );
        self.refusal = Some(refusal);
        (self.bytes_saved, self.bytes_saved_formula, self.us_saved) = (0, 0, 0.0);
    }
}

/// What only repeats or counts is no intermediate of the formula.
fn is_intermediate(opcode: Opcode) -> bool {
    !matches!(opcode, Opcode::Broadcast | Opcode::Iota)
}

/// `32.0 MiB`.
fn amount(bytes: i64) -> String {
    match bytes as f64 {
        b if b < 1024.0 => format!("{bytes} B"),
        b if b < 1048576.0 => format!("{:.1} KiB", b / 1024.0),
        b if b < 1073741824.0 => format!("{:.1} MiB", b / 1048576.0),
        b => format!("{:.1} GiB", b / 1073741824.0),
    }
}

/// `0.9 ms`.
fn time(us: f64) -> String {
    if us < 1000.0 { format!("{us:.1} µs") } else { format!("{:.1} ms", us / 1000.0) }
}

/// Whether a kernel shares its launch with others that know nothing of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub computation: Arc<str>,
    pub kernel: Arc<str>,
    pub joined: bool,
    /// Why not, where it does not.
    pub refusal: Option<Refusal>,
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
    /// What the pass looked at, of the passes that repeat: instructions, rules tried on them, candidates compared.
    pub work: u64,
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
