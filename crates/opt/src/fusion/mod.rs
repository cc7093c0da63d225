//! Fusion: which instructions share a kernel.
//!
//! What the user allows stands in [`crate::options::fusion`], whether a computation is one kernel and what it costs in
//! [`crate::planning`]. [`role`] is what each instruction can be in a kernel, [`limits`] how much one holds, [`crossing`] what
//! passes between the parts of one that is too long, [`call`] what stands for a kernel in the module.
//!
//! The passes: [`loop_fusion`] makes whole loops one kernel; [`chains`] cuts maps that are too many for one; [`instruction`]
//! moves producers into their consumers and grows the first kernels; [`merger`], [`multi_output`] and [`staged`] join whole
//! kernels, by one engine ([`join`]) and three policies; [`residual`] decides what waits in memory for the backward half of a
//! derivative; [`horizontal`] lets those that know nothing of each other share a launch, in the form that
//! [`crate::planning::segments`] describes.

pub(crate) mod call;
pub mod chains;
mod crossing;
pub mod demands;
pub mod horizontal;
pub mod instruction;
mod join;
pub(crate) mod limits;
pub mod loop_fusion;
pub mod merger;
pub mod multi_output;
pub mod residual;
pub mod role;
pub mod staged;
