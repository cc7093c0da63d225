//! Why an evaluation stopped.

use std::fmt;

/// An evaluation that could not be done: which instruction, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The innermost instruction at fault; `None` for wrong arguments.
    pub instruction: Option<String>,
    pub reason: Reason,
    pub message: String,
}

/// The kind of an [`EvalError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Wrong number, shapes or types of arguments.
    Arguments,
    /// The interpreter has no such operation, or not for this element type.
    Unsupported,
    /// Over a limit of the options, or nested too deeply.
    Limit,
    /// A custom-call whose function failed.
    CustomCall,
    /// [`super::Options::interrupt`] asked for it.
    Interrupted,
    /// The instruction breaks a rule that the verifier checks.
    Malformed,
}

pub(super) type Result<T> = std::result::Result<T, EvalError>;

impl EvalError {
    pub(super) fn new(reason: Reason, message: impl Into<String>) -> EvalError {
        EvalError { instruction: None, reason, message: message.into() }
    }

    pub(super) fn unsupported(message: impl Into<String>) -> EvalError {
        EvalError::new(Reason::Unsupported, message)
    }

    pub(super) fn malformed(message: impl Into<String>) -> EvalError {
        EvalError::new(Reason::Malformed, message)
    }

    /// Names the instruction at fault, unless an inner one is named already.
    pub(super) fn at(mut self, instruction: &str) -> EvalError {
        self.instruction.get_or_insert_with(|| instruction.to_string());
        self
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.instruction {
            Some(name) => write!(f, "{name}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for EvalError {}
