//! What callers ask of events.

use crate::abi::failure::Failure;
use crate::args;

pub fn destroy(a: &mut args::EventOnly) -> Result<(), Failure> {
    a.event.destroy();
    Ok(())
}

pub fn is_ready(a: &mut args::EventIsReady) -> Result<(), Failure> {
    a.is_ready = a.event.get()?.has_come().into();
    Ok(())
}

/// That of a run that has failed.
pub fn error(a: &mut args::EventOnly) -> Result<(), Failure> {
    a.event.get()?.outcome()
}

pub fn await_(a: &mut args::EventOnly) -> Result<(), Failure> {
    a.event.get()?.wait()
}

pub fn on_ready(a: &mut args::EventOnReady) -> Result<(), Failure> {
    a.event.get()?.on_come(a.callback);
    Ok(())
}
