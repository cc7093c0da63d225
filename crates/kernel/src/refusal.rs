//! Why something is not one kernel: refusals, each with a stable name and a sentence for the user.

pub mod catalogue;

use lawson_hlo::{DType, Opcode};

/// The reason a region has no plan, or an edge is not fused.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("`{opcode}` is not supported")]
    Unsupported { opcode: Opcode },
    #[error("`{opcode}` on {dtype} is not supported")]
    UnsupportedType { opcode: Opcode, dtype: DType },
    #[error("`{opcode}` runs on the host, between kernels")]
    Host { opcode: Opcode },
    #[error("an optimization barrier stops fusion")]
    Barrier,
    #[error("`{opcode}` has a side effect")]
    SideEffect { opcode: Opcode },
    #[error("control dependences fix when `{opcode}` runs")]
    ControlDependence { opcode: Opcode },
    #[error("{users} users would each repeat `{opcode}`")]
    Recomputes { opcode: Opcode, users: usize },
    #[error("the consumer reads each element {times} times, and `{opcode}` is expensive to repeat")]
    ReusesElements { opcode: Opcode, times: i64 },
    #[error("two reductions in one kernel need staging")]
    SecondHero { first: Opcode, second: Opcode },
    #[error("`{opcode}` needs its whole operand before it writes")]
    NeedsWholeOperand { opcode: Opcode },
    #[error("the consumer reads `{opcode}` at other positions than it is made")]
    NotInPlace { opcode: Opcode },
    #[error("`{consumer}` reads `{producer}` beyond its own row")]
    OtherRows { producer: Opcode, consumer: Opcode },
    #[error("`{opcode}` cannot share a row with other stages")]
    NotStaged { opcode: Opcode },
    #[error("a row needs {bytes} bytes between its stages, more than {limit}")]
    TileTooLarge { bytes: i64, limit: i64 },
    #[error("{rows} rows are too few to share among threads")]
    FewRows { rows: i64 },
    #[error("the kernel would hold {nodes} operations, more than {limit}")]
    CodeSize { nodes: usize, limit: usize },
    #[error("{live} values would be needed at once, more than the {registers} registers hold")]
    LiveValues { live: i64, registers: i64 },
    #[error("the kernel would take {arrays} arrays, more than {limit}")]
    TooManyArrays { arrays: usize, limit: usize },
    #[error("`{opcode}` makes several arrays, and this kernel writes one")]
    SeveralResults { opcode: Opcode },
    #[error("no other small kernel runs at the same distance from the end or the beginning")]
    NothingBeside,
    #[error("a kernel of {us} µs gains next to nothing from sharing a launch")]
    LongByItself { us: u64 },
    #[error("a kernel of {phases} phases is no part of a segment table")]
    SeveralPhases { phases: usize },
    #[error("an array that is updated in place is read elsewhere, and would have to be copied first")]
    UpdatedInPlace,
    #[error("repeating `{opcode}` takes longer than reading its result")]
    CostsMore { opcode: Opcode },
    #[error("one kernel would wait for the other, through a third")]
    WouldWait,
    #[error("more than {limit} steps would tell whether the kernels wait for each other")]
    SearchLimit { limit: usize },
    #[error("more than {limit} joins of this kernel were tried and failed")]
    TooManyTries { limit: u32 },
    #[error("one kernel would take {joined_ns} ns, the two take {apart_ns} ns")]
    NotFaster { joined_ns: u64, apart_ns: u64 },
    #[error("one kernel would hold arrays longer, and raise the peak of memory by {bytes} bytes")]
    RaisesPeakMemory { bytes: i64 },
    #[error("a frontend attribute forbids fusion of `{opcode}`")]
    Forbidden { opcode: Opcode },
    #[error("a constant of {bytes} bytes is data, not code")]
    LargeConstant { bytes: i64 },
    #[error("`{opcode}` takes a trip of the loop from one lane to another")]
    CrossLane { opcode: Opcode },
    #[error("element {element} of the loop's state goes on changing in lanes that have ended")]
    LaneNotAbsorbing { element: usize },
    #[error("each lane of the loop would carry {scalars} scalars, more than {limit}")]
    LargeState { scalars: i64, limit: i64 },
    #[error("the kernel would hold more than {limit} loops")]
    ManyLoops { limit: usize },
    #[error("this pass is switched off")]
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
            Refusal::TooManyArrays { .. } => "TooManyArrays",
            Refusal::SeveralResults { .. } => "SeveralResults",
            Refusal::NothingBeside => "NothingBeside",
            Refusal::LongByItself { .. } => "LongByItself",
            Refusal::SeveralPhases { .. } => "SeveralPhases",
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

    /// What would have to be otherwise, to follow "would fuse if ".
    pub fn would_fuse_if(&self) -> String {
        match self {
            Refusal::Unsupported { opcode } => format!("`{opcode}` were supported on this device"),
            Refusal::UnsupportedType { opcode, dtype } => {
                format!("`{opcode}` were supported on {dtype}, or the type were another")
            }
            Refusal::Host { opcode } => format!("`{opcode}` could run inside a kernel"),
            Refusal::Barrier => "the optimization barrier were not there".into(),
            Refusal::SideEffect { opcode } => format!("`{opcode}` had no side effect"),
            Refusal::ControlDependence { opcode } => format!("`{opcode}` had no control dependences"),
            Refusal::Recomputes { opcode, users } => {
                format!("`{opcode}` were cheap, or its {users} users shared one kernel")
            }
            Refusal::ReusesElements { opcode, .. } => {
                format!("`{opcode}` were cheap, or each element were read once")
            }
            Refusal::SecondHero { first, second } => {
                format!("`{first}` and `{second}` worked on the same rows and could be staged")
            }
            Refusal::NeedsWholeOperand { opcode } => {
                format!("`{opcode}` could write before it has read everything")
            }
            Refusal::NotInPlace { opcode } => {
                format!("the consumer read each element of `{opcode}` where it is made")
            }
            Refusal::OtherRows { producer, consumer } => {
                format!("`{consumer}` read only the row of `{producer}` that it works on")
            }
            Refusal::NotStaged { opcode } => format!("`{opcode}` could be a stage of a row"),
            Refusal::TileTooLarge { limit, .. } => format!("a row needed at most {limit} bytes"),
            Refusal::FewRows { .. } => "there were more rows, or shorter ones".into(),
            Refusal::CodeSize { limit, .. } => format!("the kernel stayed within {limit} operations"),
            Refusal::LiveValues { registers, .. } => {
                format!("at most {registers} values were needed at once")
            }
            Refusal::TooManyArrays { limit, .. } => format!("the kernel took at most {limit} arrays"),
            Refusal::SeveralResults { opcode } => format!("`{opcode}` made one array"),
            Refusal::NothingBeside => "another small kernel waited for as many others".into(),
            Refusal::LongByItself { .. } => "the kernel were shorter".into(),
            Refusal::SeveralPhases { .. } => "the kernel ran in one phase".into(),
            Refusal::UpdatedInPlace => "the array were not updated in place".into(),
            Refusal::CostsMore { opcode } => {
                format!("`{opcode}` were evaluated less often, or its result were larger")
            }
            Refusal::WouldWait => "no third kernel stood between the two".into(),
            Refusal::SearchLimit { .. } => "the two kernels stood closer to each other".into(),
            Refusal::TooManyTries { .. } => "the kernel had fewer neighbours that it cannot join".into(),
            Refusal::NotFaster { .. } => "the kernels shared more, or repeated less".into(),
            Refusal::RaisesPeakMemory { .. } => "memory at the peak were free".into(),
            Refusal::Forbidden { .. } => "the frontend attribute were not there".into(),
            Refusal::LargeConstant { .. } => "the constant were one value or small".into(),
            Refusal::CrossLane { opcode } => format!("`{opcode}` stayed at the index of its lane"),
            Refusal::LaneNotAbsorbing { element } => {
                format!("element {element} kept its value where the condition is false: select(p, new, old)")
            }
            Refusal::LargeState { limit, .. } => {
                format!("the arrays it carries shared their lanes, with at most {limit} scalars in each")
            }
            Refusal::ManyLoops { limit } => format!("its body held fewer than {limit} loops"),
            Refusal::SwitchedOff => "this kind of fusion were switched on".into(),
            Refusal::NoFuel => "the pass had more fuel".into(),
        }
    }
}
