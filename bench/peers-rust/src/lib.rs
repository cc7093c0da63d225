//! What the benches of this folder share.

pub mod machine;
pub mod turns;
