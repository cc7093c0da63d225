//! What went wrong in a launch, with the place in the text and the thread.

use crate::program::Space;
use std::fmt;

/// The reason why a launch was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An access outside of every allocation or variable of its space.
    OutOfBounds { space: Space, address: u64, bytes: u32, near: String },
    /// An address that is no multiple of the size of the access.
    Misaligned { space: Space, address: u64, bytes: u32 },
    /// A read of memory that nothing has written.
    Unwritten { space: Space, what: String },
    /// A write to constants.
    ReadOnly { what: String },
    /// Two accesses to one byte without an order between them, see the documentation of the crate.
    Race { what: String, other: String },
    /// A barrier that a part of the threads reached.
    DivergentBarrier(String),
    /// A shuffle, vote or barrier of a warp without some of the lanes in its mask.
    MissingLanes { wanted: u32, present: u32 },
    /// All threads wait.
    Deadlock(String),
    /// More instructions of warps than the options allow.
    StepLimit,
    /// An instruction that the emulator does not know.
    Unknown(String),
    /// The kernel stopped itself.
    Trap,
    /// Calls deeper than a thread's stack.
    StackOverflow,
    /// The launch does not fit the kernel: nothing was executed.
    Launch(String),
}

/// Why a launch did not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kernel: String,
    /// The line of the text.
    pub line: u32,
    pub block: [u32; 3],
    pub thread: [u32; 3],
    pub kind: FaultKind,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfBounds { space, address, bytes, near } => {
                write!(f, "{bytes} bytes of {space} memory at {address:#x} are out of bounds{near}")
            }
            Self::Misaligned { space, address, bytes } => {
                write!(f, "{address:#x} in {space} memory is no multiple of {bytes}")
            }
            Self::Unwritten { space, what } => {
                write!(f, "{what} in {space} memory is read and was never written")
            }
            Self::ReadOnly { what } => write!(f, "{what} is constant and is written"),
            Self::Race { what, other } => write!(f, "race on {what} with {other}"),
            Self::DivergentBarrier(why) => write!(f, "divergent barrier: {why}"),
            Self::MissingLanes { wanted, present } => {
                write!(f, "lanes {wanted:#010x} are wanted, {present:#010x} are there")
            }
            Self::Deadlock(why) => write!(f, "deadlock: {why}"),
            Self::StepLimit => write!(f, "more instructions than allowed"),
            Self::Unknown(opcode) => write!(f, "unknown instruction `{opcode}`"),
            Self::Trap => write!(f, "trap"),
            Self::StackOverflow => write!(f, "calls too deep"),
            Self::Launch(why) => write!(f, "cannot be launched: {why}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, line, block, thread, kind } = self;
        if let FaultKind::Launch(_) = kind {
            return write!(f, "{kernel}: {kind}");
        }
        write!(f, "{kernel}, line {line}, block {block:?}, thread {thread:?}: {kind}")
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Generic => "generic",
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Local => "local",
            Self::Const => "constant",
            Self::Param => "parameter",
        })
    }
}
