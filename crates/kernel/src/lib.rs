//! Kernels: can this region be one kernel, how, at what cost, and with what code.
//!
//! Shared by fusion and by every back end; knows no LLVM and no CUDA.
//!
//! In the order code is made: [`region`] is what a kernel computes, [`plan`] how, [`lower`] makes [`loop_ir`] of both,
//! and [`cost`] says what a plan costs. [`target`] and [`rates`] describe the machine, [`refusal`] has the reasons
//! against a kernel, [`program`] is what a runtime executes. Imports go one way, file by file: `cargo xtask tidy` finds
//! circles.

pub mod cost;
pub mod loop_ir;
pub mod lower;
pub mod plan;
pub mod program;
pub mod rates;
pub mod refusal;
pub mod region;
pub mod target;
