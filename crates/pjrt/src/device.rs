//! Devices: the processor under one or more numbers, each with a memory, which it shares with the host.
//!
//! Programs and arrays of each are told apart as JAX wants it; all run on the same processor, with all its threads.

use crate::abi::memory::Handle;
use std::sync::OnceLock;

/// What is known of a device without a client.
pub struct Description {
    pub number: usize,
    pub debug: String,
    pub text: String,
}

impl Description {
    fn new(number: usize) -> Description {
        let (debug, text) = (format!("LAWSON_{number}"), format!("LawsonDevice(id={number})"));
        Description { number, debug, text }
    }
}

/// The descriptions of all devices of a client.
pub struct Topology {
    pub descriptions: Vec<Description>,
    pub handles: Vec<Handle<Description>>,
}

impl Topology {
    pub fn new(devices: usize) -> Topology {
        let descriptions: Vec<Description> = (0..devices).map(Description::new).collect();
        let handles = descriptions.iter().map(Handle::lend).collect();
        Topology { descriptions, handles }
    }
}

/// A device of a client.
pub struct Device {
    pub number: usize,
    pub description: Handle<Description>,
    pub memory: Handle<Memory>,
}

impl Device {
    /// Of a description and a memory that live as long.
    pub fn new(description: &Description, memory: &Memory) -> Device {
        let number = description.number;
        Device { number, description: Handle::lend(description), memory: Handle::lend(memory) }
    }
}

/// Where the arrays of a device are.
pub struct Memory {
    pub number: usize,
    pub text: String,
    /// The one device; set when there is one.
    pub device: OnceLock<Handle<Device>>,
}

impl Memory {
    pub fn new(number: usize) -> Memory {
        Memory { number, text: format!("LAWSON_MEMORY_{number}"), device: OnceLock::new() }
    }
}

/// What JAX shows as `device_kind`.
pub const KIND: &str = "Lawson CPU";

/// The kind that JAX calls the memory of a device by where it has one only.
pub const MEMORY_KIND: &str = "device";
