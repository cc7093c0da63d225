//! What a client and all that it made share: devices, memories, options.

use crate::abi::failure::Failure;
use crate::abi::memory::Handle;
use crate::device::{Device, Memory, Topology};
use crate::process::Process;
use crate::queue::Queue;
use crate::settings::Settings;
use std::sync::{Arc, LazyLock};

/// The name by which JAX knows us.
pub const NAME: &str = "lawson";

/// The version of Lawson, with the machine that it makes code for: what compiled programs are cached under.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let machine = lawson::Options::default().machine();
        let machine = machine.map_or_else(|_| "unknown".to_string(), |m| m.target.name.to_string());
        format!("Lawson {} for {machine}", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

/// A client, as the caller holds it.
pub struct Client(pub Arc<Platform>);

/// What a client and all that it made share.
pub struct Platform {
    pub client: lawson::Client,
    /// What programs are compiled with, unless they say otherwise.
    pub settings: Settings,
    pub topology: Topology,
    /// Runs that go on beside the caller; none where the user wants none.
    pub queue: Option<Queue>,
    process: Process,
    memories: Vec<Memory>,
    devices: Vec<Device>,
    pub memory_handles: Vec<Handle<Memory>>,
    pub device_handles: Vec<Handle<Device>>,
}

impl Platform {
    pub fn new(settings: Settings) -> Platform {
        let topology = Topology::new(settings.devices);
        let memories: Vec<Memory> = (0..settings.devices).map(Memory::new).collect();
        let both = topology.descriptions.iter().zip(&memories);
        let devices: Vec<Device> = both.map(|(d, m)| Device::new(d, m)).collect();
        let memory_handles = memories.iter().map(Handle::lend).collect();
        let device_handles: Vec<_> = devices.iter().map(Handle::lend).collect();
        memories.iter().zip(&device_handles).for_each(|(m, &d)| {
            m.device.get_or_init(|| d);
        });
        let client = lawson::Client::cpu();
        let queue = settings.runs_beside.then(Queue::default);
        Platform {
            client,
            settings,
            topology,
            queue,
            process: Process::this(),
            memories,
            devices,
            memory_handles,
            device_handles,
        }
    }

    /// Refuses to go on in a process that was forked: the threads that compute are not in it.
    ///
    /// # Errors
    /// This process is another one.
    pub fn check_process(&self) -> Result<(), Failure> {
        self.process.check()
    }

    /// The number of a device.
    ///
    /// # Errors
    /// There is none of this number.
    pub fn device_numbered(&self, number: i64) -> Result<usize, Failure> {
        let found = usize::try_from(number).ok().filter(|&n| n < self.devices.len());
        found.ok_or_else(|| {
            let all = self.devices.len();
            Failure::invalid(format!("[option] there is no device {number}: this client has {all}"))
        })
    }

    /// The device that a caller names by itself or by its memory, else the first.
    pub fn chosen(&self, device: Handle<Device>, memory: Handle<Memory>) -> Result<usize, Failure> {
        match (device.is_null(), memory.is_null()) {
            (false, _) => Ok(device.get()?.number),
            (_, false) => Ok(memory.get()?.number),
            (true, true) => Ok(0),
        }
    }

    pub fn device(&self, number: usize) -> Handle<Device> {
        self.device_handles[number]
    }

    pub fn memory(&self, number: usize) -> Handle<Memory> {
        Handle::lend(&self.memories[number])
    }
}
