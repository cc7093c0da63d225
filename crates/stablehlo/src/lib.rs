//! StableHLO programs as HLO modules: what JAX hands to compilers, and what it prints.
//!
//! [`read`] takes portable artifacts (MLIR bytecode, `bytecode`) and text (`text`) and tells them apart. Both become the
//! same operations in memory (`ir`), which `convert` turns into HLO, one operation after the other.

mod bytecode;
mod convert;
mod error;
mod ir;
mod text;

pub use error::{Error, Kind, Place, Result};

use lawson_hlo::Module;

/// Reads a program, artifact or text.
///
/// # Errors
/// Those of [`read_artifact`] and [`read_text`].
pub fn read(bytes: &[u8]) -> Result<Module> {
    if is_artifact(bytes) {
        return read_artifact(bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read_text(text),
        Err(e) => {
            let message = "this is neither a portable artifact of StableHLO nor text in UTF-8";
            Err(Error::malformed(Place::Byte(e.valid_up_to()), message))
        }
    }
}

/// Reads a portable artifact.
///
/// # Errors
/// Damage, with its offset; what Lawson cannot do, with the line of the user's program.
pub fn read_artifact(bytes: &[u8]) -> Result<Module> {
    convert::module(&bytecode::read(bytes)?)
}

/// Reads the text of a program.
///
/// # Errors
/// What is wrong, with line and column; what Lawson cannot do, with the line of the user's program too.
pub fn read_text(text: &str) -> Result<Module> {
    convert::module(&text::read(text)?)
}

/// Whether these are the bytes of a portable artifact.
pub fn is_artifact(bytes: &[u8]) -> bool {
    bytecode::is_artifact(bytes)
}
