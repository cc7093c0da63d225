//! Texts against Rust's own arithmetic, broken kernels, known counts, and what LLVM writes.

mod arithmetic;
mod common;
mod control;
mod conversions;
mod counting;
mod faults;
mod floats;
mod llvm;
mod memory;
mod mutated;
mod random;
