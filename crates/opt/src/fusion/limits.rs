//! How much one kernel may hold.

/// Most arrays one kernel takes, outputs included.
pub const MAX_ARRAYS: usize = 64;

/// Most operations of one kernel's code.
pub const MAX_NODES: usize = 400;
