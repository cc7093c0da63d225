//! Compiled programs.

use crate::abi::memory::Pointer;
use crate::abi::named::Properties;
use crate::dump::Dump;
use crate::platform::Platform;
use crate::settings::Wishes;
use std::sync::{Arc, Mutex, OnceLock};

/// A compiled program. What it was made of is kept: to serialize it, and to explain it.
pub struct Program {
    pub platform: Arc<Platform>,
    /// Where it runs unless a run says otherwise.
    pub device: usize,
    pub code: lawson::Executable,
    pub name: String,
    /// Which of the arguments are arrays: all but tokens, which say in which order effects happen and hold nothing.
    pub arrays: Vec<usize>,
    /// How many arguments there are.
    pub arguments: usize,
    /// Arguments whose memory it may take over, by their position among the arrays.
    pub donated: Vec<usize>,
    pub outputs: Outputs,
    pub source: Vec<u8>,
    pub options: Vec<u8>,
    /// It calls functions of this process, and means nothing in another.
    pub calls_python: bool,
    /// The files that replay it, where they are wanted.
    pub dump: Option<Dump>,
    pub wishes: Wishes,
    /// What was measured in the latest run that was to be profiled.
    pub measured: Mutex<Option<lawson::explain::Explanation>>,
    /// What is told of its cost, once somebody has asked.
    pub cost: OnceLock<Properties>,
}

/// The results, as the C API wants to be told of them.
#[derive(Default)]
pub struct Outputs {
    /// Which of the results are tokens.
    pub tokens: Vec<usize>,
    pub types: Vec<u32>,
    /// Of all results, one after the other.
    pub dims: Vec<i64>,
    pub ranks: Vec<usize>,
    pub memory_kinds: Vec<Pointer<u8>>,
    pub memory_kind_sizes: Vec<usize>,
}
