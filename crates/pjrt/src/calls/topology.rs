//! What callers ask of topologies.

use crate::abi::failure::Failure;
use crate::abi::memory::Slice;
use crate::args;
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
