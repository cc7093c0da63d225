//! Executables: compiled programs as callers hold them.

use crate::abi::failure::Failure;
use crate::program::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A program that can be asked.
pub struct Executable(pub Arc<Program>);

/// A program that can be run.
pub struct Loaded {
    pub program: Arc<Program>,
    pub deleted: AtomicBool,
}

impl Loaded {
    pub fn new(program: Arc<Program>) -> Loaded {
        Loaded { program, deleted: AtomicBool::new(false) }
    }

    /// The program.
    ///
    /// # Errors
    /// It is deleted.
    pub fn program(&self) -> Result<&Arc<Program>, Failure> {
        match self.deleted.load(Ordering::Relaxed) {
            false => Ok(&self.program),
            true => Err(Failure::invalid(format!("[input] the program {} was deleted", self.program.name))),
        }
    }
}

/// What the bytes of a program live in.
pub struct Serialized(pub Vec<u8>);
