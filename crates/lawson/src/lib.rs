//! Lawson: a tensor compiler built around operator fusion.
//!
//! The crate users name, and the only one that reads files. A [`Client`] compiles a module to an [`Executable`], which
//! runs on [`Buffer`]s; every failure is an [`Error`] with a stable code.
//!
//! The example `examples/embed.rs`:
//!
#![doc = "```"]
#![doc = include_str!("../../../examples/embed.rs")]
#![doc = "```"]
//!
//! [`load`] reads modules, [`npz`] and [`random`] data, [`compare`] judges results. [`compile`] goes from a module to code,
//! [`explain`] tells what was decided on the way, [`bisect`] finds the decision that is at fault, [`roofline`] and
//! [`bandwidth`] what the machine permits, [`calibrate`] describes it.

#[cfg(feature = "ndarray")]
mod arrays;
pub mod bandwidth;
pub mod bisect;
pub mod buffer;
pub mod calibrate;
pub mod client;
pub mod compare;
pub mod compile;
pub mod deep;
mod element;
pub mod error;
pub mod executable;
pub mod explain;
pub mod figures;
mod host_call;
pub mod load;
pub mod memory;
pub mod npy;
pub mod npz;
pub mod options;
pub mod output;
pub mod precision;
pub mod random;
pub mod repro;
pub mod roofline;
pub mod run;
pub mod target;

pub use buffer::Buffer;
pub use client::Client;
pub use element::Element;
pub use error::{Error, ErrorCode};
pub use executable::{Donation, Executable, MemoryStats, Native, Parameter};
pub use figures::Figures;
pub use host_call::{HostArray, HostArrayMut, HostError};
pub use lawson_hlo as hlo;
pub use options::{Device, Options};
pub use run::{Argument, Cancel, Counters, Outcome, Pending, RunOptions};
