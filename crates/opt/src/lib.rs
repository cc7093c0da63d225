//! Lawson: opt.
