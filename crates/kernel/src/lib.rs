//! Lawson: kernel.
