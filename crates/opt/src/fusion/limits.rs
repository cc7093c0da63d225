//! How much one kernel may hold.

/// Most arrays one kernel takes, outputs included.
pub const MAX_ARRAYS: usize = 64;

/// Most operations of one kernel's code.
pub const MAX_NODES: usize = 400;

/// Most kernels that compute the same value of a function whose code is long, where a kernel of its own could.
pub const MAX_LONG_COPIES: usize = 2;
