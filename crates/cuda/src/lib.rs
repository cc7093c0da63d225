//! Executes programs on NVIDIA's graphics processors: makes PTX, keeps memory, submits launches.
//!
//! A device is a [`driver::Driver`]: NVIDIA's own, found when it is first asked for, so that Lawson starts where there is none,
//! or an emulated one (feature `emulated`), on which tests execute all of this crate but the calls of the driver. `unsafe` is
//! confined to those (`driver/functions`, `driver/real` and `driver/staging`), and to what the caller vouches for (`foreign`).

mod buffer;
mod compile;
mod device;
pub mod driver;
pub mod emulation;
mod error;
mod executable;
pub mod foreign;
mod graphs;
mod host;
mod kernels;
mod plan;
mod pool;
mod run;
mod transfers;

pub use buffer::{Buffer, Owner};
pub use compile::{Compiled, KernelCode, compile};
pub use device::{Device, list};
pub use driver::Properties;
pub use error::{Error, OLDEST_CAPABILITY, OLDEST_DRIVER, version};
pub use executable::{Argument, Executable, Outcome};
pub use pool::Stats;
pub use run::Counters;
pub use transfers::{Crossing, crossing};
