//! Programs from text, differentiated and batched: what `lawson grad` and `lawson vmap` print.

use crate::error::{Error, ErrorCode};
use crate::load::Loaded;
use lawson_frontend::grad;
use lawson_frontend::vmap::{self, ModuleError};
use lawson_hlo::Module;
use lawson_hlo::verify::Fault;

/// The module of the gradients of a program whose result is one floating-point scalar: the same parameters, and as result the
/// tuple of the gradients in the order of `wrt`, which numbers the arrays of the parameters, tuples flattened; before them
/// the value where `value` asks for it.
///
/// # Errors
/// Another result, a number without an array, an array that is not of floating-point numbers, or an operation without a
/// derivative, with its line.
pub fn grad(loaded: &Loaded, wrt: &[usize], value: bool) -> Result<Module, Error> {
    grad::module(&loaded.module, wrt, value).map_err(|e| at(loaded, &e))
}

/// The module for `size` examples. `in_axes` has an entry for each array of the parameters, tuples flattened: the dimension
/// that it has in addition, with one element for each example, or `None` where it is the same for all. The examples
/// lie along the first dimension of every result.
///
/// # Errors
/// Axes that do not fit the arrays, or an operation that cannot be batched, with its line.
pub fn vmap(loaded: &Loaded, size: i64, in_axes: &[Option<usize>]) -> Result<Module, Error> {
    vmap::module(&loaded.module, size, in_axes).map_err(|e| at(loaded, &e))
}

fn at(loaded: &Loaded, e: &ModuleError) -> Error {
    let (line, instruction) = (e.line, e.instruction.clone());
    let fault = Fault { computation: "".into(), instruction, line, message: e.message.clone() };
    loaded.faults(ErrorCode::Unsupported, &[fault])
}
