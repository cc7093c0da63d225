//! Lawson.
