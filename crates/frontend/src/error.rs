//! What can go wrong: [`Fault`] while HLO is made, [`Error`] with the line of the user's program, [`ModuleError`] with that of
//! a text.

use lawson_hlo::infer::ShapeError;
use std::panic::Location;
use std::sync::Arc;

/// A step that cannot be done, in words that start with the operation. Where it happened is added by who asked for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

impl From<ShapeError> for Fault {
    fn from(e: ShapeError) -> Fault {
        Fault(e.0)
    }
}

/// `return fault!("`sort` needs …")`: a fault with that text.
#[macro_export]
#[doc(hidden)]
macro_rules! fault {
    ($($arg:tt)*) => { Err($crate::error::Fault(format!($($arg)*)).into()) };
}

/// A fault with the line of the Rust program that asked for what failed. A tensor carries the first one of what it was
/// computed from; `call` and `lower` give it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}:{}: {}", .0.place.file(), .0.place.line(), .0.place.column(), .0.message)]
pub struct Error(Arc<Inner>);

#[derive(PartialEq, Eq)]
struct Inner {
    place: &'static Location<'static>,
    message: String,
}

impl Error {
    /// What happened, and the line that asked for it.
    pub fn new(place: &'static Location<'static>, message: impl Into<String>) -> Error {
        Error(Arc::new(Inner { place, message: message.into() }))
    }

    /// The line of the program.
    pub fn place(&self) -> &'static Location<'static> {
        self.0.place
    }

    /// What happened, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Why a module that was read from text cannot be transformed, and at which of its instructions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", in_text(*.line, .instruction))]
pub struct ModuleError {
    /// Line in the text, from 1; 0 if it is not about one.
    pub line: u32,
    /// Empty if it is not about one.
    pub instruction: Arc<str>,
    /// What happened.
    pub message: String,
}

fn in_text(line: u32, instruction: &str) -> String {
    match (line, instruction) {
        (0, "") => String::new(),
        (0, name) => format!("{name}: "),
        (line, name) => format!("line {line}: {name}: "),
    }
}
