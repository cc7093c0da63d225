//! How programs are divided over devices: not at all, so there is nothing to tell.

use crate::abi::failure::Failure;
use crate::abi::memory::Pointer;
use crate::args;

/// Of arguments, and of results.
pub fn none(a: &mut args::ExecutableShardings) -> Result<(), Failure> {
    a.executable.get()?;
    (a.count, a.shardings, a.sizes) = (0, Pointer::NULL, Pointer::NULL);
    Ok(())
}
