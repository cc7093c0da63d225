//! Arrays in the memory of a device.

use crate::device::Device;
use crate::driver::{Address, Rows};
use crate::error::Error;
use std::fmt;

/// What keeps memory of the caller's alive; dropped when nothing that was submitted uses it any more.
pub type Owner = Box<dyn Send + Sync>;

/// Bytes on a device: owned, then dropped memory goes back to its pool, or lent by the caller.
pub struct Buffer {
    device: Device,
    at: Address,
    len: usize,
    /// Of the block it lives in; of memory of the caller's none.
    size: usize,
    owner: Option<Owner>,
}

impl Buffer {
    /// Bytes whose content means nothing.
    ///
    /// # Errors
    /// Memory is out, or the device is lost.
    pub fn new(device: &Device, len: usize) -> Result<Buffer, Error> {
        let (at, size) = device.allocate(len)?;
        Ok(Buffer { device: device.clone(), at, len, size, owner: None })
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

    /// In memory of the caller's.
    pub(crate) fn lent(device: &Device, at: Address, len: usize, owner: Owner) -> Buffer {
        Buffer { device: device.clone(), at, len, size: 0, owner: Some(owner) }
    }

    /// Whether its memory is the caller's.
    pub fn is_lent(&self) -> bool {
        self.owner.is_some()
    }

    /// Copies as many bytes as it has from elsewhere on the device.
    pub(crate) fn copied_from(&self, from: Address) -> Result<(), Error> {
        let rows = Rows::whole(from, self.at, self.len);
        self.device.checked(|driver, stream| driver.copy(stream, &rows))
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

    pub fn address(&self) -> Address {
        self.at
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        match self.owner.take() {
            None => self.device.give(self.at, self.size),
            // What was submitted may still use the memory. A device that is lost uses none.
            Some(owner) => {
                let _ = self.device.wait();
                drop(owner);
            }
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes on {})", self.len, self.device.properties().name)
    }
}
