//! What is wrong with a text, with the line where it is.

use std::fmt;

/// A text that is no PTX, or none that this crate reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Counted from 1.
    pub line: u32,
    pub message: String,
}

impl Error {
    pub fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;
