//! Events: what tells a caller that something has come to pass.
//!
//! Programs run, and arrays are copied, before the call returns, so most events have come when they are made. The exception
//! is the one that says when memory of the caller's, in which an array lives without a copy, is no longer read.

use crate::abi::callback::Callback;
use crate::abi::memory::Handle;
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

    pub fn has_come(&self) -> bool {
        self.0.as_ref().is_none_or(|signal| signal.state().come)
    }

    pub fn wait(&self) {
        if let Some(signal) = &self.0 {
            signal.wait();
        }
    }

    /// Calls it when the event comes, at once where it has come.
    pub fn on_come(&self, callback: Callback) {
        match &self.0 {
            Some(signal) => signal.on_set(callback),
            None => callback.call(),
        }
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
