//! Kernels: can this region be one kernel, how, at what cost, and with what code.
//!
//! Shared by fusion and by every back end; knows no LLVM and no CUDA.

pub mod cost;
pub mod loop_ir;
pub mod lower;
pub mod plan;
pub mod program;
pub mod refusal;
pub mod region;
pub mod target;
