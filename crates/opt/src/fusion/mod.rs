//! Fusion: which instructions share a kernel.
//!
//! [`spec`] is what the user allows, [`role`] what each instruction can be in a kernel, [`cut`] what one
//! host-level instruction, fused or not, computes. [`looped`] makes whole loops one kernel. [`instruction`] is the vertical pass: producers move into
//! their consumers.

pub mod cut;
pub mod instruction;
pub mod looped;
pub mod role;
pub mod spec;
