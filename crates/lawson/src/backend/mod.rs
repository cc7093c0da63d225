//! What runs compiled programs: a file for each device. The rest of the library asks the trait, and knows none of them.

pub(crate) mod cuda;
pub(crate) mod interpreter;
pub(crate) mod processor;

use crate::buffer::Buffer;
use crate::compile::runtime_error;
use crate::error::{Error, ErrorCode};
use crate::run::{Argument, Counters, Outcome, RunOptions};
use lawson_cpu as cpu;
use lawson_hlo::ArrayShape;
use std::sync::Arc;
use std::time::Instant;

/// A program on a device. Arguments and outputs were checked: they are of the program's shapes and on its device.
pub(crate) trait Backend: Send + Sync {
    /// Runs it; `shapes` are those of the results.
    fn run(
        &self,
        arguments: &mut [Argument<'_>],
        shapes: &[Arc<ArrayShape>],
        options: &RunOptions,
    ) -> Result<Outcome, Error>;

    /// Runs it into buffers of the caller.
    fn run_into(
        &self,
        arguments: &mut [Argument<'_>],
        outputs: &mut [Buffer],
        options: &RunOptions,
    ) -> Result<Counters, Error>;

    /// Runs it, and tells when each step ran; `None` where there are no steps.
    fn trace(&self, arguments: &[&Buffer], options: &RunOptions) -> Result<Option<Vec<cpu::Span>>, Error>;

    /// As [`Backend::run`], and tells when each step ran; of none where there are no steps.
    fn run_traced(
        &self,
        arguments: &mut [Argument<'_>],
        shapes: &[Arc<ArrayShape>],
        options: &RunOptions,
    ) -> Result<(Outcome, Vec<cpu::Span>), Error> {
        Ok((self.run(arguments, shapes, options)?, Vec::new()))
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }
}

/// What a program takes of its device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs {
    /// Bytes of a run beside its outputs.
    pub temporaries: u64,
    /// Bytes of code.
    pub code: u64,
    /// Distinct codes of kernels, and how many of them a folder had.
    pub codes: (usize, usize),
}

fn limits(options: &RunOptions) -> cpu::Limits<'_> {
    cpu::Limits {
        cancel: Some(&options.cancel.0),
        deadline: options.time_limit.and_then(|limit| Instant::now().checked_add(limit)),
        max_bytes: options.memory_limit,
    }
}

/// The error of a run with these options.
fn ended(e: &cpu::Error, options: &RunOptions) -> Error {
    in_time(runtime_error(e), options)
}

/// The error of a run with these options, which says how long it might have taken.
fn in_time(error: Error, options: &RunOptions) -> Error {
    match options.time_limit.filter(|_| error.code == ErrorCode::TimedOut) {
        None => error,
        Some(limit) => {
            let message = format!("the run took longer than its time limit of {limit:?} (--time-limit)");
            Error { message, ..error }
        }
    }
}

/// Where a run writes its outputs: what `place` gives of each buffer, which is nothing where the buffer is shared.
fn places<'b, T>(
    outputs: &'b mut [Buffer],
    place: impl Fn(&'b mut Buffer) -> Option<T>,
) -> Result<Vec<T>, Error> {
    let places = outputs.iter_mut().enumerate().map(|(n, output)| {
        place(output).ok_or_else(|| {
            let message = format!("output {n} cannot be written: a run holds it, or it is not the pool's");
            Error::new(ErrorCode::Input, message)
        })
    });
    places.collect()
}
