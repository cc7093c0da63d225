//! What the runtime asks of a driver: one device, its memory, streams, code and graphs, by plain handles.
//!
//! [`real`] is NVIDIA's driver, [`emulated`] the emulator of PTX. What is submitted to a stream happens in that order; handles
//! are only made by the driver that takes them.

#[cfg(feature = "emulated")]
pub mod emulated;
mod functions;
pub(crate) mod real;
mod staging;

use crate::error::Error;

/// An address in the memory of a device.
pub type Address = u64;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// The handle of a driver with this number.
            pub fn of_number(number: u64) -> $name {
                $name(number)
            }

            pub fn number(self) -> u64 {
                self.0
            }
        }
    )*};
}

handles! {
    /// A queue of work.
    Stream;
    /// Loaded code.
    Module;
    /// An entry of a module.
    Function;
    /// Work that was recorded and can be submitted at once.
    Graph;
}

/// What a device is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Properties {
    pub name: String,
    /// Major and minor.
    pub capability: (u32, u32),
    pub memory_bytes: u64,
    pub multiprocessors: u32,
    /// Threads that a multiprocessor holds.
    pub threads: u32,
    /// The version of CUDA that the driver is for: 12040 is 12.4.
    pub driver: u32,
}

/// A launch of an entry on so many blocks of so many threads.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// For messages.
    pub kernel: &'a str,
    pub function: Function,
    pub blocks: u32,
    pub threads: u32,
    /// Bytes of shared memory of each block that the entry asks for.
    pub shared: u32,
    /// What the entry is passed, by value.
    pub words: &'a [u64],
}

/// A copy of rows within a device. Source and destination share no memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    pub from: Address,
    pub to: Address,
    /// Bytes of a row.
    pub width: usize,
    pub rows: usize,
    /// Bytes from one row to the next.
    pub from_pitch: usize,
    pub to_pitch: usize,
}

impl Rows {
    /// A copy of bytes that lie together.
    pub fn whole(from: Address, to: Address, bytes: usize) -> Rows {
        Rows { from, to, width: bytes, rows: 1, from_pitch: bytes, to_pitch: bytes }
    }
}

/// The driver of one device. Any thread may call it.
pub trait Driver: Send + Sync {
    fn properties(&self) -> &Properties;

    /// Bytes of memory that nobody has taken.
    fn free_bytes(&self) -> Result<u64, Error>;

    fn stream(&self) -> Result<Stream, Error>;
    fn end_stream(&self, stream: Stream);
    /// Waits until all that was submitted is done.
    fn wait(&self, stream: Stream) -> Result<(), Error>;
    /// Whether it is done.
    fn is_done(&self, stream: Stream) -> Result<bool, Error>;

    /// Memory that what is submitted from now on may use; the address is a multiple of 256.
    fn allocate(&self, stream: Stream, bytes: usize) -> Result<Address, Error>;
    /// Gives memory back when what was submitted is done.
    fn free(&self, stream: Stream, at: Address);
    /// The content of this memory means nothing from now on.
    fn forget(&self, _at: Address, _bytes: usize) {}

    /// Copies from the host; the bytes may change when it returns.
    fn write(&self, stream: Stream, to: Address, bytes: &[u8]) -> Result<(), Error>;
    /// Copies to the host; the bytes are there when it returns.
    fn read(&self, stream: Stream, from: Address, bytes: &mut [u8]) -> Result<(), Error>;
    fn copy(&self, stream: Stream, rows: &Rows) -> Result<(), Error>;

    /// Loads the code of a kernel.
    fn load(&self, kernel: &str, ptx: &str) -> Result<Module, Error>;
    fn unload(&self, module: Module);
    /// An entry of a module, whose launches ask for at most so many bytes of shared memory.
    fn function(&self, module: Module, entry: &str, shared: u32) -> Result<Function, Error>;
    fn launch(&self, stream: Stream, launch: &Launch<'_>) -> Result<(), Error>;

    /// From now on launches and copies within the device are not done, but recorded.
    fn begin_capture(&self, stream: Stream) -> Result<(), Error>;
    fn end_capture(&self, stream: Stream) -> Result<Graph, Error>;
    fn run_graph(&self, stream: Stream, graph: Graph) -> Result<(), Error>;
    fn end_graph(&self, graph: Graph);
}
