//! What the benches of this folder share.

pub mod run;

/// Whatever goes wrong.
pub type Failure = Box<dyn std::error::Error>;
