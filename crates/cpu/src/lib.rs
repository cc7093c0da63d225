//! Executes programs on the host: loads code, keeps memory and threads, runs steps.
//!
//! Code pages are never writable and executable at once; steady-state runs allocate no fresh pages; results do not
//! depend on the number of threads. `unsafe` is confined to `mapping`, `memory`, `threads`, `float_env`, `tiles` and the
//! calls of compiled code and of routines in `run`.

mod arguments;
mod calls;
mod code_cache;
mod compile;
mod executable;
mod float_env;
mod host;
mod loader;
mod mapping;
pub mod memory;
mod relocate;
mod run;
mod stop;
mod threads;
mod tiles;

pub use arguments::{Argument, Limits};
pub use calls::{CustomCall, CustomCalls};
pub use code_cache::{CodeCache, Key};
pub use compile::{CompileOptions, Compiled, KernelCode, Separate, compile, compile_separately};
pub use executable::{Executable, Outcome, compile_and_load};
pub use float_env::Denormals;
pub use host::host;
pub use lawson_llvm::{Effort, TargetSpec};
pub use loader::{Code, LoadError, PhaseFn};
pub use memory::Buffer;
pub use run::{Counters, Span, Traced};
pub use threads::{Session, ThreadPool};
pub use tiles::available as has_tiles;

use lawson_kernel::refusal::Refusal;

/// What can go wrong between a program and its results.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Codegen(#[from] lawson_llvm::Error),
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A bug of ours: a program that breaks a rule.
    #[error("invalid program: {0}")]
    Program(String),
    /// A bug of ours: planning asks whether a kernel has code.
    #[error("kernel {kernel} cannot be lowered: {refusal}")]
    Lowering { kernel: String, refusal: Refusal },
    #[error("custom-call target {0:?} is not registered")]
    UnknownCustomCall(String),
    #[error("custom-call {target:?} failed: {message}")]
    CustomCall { target: String, message: String },
    #[error("{what} {index} has {found} bytes, expected {expected}")]
    Size { what: &'static str, index: usize, found: usize, expected: usize },
    #[error("{found} {what}s given, expected {expected}")]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("the run was cancelled")]
    Cancelled,
    #[error("the run took longer than its time limit")]
    TimedOut,
    #[error("the run needs {needed} bytes, more than its limit of {limit}")]
    Limit { needed: u64, limit: u64 },
    #[error(transparent)]
    Memory(#[from] memory::OutOfMemory),
}
