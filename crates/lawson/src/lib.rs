//! Lawson: a tensor compiler built around operator fusion.
//!
//! The crate users name, and the only one that reads files. A module comes in through [`load`], data through
//! [`npz`] or [`random`]; [`execute`] runs it on a device under [`Options`]; [`compare`] judges the results;
//! every failure is an [`Error`] with a stable code. [`compile`] goes from a module to code, [`explain`] tells what
//! was decided on the way, [`bisect`] finds the decision
//! that is at fault, [`roofline`] and [`bandwidth`] what the machine permits, [`calibrate`] describes it.

pub mod bandwidth;
pub mod bisect;
pub mod buffer;
pub mod calibrate;
pub mod client;
pub mod compare;
pub mod compile;
pub mod deep;
pub mod error;
pub mod executable;
pub mod explain;
pub mod figures;
pub mod load;
pub mod memory;
pub mod npy;
pub mod npz;
pub mod options;
pub mod random;
pub mod repro;
pub mod roofline;
pub mod run;
pub mod target;

pub use buffer::{Buffer, Element};
pub use client::Client;
pub use error::{Error, ErrorCode};
pub use executable::{Donation, Executable, MemoryStats, Native, Parameter};
pub use figures::Figures;
pub use lawson_hlo as hlo;
pub use options::{Device, Options};
pub use run::{Argument, Cancel, Counters, Outcome, Pending, RunOptions};
