//! Events: what tells a caller that something has come to pass, or has failed.
//!
//! Most have come when they are made. Two kinds come later: those of a queued run and of what it makes, which carry its error if it
//! fails, and the one that says when memory of the caller's, in which an array lives without a copy, is no longer read.

use crate::abi::callback::Callback;
use crate::abi::failure::Failure;
use crate::abi::memory::Handle;
use crate::queue::Turn;
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
        self.0.as_ref().is_none_or(|signal| signal.outcome().is_some())
    }

    /// How it came; as success, where it has not yet.
    ///
    /// # Errors
    /// That of what it waits for.
    pub fn outcome(&self) -> Result<(), Failure> {
        self.0.as_ref().and_then(|signal| signal.outcome()).unwrap_or(Ok(()))
    }

    /// Waits until it comes.
    ///
    /// # Errors
    /// That of what it waits for.
    pub fn wait(&self) -> Result<(), Failure> {
        self.0.as_ref().map_or(Ok(()), |signal| signal.wait())
    }

    /// Calls it when the event comes, at once where it has come.
    pub fn on_come(&self, callback: Callback) {
        match &self.0 {
            Some(signal) => signal.on_set(callback),
            None => callback.call(Ok(())),
        }
    }
}

/// Something that comes to pass once.
#[derive(Default)]
pub struct Signal {
    /// Of the queue's work that sets it.
    turn: Option<Arc<Turn>>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    outcome: Option<Result<(), Failure>>,
    waiting: Vec<Callback>,
}

impl Signal {
    /// One that work of a queue sets. Who waits for it in a process that was forked meanwhile is told that it never comes.
    pub fn of(turn: &Arc<Turn>) -> Arc<Signal> {
        Arc::new(Signal { turn: Some(turn.clone()), ..Signal::default() })
    }

    /// Somebody is about to wait for it: does the work that sets it, where that is short and has not begun.
    pub fn hasten(&self) {
        if let Some(turn) = &self.turn {
            turn.take();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it came, if it has.
    pub fn outcome(&self) -> Option<Result<(), Failure>> {
        self.state().outcome.clone()
    }

    /// It has come: those who wait are told, on this thread.
    pub fn set(&self, outcome: Result<(), Failure>) {
        let waiting = {
            let mut state = self.state();
            state.outcome = Some(outcome.clone());
            std::mem::take(&mut state.waiting)
        };
        self.changed.notify_all();
        waiting.into_iter().for_each(|callback| callback.call(outcome.clone()));
    }

    fn on_set(&self, callback: Callback) {
        let outcome = {
            let mut state = self.state();
            match (&state.outcome, self.can_come()) {
                (Some(outcome), _) => outcome.clone(),
                (None, Err(forked)) => Err(forked),
                (None, Ok(())) => {
                    state.waiting.push(callback);
                    return;
                }
            }
        };
        callback.call(outcome);
    }

    /// Waits until it comes.
    ///
    /// # Errors
    /// That of what it waits for; this process has not the thread that sets it.
    pub fn wait(&self) -> Result<(), Failure> {
        self.hasten();
        let mut state = self.state();
        loop {
            if let Some(outcome) = &state.outcome {
                return outcome.clone();
            }
            self.can_come()?;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn can_come(&self) -> Result<(), Failure> {
        self.turn.as_ref().map_or(Ok(()), |turn| turn.can_come())
    }
}
