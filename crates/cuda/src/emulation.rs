//! The device that is emulated on the host: one for the whole process, in builds that have the emulator.

/// What a launch did on an emulated device.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    pub kernel: String,
    pub blocks: u64,
    /// Of one block.
    pub threads: u64,
    /// Of warps.
    pub instructions: u64,
    pub read: Moved,
    pub written: Moved,
    /// Accesses of warps to shared memory, and the passes that conflicts of banks added to them.
    pub shared: u64,
    pub conflicts: u64,
    /// Conditional branches, and those whose lanes went both ways.
    pub branches: u64,
    pub divergent: u64,
    /// Barriers of blocks and of warps.
    pub barriers: u64,
    pub warp_barriers: u64,
}

/// Traffic with the memory of a device in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    /// What lanes asked for.
    pub bytes: u64,
    /// The sectors of 32 bytes that this took.
    pub sectors: u64,
}

/// The emulated device.
///
/// # Errors
/// This build has none.
#[cfg(not(feature = "emulated"))]
pub fn device() -> Result<crate::Device, crate::Error> {
    Err(crate::Error::NoEmulator)
}

/// What launches on it did since this was last asked.
#[cfg(not(feature = "emulated"))]
pub fn counters() -> Vec<Counted> {
    Vec::new()
}

#[cfg(feature = "emulated")]
pub use with::{counters, device};

#[cfg(feature = "emulated")]
mod with {
    use super::{Counted, Moved};
    use crate::device::Device;
    use crate::driver::emulated::{Counters, Emulated, Flow, Options};
    use crate::error::Error;
    use std::sync::{Arc, OnceLock};

    type Shared = (Device, Arc<Emulated>);

    fn shared() -> Result<&'static Shared, Error> {
        static SHARED: OnceLock<Result<Shared, Error>> = OnceLock::new();
        let made = SHARED.get_or_init(|| Device::emulated(Options::default()));
        made.as_ref().map_err(Clone::clone)
    }

    /// The emulated device.
    ///
    /// # Errors
    /// It has no memory.
    pub fn device() -> Result<Device, Error> {
        shared().map(|(device, _)| device.clone())
    }

    /// What launches on it did since this was last asked; the first time nothing, since it begins to count then.
    pub fn counters() -> Vec<Counted> {
        shared().map(|(_, driver)| driver.counters().iter().map(counted).collect()).unwrap_or_default()
    }

    fn counted(c: &Counters) -> Counted {
        let moved = |f: Flow| Moved { bytes: f.bytes, sectors: f.sectors };
        Counted {
            kernel: c.kernel.clone(),
            blocks: c.blocks,
            threads: c.threads,
            instructions: c.warp_instructions,
            read: moved(c.global.read),
            written: moved(c.global.written),
            shared: c.shared.loads + c.shared.stores,
            conflicts: c.shared.conflicts,
            branches: c.branches,
            divergent: c.divergent_branches,
            barriers: c.barriers,
            warp_barriers: c.warp_barriers,
        }
    }
}
