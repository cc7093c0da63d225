//! What callers do with errors.

use crate::abi::failure::Failure;
use crate::abi::memory::Slice;
use crate::args;

pub fn destroy(a: &mut args::ErrorDestroy) -> Result<(), Failure> {
    a.error.destroy();
    Ok(())
}

pub fn message(a: &mut args::ErrorMessage) -> Result<(), Failure> {
    a.message = Slice::text(&a.error.get()?.message);
    Ok(())
}

pub fn code(a: &mut args::ErrorGetCode) -> Result<(), Failure> {
    a.code = a.error.get()?.code as u32;
    Ok(())
}
