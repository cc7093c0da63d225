//! Lawson: a tensor compiler built around operator fusion.
//!
//! The crate users name, and the only one that reads files. A [`Client`] compiles a module to an [`Executable`], which
//! runs on [`Buffer`]s; every failure is an [`Error`] with a stable code.
//!
//! ```
//! use lawson::{Client, Error, Options, load};
//!
//! fn main() -> Result<(), Error> {
//!     let text = "HloModule m
//!         ENTRY e { x = f32[3] parameter(0) y = f32[3] multiply(x, x) ROOT z = f32[3] add(x, y) }";
//!     let client = Client::cpu();
//!     let program = client.compile(&load::text_of("m.hlo".into(), text.into())?.module, &Options::default())?;
//!     let x = client.buffer(&[1f32, 2.0, 3.0], &[3])?;
//!     let outputs = program.run([&x])?;
//!     assert_eq!(outputs[0].to_vec::<f32>()?, [2.0, 6.0, 12.0]);
//!     Ok(())
//! }
//! ```
//!
//! [`load`] reads modules, [`npz`] and [`random`] data, [`compare`] judges results. [`compile`] goes from a module to code,
//! [`explain`] tells what was decided on the way, [`bisect`] finds the decision that is at fault, [`roofline`] and
//! [`bandwidth`] what the machine permits, [`calibrate`] describes it.

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
