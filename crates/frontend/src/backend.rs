//! What runs programs: operations on concrete tensors outside of traced functions need it.
//!
//! The front end knows no device. Whoever can run programs adds itself to [`BACKENDS`] where it is linked; the crate
//! `lawson` does.

use crate::array::Array;
use lawson_hlo::{ArrayShape, Literal, Module};
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
    match BACKENDS.first() {
        Some(backend) => backend.run(module, arguments),
        None => Err("nothing that runs programs is linked: depend on the crate `lawson`".into()),
    }
}

/// An array with a copy of these bytes, where whatever is linked likes it.
pub(crate) fn array(shape: &ArrayShape, bytes: &[u8]) -> Result<Array, String> {
    match BACKENDS.first() {
        Some(backend) => backend.array(shape, bytes),
        None => Ok(Array::from_literal(Literal::new(shape.clone(), bytes))),
    }
}
