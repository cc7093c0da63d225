//! Why something is not one kernel: refusals, each with a stable name and a sentence for the user.

pub mod catalogue;

use catalogue::About;
use lawson_hlo::{DType, Opcode};

/// The reason a region has no plan, or an edge is not fused. Its text says what is so here; [`Refusal::about`] has why
/// that matters and what to do.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("`{opcode}` is not supported")]
    Unsupported { opcode: Opcode },
    #[error("`{opcode}` on {dtype} is not supported")]
    UnsupportedType { opcode: Opcode, dtype: DType },
    #[error("`{opcode}` runs on the host, between kernels")]
    Host { opcode: Opcode },
    #[error("an optimization barrier stands between the two")]
    Barrier,
    #[error("`{opcode}` has a side effect")]
    SideEffect { opcode: Opcode },
    #[error("control dependences fix when `{opcode}` runs")]
    ControlDependence { opcode: Opcode },
    #[error("{users} kernels use `{opcode}`, and each would compute it again")]
    Recomputes { opcode: Opcode, users: usize },
    #[error("the consumer reads each element {times} times and would compute `{opcode}` as often")]
    ReusesElements { opcode: Opcode, times: i64 },
    #[error("`{first}` and `{second}` need a loop nest each")]
    SecondHero { first: Opcode, second: Opcode },
    #[error("`{opcode}` reads its whole operand before it writes its first result")]
    NeedsWholeOperand { opcode: Opcode },
    #[error("the consumer reads `{opcode}` in another order than its elements are made in")]
    NotInPlace { opcode: Opcode },
    #[error("`{consumer}` reads other rows of `{producer}` than the one it works on")]
    OtherRows { producer: Opcode, consumer: Opcode },
    #[error("`{opcode}` cannot be computed row by row together with other operations")]
    NotStaged { opcode: Opcode },
    #[error("one row needs {bytes} bytes between its operations, more than {limit}")]
    TileTooLarge { bytes: i64, limit: i64 },
    #[error("{rows} rows give one kernel {tasks} parallel tasks, fewer than {least}")]
    FewRows { rows: i64, tasks: i64, least: i64 },
    #[error("the kernel would hold {nodes} operations, more than {limit}")]
    CodeSize { nodes: usize, limit: usize },
    #[error("one kernel would need {live} vector values at once and has {registers} registers")]
    LiveValues { live: i64, registers: i64 },
    #[error("a kernel would choose among {pieces} pieces by their index, more than {limit}")]
    ManyPieces { pieces: usize, limit: usize },
    #[error("the kernel would take {arrays} arrays, more than {limit}")]
    TooManyArrays { arrays: usize, limit: usize },
    #[error("`{opcode}` makes several arrays, and the consumer's kernel can make only one")]
    SeveralResults { opcode: Opcode },
    #[error("no other small kernel can run at the same time")]
    NothingBeside,
    #[error("a launch is less than 1 % of this kernel's time")]
    LongByItself,
    #[error("alone it makes a state of the loop where that lies")]
    ReplacesState,
    #[error("the kernel has steps that wait for each other")]
    SeveralPhases,
    #[error(
        "all warps of a block share the tiles of the product, and those of a joint launch work for themselves"
    )]
    TilesOfBlocks,
    #[error("an array that is updated in place is read elsewhere too")]
    UpdatedInPlace,
    #[error("computing `{opcode}` in the consumer is expected to take longer than reading its result")]
    CostsMore { opcode: Opcode },
    #[error("a third kernel has to run after the one and before the other")]
    WouldWait,
    #[error("more than {limit} steps would be needed to see whether the kernels wait for each other")]
    SearchLimit { limit: usize },
    #[error("more than {limit} attempts to fuse this kernel with others have failed")]
    TooManyTries { limit: u32 },
    #[error("one kernel is expected to take {} as long as separate kernels", times(*joined_ns, *apart_ns))]
    NotFaster { joined_ns: u64, apart_ns: u64 },
    #[error("one kernel would keep arrays longer and raise the peak of memory by {bytes} bytes")]
    RaisesPeakMemory { bytes: i64 },
    #[error("a frontend attribute forbids fusion of `{opcode}`")]
    Forbidden { opcode: Opcode },
    #[error("the producer is an array constant of {bytes} bytes")]
    LargeConstant { bytes: i64 },
    #[error("`{opcode}` in the loop's body combines elements of different loop instances")]
    CrossLane { opcode: Opcode },
    #[error("component {element} of the loop's state may change after the loop's condition is false")]
    LaneNotAbsorbing { element: usize },
    #[error("the loop carries {scalars} scalars for each instance, more than {limit}")]
    LargeState { scalars: i64, limit: i64 },
    #[error("the kernel would hold more than {limit} loops")]
    ManyLoops { limit: usize },
    #[error("this kind of fusion is switched off")]
    SwitchedOff,
    #[error("the pass ran out of fuel")]
    NoFuel,
}

