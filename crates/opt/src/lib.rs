//! Everything that keeps the meaning of a module: the pass manager, the passes, and fusion.
//!
//! In reading order: [`options`] is what the user chose, [`pass`] says what a pass is and what it may ask for,
//! [`pipeline`] is the one list of passes and runs it, [`report`] is what a run leaves behind, [`rebuild`] is how
//! passes walk a module, [`make`] how they write instructions, `parts` where the elements of tuples lie, `live`
//! which instructions a run needs, `numbers` which operations are equal, [`planning`] what the kernels of a module are, each planned once. [`schedule`] and
//! [`buffers`] make a program of the module that is left; each other module is one pass.

mod live;
pub mod make;
mod numbers;
pub mod options;
mod parts;
pub mod pass;
pub mod pipeline;
pub mod planning;
pub mod rebuild;
pub mod report;

pub mod buffers;
pub mod cse;
pub mod dce;
pub mod effects;
pub mod expand;
pub mod fold;
pub mod fusion;
pub mod inline;
pub mod layout;
pub mod loops;
pub mod progressions;
pub mod ranges;
pub mod schedule;
pub mod simplify;

pub use options::{Effort, Numerics, Options, PrintAfter};
pub use pass::{Changed, Diagnostic, DiagnosticKind, Pass, PassContext, Status};
