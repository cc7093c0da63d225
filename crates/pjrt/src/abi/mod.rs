//! The boundary: PJRT's C API as types, and the only place with `unsafe` but for the exported symbol.
//!
//! The layouts are those of version 0.78, which old and new callers load; see [`crate::table`].

pub mod args;
pub mod callback;
pub mod entry;
pub mod memory;
pub mod named;
