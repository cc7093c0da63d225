//! Errors: what is wrong, where in the input, and at which line of the user's program.

use std::fmt;

/// Where in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Place {
    #[default]
    Unknown,
    /// A byte of an artifact, from 0.
    Byte(usize),
    /// Line and column of a text, from 1.
    Text { line: u32, column: u32 },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Unknown => f.write_str("the program"),
            Place::Byte(at) => write!(f, "byte {at}"),
            Place::Text { line, column } => write!(f, "line {line}, column {column}"),
        }
    }
}

/// Whether the program is at fault, or Lawson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Damaged, ill-formed, or no StableHLO.
    Malformed,
    /// Well formed as far as was read, but more than Lawson can do.
    Unsupported,
}

/// Why a program was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    pub kind: Kind,
    pub message: String,
    pub place: Place,
    /// `file:line` of the user's program, where the operation at fault tells.
    pub origin: Option<String>,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn malformed(place: Place, message: impl Into<String>) -> Error {
        Error { kind: Kind::Malformed, message: message.into(), place, origin: None }
    }

    /// Named as what scripts look for.
    pub fn unsupported(place: Place, message: impl fmt::Display) -> Error {
        let message = format!("STABLEHLO: {message}");
        Error { kind: Kind::Unsupported, message, place, origin: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.origin {
            Some(origin) => write!(f, " ({origin})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
