//! What runs programs: operations on concrete tensors outside of traced functions need it.
//!
//! The front end knows no device. Whoever can run programs adds itself to [`BACKENDS`] where it is linked; the crate
//! `lawson` does. Where nobody has, the reference interpreter runs them, slowly.

use crate::array::Array;
use crate::host;
use lawson_hlo::{ArrayShape, Literal, Module, Value, eval, verify};
use linkme::distributed_slice;

/// Compiles and runs programs.
pub trait Backend: Sync {
    /// Runs a verified module on the array leaves of its arguments; gives those of its result. Called often with equal
    /// modules, so what is compiled is worth keeping.
    ///
    /// # Errors
    /// What went wrong, in words.
    fn run(&self, module: &Module, arguments: &[Array]) -> Result<Vec<Array>, String>;

    /// An array with a copy of these bytes, in memory that programs read without another copy.
    ///
    /// # Errors
    /// What went wrong, in words.
    fn array(&self, shape: &ArrayShape, bytes: &[u8]) -> Result<Array, String> {
        Ok(Array::from_literal(Literal::new(shape.clone(), bytes)))
    }
}

/// Whoever can run programs; the first is used.
#[distributed_slice]
pub static BACKENDS: [&'static dyn Backend];

/// Runs a module on whatever is linked.
pub(crate) fn run(module: &Module, arguments: &[Array]) -> Result<Vec<Array>, String> {
    linked().run(module, arguments)
}

/// An array with a copy of these bytes, where whatever is linked likes it.
pub(crate) fn array(shape: &ArrayShape, bytes: &[u8]) -> Result<Array, String> {
    linked().array(shape, bytes)
}

fn linked() -> &'static dyn Backend {
    BACKENDS.first().copied().unwrap_or(&Interpreter)
}

/// The reference interpreter.
struct Interpreter;

impl Backend for Interpreter {
    fn run(&self, module: &Module, arguments: &[Array]) -> Result<Vec<Array>, String> {
        verify::verify(module).map_err(|faults| format!("{}\n{module}", faults[0]))?;
        let arguments: Vec<Value> = arguments.iter().map(|a| Value::Array(a.to_literal())).collect();
        let calls = host::registered().into_iter().map(|(name, f)| (name, host::interpreted(f)));
        let options = eval::Options { custom_calls: calls.collect(), ..eval::Options::default() };
        let result = eval::evaluate(module, &arguments, &options).map_err(|e| e.to_string())?;
        Ok(result.leaves().into_iter().cloned().map(Array::from_literal).collect())
    }
}
