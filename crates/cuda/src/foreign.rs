//! What is the caller's: a stream that work is submitted to, memory that arrays lie in. The caller vouches for both.

use crate::buffer::{Buffer, Owner};
use crate::device::Device;
use crate::driver::{Address, Stream, real::Real};
use crate::error::Error;
use std::sync::Arc;

/// Where arrays begin at least: the widest access of a thread.
pub const ALIGN: u64 = 16;

impl Device {
    /// The device of this number, on a stream of the caller's: work is done in order with what else is submitted there. Its pool
    /// of memory is its own. The number of the stream is its `CUstream`; 0 is the default one.
    ///
    /// # Errors
    /// There is no driver, it is too old, or it has no such device.
    ///
    /// # Safety
    /// The stream is of the device's primary context, and stays as long as a clone of the device, or what was made with one.
    pub unsafe fn on_stream(ordinal: usize, stream: u64) -> Result<Device, Error> {
        Device::of(Arc::new(Real::open(ordinal)?), Some(ordinal), Some(Stream::of_number(stream)))
    }
}

impl Buffer {
    /// So many bytes of the caller's, which runs read where they are; a copy where they do not begin at a multiple of
    /// [`ALIGN`]. What is given up stays the caller's: no result takes it over. Written to only where the caller says so
    /// ([`Buffer::write`], results of a run that are to lie there).
    ///
    /// # Errors
    /// Memory for the copy is out, or the device is lost.
    ///
    /// # Safety
    /// The bytes are on the device until the owner is dropped, and nobody writes to them meanwhile, but work of its stream.
    pub unsafe fn foreign(device: &Device, at: Address, len: usize, owner: Owner) -> Result<Buffer, Error> {
        if at.is_multiple_of(ALIGN) || len == 0 {
            return Ok(Buffer::lent(device, at, len, owner));
        }
        let buffer = Buffer::new(device, len)?;
        buffer.copied_from(at)?;
        device.wait()?;
        Ok(buffer)
    }
}
