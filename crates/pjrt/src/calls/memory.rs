//! What callers ask of memories.

use crate::abi::failure::Failure;
use crate::abi::memory::Slice;
use crate::args;
use crate::device::MEMORY_KIND;

pub fn id(a: &mut args::MemoryNumber) -> Result<(), Failure> {
    a.number = a.memory.get()?.number as i32;
    Ok(())
}

pub fn kind(a: &mut args::MemoryText) -> Result<(), Failure> {
    a.text = Slice::text(MEMORY_KIND);
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
