//! Topologies: the devices of a client, described.

use crate::abi::args;
use crate::abi::memory::{Handle, Slice};
use crate::device::Description;
use crate::failure::Failure;
use crate::platform;

/// The descriptions of all devices.
pub struct Topology {
    descriptions: Vec<Description>,
    handles: Vec<Handle<Description>>,
}

impl Topology {
    pub fn new(devices: usize) -> Topology {
        let descriptions: Vec<Description> = (0..devices).map(Description::new).collect();
        let handles = descriptions.iter().map(Handle::lend).collect();
        Topology { descriptions, handles }
    }

    pub fn descriptions(&self) -> &[Description] {
        &self.descriptions
    }
}

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
