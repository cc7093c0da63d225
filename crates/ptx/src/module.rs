//! A parsed text, ready to be launched.

use crate::error::Result;
use crate::parse::{self, Parsed};
use crate::program::{Function, Variable};
use std::sync::atomic::{AtomicU64, Ordering};

/// A text with its kernels. Its variables live in the memory of the device that it is launched on.
#[derive(Debug)]
pub struct Module {
    pub(crate) functions: Vec<Function>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) number: u64,
    refused: Vec<(u32, String)>,
    target: String,
}

impl Module {
    /// Reads a text. An instruction that is not known is no error: see [`Module::refused`].
    pub fn parse(text: &str) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Parsed { functions, variables, refused, target } = parse::parse(text)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { functions, variables, number, refused, target })
    }

    /// The kernels, in the order of the text.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().filter(|f| f.entry).map(|f| f.name.as_str())
    }

    /// The lines and opcodes of instructions that are not known; a launch that meets one is a fault.
    pub fn refused(&self) -> &[(u32, String)] {
        &self.refused
    }

    /// What the text is for, as `sm_90`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The bytes of each parameter of a kernel.
    pub fn parameters(&self, entry: &str) -> Option<Vec<u32>> {
        let f = self.functions.iter().find(|f| f.entry && f.name == entry)?;
        Some(f.parameters.iter().map(|p| p.bytes).collect())
    }
}
