//! What was fused and why: the explanation as data, and as text ([`text`]), JSON ([`json`]), Graphviz ([`dot`]) and
//! a page for browsers ([`html`]). [`check`] asserts on it in a user's tests.
//!
//! Names are those of the input text. There is one final verdict for each edge between two instructions.

mod build;
pub mod check;
mod crossing;
mod decisions;
pub mod dot;
mod formula;
pub mod graph;
pub mod html;
pub mod json;
mod layout;
mod listing;
mod measure;
mod names;
pub mod residuals;
mod savings;
pub mod text;
mod totals;
mod tuning;

use crate::tuning::Tuning;
pub use build::{explain, explain_compiled, unexplained};
pub use check::Unfused;
pub use crossing::{Level, Residence};
pub use graph::{Edge, Graph, Node, NodeKind};
pub use lawson_kernel::refusal::catalogue::Ground;
pub use measure::{measure, time_kernels};
pub use residuals::{Residual, Residuals};

/// The explanation of one module on one target.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    /// `softmax.hlo`.
    pub module: String,
    /// `f32[4096,1024] → f32[4096,1024]`.
    pub signature: String,
    /// `cpu zen4, 2 threads, standard`.
    pub machine: String,
    /// `full` or `fast`: how much planning and code generation may do.
    pub mode: String,
    /// The kernels, in the order of the program.
    pub kernels: Vec<Kernel>,
    /// The verdict on every edge.
    pub decisions: Vec<Decision>,
    /// Every pair of whole kernels that a pass looked at, in that order.
    pub joins: Vec<Join>,
    /// What the compile modes cost, where it was measured: the one asked for first.
    pub compiled: Vec<Compiled>,
    /// Every kernel that might share its launch with others that know nothing of it.
    pub candidates: Vec<Candidate>,
    /// Instructions that several kernels list.
    pub repeated: Vec<Repeated>,
    /// Arrays between kernels that lie in another order than that of their dimensions.
    pub layouts: Vec<Layout>,
    /// What the backward half of a derivative needs of the forward half.
    pub residuals: Residuals,
    /// What crosses between the host and a graphics processor; nothing where the plan is for a processor.
    pub residence: Option<Residence>,
    /// The plans that were measured, where that was asked for.
    pub tuning: Option<Tuning>,
    /// What each pass did, in order.
    pub passes: Vec<PassOutcome>,
    /// What fusion saw: a graph of operations for each computation that the host runs.
    pub before: Vec<Graph>,
    /// What it left: graphs of kernels.
    pub after: Vec<Graph>,
    /// Sums over the module.
    pub totals: Totals,
}

/// One compiled entry at one call site.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Kernel {
    /// The instruction whose value it makes.
    pub name: String,
    /// `kLoop`, `kInput`, `kOutput`, `kCustom`, or the opcode of a lone instruction.
    pub kind: String,
    /// `elementwise`, `loop`, `input`, `output`, `reduction`, `loop-carried`, `library`.
    pub category: String,
    /// The plan in a few words: `rows 4096 × 1024, 3 stages in L1`.
    pub plan: String,
    /// Parallel regions of one launch.
    pub phases: u64,
    /// Executions; `None` where a trip count is unknown.
    pub launches: Option<u64>,
    /// The input instructions it computes, in order.
    pub instructions: Vec<Operation>,
    /// The user's source lines: `train.py:12`.
    pub places: Vec<String>,
    /// Of one launch.
    pub bytes_read: u64,
    /// Of one launch.
    pub bytes_written: u64,
    /// Operations on elements, of one launch.
    pub flops: u64,
    /// What the cost model expects of one launch, in µs.
    pub predicted_us: f64,
    /// The two sides of the roofline: to move its bytes.
    pub memory_us: f64,
    /// To do its work.
    pub work_us: f64,
    /// The least time of one launch, where it was measured.
    pub measured_us: Option<f64>,
    /// Vector values that are needed at once.
    pub live: u64,
    /// Operations of its code.
    pub code: u64,
    /// The share of a multiprocessor's threads that it holds; `None` on a processor.
    pub occupancy: Option<f64>,
}

/// An instruction of the input.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Operation {
    /// As in the text.
    pub name: String,
    /// Its line of the text, without metadata.
    pub text: String,
    /// The user's name for the place it stands in: `jit(f)/softmax/exp`, from `op_name` of its metadata.
    pub scope: Option<String>,
    /// `train.py:12`, else its line in the text.
    pub place: String,
}

/// What one pass did; rounds of a fixed point are told together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PassOutcome {
    /// The name that `--fuel` and `--print-after` take.
    pub name: String,
    /// Whether it did anything.
    pub changed: bool,
    /// Of the module before it.
    pub instructions_before: u64,
    /// Of the module after it.
    pub instructions_after: u64,
    /// Its rules with how often each did a rewrite.
    pub rules: Vec<(String, u64)>,
}

