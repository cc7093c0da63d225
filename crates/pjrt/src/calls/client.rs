//! What callers ask of clients.

use crate::abi::failure::{Code, Failure};
use crate::abi::memory::{Handle, Slice};
use crate::args;
use crate::device::Device;
use crate::platform::{self, Client, Platform};
use crate::settings::Settings;
use std::sync::Arc;

pub fn create(a: &mut args::ClientCreate) -> Result<(), Failure> {
    let mut settings = Settings::default();
    for option in a.options.get() {
        settings.set_of_client(&option.name(), option.value())?;
    }
    a.client = Handle::give(Client(Arc::new(Platform::new(settings))));
    Ok(())
}

/// Buffers and executables that are left keep what they need.
pub fn destroy(a: &mut args::ClientOnly) -> Result<(), Failure> {
    a.client.destroy();
    Ok(())
}

pub fn platform_name(a: &mut args::ClientText) -> Result<(), Failure> {
    a.text = Slice::text(platform::NAME);
    Ok(())
}

pub fn platform_version(a: &mut args::ClientText) -> Result<(), Failure> {
    a.text = Slice::text(platform::version());
    Ok(())
}

/// There is one process.
pub fn process_index(a: &mut args::ClientProcessIndex) -> Result<(), Failure> {
    a.process_index = 0;
    Ok(())
}

pub fn devices(a: &mut args::ClientDevices) -> Result<(), Failure> {
    a.devices = Slice::lend(&a.client.get()?.0.device_handles);
    Ok(())
}

pub fn memories(a: &mut args::ClientMemories) -> Result<(), Failure> {
    a.memories = Slice::lend(&a.client.get()?.0.memory_handles);
    Ok(())
}

/// By its number, which is that on this host too.
pub fn lookup_device(a: &mut args::ClientLookup) -> Result<(), Failure> {
    a.device = found(&a.client.get()?.0, a.id)?;
    Ok(())
}

fn found(platform: &Platform, number: i32) -> Result<Handle<Device>, Failure> {
    let number = platform.device_numbered(number.into());
    number.map(|n| platform.device(n)).map_err(|e| Failure { code: Code::NotFound, ..e })
}

pub fn topology(a: &mut args::ClientTopology) -> Result<(), Failure> {
    a.topology = Handle::lend(&a.client.get()?.0.topology);
    Ok(())
}

/// Replica after replica, partition after partition: as many devices from the first on.
pub fn default_device_assignment(a: &mut args::ClientDefaultDeviceAssignment) -> Result<(), Failure> {
    let wanted = usize::try_from(i64::from(a.num_replicas) * i64::from(a.num_partitions)).unwrap_or(0);
    let platform = &a.client.get()?.0;
    if wanted > platform.device_handles.len() {
        platform.device_numbered(wanted as i64 - 1)?;
    }
    if a.size < wanted {
        let message = format!("the assignment has room for {} devices, {wanted} are needed", a.size);
        return Err(Failure::invalid(message));
    }
    a.assignment.fill(0..wanted as i32);
    Ok(())
}
