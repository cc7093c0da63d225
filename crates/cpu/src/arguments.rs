//! Arguments of a run, and where they and its outputs lie.
//!
//! Borrowed memory is never written. Donated memory becomes that of the output it is donated to, where the program says
//! so; else it is given back when the run ends.

use crate::Error;
use crate::memory::{ALIGN, Buffer};
use lawson_kernel::program::{self, Donation, Program};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bytes of each argument and result. An argument no buffer names may have any size.
pub struct Interface {
    pub inputs: Vec<Option<usize>>,
    pub outputs: Vec<usize>,
}

impl Interface {
    pub fn of(program: &Program) -> Result<Interface, Error> {
        let sizes = program::verify(program).map_err(|faults| Error::Program(faults.join("; ")))?;
        // None is below zero.
        let size = |n: i64| n.max(0) as usize;
        let inputs = sizes.inputs.into_iter().map(|n| n.map(size)).collect();
        Ok(Interface { inputs, outputs: sizes.outputs.into_iter().map(size).collect() })
    }
}

/// An array leaf of a run's arguments.
#[derive(Debug)]
pub enum Argument<'a> {
    /// Best aligned to 64 bytes, else it is copied first.
    Borrowed(&'a [u8]),
    Donated(Buffer),
}

impl Argument<'_> {
    fn len(&self) -> usize {
        match self {
            Argument::Borrowed(bytes) => bytes.len(),
            Argument::Donated(buffer) => buffer.len(),
        }
    }
}

/// What ends a run early. Time and cancelling are looked at between launches and on each trip of a loop whose trips are not
/// counted, on the host and in kernels: a long kernel without such a loop overruns them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// Set by anyone to end the run.
    pub cancel: Option<&'a AtomicBool>,
    pub deadline: Option<Instant>,
    /// Bytes the run may allocate, outputs included.
    pub max_bytes: Option<u64>,
}

impl Limits<'_> {
    /// Whether the run may go on.
    ///
    /// # Errors
    /// It was cancelled, or took too long.
    pub fn check(&self) -> Result<(), Error> {
        if self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Error::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::TimedOut),
            _ => Ok(()),
        }
    }
}

/// The addresses of all arguments, and what they are in.
pub(crate) struct Inputs {
    pub bases: Vec<*mut u8>,
    /// Copies of what is not aligned, and donated memory that no output takes.
    held: Vec<Buffer>,
    /// Of the copies.
    pub copied: usize,
}

/// Checks the sizes of the arguments and places them. Outputs that take over a donated argument are put into `outputs`.
pub(crate) fn place<'a>(
    interface: &Interface,
    donations: &[Donation],
    arguments: impl ExactSizeIterator<Item = Argument<'a>>,
    mut outputs: Option<&mut [Option<Buffer>]>,
) -> Result<Inputs, Error> {
    let expected = &interface.inputs;
    if arguments.len() < expected.len() {
        return Err(Error::Count { what: "input", found: arguments.len(), expected: expected.len() });
    }
    let mut inputs = Inputs { bases: Vec::with_capacity(arguments.len()), held: Vec::new(), copied: 0 };
    for (index, argument) in arguments.enumerate() {
        let size = expected.get(index).copied().flatten();
        if let Some(expected) = size
            && argument.len() != expected
        {
            return Err(Error::Size { what: "input", index, found: argument.len(), expected });
        }
        match argument {
            Argument::Borrowed(bytes) if is_aligned(bytes) || size.is_none() => {
                inputs.bases.push(bytes.as_ptr().cast_mut());
            }
            Argument::Borrowed(bytes) => {
                inputs.hold(Buffer::from_slice(bytes)?);
                inputs.copied += bytes.len();
            }
            Argument::Donated(buffer) => {
                let donation = donations.iter().find(|d| d.input == index);
                let taken = donation.and_then(|d| outputs.as_deref_mut()?.get_mut(d.output));
                match taken {
                    Some(output) => inputs.bases.push(output.insert(buffer).as_mut_ptr()),
                    None => inputs.hold(buffer),
                }
            }
        }
    }
    Ok(inputs)
}

impl Inputs {
    fn hold(&mut self, mut buffer: Buffer) {
        self.bases.push(buffer.as_mut_ptr());
        self.held.push(buffer);
    }
}

pub(crate) fn is_aligned(bytes: &[u8]) -> bool {
    (bytes.as_ptr() as usize).is_multiple_of(ALIGN)
}
