//! Errors as PJRT has them: a code of its list, and a message that begins with Lawson's own code in brackets.

use super::memory::Handle;
use lawson::{Error, ErrorCode};

/// The codes of PJRT, which are those of gRPC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Code {
    Cancelled = 1,
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Unimplemented = 12,
    Internal = 13,
}

/// Why a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub code: Code,
    pub message: String,
}

impl Failure {
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    /// The caller is at fault.
    pub fn invalid(message: impl Into<String>) -> Failure {
        Failure::new(Code::InvalidArgument, message)
    }

    /// What the plugin does not do.
    pub fn unimplemented(what: &str) -> Failure {
        Failure::new(Code::Unimplemented, format!("[unsupported] {what}"))
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        let code = match e.code {
            ErrorCode::Parse
            | ErrorCode::Verify
            | ErrorCode::Trace
            | ErrorCode::Input
            | ErrorCode::Option
            | ErrorCode::Mismatch => Code::InvalidArgument,
            ErrorCode::Unsupported => Code::Unimplemented,
            ErrorCode::File | ErrorCode::Device => Code::FailedPrecondition,
            ErrorCode::Limit => Code::ResourceExhausted,
            ErrorCode::TimedOut => Code::DeadlineExceeded,
            ErrorCode::Cancelled => Code::Cancelled,
            ErrorCode::CustomCall | ErrorCode::Internal => Code::Internal,
        };
        Failure::new(code, format!("[{}] {}", e.code.name(), e.message))
    }
}

/// The error of a function that the plugin does not have.
pub fn absent(name: &str) -> Handle<Failure> {
    Handle::give(Failure::unimplemented(&format!("this plugin has no PJRT_{name}")))
}
