//! What JAX's profiler asks for: to listen, to stop, and what was heard.

use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Place, Slice};
use crate::args;
use crate::profile::Profiler;

pub fn destroy_error(a: &mut args::ProfilerErrorDestroy) -> Result<(), Failure> {
    a.error.destroy();
    Ok(())
}

pub fn error_message(a: &mut args::ProfilerErrorMessage) -> Result<(), Failure> {
    a.message = Slice::text(&a.error.get()?.message);
    Ok(())
}

pub fn error_code(a: &mut args::ProfilerErrorGetCode) -> Result<(), Failure> {
    a.code = a.error.get()?.code as u32;
    Ok(())
}

/// What it could be told of levels of detail is not looked at: there is one.
pub fn create(a: &mut args::ProfilerCreate) -> Result<(), Failure> {
    a.profiler = Handle::give(Profiler::default());
    Ok(())
}

pub fn destroy(a: &mut args::ProfilerOnly) -> Result<(), Failure> {
    a.profiler.destroy();
    Ok(())
}

pub fn start(a: &mut args::ProfilerOnly) -> Result<(), Failure> {
    a.profiler.get()?.start();
    Ok(())
}

pub fn stop(a: &mut args::ProfilerOnly) -> Result<(), Failure> {
    a.profiler.get()?.stop();
    Ok(())
}

/// Where there is no place for it, it is lent until the profiler starts again.
pub fn collect(a: &mut args::ProfilerCollect) -> Result<(), Failure> {
    let (place, size) = a.profiler.get()?.with_message(|message| {
        if a.place.is_null() {
            return (Place::lend(message), message.len());
        }
        a.place.fill(message.iter().copied());
        (a.place, message.len())
    });
    (a.place, a.size) = (place, size);
    Ok(())
}
