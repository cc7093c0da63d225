//! The reference interpreter: what every operation means, to the bit in `strict` numerics.
//!
//! Written for clarity; compiled code is judged by it. In reading order: `word` (one wide representation for
//! elements of any type), `elementwise` (the meaning of each scalar operation), `parts` (composites), `order` (the one place that
//! fixes the order of reductions), `movement`, then an operation to a file, and `machine`, which runs
//! computations; `scalar` is what other evaluators share. Module and arguments are as the verifier lets them through; what is not supported, too large
//! or wrongly called is an [`EvalError`], never a panic.

mod batch_norm;
mod bitcast;
mod contraction;
mod control;
mod convolution;
mod dynamic;
mod elementwise;
mod error;
mod fft;
mod gather_scatter;
mod library;
mod limits;
mod machine;
mod movement;
mod ntt;
pub mod order;
mod parts;
mod random;
mod reduce;
mod reducer;
pub mod scalar;
mod scalar_program;
mod scan;
mod sort;
mod unseen;
mod walk;
mod window;
mod word;

pub use error::{EvalError, Reason};

use crate::ids::CompId;
use crate::instruction::Instruction;
use crate::literal::Value;
use crate::module::Module;
use crate::shape::Shape;
use machine::Machine;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Evaluates the entry computation.
pub fn evaluate(module: &Module, args: &[Value], options: &Options) -> Result<Value, EvalError> {
    machine::run(module, module.entry, args, options)
}

/// Evaluates one computation with default options.
pub fn evaluate_computation(module: &Module, comp: CompId, args: &[Value]) -> Result<Value, EvalError> {
    machine::run(module, comp, args, &Options::default())
}

/// Evaluates one instruction on known operands with default options. Its operand ids are not looked at, so
/// the instruction need not be part of a computation; computations it calls are looked up in `module`.
pub fn evaluate_instruction(
    module: &Module,
    instr: &Instruction,
    operands: &[Value],
) -> Result<Value, EvalError> {
    let options = Options::default();
    let run = || Machine::new(module, &options).instruction(instr, operands.to_vec());
    control::with_stack(module, instr.attrs.called(), run).map_err(|e| e.at(&instr.name))
}

/// A function behind `custom_call_target`: operands and the result shape in, the result out.
pub type CustomCallFn = dyn Fn(&[Value], &Shape) -> Result<Value, String> + Send + Sync;

/// What an evaluation may use.
#[derive(Clone)]
pub struct Options {
    /// Functions of custom-calls by target name.
    pub custom_calls: FxHashMap<String, Arc<CustomCallFn>>,
    /// Upper bound on the bytes of any one array or scratch buffer.
    pub max_bytes: u64,
    /// Upper bound on the element operations done, `None` for no bound. An instruction counts its largest
    /// operand or result, a dot or convolution its multiplications.
    pub max_operations: Option<u64>,
    /// Asked before each instruction that is no element of a reduction, and in each trip of a loop: true ends the
    /// evaluation.
    pub interrupt: Option<Arc<Interrupt>>,
}

/// Whether an evaluation should end.
pub type Interrupt = dyn Fn() -> bool + Send + Sync;

impl Default for Options {
    fn default() -> Options {
        Options {
            custom_calls: FxHashMap::default(),
            max_bytes: 8 << 30,
            max_operations: None,
            interrupt: None,
        }
    }
}
