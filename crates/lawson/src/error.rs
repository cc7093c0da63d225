//! The error type of the library, with codes that scripts may rely on.
//!
//! A user's mistake and a bug of ours never share a code: [`ErrorCode::exit_code`] is 2 for the one and 3 for the
//! other. Messages say where and what; a message about text carries the line with the guilty part underlined.

use lawson_frontend::array::ElementError;
use std::fmt;

/// What kind of failure it is. Names and exit codes are stable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorCode {
    /// A file cannot be read or written.
    File,
    /// The text is not HLO.
    Parse,
    /// The module breaks a rule of the language.
    Verify,
    /// The module is well formed but the device does not support it.
    Unsupported,
    /// A function in Rust cannot be traced or transformed: an operation in it does not fit its operands.
    Trace,
    /// Input or expected arrays do not fit the module.
    Input,
    /// A function behind a custom-call failed.
    CustomCall,
    /// A limit is exceeded: memory.
    Limit,
    /// A run took longer than its time limit.
    TimedOut,
    /// A run was cancelled.
    Cancelled,
    /// A device is missing, too old, or lost.
    Device,
    /// An option or a name in one is wrong.
    Option,
    /// The comparison with expected results failed.
    Mismatch,
    /// A bug of Lawson.
    Internal,
}

impl ErrorCode {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::File => "file",
            ErrorCode::Parse => "parse",
            ErrorCode::Verify => "verify",
            ErrorCode::Unsupported => "unsupported",
            ErrorCode::Trace => "trace",
            ErrorCode::Input => "input",
            ErrorCode::CustomCall => "custom-call",
            ErrorCode::Limit => "limit",
            ErrorCode::TimedOut => "timed-out",
            ErrorCode::Cancelled => "cancelled",
            ErrorCode::Device => "device",
            ErrorCode::Option => "option",
            ErrorCode::Mismatch => "mismatch",
            ErrorCode::Internal => "internal",
        }
    }

    /// The exit code of a process that ends with this error.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorCode::Mismatch => 1,
            ErrorCode::Internal => 3,
            _ => 2,
        }
    }
}

/// A failure: a code, and a message for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What kind of failure it is.
    pub code: ErrorCode,
    /// One or more lines, without a trailing newline and without a leading `error:`.
    pub message: String,
}

impl Error {
    /// A failure of this kind.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Error {
        Error { code, message: message.into() }
    }

    /// A file that cannot be read or written.
    pub fn file(path: &std::path::Path, action: &str, cause: impl fmt::Display) -> Error {
        Error::new(ErrorCode::File, format!("cannot {action} {}: {cause}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// With the line of the Rust program.
impl From<lawson_frontend::Error> for Error {
    fn from(e: lawson_frontend::Error) -> Error {
        Error::new(ErrorCode::Trace, e.to_string())
    }
}

impl From<ElementError> for Error {
    fn from(e: ElementError) -> Error {
        Error::new(ErrorCode::Input, e.to_string())
    }
}

/// An option that cannot be honoured.
pub fn option_error(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::Option, message)
}
