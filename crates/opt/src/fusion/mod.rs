//! Fusion: which instructions share a kernel.
//!
//! [`cut`] says what one host-level instruction, fused or not, computes.

pub mod cut;
