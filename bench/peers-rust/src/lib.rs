//! What the benches of this folder share.

pub mod turns;