impl Refusal {
    /// The stable name that reports and tests use.
    pub fn name(&self) -> &'static str {
        match self {
            Refusal::Unsupported { .. } => "Unsupported",
            Refusal::UnsupportedType { .. } => "UnsupportedType",
            Refusal::Host { .. } => "Host",
            Refusal::Barrier => "Barrier",
            Refusal::SideEffect { .. } => "SideEffect",
            Refusal::ControlDependence { .. } => "ControlDependence",
            Refusal::Recomputes { .. } => "Recomputes",
            Refusal::ReusesElements { .. } => "ReusesElements",
            Refusal::SecondHero { .. } => "SecondHero",
            Refusal::NeedsWholeOperand { .. } => "NeedsWholeOperand",
            Refusal::NotInPlace { .. } => "NotInPlace",
            Refusal::OtherRows { .. } => "OtherRows",
            Refusal::NotStaged { .. } => "NotStaged",
            Refusal::TileTooLarge { .. } => "TileTooLarge",
            Refusal::FewRows { .. } => "FewRows",
            Refusal::CodeSize { .. } => "CodeSize",
            Refusal::LiveValues { .. } => "LiveValues",
            Refusal::ManyPieces { .. } => "ManyPieces",
            Refusal::TooManyArrays { .. } => "TooManyArrays",
            Refusal::SeveralResults { .. } => "SeveralResults",
            Refusal::NothingBeside => "NothingBeside",
            Refusal::LongByItself => "LongByItself",
            Refusal::ReplacesState => "ReplacesState",
            Refusal::SeveralPhases => "SeveralPhases",
            Refusal::TilesOfBlocks => "TilesOfBlocks",
            Refusal::UpdatedInPlace => "UpdatedInPlace",
            Refusal::CostsMore { .. } => "CostsMore",
            Refusal::WouldWait => "WouldWait",
            Refusal::SearchLimit { .. } => "SearchLimit",
            Refusal::TooManyTries { .. } => "TooManyTries",
            Refusal::NotFaster { .. } => "NotFaster",
            Refusal::RaisesPeakMemory { .. } => "RaisesPeakMemory",
            Refusal::Forbidden { .. } => "Forbidden",
            Refusal::LargeConstant { .. } => "LargeConstant",
            Refusal::CrossLane { .. } => "CrossLane",
            Refusal::LaneNotAbsorbing { .. } => "LaneNotAbsorbing",
            Refusal::LargeState { .. } => "LargeState",
            Refusal::ManyLoops { .. } => "ManyLoops",
            Refusal::SwitchedOff => "SwitchedOff",
            Refusal::NoFuel => "NoFuel",
        }
    }

    /// What it means, and what its reader can do: its entry in the catalogue, which has one for each.
    pub fn about(&self) -> Option<&'static About> {
        catalogue::about(self.name())
    }
}

/// How often `part` is in `whole`, for a sentence: `1.25 times`. Ratios hold for any number of threads, as times do not.
fn times(whole: u64, part: u64) -> String {
    format!("{:.2} times", whole as f64 / part.max(1) as f64)
}
