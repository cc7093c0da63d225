//! The boundary: what crosses it, how it is read and written, and how calls begin and end.

pub mod callback;
pub mod entry;
pub mod failure;
pub mod memory;
pub mod named;
pub mod python;
