//! What callers ask of topologies.

use crate::abi::callback::delete;
use crate::abi::failure::Failure;
use crate::abi::memory::{Handle, Slice};
use crate::args;
use crate::executable::Serialized;
use crate::platform;

pub fn platform_name(a: &mut args::TopologyText) -> Result<(), Failure> {
    a.text = Slice::text(platform::NAME);
    Ok(())
}

pub fn platform_version(a: &mut args::TopologyText) -> Result<(), Failure> {
    a.text = Slice::text(platform::version());
    Ok(())
}

pub fn device_descriptions(a: &mut args::TopologyDescriptions) -> Result<(), Failure> {
    a.descriptions = Slice::lend(&a.topology.get()?.handles);
    Ok(())
}

pub fn attributes(a: &mut args::TopologyAttributes) -> Result<(), Failure> {
    a.attributes = Slice::lend(&[]);
    Ok(())
}

/// What programs are cached under beside their own text: the machine that code is made for, and the number of devices.
pub fn serialize(a: &mut args::TopologySerialize) -> Result<(), Failure> {
    let devices = a.topology.get()?.handles.len();
    let serialized = Serialized(format!("{}, {devices} devices", platform::version()).into_bytes());
    // The bytes stay where they are when their owner moves.
    a.bytes = Slice::lend(&serialized.0);
    a.serialized = Handle::give(serialized);
    a.deleter = Some(delete::<Serialized>);
    Ok(())
}