/// The verdict on one edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decision {
    /// The instruction that makes the value.
    pub producer: String,
    /// The one that uses it.
    pub consumer: String,
    /// Whether one kernel computes both.
    pub fused: bool,
    /// The pass that decided.
    pub pass: String,
    /// The stable name of the refusal, where it was refused.
    pub refusal: Option<String>,
    /// What is so, and why it matters.
    pub reason: String,
    /// What the user can do, and at most what that saves.
    pub counterfactual: Option<String>,
    /// The user's source lines of both.
    pub places: Vec<String>,
    /// Bytes that are written or read no longer; of a value that several fused edges share, the first has the write.
    pub bytes_saved: u64,
    /// Twice the size of the intermediate, on the first edge of those that save it.
    pub bytes_saved_formula: u64,
    /// The time to move these bytes, and to launch the kernel that would write them.
    pub us_saved: f64,
    /// Why it was refused, in short.
    pub ground: Option<Ground>,
    /// Of a kept edge, at most what fusing it would save; nothing where separate kernels are faster.
    pub would_save_bytes: u64,
    /// The same as time, in µs.
    pub would_save_us: f64,
    /// The kernels that compute the producer; none for what runs on the
    /// host, and for a transpose that nobody computes since its operand lies as it would make it.
    pub from_kernels: Vec<usize>,
    /// Those of the consumer.
    pub to_kernels: Vec<usize>,
}

/// An instruction of the input that several kernels list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Repeated {
    /// Its name in the text.
    pub instruction: String,
    /// By their positions in the explanation.
    pub kernels: Vec<usize>,
    /// Why.
    pub how: Repeat,
}

/// Why several kernels list an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repeat {
    /// Each of them computes it, so that nobody has to read it.
    #[default]
    Again,
    /// It became several operations (its function was called at several places, or it was rewritten), which these kernels
    /// compute.
    Parts,
}

/// The verdict on two whole kernels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Join {
    /// The pass that decided.
    pub pass: String,
    /// What they were called at that time: the instruction whose value each makes.
    pub kernels: [String; 2],
    /// Whether they became one.
    pub joined: bool,
    /// The stable name of the refusal, where it was refused.
    pub refusal: Option<String>,
    /// A sentence for the user.
    pub reason: String,
}

/// What compiling in one mode takes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compiled {
    /// `full` or `fast`.
    pub mode: String,
    /// How many kernels that gives.
    pub kernels: u64,
    /// For everything before code generation.
    pub planning_ms: f64,
    /// For code generation.
    pub code_ms: f64,
}

/// Whether a kernel shares its launch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Candidate {
    /// What it was called at that time.
    pub kernel: String,
    /// Whether it does.
    pub joined: bool,
    /// The stable name of the refusal, where it has a launch of its own.
    pub refusal: Option<String>,
    /// A sentence for the user.
    pub reason: String,
}

/// How an array between kernels lies in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// The instruction that makes it.
    pub array: String,
    /// With its dimensions from the innermost to the outermost, as HLO writes them: `f32[512,64]{0,1}`.
    pub shape: String,
    /// Predicted time of the kernels that write and read it, if its dimensions lay in order, in µs.
    pub us_in_order: f64,
    /// The same as the array lies.
    pub us: f64,
}

/// Sums over the module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Totals {
    /// Instructions of the input, parameters, constants and tuples apart.
    pub instructions: u64,
    /// Compiled entries, each call site counted.
    pub kernels: u64,
    /// `None` where a trip count is unknown; such a loop counts as one trip in what follows.
    pub launches: Option<u64>,
    /// Copies and fills by the runtime outside loops of unknown trip count.
    pub copies: u64,
    /// Bytes that kernels would move without fusion.
    pub bytes_unfused: u64,
    /// Bytes that they move.
    pub bytes_fused: u64,
    /// The difference.
    pub bytes_saved: u64,
    /// Σ size × 2 over the operations whose output is no longer written.
    pub bytes_saved_formula: u64,
    /// Σ size × 2 over all operations: each output written once and read once.
    pub bytes_unfused_formula: u64,
    /// What the formula leaves: each result written once, each intermediate in memory written and read once.
    pub bytes_fused_formula: u64,
    /// Operations on elements.
    pub flops: u64,
    /// What the cost model expects of a run, in µs.
    pub predicted_us: f64,
    /// Whether that is of this machine as `lawson doctor --calibrate` measured it.
    pub calibrated: bool,
    /// `memory (47 GB/s)` or `arithmetic (59 Gop/s)`.
    pub bound: String,
}

