//! The plugin of JAX: Lawson behind the PJRT C API, as one shared object with one exported symbol, [`GetPjrtApi`].
//!
//! [`table`] lists the functions, [`extensions`] more of them; each is a safe one of [`calls`], from its arguments ([`args`]) to success or failure. [`abi`] holds
//! what crosses the boundary. A client ([`platform`]) makes [`buffer`]s and compiles ([`compile`]) programs, which [`run`] on the thread
//! of the caller or, one after the other, on that of the [`queue`]. All may be used from any thread. Files at the root know nothing of the calls.

#![warn(missing_docs)]
#![allow(rustdoc::private_intra_doc_links)]

mod abi;
mod allocator;
mod args;
mod array;
mod buffer;
mod calls;
mod compile;
mod compile_options;
mod device;
mod dump;
mod event;
mod executable;
mod extensions;
mod layout;
mod length;
mod platform;
mod process;
mod profile;
mod program;
mod queue;
mod report;
mod run;
mod settings;
mod strided;
mod table;
mod types;

pub use table::GetPjrtApi;
