//! What a run of the pipeline leaves behind: one entry for each pass that ran.

use lawson_hlo::{Computation, InstrId, Opcode, Origin, Shape};
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
    /// Arrays between kernels that lie otherwise than their shapes say, in program order.
    pub layouts: Vec<LayoutChoice>,
    /// Every pair of whole kernels that a pass looked at, in that order.
    pub joins: Vec<Join>,
    /// One verdict for each kernel that horizontal fusion looked at.
    pub candidates: Vec<Candidate>,
    /// What the backward half needs of the forward half, in program order.
    pub residuals: Vec<Residual>,
    /// For each computation that the host runs what deciding on them did.
    pub residual_plans: Vec<ResidualPlan>,
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
    /// Where it comes from in the input.
    pub origin: Origin,
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
    /// Where these come from in the input.
    pub origins: [Origin; 2],
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
    /// Whether the value is written no longer because of this edge: told on the first of its fused edges.
    pub unwritten: bool,
    /// Twice the size of an intermediate that is no longer written, on its first fused edge.
    pub bytes_saved_formula: i64,
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
            unwritten: false,
            bytes_saved_formula: 0,
            origins: [from.origin.clone(), to.origin.clone()],
            bytes: from.shape.leaves().iter().map(|l| l.bytes()).sum(),
            is_intermediate: is_intermediate(from.opcode),
        }
    }

    /// The value stays inside a kernel. `unwritten` tells that nobody else needs it in memory, and that this is the
    /// first edge to say so.
    pub fn fuse(&mut self, pass: &'static str, unwritten: bool) {
        self.fused = true;
        self.pass = pass;
        self.refusal = None;
        self.unwritten = unwritten;
        self.bytes_saved_formula = if unwritten && self.is_intermediate { 2 * self.bytes } else { 0 };
    }

    /// The value goes through memory, and why.
    pub fn refuse(&mut self, pass: &'static str, refusal: Refusal) {
        self.fused = false;
        self.pass = pass;
        self.refusal = Some(refusal);
        (self.unwritten, self.bytes_saved_formula) = (false, 0);
    }
}

/// What only repeats or counts is no intermediate of the formula.
fn is_intermediate(opcode: Opcode) -> bool {
    !matches!(opcode, Opcode::Broadcast | Opcode::Iota)
}

/// Whether a kernel shares its launch with others that know nothing of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub computation: Arc<str>,
    pub kernel: Arc<str>,
    /// Where that instruction comes from in the input.
    pub origin: Origin,
    pub joined: bool,
    /// Why not, where it does not.
    pub refusal: Option<Refusal>,
}

/// A value of the forward half of a derivative that the backward half needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Residual {
    pub computation: Arc<str>,
    pub value: Arc<str>,
    /// Where it comes from in the input.
    pub origin: Origin,
    pub shape: Shape,
    /// Its size, whether it is saved or not.
    pub bytes: i64,
    /// What of it waits in memory: all of it, its bits, or nothing.
    pub stored: i64,
    pub fate: ResidualFate,
    /// Backward kernels that use it.
    pub readers: u64,
    pub reason: ResidualReason,
}

/// What becomes of a residual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResidualFate {
    /// It waits in memory.
    Saved,
    /// Backward kernels compute it again from what is saved.
    Recomputed,
    /// Backward kernels compute it of a result that is available anyhow.
    Rewritten,
}

/// Why a residual is saved or computed again.
#[derive(Clone, PartialEq, Debug)]
pub enum ResidualReason {
    /// It is the cheapest way in bytes and operations.
    Cheapest,
    /// The kernels that use it compute it anyhow.
    Fused,
    /// Computing it again changed the time of the kernels by so many µs and spared these bytes.
    Again { us: f64, bytes: i64 },
    /// Computing it again would take so much longer: µs of the kernels as they are, and as they would be.
    Slower { saved_us: f64, again_us: f64 },
    /// The kernels that would compute it again are none.
    NoPlan(Refusal),
    /// It is part of the result, and kept anyhow.
    Result,
    /// Of a mask one bit for each element is enough.
    Bits,
    /// The rule holds in terms of a result that is available.
    Available,
    /// It is too small to matter.
    Small,
    /// It is made by an operation that is not computed again.
    Opaque { opcode: Opcode },
}

/// What deciding on residuals did to a computation.
#[derive(Clone, PartialEq, Debug)]
pub struct ResidualPlan {
    pub computation: Arc<str>,
    /// Whether marks of the text told the halves apart; else the peak of memory did.
    pub marked: bool,
    /// The most bytes in use at once between kernels, before and after, results of the program apart.
    pub peak_before: i64,
    pub peak_after: i64,
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
