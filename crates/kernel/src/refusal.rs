//! Why something is not one kernel: refusals, each with a stable name and a sentence for the user.

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
    #[error("the kernel would hold {nodes} operations, more than {limit}")]
    CodeSize { nodes: usize, limit: usize },
    #[error("the kernel would take {arrays} arrays, more than {limit}")]
    TooManyArrays { arrays: usize, limit: usize },
    #[error("the consumer updates this array in place")]
    UpdatedInPlace,
    #[error("a constant of {bytes} bytes is data, not code")]
    LargeConstant { bytes: i64 },
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
            Refusal::Recomputes { .. } => "Recomputes",
            Refusal::ReusesElements { .. } => "ReusesElements",
            Refusal::SecondHero { .. } => "SecondHero",
            Refusal::NeedsWholeOperand { .. } => "NeedsWholeOperand",
            Refusal::NotInPlace { .. } => "NotInPlace",
            Refusal::CodeSize { .. } => "CodeSize",
            Refusal::TooManyArrays { .. } => "TooManyArrays",
            Refusal::UpdatedInPlace => "UpdatedInPlace",
            Refusal::LargeConstant { .. } => "LargeConstant",
            Refusal::SwitchedOff => "SwitchedOff",
            Refusal::NoFuel => "NoFuel",
        }
    }
}
