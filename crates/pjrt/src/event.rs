//! Events: what tells a caller that something has come to pass.
//!
//! Programs run, and arrays are copied, before the call returns, so most events have come when they are made. The exception
//! is the one that says when memory of the caller's, in which an array lives without a copy, is no longer read.

use crate::abi::args;
use crate::abi::callback::Callback;
use crate::abi::memory::Handle;
use crate::failure::Failure;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the caller holds.
pub struct Event(Option<Arc<Signal>>);

impl Event {
    /// One that has come.
    pub fn come() -> Handle<Event> {
        Handle::give(Event(None))
    }

    /// One that comes with the signal.
    pub fn of(signal: &Arc<Signal>) -> Handle<Event> {
        Handle::give(Event(Some(signal.clone())))
    }
}

/// Something that comes to pass once.
#[derive(Default)]
pub struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    come: bool,
    waiting: Vec<Callback>,
}

impl Signal {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It has come: those who wait are told, on this thread.
    pub fn set(&self) {
        let waiting = {
            let mut state = self.state();
            state.come = true;
            std::mem::take(&mut state.waiting)
        };
        self.changed.notify_all();
        waiting.into_iter().for_each(Callback::call);
    }

    fn on_set(&self, callback: Callback) {
        let mut state = self.state();
        if !state.come {
            state.waiting.push(callback);
            return;
        }
        drop(state);
        callback.call();
    }

    fn wait(&self) {
        let mut state = self.state();
        while !state.come {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

pub fn destroy(a: &mut args::EventOnly) -> Result<(), Failure> {
    a.event.destroy();
    Ok(())
}

pub fn is_ready(a: &mut args::EventIsReady) -> Result<(), Failure> {
    a.is_ready = a.event.get()?.0.as_ref().is_none_or(|signal| signal.state().come);
    Ok(())
}

/// No event of ours carries an error: calls that fail say so themselves.
pub fn error(a: &mut args::EventOnly) -> Result<(), Failure> {
    a.event.get().map(|_| ())
}

pub fn await_(a: &mut args::EventOnly) -> Result<(), Failure> {
    if let Some(signal) = &a.event.get()?.0 {
        signal.wait();
    }
    Ok(())
}

pub fn on_ready(a: &mut args::EventOnReady) -> Result<(), Failure> {
    match &a.event.get()?.0 {
        Some(signal) => signal.on_set(a.callback),
        None => a.callback.call(),
    }
    Ok(())
}
