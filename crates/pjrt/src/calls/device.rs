//! What callers ask of devices.

use crate::abi::callback::delete;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Pointer, Slice};
use crate::args;
use crate::device::KIND;
use crate::executable::Serialized;

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

/// There are none; callers insist on something to delete.
pub fn own_attributes(a: &mut args::DeviceAttributes) -> Result<(), Failure> {
    a.device.get()?;
    a.attributes = Slice::lend(&[]);
    a.owner = Handle::give(Serialized(Vec::new()));
    a.deleter = Some(delete::<Serialized>);
    Ok(())
}

pub fn is_addressable(a: &mut args::DeviceIsAddressable) -> Result<(), Failure> {
    a.is_addressable = 1;
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
    for unknown in [
        &mut a.largest_alloc_size_is_set,
        &mut a.bytes_limit_is_set,
        &mut a.bytes_reserved_is_set,
        &mut a.peak_bytes_reserved_is_set,
        &mut a.bytes_reservable_limit_is_set,
        &mut a.largest_free_block_bytes_is_set,
        &mut a.peak_pool_bytes_is_set,
    ] {
        *unknown = 0;
    }
    (a.peak_bytes_in_use, a.peak_bytes_in_use_is_set) = (stats.peak as i64, 1);
    (a.num_allocs, a.num_allocs_is_set) = (stats.fresh as i64, 1);
    (a.pool_bytes, a.pool_bytes_is_set) = ((stats.used + stats.kept) as i64, 1);
    if let Some(total) = lawson::memory::total() {
        (a.bytes_limit, a.bytes_limit_is_set) = (total as i64, 1);
    }
    Ok(())
}
