//! Compiled programs.

use crate::abi::memory::Pointer;
use crate::abi::named::Properties;
use crate::abi::python::Held;
use crate::dump::Dump;
use crate::layout::Layouts;
use crate::length::Length;
use crate::platform::Platform;
use crate::queue::Habit;
use crate::settings::Wishes;
use lawson::hlo::ArrayShape;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

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
    /// Of the arguments and results, with those of tokens, which have no dimensions.
    pub parameter_layouts: Layouts,
    pub output_layouts: Layouts,
    pub source: Vec<u8>,
    pub options: Vec<u8>,
    /// The functions in Python that it calls.
    pub calls: Vec<Arc<Held>>,
    /// The files that replay it, where they are wanted.
    pub dump: Option<Dump>,
    /// How long a run takes.
    pub length: Length,
    /// Whether its runs are waited for at once.
    pub habit: Arc<Habit>,
    pub wishes: Wishes,
    /// Its first run that was to be profiled has begun.
    pub is_measured: AtomicBool,
    /// What was measured then.
    pub measured: OnceLock<lawson::explain::Explanation>,
    /// What is told of its cost, once somebody has asked: before something was measured, and after.
    pub cost: OnceLock<Properties>,
    pub measured_cost: OnceLock<Properties>,
}

impl Program {
    /// It calls functions of this process, and means nothing in another.
    pub fn calls_python(&self) -> bool {
        !self.calls.is_empty()
    }
}

/// The results, as the C API wants to be told of them.
#[derive(Default)]
pub struct Outputs {
    /// Which of the results are tokens.
    pub tokens: Vec<usize>,
    /// The others.
    pub arrays: Vec<ArrayShape>,
    pub types: Vec<u32>,
    /// Of all results, one after the other.
    pub dims: Vec<i64>,
    pub ranks: Vec<usize>,
    pub memory_kinds: Vec<Pointer<u8>>,
    pub memory_kind_sizes: Vec<usize>,
}
