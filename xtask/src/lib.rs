//! Automation as a library, so that tests can call it.

pub mod tidy;

/// The root of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
