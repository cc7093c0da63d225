//! Lawson: cpu.
