//! The line of `--version`.

use crate::machine;

/// `0.1.0 (LLVM 19.1.7, AMD EPYC 9R14)`.
pub fn line() -> String {
    format!("{} (LLVM {}, {})", env!("CARGO_PKG_VERSION"), lawson_llvm::BUILT_WITH, machine::cpu_name())
}
