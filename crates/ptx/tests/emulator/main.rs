//! Texts against Rust's own arithmetic, broken kernels, known counts, and what LLVM writes.

mod arithmetic;
mod common;
mod llvm;
