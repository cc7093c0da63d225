//! Memories: each device has one, which it shares with the host.

use crate::abi::args;
use crate::abi::memory::{Handle, Slice};
use crate::device::Device;
use crate::failure::Failure;
use std::sync::OnceLock;

/// Where the arrays of a device are.
pub struct Memory {
    pub number: usize,
    text: String,
    /// The one device; set when there is one.
    device: OnceLock<Handle<Device>>,
}

/// The kind that JAX calls the memory of a device by where it has one only.
pub const KIND: &str = "device";

impl Memory {
    pub fn new(number: usize) -> Memory {
        Memory { number, text: format!("LAWSON_MEMORY_{number}"), device: OnceLock::new() }
    }

    pub fn belongs_to(&self, device: Handle<Device>) {
        self.device.get_or_init(|| device);
    }
}

pub fn id(a: &mut args::MemoryNumber) -> Result<(), Failure> {
    a.number = a.memory.get()?.number as i32;
    Ok(())
}

pub fn kind(a: &mut args::MemoryText) -> Result<(), Failure> {
    a.text = Slice::text(KIND);
    Ok(())
}

/// There is one kind.
pub fn kind_id(a: &mut args::MemoryNumber) -> Result<(), Failure> {
    a.number = 0;
    Ok(())
}

pub fn text(a: &mut args::MemoryText) -> Result<(), Failure> {
    a.text = Slice::text(&a.memory.get()?.text);
    Ok(())
}

pub fn devices(a: &mut args::MemoryDevices) -> Result<(), Failure> {
    a.devices = Slice::lend(a.memory.get()?.device.get().map_or(&[], std::slice::from_ref));
    Ok(())
}
