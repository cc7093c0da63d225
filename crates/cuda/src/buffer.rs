//! Arrays in the memory of a device.

use crate::device::Device;
use crate::driver::Address;
use crate::error::Error;
use std::fmt;

/// Owned bytes on a device. Dropped memory goes back to its pool.
pub struct Buffer {
    device: Device,
    at: Address,
    len: usize,
    /// Of the block it lives in.
    size: usize,
}

impl Buffer {
    /// Bytes whose content means nothing.
    ///
    /// # Errors
    /// Memory is out, or the device is lost.
    pub fn new(device: &Device, len: usize) -> Result<Buffer, Error> {
        let (at, size) = device.allocate(len)?;
        Ok(Buffer { device: device.clone(), at, len, size })
    }

    /// A copy of bytes of the host.
    ///
    /// # Errors
    /// As [`Buffer::new`].
    pub fn from_slice(device: &Device, bytes: &[u8]) -> Result<Buffer, Error> {
        let mut buffer = Buffer::new(device, bytes.len())?;
        buffer.write(bytes)?;
        Ok(buffer)
    }

    pub fn device(&self) -> &Device {
        &self.device
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes as many bytes of the host as it has.
    ///
    /// # Errors
    /// There are more, or the device is lost.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.fits(bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.device.checked(|driver, stream| driver.write(stream, self.at, bytes))
    }

    /// Copies its bytes to the host, when they are there.
    ///
    /// # Errors
    /// There are others; what made them has failed, or the device is lost.
    pub fn read(&self, bytes: &mut [u8]) -> Result<(), Error> {
        self.fits(bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.device.checked(|driver, stream| driver.read(stream, self.at, bytes))
    }

    fn fits(&self, len: usize) -> Result<(), Error> {
        if len == self.len {
            return Ok(());
        }
        Err(Error::Program(format!("{len} bytes are copied to or from a buffer of {}", self.len)))
    }

    pub(crate) fn address(&self) -> Address {
        self.at
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.device.give(self.at, self.size);
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes on {})", self.len, self.device.properties().name)
    }
}
