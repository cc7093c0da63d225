//! StableHLO programs as HLO modules: what JAX hands to compilers, and what it prints.
//!
//! [`read`] takes portable artifacts (MLIR bytecode, `bytecode`) and text (`text`) and tells them apart. Both become the
//! same operations in memory (`ir`), which `convert` turns into HLO, one operation after the other. [`print()`] goes the other way.

mod bytecode;
mod convert;
mod error;
mod ir;
mod print;
mod text;

pub use error::{Error, Kind, Place, Result};
pub use print::text as print;

use lawson_hlo::text::BYTE_ORDER_MARK;
use lawson_hlo::{Module, Opcode};

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
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    convert::module(&text::read(text)?)
}

/// The operations that are read, by name, with the opcode that each becomes.
pub fn operations() -> impl Iterator<Item = (&'static str, Opcode)> {
    convert::OPS.iter().map(|&(name, opcode, _)| (name, opcode))
}

/// Whether these are the bytes of a portable artifact.
pub fn is_artifact(bytes: &[u8]) -> bool {
    bytecode::is_artifact(bytes)
}

/// Whether a text begins as those of StableHLO do, not as HLO text does.
pub fn is_text(text: &str) -> bool {
    let mut rest = text.trim_start_matches(BYTE_ORDER_MARK).trim_start();
    // Comments, and what locations and attributes are called.
    while rest.starts_with("//") || rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let begins = |word: &str| rest.strip_prefix(word).is_some_and(|r| r.starts_with([' ', '(']));
    // A computation of HLO text may be called that.
    let module = begins("module") && !rest.lines().any(|line| line.starts_with("ENTRY "));
    module || ["func.func", "builtin.module", "\"builtin.module\"", "\"func.func\""].into_iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn texts_are_told_apart() {
        assert!(is_text("#loc = loc(\"x\")\nmodule @jit_f attributes {} {\n}"));
        assert!(is_text("// a comment\nfunc.func @main() { return }"));
        assert!(is_text("\"builtin.module\"() ({}) : () -> ()"));
        assert!(!is_text("HloModule m\nENTRY e {\n  ROOT a = f32[2] parameter(0)\n}\n"));
        assert!(!is_text("module (x: f32[]) -> f32[] {\n}\nENTRY e {\n}"));
        assert!(!is_text("ENTRY e {}"));
        assert!(is_text("module @m {\n  // ENTRY of a queue\n}"));
    }
}
