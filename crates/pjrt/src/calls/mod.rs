//! The functions of the table, a file for each family: safe code from arguments to success or failure.

pub mod buffer;
pub mod client;
pub mod device;
pub mod error;
pub mod event;
pub mod executable;
pub mod execute;
pub mod host_buffer;
mod layout;
pub mod layouts;
pub mod memory;
pub mod plugin;
pub mod profiler;
pub mod serialized;
pub mod shardings;
pub mod topology;
