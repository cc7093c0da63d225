//! Executes PTX on the host and watches what it does.

mod counters;
mod decode;
mod error;
mod fault;
mod lanes;
mod launch;
mod lex;
mod matrix;
mod memory;
mod module;
mod parse;
mod program;
mod race;
mod soft;
mod text;
mod types;

pub use counters::{Banks, Class, Counters, Flow, Traffic};
pub use error::Error;
pub use fault::{Fault, FaultKind};
pub use launch::{Options, Param};
pub use memory::{Memory, MemoryError};
pub use module::Module;
pub use program::Space;
