//! The line of `--version`.

use crate::machine;

/// `0.1.0 (LLVM 19.1, AMD EPYC 9004, 2 threads)`.
pub fn line() -> String {
    let llvm = machine::llvm().unwrap_or_else(|| "no LLVM".into());
    format!("{} ({llvm}, {})", env!("CARGO_PKG_VERSION"), machine::cpu_name())
}
