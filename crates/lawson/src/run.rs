//! What a run is given, and what it gives.

use crate::buffer::Buffer;
use crate::error::{Error, ErrorCode};
use lawson_cpu as cpu;
use lawson_cuda as cuda;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// An argument: one array leaf of the parameters.
#[derive(Debug)]
pub enum Argument<'a> {
    /// Stays as it is.
    Borrowed(&'a Buffer),
    /// Is given up, also when the run fails. Where the module's header aliases it to a result (`input_output_alias`,
    /// `buffer_donor`) and nothing reads it after the result changes, the result takes over its memory; else the memory
    /// goes back to the pool.
    Donated(Buffer),
}

impl<'a> From<&'a Buffer> for Argument<'a> {
    fn from(buffer: &'a Buffer) -> Argument<'a> {
        Argument::Borrowed(buffer)
    }
}

impl<'a> From<&'a Arc<Buffer>> for Argument<'a> {
    fn from(buffer: &'a Arc<Buffer>) -> Argument<'a> {
        Argument::Borrowed(buffer)
    }
}

impl From<Buffer> for Argument<'_> {
    fn from(buffer: Buffer) -> Argument<'static> {
        Argument::Donated(buffer)
    }
}

impl Argument<'_> {
    pub(crate) fn buffer(&self) -> &Buffer {
        match self {
            Argument::Borrowed(buffer) => buffer,
            Argument::Donated(buffer) => buffer,
        }
    }

    /// As the processor's runtime takes it.
    pub(crate) fn for_cpu(&mut self) -> cpu::Argument<'_> {
        match self {
            Argument::Borrowed(buffer) => cpu::Argument::Borrowed(buffer.bytes()),
            Argument::Donated(buffer) => match buffer.give() {
                Some(memory) => cpu::Argument::Donated(memory),
                None => cpu::Argument::Borrowed(buffer.bytes()),
            },
        }
    }

    /// As the runtime of devices takes it.
    pub(crate) fn for_cuda(&mut self) -> Result<cuda::Argument<'_>, Error> {
        match self {
            Argument::Borrowed(buffer) => Ok(cuda::Argument::Borrowed(buffer.on_device()?)),
            Argument::Donated(buffer) => match buffer.give_on_device() {
                Some(memory) => Ok(cuda::Argument::Donated(memory)),
                None => Ok(cuda::Argument::Borrowed(buffer.on_device()?)),
            },
        }
    }

    /// As a run takes it that goes on beside the caller.
    pub(crate) fn into_owned(self) -> Argument<'static> {
        match self {
            Argument::Borrowed(buffer) => Argument::Donated(buffer.held()),
            Argument::Donated(buffer) => Argument::Donated(buffer),
        }
    }
}

/// What ends a run early. Time and cancelling are looked at between launches of kernels and on each trip of a `while` whose
/// trips are not known before, on the host and in a kernel: a long kernel without one overruns them. Without any a program
/// whose loop never ends runs for ever.
#[derive(Clone, Default, Debug)]
pub struct RunOptions {
    /// How long the run may take.
    pub time_limit: Option<Duration>,
    /// Bytes the run may allocate, outputs included; refused before any is taken. On the processor only.
    pub memory_limit: Option<u64>,
    /// What cancels the run.
    pub cancel: Cancel,
}

/// Ends the runs that were given it. Clones end the same ones.
#[derive(Clone, Default, Debug)]
pub struct Cancel(pub(crate) Arc<AtomicBool>);

impl Cancel {
    /// One that nobody has used.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// The runs end with [`ErrorCode::Cancelled`], soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The array leaves of the result, depth first.
    pub outputs: Vec<Buffer>,
    /// What the run did.
    pub counters: Counters,
}

impl Outcome {
    /// Waits until the results are there: a run on a device that has memory of its own returns before.
    ///
    /// # Errors
    /// What made them has failed, or the device is lost.
    pub fn wait(&self) -> Result<(), Error> {
        self.outputs.iter().try_for_each(Buffer::wait)
    }
}

/// What a run did; `None` where the device does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Kernels that were launched.
    pub launches: Option<u64>,
    /// Parallel regions: at least one for each launch.
    pub phases: Option<u64>,
    /// Copies and fills by the runtime, within the device.
    pub copies: Option<u64>,
    /// What went between the host and a device that has memory of its own.
    pub transfers: Option<Transfers>,
}

/// What went between the host and a device during a run. Arguments and results are on the device before and after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Transfers {
    /// Operations that the host computes: what they read and make is copied.
    pub host_steps: u64,
    /// Copies to the device, and their bytes.
    pub uploads: u64,
    /// See `uploads`.
    pub upload_bytes: u64,
    /// Copies to the host, and their bytes; conditions of loops and branches are among them.
    pub downloads: u64,
    /// See `downloads`.
    pub download_bytes: u64,
}

impl Counters {
    pub(crate) fn of(c: &cpu::Counters) -> Counters {
        let (launches, phases, copies) = (Some(c.launches), Some(c.phases), Some(c.copies));
        Counters { launches, phases, copies, transfers: None }
    }

    pub(crate) fn of_cuda(c: &cuda::Counters) -> Counters {
        let (launches, phases, copies) = (Some(c.launches), Some(c.phases), Some(c.copies));
        let cuda::Counters { host_steps, uploads, upload_bytes, downloads, download_bytes, .. } = *c;
        let transfers = Transfers { host_steps, uploads, upload_bytes, downloads, download_bytes };
        Counters { launches, phases, copies, transfers: Some(transfers) }
    }
}

/// A run that goes on beside the caller. Dropping this lets it go on.
#[derive(Debug)]
pub struct Pending {
    pub(crate) cancel: Cancel,
    pub(crate) thread: JoinHandle<Result<Outcome, Error>>,
}

impl Pending {
    /// Ends the run, soon; [`Pending::wait`] then gives [`ErrorCode::Cancelled`], unless it was done before.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether [`Pending::wait`] would return at once.
    pub fn is_done(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the results.
    ///
    /// # Errors
    /// Those of the run.
    pub fn wait(self) -> Result<Outcome, Error> {
        let died = |_| Err(Error::new(ErrorCode::Internal, "the thread of the run has died"));
        self.thread.join().unwrap_or_else(died)
    }
}
