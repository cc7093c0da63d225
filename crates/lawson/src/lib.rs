//! Lawson: a tensor compiler built around operator fusion.
//!
//! The crate users name, and the only one that reads files. A module comes in through [`load`], data through
//! [`npz`] or [`random`]; [`execute`] runs it on a device under [`Options`]; [`compare`] judges the results;
//! every failure is an [`Error`] with a stable code. [`compile`] goes from a module to code, [`explain`] tells what
//! was decided on the way, [`bisect`] finds the decision
//! that is at fault, [`roofline`] and [`bandwidth`] what the machine permits, [`calibrate`] describes it.

pub mod bandwidth;
pub mod bisect;
pub mod calibrate;
pub mod compare;
pub mod compile;
pub mod error;
pub mod execute;
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
pub mod target;

pub use error::{Error, ErrorCode};
pub use execute::{Counters, Native, Prepared, Session, execute, prepare};
pub use figures::Figures;
pub use lawson_hlo as hlo;
pub use options::Options;
