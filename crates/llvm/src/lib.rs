//! Lawson: llvm.
