//! Code generation through LLVM: Loop IR to LLVM IR, to assembly text or the bytes of an object file.
//!
//! The only crate that names `inkwell`. It guarantees that a kernel the Loop IR verifier accepts compiles on every
//! [`TargetSpec`], without calls to libraries, without contraction and without fast-math: what the Loop IR says is
//! what runs. No LLVM IR pass runs; vectors, fusion and unrolling are decided before.

mod blocks;
mod compiler;
mod emit;
mod error;
pub mod fatal;
mod ir;
mod library;
mod options;
mod passes;
pub mod provoke;
mod target;

pub use blocks::{Blocks, entry_symbol};
pub use compiler::{Compiler, Effort};
pub use emit::phase_symbol;
pub use error::Error;
pub use library::{BUILT_WITH, identity};
pub use target::TargetSpec;

/// What made this crate, as a digest of its sources and of those of Loop IR: objects of another one may differ.
pub const CODEGEN: &str = env!("LAWSON_CODEGEN");

/// The version of the LLVM library in use, such as `19.1.7`.
///
/// # Errors
/// The library cannot be loaded.
pub fn version() -> Result<String, Error> {
    library::load()?;
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    Ok(format!("{major}.{minor}.{patch}"))
}
