//! The graphics processors of this machine, and the one that is emulated.

use crate::backend;
use crate::compile::device_error;
use crate::error::Error;
use crate::options::Device;

pub use lawson_cuda::emulation::{Counted, Moved, counters as emulated_counters};
pub use lawson_cuda::{Properties, version};

/// NVIDIA's processors of this machine, in the order of their numbers.
///
/// # Errors
/// There is no driver, it is too old, or it finds no device: with how to mend it.
///
/// ```
/// match lawson::devices::list() {
///     Ok(all) => all.iter().for_each(|d| println!("{}, {} bytes", d.name, d.memory_bytes)),
///     Err(e) => println!("{e}"),
/// }
/// ```
pub fn list() -> Result<Vec<Properties>, Error> {
    lawson_cuda::list().map_err(|e| device_error(&e))
}

/// What copies within a device move at best, in GB/s, read and written bytes counted: between arrays of so many bytes.
///
/// # Errors
/// There is no such device, or it has too little memory.
pub fn copy_bandwidth(device: Device, bytes: usize) -> Result<f64, Error> {
    let device = backend::cuda::open(device)?;
    device.copy_bandwidth(bytes).map_err(|e| device_error(&e))
}
