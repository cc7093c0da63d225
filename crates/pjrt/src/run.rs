//! One run of a program: its arguments, and the results that it gives or promises.
//!
//! Arguments that the program takes over become results where nobody else holds them when the run begins: neither a buffer nor a
//! run that is queued.

use crate::abi::entry::guarded;
use crate::abi::failure::Failure;
use crate::array::{Array, Coming};
use crate::event::Signal;
use crate::profile::Begun;
use crate::program::Program;
use crate::queue::Queue;
use crate::report;
use lawson::{Argument, RunOptions};
use std::sync::Arc;

/// An argument: an array, and whether the caller has given it up.
pub struct Given {
    pub array: Array,
    pub is_donated: bool,
}

/// Runs the program when its arguments are there. Those are let go of when this returns.
///
/// # Errors
/// Those of the run, and of the runs that were to make its arguments.
pub fn run(program: &Program, given: Vec<Given>) -> Result<Vec<lawson::Buffer>, Failure> {
    let mut shared = Vec::with_capacity(given.len());
    let mut donated = Vec::new();
    for (n, Given { array, is_donated }) in given.into_iter().enumerate() {
        shared.push(Some(array.wait()?));
        donated.extend(is_donated.then_some(n));
    }
    if let Some(dump) = &program.dump {
        dump.inputs(shared.iter().flatten().map(|a| &**a), program.calls_python())?;
    }
    if program.wishes.profile {
        report::measure(program, &shared.iter().flatten().map(|a| &**a).collect::<Vec<_>>())?;
    }
    let mut own = Vec::with_capacity(donated.len());
    for n in donated {
        // Whoever else holds the array keeps it as it is.
        match shared[n].take().map(Arc::try_unwrap) {
            Some(Ok(array)) => own.push(array),
            Some(Err(held)) => shared[n] = Some(held),
            None => {}
        }
    }
    let mut own = own.into_iter();
    let arguments = shared.iter().filter_map(|held| match held {
        Some(array) => Some(Argument::Borrowed(array)),
        None => own.next().map(Argument::Donated),
    });
    let options = RunOptions::default();
    let Some(begun) = Begun::now() else {
        return Ok(program.length.of(|| program.code.run_with(arguments, &options))?.outputs);
    };
    let (outcome, spans) = program.code.run_traced(arguments, &options)?;
    begun.ran(program, &spans);
    Ok(outcome.outputs)
}

/// Results that a queued run will make, one for each array, and what is set then.
pub struct Promised {
    pub arrays: Vec<Arc<Coming>>,
    pub signal: Arc<Signal>,
}

/// Runs the program when its turn comes. Whoever waits for its results finds its arguments let go of.
pub fn enqueue(queue: &Queue, program: &Arc<Program>, given: Vec<Given>) -> Promised {
    let turn = queue.turn(program.length.is_brief().then(|| program.habit.clone()));
    let signal = Signal::of(&turn);
    let arrays: Vec<Arc<Coming>> = program.outputs.arrays.iter().map(|_| Coming::with(&signal)).collect();
    let promised = Promised { arrays: arrays.clone(), signal: signal.clone() };
    let program = program.clone();
    queue.give(turn, move || {
        let done = guarded(|| run(&program, given));
        let outcome = done.map(|results| {
            arrays.iter().zip(results).for_each(|(place, array)| place.put(array));
        });
        drop((arrays, program));
        signal.set(outcome);
    });
    promised
}
