//! Devices: the processor under one or more numbers.
//!
//! Programs and arrays of each are told apart as JAX wants it; all run on the same processor, with all its threads.

use crate::abi::args;
use crate::abi::memory::{Handle, Pointer, Slice};
use crate::failure::Failure;
use crate::memory::Memory;

/// What is known of a device without a client.
pub struct Description {
    number: usize,
    debug: String,
    text: String,
}

impl Description {
    pub fn new(number: usize) -> Description {
        let (debug, text) = (format!("LAWSON_{number}"), format!("LawsonDevice(id={number})"));
        Description { number, debug, text }
    }
}

/// A device of a client.
pub struct Device {
    pub number: usize,
    description: Handle<Description>,
    memory: Handle<Memory>,
}

impl Device {
    /// Of a description and a memory that live as long.
    pub fn new(description: &Description, memory: &Memory) -> Device {
        let number = description.number;
        Device { number, description: Handle::lend(description), memory: Handle::lend(memory) }
    }
}

/// What JAX shows as `device_kind`.
const KIND: &str = "Lawson CPU";

pub fn id(a: &mut args::DescriptionNumber) -> Result<(), Failure> {
    a.number = a.description.get()?.number as i32;
    Ok(())
}

/// There is one process.
pub fn process_index(a: &mut args::DescriptionNumber) -> Result<(), Failure> {
    a.number = 0;
    Ok(())
}

pub fn attributes(a: &mut args::DescriptionAttributes) -> Result<(), Failure> {
    (a.count, a.attributes) = (0, Pointer::lend(&[]));
    Ok(())
}

pub fn kind(a: &mut args::DescriptionText) -> Result<(), Failure> {
    a.text = Slice::text(KIND);
    Ok(())
}

pub fn debug_text(a: &mut args::DescriptionText) -> Result<(), Failure> {
    a.text = Slice::text(&a.description.get()?.debug);
    Ok(())
}

pub fn text(a: &mut args::DescriptionText) -> Result<(), Failure> {
    a.text = Slice::text(&a.description.get()?.text);
    Ok(())
}

pub fn description(a: &mut args::DeviceDescription) -> Result<(), Failure> {
    a.description = a.device.get()?.description;
    Ok(())
}

pub fn is_addressable(a: &mut args::DeviceIsAddressable) -> Result<(), Failure> {
    a.is_addressable = true;
    Ok(())
}

pub fn local_hardware_id(a: &mut args::DeviceLocalHardwareId) -> Result<(), Failure> {
    a.id = a.device.get()?.number as i32;
    Ok(())
}

pub fn memories(a: &mut args::DeviceMemories) -> Result<(), Failure> {
    a.memories = Slice::lend(std::slice::from_ref(&a.device.get()?.memory));
    Ok(())
}

pub fn default_memory(a: &mut args::DeviceDefaultMemory) -> Result<(), Failure> {
    a.memory = a.device.get()?.memory;
    Ok(())
}

/// Of the pool that all devices share: blocks of at least 64 KiB, in use now and at most, with those kept for reuse.
pub fn memory_stats(a: &mut args::DeviceMemoryStats) -> Result<(), Failure> {
    let stats = lawson_cpu::memory::stats();
    a.bytes_in_use = stats.used as i64;
    (a.peak_bytes_in_use, a.peak_bytes_in_use_is_set) = (stats.peak as i64, true);
    (a.num_allocs, a.num_allocs_is_set) = (stats.fresh as i64, true);
    (a.pool_bytes, a.pool_bytes_is_set) = ((stats.used + stats.kept) as i64, true);
    if let Some(total) = lawson::memory::total() {
        (a.bytes_limit, a.bytes_limit_is_set) = (total as i64, true);
    }
    Ok(())
}
