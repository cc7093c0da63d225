//! The plugin of JAX: Lawson behind the PJRT C API, as one shared object with one exported symbol, [`GetPjrtApi`].
//!
//! [`table`] lists the functions, each of which is a safe one in the file of its family, from arguments to success or
//! [`failure::Failure`]. [`abi`] holds what crosses the boundary. A `Client` makes `Buffer`s ([`host_buffer`]) and programs
//! ([`program`]), which run ([`execute`]) on the thread of the caller; all may be used from any thread.

#![warn(missing_docs)]
#![allow(rustdoc::private_intra_doc_links)]

mod abi;
mod buffer;
mod client;
mod compile_options;
mod device;
mod event;
mod executable;
mod execute;
mod failure;
mod host_buffer;
mod memory;
mod platform;
mod plugin;
mod program;
mod report;
mod serialized;
mod settings;
mod strided;
mod table;
mod topology;
mod types;

pub use table::GetPjrtApi;