/// An explanation that has one of everything; tests of the renderings share it.
#[cfg(test)]
pub(crate) fn example() -> Explanation {
    let decision = |producer: &str, consumer: &str| Decision {
        producer: producer.into(),
        consumer: consumer.into(),
        fused: true,
        pass: "instruction-fusion".into(),
        reason: "the consumer's kernel computes the producer".into(),
        bytes_saved: 32 << 20,
        bytes_saved_formula: 32 << 20,
        us_saved: 700.0,
        from_kernels: vec![0],
        to_kernels: vec![0],
        ..Decision::default()
    };
    let operation = |name: &str| Operation {
        name: name.into(),
        text: format!("{name} = f32[4096,1024] op(<{name}>)"),
        scope: Some(format!("jit(f)/softmax/{}", name.split('.').next().unwrap_or(name))),
        place: "train.py:12".into(),
    };
    Explanation {
        module: "rows.hlo".into(),
        signature: "f32[4096,1024] → f32[4096,1024]".into(),
        machine: "cpu zen4, 2 threads, standard".into(),
        mode: "full".into(),
        kernels: vec![Kernel {
            name: "fused_exp_divide".into(),
            kind: "kCustom".into(),
            category: "reduction".into(),
            plan: "rows 4096 × 1024, 3 stages in L1".into(),
            phases: 1,
            launches: Some(1),
            instructions: ["exp.1", "sum.2", "div.3"].map(operation).into(),
            places: vec!["train.py:12".into()],
            bytes_read: 16 << 20,
            bytes_written: 16 << 20,
            flops: 1 << 24,
            predicted_us: 710.0,
            memory_us: 708.0,
            work_us: 120.0,
            measured_us: None,
            live: 6,
            code: 48,
            occupancy: None,
        }],
        decisions: vec![
            decision("exp.1", "div.3"),
            Decision {
                fused: false,
                refusal: Some("Sort".into()),
                reason: "a sort reads its whole row before it writes".into(),
                counterfactual: Some("Sort less. Fusion would save up to 8.0 MiB, 160.0 µs.".into()),
                places: vec!["model.py:31".into()],
                ground: Some(Ground::Legality),
                would_save_bytes: 8 << 20,
                would_save_us: 160.0,
                from_kernels: vec![0],
                to_kernels: vec![1],
                ..decision("sort.4", "mul.9")
            },
        ],
        joins: vec![Join {
            pass: "multi-output-fusion".into(),
            kernels: ["div.3".into(), "mul.9".into()],
            joined: false,
            refusal: Some("WouldWait".into()),
            reason: "one kernel would wait for the other, through a third".into(),
        }],
        compiled: vec![Compiled { mode: "full".into(), kernels: 1, planning_ms: 1.5, code_ms: 10.5 }],
        candidates: [None, Some("LongByItself".to_string())]
            .map(|refusal| Candidate {
                kernel: if refusal.is_none() { "add.7" } else { "div.3" }.into(),
                joined: refusal.is_none(),
                reason: if refusal.is_none() { "it shares a launch" } else { "it runs for 710 µs" }.into(),
                refusal,
            })
            .into(),
        repeated: vec![Repeated { instruction: "exp.1".into(), kernels: vec![0, 1], how: Repeat::Again }],
        layouts: vec![Layout {
            array: "exp.1".into(),
            shape: "f32[4096,1024]{0,1}".into(),
            us_in_order: 830.0,
            us: 710.0,
        }],
        residuals: Residuals {
            all: vec![Residual {
                value: "exp.1".into(),
                shape: "f32[4096,1024]".into(),
                bytes: 16 << 20,
                stored: 0,
                fate: "recomputed".into(),
                reason: "16.0 MiB need not wait".into(),
                readers: 1,
                places: vec!["train.py:12".into()],
            }],
            marked: true,
            bytes: 0,
            bytes_if_all_saved: 16 << 20,
            peak: 4 << 20,
            peak_without: 20 << 20,
        },
        totals: Totals {
            instructions: 4,
            kernels: 1,
            launches: None,
            copies: 0,
            bytes_unfused: 128 << 20,
            bytes_fused: 32 << 20,
            bytes_saved: 96 << 20,
            bytes_saved_formula: 96 << 20,
            bytes_unfused_formula: 128 << 20,
            bytes_fused_formula: 16 << 20,
            flops: 1 << 24,
            predicted_us: 710.0,
            calibrated: false,
            bound: "memory (47 GB/s)".into(),
        },
        residence: None,
        tuning: Some(tuning::example()),
        passes: vec![
            PassOutcome {
                name: "simplification".into(),
                changed: true,
                instructions_before: 9,
                instructions_after: 7,
                rules: vec![("merge".into(), 2)],
            },
            PassOutcome { name: "inline".into(), ..PassOutcome::default() },
        ],
        before: vec![graph::example(false)],
        after: vec![graph::example(true)],
    }
}
