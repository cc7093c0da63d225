//! Programs: what a runtime executes. Kernels, buffers with places, and steps in order.
//!
//! Tuples are gone: each array leaf is one buffer. A program is a function of (module, options, target) alone.
//! [`kernel`] is what launches call, [`walk`] goes over steps, [`text`] prints and reads a program, [`verify`] lists the
//! rules, [`eval`] is what they mean. [`Lives`] says when memory is needed, [`Workspace`] where that of kernels may lie.

mod alone;
pub mod eval;
mod exchanges;
mod kernel;
mod lives;
pub mod text;
pub mod verify;
pub mod walk;
mod workspace;

pub use alone::alone;
pub use eval::{evaluate, evaluate_by};
pub use exchanges::Exchanges;
pub use kernel::{Code, LibraryKernel, NamedKernel, PlannedKernel};
pub use lives::{Life, Lives};
pub use verify::{Interface, verify};
pub use workspace::{Spot, Workspace};

use lawson_hlo::{Literal, Shape};

/// A buffer, by its position in [`Program::buffers`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BufId(pub u32);

impl BufId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    /// A launch names one by position.
    pub kernels: Vec<NamedKernel>,
    pub buffers: Vec<BufferSlot>,
    pub steps: Vec<Step>,
    /// Bytes of the arena that temporaries live in.
    pub arena_bytes: i64,
    /// Inputs that a run may lose to an output, as far as the module asks for it. An input and an output stand in at
    /// most one of them.
    pub donations: Vec<Donation>,
}

/// The steps give the same values whether this input and this output are one memory or two: nothing reads the input
/// after the output changes, and no step touches both but a copy of the one to the other, which then does nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Donation {
    /// Array leaf of the arguments.
    pub input: usize,
    /// Array leaf of the result, of as many bytes.
    pub output: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct BufferSlot {
    pub bytes: i64,
    pub place: Place,
}

/// Where a buffer lives.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// Array leaf `n` of the arguments; never written, but as the output it is donated to.
    Input(usize),
    /// Array leaf `n` of the result.
    Output(usize),
    /// Data of the executable; never written.
    Constant(Literal),
    /// At this byte offset of the arena, a multiple of 64.
    Arena(i64),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Runs all phases of a kernel. `args` are its inputs and outputs, in the order of its parameters.
    Launch { kernel: usize, args: Vec<BufId> },
    /// Copies the whole of one buffer to another of the same size.
    Copy { from: BufId, to: BufId },
    /// Writes `to` row after row, each of `rows` rows made of a row of every piece: a buffer, and the bytes of one of
    /// its rows.
    Concatenate { pieces: Vec<(BufId, i64)>, rows: i64, to: BufId },
    /// Exchanges the memory of two buffers of the same size, temporaries or results.
    Swap { a: BufId, b: BufId },
    /// Runs `cond`; while the pred in `pred` is true, runs `body` and `cond` again.
    While { cond: Vec<Step>, pred: BufId, body: Vec<Step>, trips: Option<i64> },
    /// Runs one branch: predicated, branch 0 when the pred is true, else 1; by s32 index, the last when out of range.
    Conditional { selector: BufId, predicated: bool, branches: Vec<Vec<Step>> },
    /// Calls a registered host function.
    CustomCall { target: String, args: Vec<(BufId, Shape)>, results: Vec<BufId>, shape: Shape },
}
