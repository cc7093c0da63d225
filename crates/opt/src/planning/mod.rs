//! Kernels of a module: what one instruction computes, whether that is one kernel, how it is planned and what it costs.
//!
//! [`cut`] is what one host-level instruction, fused or not, computes, `legal` whether that is one kernel, `judge` what
//! it costs, `plans` its plan, [`segments`] the form of kernels that share a launch. Equal kernels are planned once,
//! whichever pass asks.

pub mod cut;
pub(crate) mod judge;
pub(crate) mod legal;
mod plans;
pub mod segments;

pub(crate) use judge::Judge;
pub(crate) use plans::product_order;
pub use plans::{PlanId, Plans};
