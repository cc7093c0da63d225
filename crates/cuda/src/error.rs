//! What can go wrong between a program and a device, with what to do about it.

use lawson_cpu as cpu;

/// The oldest version of the driver's interface that reads the code that is made, as [`crate::Properties::driver`] has it.
pub const OLDEST_DRIVER: u32 = 11_080;
/// The oldest devices that code is made for.
pub const OLDEST_CAPABILITY: (u32, u32) = (7, 5);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(
        "no driver of NVIDIA is installed here: its library libcuda.so.1 was not found; install the driver \
         (https://www.nvidia.com/drivers), or let a container have it (`--gpus all`), or use --device cpu"
    )]
    NoDriver,
    #[error("this build has no emulator of devices; `cargo build --features emulated` makes one that has")]
    NoEmulator,
    #[error(
        "the driver of NVIDIA is too old: it is for CUDA {}, and Lawson needs {} or newer{missing}; install a newer driver, or \
         use --device cpu", version(*.found), version(OLDEST_DRIVER)
    )]
    DriverTooOld {
        found: u32,
        /// What it lacks, if it is not its version that tells.
        missing: String,
    },
    #[error(
        "the driver of NVIDIA finds no device ({why}); `nvidia-smi` should list one, and CUDA_VISIBLE_DEVICES may hide it; or \
         use --device cpu"
    )]
    NoDevice { why: String },
    #[error("there is no device cuda:{wanted}: {found} found, counted from 0; `lawson doctor` lists them")]
    NoSuchDevice { wanted: usize, found: usize },
    #[error(
        "{name} has compute capability {}.{}, and Lawson makes code for {}.{} and newer; use --device cpu",
        found.0, found.1, OLDEST_CAPABILITY.0, OLDEST_CAPABILITY.1
    )]
    DeviceTooOld { name: String, found: (u32, u32) },
    #[error(
        "out of device memory: {bytes} bytes more than the {used} in use do not fit into the {total} bytes of {name}; drop \
         buffers that are no longer needed, run smaller batches, or use --device cpu"
    )]
    OutOfMemory { bytes: usize, used: u64, total: u64, name: String },
    #[error(
        "the device is lost ({why}): its arrays are gone, and what uses them fails; make a new client, and look into `dmesg` \
         for messages of the driver (Xid)"
    )]
    Lost { why: String },
    /// A bug of ours: code that does what it must not. The device is lost with it.
    #[error("{kernel} failed on the device: {why}")]
    Fault {
        /// `kernel k0_add`; `a kernel` where the driver does not say which.
        kernel: String,
        why: String,
    },
    /// A bug of ours: the driver does not take the code of a kernel.
    #[error("the driver does not take the code of kernel {kernel}: {why}")]
    Code { kernel: String, why: String },
    #[error("{call} of the driver failed: {why}")]
    Driver { call: &'static str, why: String },
    /// A bug of ours: a program or an argument that breaks a rule.
    #[error("invalid program: {0}")]
    Program(String),
    #[error("the run needs {needed} bytes of device memory, more than its limit of {limit}")]
    Limit { needed: u64, limit: u64 },
    /// Of the host's part of a run.
    #[error("{0}")]
    Host(HostError),
}

/// An error of the host's runtime.
#[derive(Clone, Debug)]
pub struct HostError(pub std::sync::Arc<cpu::Error>);

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for HostError {
    fn eq(&self, other: &HostError) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for HostError {}

impl From<cpu::Error> for Error {
    fn from(e: cpu::Error) -> Error {
        Error::Host(HostError(std::sync::Arc::new(e)))
    }
}

impl From<cpu::memory::OutOfMemory> for Error {
    fn from(e: cpu::memory::OutOfMemory) -> Error {
        cpu::Error::from(e).into()
    }
}

impl Error {
    /// Whether nothing works on the device after it.
    pub fn is_final(&self) -> bool {
        matches!(self, Error::Lost { .. } | Error::Fault { .. })
    }
}

/// `12.4` of 12040.
pub fn version(number: u32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_cuda() {
        assert_eq!([version(12_040), version(OLDEST_DRIVER)], ["12.4", "11.8"]);
        let old = Error::DriverTooOld { found: 11_020, missing: String::new() };
        assert!(old.to_string().contains("it is for CUDA 11.2, and Lawson needs 11.8 or newer; install"));
    }
}
